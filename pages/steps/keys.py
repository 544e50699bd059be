import streamlit as st

from disclosure_core import meaning
from disclosure_core.assessment import identity_by_keys
from disclosure_core.figures import describe
from pages.parts import pickers, searching, show
from pages.parts.session import session

s = session()
show.heading(
    "Keys", "Choose what an outsider could know of a person (**keys**) and what could be learnt (**targets**)."
)
study = show.needed(s, keys=False)

left, right = st.columns([1, 1], gap="large")
with left:
    pickers.keys(s)
    pickers.targets(s)
    pickers.identifiers(s)
with right:
    show.explained_by("keys")

for note in meaning.key_warnings(study, s.settings.keys):
    st.warning(show.literal(note.text), icon=":material/warning:")
if not s.settings.keys:
    st.info("Choose at least one key: a column that an outsider could know.", icon=":material/key:")
    st.stop()

st.header("What each key adds")
growth = identity_by_keys(study, s.settings)
plot = describe.growth(growth, study.n_original)
show.figure(plot, "keys.growth")
show.explained_by("growth")
with st.expander("The figures", icon=":material/table_chart:"):
    show.table(
        growth,
        "Identity measures as keys are added one at a time",
        {"key": "Key added", **{m: show.percent_column(f"{m} %") for m in ("UiO", "UiS", "UiOiS", "repU")}},
    )

st.header("How many keys it takes")
searching.by_number(s, study)

st.header("Groups of numeric columns")
st.caption(
    "By default every number is a level of its own. Groups of about equal size make a target such as income harder to "
    "hit exactly, and a key such as age less telling."
)
pickers.groups(s)
show.group_preview(study, s.settings)
st.page_link("pages/steps/risk.py", label="Next: see the risk", icon=":material/arrow_forward:")
