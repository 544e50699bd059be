import streamlit as st

from disclosure_core.counting.registry import IDENTITY
from disclosure_core.data import suggestions
from disclosure_core.figures import keys_added
from pages.keys import counted, intruder, strongest
from pages.shared import agreements, panes, pickers, plots, population, searching, show, tables, unanswered
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
study = needed(s, keys=False)

asked, shown = panes.beside("keys", 2, 3)
with asked:
    intruder.ask(s)
    pickers.keys(s)
    intruder.order(s)
    pickers.targets(s)
    for note in suggestions.key_warnings(study, s.settings.keys, dict(s.settings.groups)):
        st.warning(show.literal(note.text), icon=":material/warning:")
    if not s.settings.keys:
        st.info("Choose at least one key: a column that an intruder could know.", icon=":material/key:")
    show.explained_by("keys")
    pickers.identifiers(s)
    if not s.settings.keys:
        st.stop()

    st.header("Groups of numeric columns")
    st.caption(
        "By default every number is a level of its own. Groups of about equal size make a target such as income harder "
        "to hit exactly, and a key such as age less telling."
    )
    asked_here = pickers.groups(s)
    counted.group_preview(study, s.settings)
    if s.now.stopped():  # asked on the right
        asked_here |= {f"unmet: {mismatch.column}" for mismatch in s.now.stopping()}
    unanswered.again(s, asked_here)
    show.next_page("review", "review every target")

with shown:
    if s.now.stopped():
        agreements.stopped(s, "keys")
        st.stop()
    agreements.held_back(s)
    result = s.assessment()
    st.header("Identity: who stands out")
    counted.identity(result)
    show.explained_by("identity")

    st.subheader("In the population")
    population.asked(s)
    show.explained_by("population")

    st.header("Contribution of each key")
    growth = s.now.growth()
    plot = keys_added.describe(growth, study.n_original)
    plots.figure(plot, "keys.growth")
    show.explained_by("growth")
    with st.expander("The figures", icon=":material/table_chart:"):
        tables.table(
            growth,
            "Identity measures as keys are added one at a time, in the order chosen",
            {"key": "Key added", **{m: tables.percent_column(f"{m} %") for m in IDENTITY}},
        )

    st.header("Which keys matter")
    searching.which_keys(s, result)

    st.header("How many keys it takes")
    searching.by_number(s, study)

    st.header("The strongest intruder")
    strongest.search(s, study)
