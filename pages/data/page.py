import streamlit as st

from pages.data import answers, codebooks, columns, intake, overview, what_was_read
from pages.server import configuration
from pages.shared import panes, show
from pages.shared.session import session

s = session()
if s.opened is not None:
    columns.hear(s)
    answers.hear(s)
show.heard(s)
if s.study is None:
    st.markdown("See what synthetic data still disclose about the people behind them.")
    if not configuration.demonstration_only():
        written = "nothing is written to disk"
        if configuration.office_folder() is not None:
            written = "nothing is written but reviews, into the folder, when you save them"
        st.markdown(f"Bring the original and the synthetic data; they stay in this server's memory, and {written}.")
    intake.bring()
    st.stop()

table, asked = panes.side_by_side("data", 7, 3)
with asked:
    overview.what_is_open(s, s.study)
    intake.bring()
    intake.read_without_names(s)
    answers.draw(s)
    overview.suggested_keys(s, s.study)
    show.next_page("keys", "choose keys and targets")
    codebooks.ask(s)

with table:
    columns.draw(s)
    st.header("Files read")
    what_was_read.files_read(s)
    what_was_read.notes(s, s.study)
