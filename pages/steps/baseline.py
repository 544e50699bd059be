import streamlit as st

from pages.parts import holdouts, memberships, releases, show
from pages.parts.session import session

VIEWS = {
    "Attributes": holdouts.attributes,
    "Replicated uniques": holdouts.identity,
    "Membership": memberships.membership,
    "Fewer records": releases.fewer,
    "Released together": releases.together,
    "Anonymity": releases.anonymity,
}

s = session()
show.heading(
    "Baseline", "What would be known anyway, of people who were not in the data; and what else changes the figures."
)
show.needed(s, records=True)
result = s.assessment()
show.under_review(s, result)
holdouts.bring(s)
view = st.radio("What to see", list(VIEWS), horizontal=True, key="baseline.view", persist_state="session")
VIEWS[view or "Attributes"](s, result)
