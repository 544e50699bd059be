import streamlit as st

from disclosure_core.figures import describe, screen
from pages.parts import findings, pickers, show
from pages.parts.session import session

s = session()
show.heading("Review", "One target at a time: is an apparent disclosure a leak, or common knowledge?")
show.needed(s)
before, after = s.without_exclusions(), s.assessment()
name = pickers.target(s, after.summary()["target"].tolist()[::-1])
risk = after.targets[name]

st.header("What the checks found")
findings.one_way(s, risk)
findings.two_way(s, before.targets[name])
with st.expander("When a check raises its flag", icon=":material/flag:"):
    show.explained_by("flags")
    pickers.thresholds(s)

st.header("What to leave out")
show.explained_by("exclusions")
pickers.exclusions(s, risk.counted[0].cells.column)

st.header("Before and after")
findings.before_and_after(before.targets[name], risk)
findings.taken(risk)

st.header("All targets, with what is left out")
plot = describe.arrows(after)
show.figure(screen.arrows(plot), plot.sentence, "review.plot")
