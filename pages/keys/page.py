import streamlit as st

from disclosure_core.data import suggestions
from disclosure_core.figures import keys_added
from pages.keys import counted, intruder
from pages.shared import pickers, plots, searching, show, tables
from pages.shared.session import session

s = session()
show.heading(
    "Keys", "Choose what an outsider could know of a person (**keys**) and what could be learnt (**targets**)."
)
study = show.needed(s, keys=False)

intruder.ask(s)
left, right = st.columns([1, 1], gap="large")
with left:
    pickers.keys(s)
    intruder.order(s)
    pickers.targets(s)
    pickers.identifiers(s)
with right:
    show.explained_by("keys")

for note in suggestions.key_warnings(study, s.settings.keys, dict(s.settings.groups)):
    st.warning(show.literal(note.text), icon=":material/warning:")
if not s.settings.keys:
    st.info("Choose at least one key: a column that an outsider could know.", icon=":material/key:")
    st.stop()

result = s.assessment()
st.header("Identity: who stands out")
counted.identity(result)
show.explained_by("identity")

st.header("Contribution of each key")
growth = s.now.growth()
plot = keys_added.describe(growth, study.n_original)
plots.figure(plot, "keys.growth")
show.explained_by("growth")
with st.expander("The figures", icon=":material/table_chart:"):
    tables.table(
        growth,
        "Identity measures as keys are added one at a time, in the order chosen",
        {"key": "Key added", **{m: tables.percent_column(f"{m} %") for m in ("UiO", "UiS", "UiOiS", "repU")}},
    )

st.header("Which keys matter")
searching.which_keys(s, result)

st.header("How many keys it takes")
searching.by_number(s, study)

st.header("Groups of numeric columns")
st.caption(
    "By default every number is a level of its own. Groups of about equal size make a target such as income harder to "
    "hit exactly, and a key such as age less telling."
)
pickers.groups(s)
counted.group_preview(study, s.settings)
show.next_page("review", "review every target")
