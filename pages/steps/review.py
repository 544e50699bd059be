import streamlit as st

from disclosure_core.figures import describe
from pages.parts import comparing, effect, findings, pickers, show
from pages.parts.session import session

s = session()
show.heading("Review", "One target at a time: is an apparent disclosure a leak, or common knowledge?")
show.needed(s)
before, after = s.without_exclusions(), s.assessment()
name = pickers.review(s, after)
one = s.synthesis
risk = after.targets[name] if one is None else after.targets[name].only(one)
full = before.targets[name] if one is None else before.targets[name].only(one)

st.header("The steps of an intruder")
effect.steps(risk)

st.header("What the checks found")
findings.one_way(s, risk)
findings.two_way(s, full)
findings.everything_flagged(s, after, name)
with st.expander("When a check raises its flag", icon=":material/flag:"):
    show.explained_by("flags")
    pickers.thresholds(s)

st.header("What to leave out")
show.explained_by("exclusions")
pickers.exclusions(s, risk.counted[0].cells.column)
effect.reasons(s, name)

st.header("All targets, with what is left out")
plot = describe.arrows(after)
show.figure(plot, "review.plot")

st.header("Before and after")
effect.before_and_after(full, risk)
effect.taken(risk)

st.header("How much it rests on")
effect.sizes(full, s.settings.exclusions.denominator_limit)

st.header("Where the risk lies")
effect.contributions(s, risk)

st.header("Scenarios")
comparing.scenarios(s, before, name)
