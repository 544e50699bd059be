import streamlit as st

from pages.analyses import listed, others, shown
from pages.shared import panes, show
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
needed(s)
if not s.analysis:
    listed.every(s)
    show.next_page("report", "make the report")
    st.stop()
beside, looked_at = panes.side_by_side("analyses", 4, 13)
with beside:
    listed.narrow(s)
before = listed.stands(s)
with looked_at:
    question = others.panel(s.analysis)
    if question is None:
        shown.show_question(s, s.analysis)
    else:
        st.header(question.question)
        question.draw(s)
if listed.stands(s) != before:
    st.rerun()  # the list says so, too
