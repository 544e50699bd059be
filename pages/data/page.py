import streamlit as st

from pages.data import codebooks, intake, overview, what_was_read
from pages.server import configuration
from pages.shared import agreements, panes, pickers, show, unanswered
from pages.shared.session import session

s = session()
show.heard(s)
if s.study is None:
    st.markdown("See what synthetic data still disclose about the people behind them.")
    if not configuration.demonstration_only():
        st.markdown(
            "Bring the original and the synthetic data; they stay in this server's memory, and nothing is written to "
            "disk."
        )
    intake.bring()
    st.stop()

table, asked = panes.beside("data", 3, 2)
with asked:
    overview.what_is_open(s, s.study)
    intake.bring()
    agreements.warned(s)
    unanswered.warnings(s)
    intake.read_without_names(s)
    pickers.identifiers(s)
    pickers.missing_texts(s)
    pickers.suggested_codes(s)
    st.header("Assumptions of the measures")
    agreements.assumptions(s)
    overview.suggested_keys(s, s.study)
    show.next_page("keys", "choose keys and targets")

    st.header("Missing codes and types")
    st.caption(
        "A number can stand for “no answer”, such as −8. It matters when a column is grouped: the code then stays a "
        "level of its own instead of falling into an interval. Empty cells are missing in any case."
    )
    pickers.missing_codes(s)
    codebooks.ask(s)
    pickers.types(s)

with table:
    st.header("Columns")
    what_was_read.columns_table(s.study, s.labels)
    st.header("Files read")
    what_was_read.files_read(s.readings)
    what_was_read.notes(s, s.study)
    agreements.table(s)
