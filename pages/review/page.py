from functools import partial

import streamlit as st

from pages.review import adding, bench, card, effect, every_target, targets, verdict
from pages.server import closing
from pages.shared import agreements, parts, pickers, show, status_bar, unanswered
from pages.shared.needed import needed
from pages.shared.session import drawn, leave_if_closed, session

needed(session(), hear=False)


@st.fragment
def draw() -> None:
    """Draw all targets beside the card of one; a change here draws nothing else again."""
    leave_if_closed()
    with drawn().drawing("bench"):
        s = session()  # not a global: Streamlit keeps the function, and with it what stands beside it
        if s.to_records:
            s.to_records = False
            st.switch_page("records/page.py")
        if not s.can_count:  # the last key was taken back, say: the page around says what is missing, and has the bar
            st.rerun(scope="app")
        with show.explained():
            measure, tau = bench.comparison(s)
            queue = s.now.queue(measure, tau, order=s.order)
            name = pickers.chosen_target(s, queue)
            above = st.container()
            left, right = st.columns([12, 11], gap="small")
            with left, st.container(border=True, height=600, key="pane-targets"):
                agreements.held_back(s)
                targets.shown(s, queue, name)
            with above:  # after the figures: they are what is waited for
                status_bar.draw(s, "Review", closing.offer, queue)
            with right:
                with st.container(border=True, height=400, key="pane-target"):
                    targets.say_state(s, queue.row(name))
                    unanswered.grave(s)
                    agreements.warn_beside_figures(s, name)
                    parts.draw("card", "review.card", targets.of_card(s, name), partial(card.act, s))
                    adding.more(s, name)
                    effect.views(s, name)
                    every_target.ask(s)
                with st.container(border=False, height=150, key="pane-verdict"):
                    shown = verdict.shows(s, queue.row(name), bench.ticked(s, queue))
                    parts.draw("verdict", "review.verdict", shown, partial(verdict.act, s))


draw()
