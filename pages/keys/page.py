import streamlit as st

from disclosure_core.counting.registry import IDENTITY
from disclosure_core.data import suggestions
from disclosure_core.figures import all_but_one, keys_added
from pages.keys import counted, intruder, roles
from pages.shared import agreements, panes, pickers, plots, searching, show, tables, unanswered
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
if s.opened is not None:
    roles.hear(s)
study = needed(s, keys=False)

asked, shown = panes.side_by_side("keys", 3, 2)
with asked:
    show.headed("What could an intruder know, and what would they learn?", "keys")
    intruder.ask(s)
    roles.draw(s)
    for note in suggestions.key_warnings(study, s.settings.keys, dict(s.settings.groups)):
        st.warning(show.literal(note.text), icon=":material/warning:")
    asked_here = pickers.codes_of_groups(s)
    if not s.settings.keys:
        shown.info("Choose at least one key: a column that an intruder could know.", icon=":material/key:")
        st.stop()
    if not s.has_targets:
        shown.info("Choose at least one target: a column that an intruder must not learn.", icon=":material/target:")
        st.stop()
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
    result, without = s.now.assessment(), s.now.without_each()
    st.header(show.literal(all_but_one.finding(without)))
    counted.identity(result)
    show.explained_by("identity")
    plots.figure(all_but_one.describe(without, study.n_original), "keys.all_but_one")
    show.analysis(s, "number-of-keys", "How many keys does it take?")
    show.analysis(s, "strongest-intruder", "Which intruder discloses most?")
    with st.expander("As keys are added", icon=":material/stacked_line_chart:"):
        growth = s.now.growth()
        plots.figure(keys_added.describe(growth, study.n_original), "keys.growth")
        show.explained_by("growth")
        intruder.order(s)
        tables.table(
            growth,
            "Identity measures as keys are added one at a time, in the order chosen",
            {"key": "Key added", **{m: tables.percent_column(f"{m} %") for m in IDENTITY}},
        )
    with st.expander("All identity measures", icon=":material/table_chart:"):
        counted.all_measures(result)
    st.header("Which keys matter")
    searching.which_keys(s, result)
