import streamlit as st

from pages.parts import documents, show

show.heading("Glossary", "The words of these pages in plain language, and every measure worked out by hand.")

asked = st.text_input("Find a word", placeholder="For instance: unique, key, DiSCO", key="glossary.find").casefold()
found = [(word, meaning) for word, meaning in documents.terms() if asked in f"{word} {meaning}".casefold()]
if found:
    st.markdown("\n".join(["| word | what it means |", "|---|---|", *(f"| **{w}** | {m} |" for w, m in found)]))
else:
    st.info("No word of the glossary says that; try a part of it.", icon=":material/search_off:")

st.header("Every measure by hand, on eight records")
st.markdown(documents.text("by-hand"))

st.header("Every formula and rule")
with st.expander("The measures, exactly", icon=":material/function:"):
    st.markdown(documents.text("measures"))
