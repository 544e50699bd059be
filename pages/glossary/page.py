import streamlit as st

from pages.shared import documents, drawer

st.markdown("The words of these pages in plain language, and every measure worked out by hand.")
drawer.glossary("glossary.find")

st.header("Every measure by hand, on eight records")
st.markdown(documents.text("by-hand"))

st.header("Every formula and rule")
with st.expander("The measures, exactly", icon=":material/function:"):
    st.markdown(documents.text("measures"))
