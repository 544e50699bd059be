import streamlit as st

from pages.report import completeness, outputs, preview, report_form
from pages.shared import downloads, panes
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
needed(s, keys=False)
if s.now.stopped():
    needed(s, met=False)
    outputs.stopped(s)
    st.stop()
if not s.can_count:
    downloads.saved_before(s, "report")
    needed(s)
result = s.now.assessment()

open_points, page_1, taken_away = panes.side_by_side("report", 5, 5, 4)
with page_1:
    version = report_form.version()
    place = st.container()
with taken_away:
    look = report_form.look(s, version)
    outputs.every(s, result, look)
with open_points:
    completeness.list_open(s, result)
with place:  # last: it takes a moment, and what is answered must not wait for it
    preview.shown(s, look)
