"""What a page needs before it shows anything: data, keys, targets, values that meet, records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from pages.server import configuration
from pages.shared import agreements, show

if TYPE_CHECKING:
    from disclosure_core.data.study import AnyStudy
    from pages.shared.open_review import Session

NOT_SHOWN = (
    "Single records of these data, which stay in their engine, are not shown: ask the operator of this server to allow "
    "it for this source."
)
NO_RECORD = "These data stay in their engine, which hands out no record."


def needed(s: Session, *, keys: bool = True, records: bool = False, hear: bool = True, met: bool = True) -> AnyStudy:
    """Return the study; where there is none, or no keys, targets or records, say so, offer the way, and end the page.

    So it does where values do not meet, so that no figure is evaluated, unless the page shows others (`met`). A page
    that tells by itself what a change did does not `hear` it here.
    """
    if hear:
        show.heard(s)
    if s.study is None:
        demonstrated = configuration.demonstration_only()  # where nobody can bring files
        way_in = "Open the demonstration survey" if demonstrated else "Bring an original and a synthetic file"
        _empty("There are no data yet.", "data", way_in)
    if keys and not s.settings.keys:
        _empty("No keys are chosen yet.", "keys", "Choose what an intruder could know")
    if keys and not s.has_targets:
        _empty("No targets are chosen yet.", "keys", "Choose what an intruder must not learn")
    if keys and met and s.now.stopped():
        agreements.stopped(s, "stopped")
        st.stop()
    if records and not s.study.lists_records:
        _empty(NOT_SHOWN if s.study.may_list_records else NO_RECORD, "data", "Bring files instead")
    return s.study


def _empty(message: str, step: str, label: str) -> NoReturn:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(message, text_alignment="center")
        st.page_link(f"{step}/page.py", label=label, icon=":material/arrow_forward:")
    st.stop()
