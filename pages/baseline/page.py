import streamlit as st

from pages.baseline import holdouts, memberships, releases
from pages.shared import panes, show
from pages.shared.needed import needed
from pages.shared.session import bound, session

ATTRIBUTES = "Attributes"
VIEWS = {
    "Replicated uniques": holdouts.identity,
    "Membership": memberships.membership,
    "Fewer records": releases.fewer,
    "Released together": releases.together,
    "Anonymity": releases.anonymity,
}

s = session()
needed(s)
result = s.assessment()
asked, shown = panes.beside("baseline", 2, 5)


def look_at(name: str) -> None:
    s.baseline_view = name


first = s.baseline_view or (ATTRIBUTES if s.now.data.has_holdout else "Anonymity")  # what can be seen comes first
with asked:
    st.radio("View", [ATTRIBUTES, *VIEWS], **bound("baseline.view", first, look_at))
    holdouts.bring(s)
if first == ATTRIBUTES:
    holdouts.attributes(s, result, asked, shown)
else:
    with shown:
        VIEWS[first](s, result)
with asked:
    show.next_page("compare", "compare sets and safeguards")
