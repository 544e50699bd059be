import streamlit as st

from pages.baseline import holdouts, memberships, releases
from pages.shared import show
from pages.shared.session import bound, session

VIEWS = {
    "Attributes": holdouts.attributes,
    "Replicated uniques": holdouts.identity,
    "Membership": memberships.membership,
    "Fewer records": releases.fewer,
    "Released together": releases.together,
    "Anonymity": releases.anonymity,
}

s = session()
show.heading("Baseline", "People outside the data: how much is known anyway; and what else changes the figures.")
show.needed(s, records=True)
result = s.assessment()
show.under_review(s)
holdouts.bring(s)


def look_at(name: str) -> None:
    s.baseline_view = name


first = s.baseline_view or ("Attributes" if s.now.data.holdout else "Anonymity")  # what can be seen comes first
st.radio("View", list(VIEWS), horizontal=True, **bound("baseline.view", first, look_at))
VIEWS[first](s, result)
show.next_page("compare", "sets and safeguards side by side")
