import streamlit as st

from pages.parts import intake, outputs, pickers, show
from pages.parts.session import session

intake.begin_if_asked()
s = session()
show.heading(
    "Data",
    "See what synthetic data still give away about the people behind them. Bring the original and the synthetic data; "
    "they stay in this server's memory, and nothing is written to disk.",
)
show.said(s.hear())

with st.container(border=True):
    st.markdown(
        "**First time here?** The demonstration survey holds 5,000 fictional people and five syntheses of them."
    )
    st.button(
        "Open the demonstration survey",
        on_click=intake.begin_demonstration,
        type="secondary" if s.study else "primary",
        key="data.demo",
    )
with st.expander("Your own files", expanded=s.study is None, icon=":material/folder_open:"):
    intake.files()
intake.engines()

if s.study is None:
    st.stop()

st.header("What was read")
st.markdown(f"Under review: **{show.literal(s.source)}**")
show.sizes(s.study)
show.files_read(s.readings)

st.subheader("What was made comparable")
show.notes(s.notes)
pickers.identifiers(s)
pickers.missing_texts(s)

st.subheader("Columns")
show.columns_table(s.study)
pickers.types(s)

st.subheader("Missing codes")
st.caption(
    "A number that stands for “no answer”, such as −8. It matters when a column is grouped: the code then stays a "
    "level of its own instead of falling into an interval. Empty cells are missing in any case."
)
pickers.missing_codes(s)
with st.expander("Go on with a review that was saved", icon=":material/history:"):
    outputs.saved_before(s, s.study, "data")
st.page_link("pages/steps/keys.py", label="Next: choose keys and targets", icon=":material/arrow_forward:")
