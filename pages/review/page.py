import streamlit as st

from pages.review import adding, effect, findings, targets, verdict
from pages.server import closing
from pages.shared import agreements, pickers, show, status_bar, unanswered
from pages.shared.needed import needed
from pages.shared.session import leave_if_closed, session

needed(session(), hear=False)


@st.fragment
def bench() -> None:
    """Draw cause and effect on one screen; a change here draws nothing else again."""
    leave_if_closed()
    s = session()  # not a global: Streamlit keeps the function, and with it what stands beside it
    if s.now.stopped():
        agreements.stopped(s, "review")
        return
    with show.explained():
        before, now, measure, tau = s.without_exclusions(), s.assessment(), *targets.comparison(s)
        queue = s.now.queue(measure, tau, order=s.order)
        name = pickers.chosen_target(s, queue)
        full, risk = before.targets[name], now.targets[name]
        judged = s.now.judged.assessment()
        top = st.container()
        left, middle, right = st.columns([5, 5, 3.6], gap="small")
        # What a change is made for is sent first, and drawn while the rest is still on its way; the second plot is sent
        # last, or both would be drawn before either is seen.
        with left, st.container(border=True, height=600, key="pane-targets"):
            agreements.held_back(s)
            targets.shown(s, queue, name, measure, tau)
        effects = right.container(border=True, height=600, key="pane-effect")
        with effects:
            looked_at = effect.figures(s, full, judged.targets[name], risk)
        with top:
            status_bar.draw(s, "Review", closing.offer, queue)
        with middle:
            with st.container(border=True, height=400, key="pane-target"):
                targets.picked(s, queue)
                unanswered.grave(s)
                agreements.beside(s, name)
                findings.one_way(s, full, risk)
                findings.two_way(s, full, risk)
                findings.explained(s, full, risk)
                adding.everything_flagged(s, now, name)
                findings.every_target(s)
            with st.container(border=True, height=150, key="pane-verdict"):
                verdict.asked(s, queue.row(name), measure, tau)
        with effects:
            effect.views(s, *looked_at, before, judged)


bench()
