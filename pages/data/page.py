import streamlit as st

from pages.data import codebooks, intake, overview, what_was_read
from pages.shared import agreements, pickers, show
from pages.shared.session import session

s = session()
show.heading(
    "Data",
    "See what synthetic data still disclose about the people behind them. Bring the original and the synthetic data; "
    "they stay in this server's memory, and nothing is written to disk.",
)
show.said(s.hear())
if s.study is not None:
    overview.what_is_open(s, s.study)
intake.bring()
if s.study is None:
    st.stop()

agreements.warned(s)
st.header("Columns")
what_was_read.columns_table(s.study, s.labels)
overview.suggested_keys(s, s.study)

st.header("Files read")
what_was_read.files_read(s.readings)
what_was_read.notes(s.now.remarks().of_data, s.study)
agreements.table(s)
codebooks.ask(s)
pickers.types(s)

st.header("Missing values, and columns not counted")
pickers.identifiers(s)
pickers.missing_texts(s)
st.caption(
    "A number can stand for “no answer”, such as −8. It matters when a column is grouped: the code then stays a "
    "level of its own instead of falling into an interval. Empty cells are missing in any case."
)
pickers.missing_codes(s)

st.header("Assumptions of the measures")
agreements.assumptions(s)
show.next_page("keys", "choose keys and targets")
