"""The page: its configuration and the navigation between pages. The server around it is `app.py`."""

from pathlib import Path

import streamlit as st

from pages.server import closing, forgetting, signing, visitors
from pages.shared import handing, show, sizes, starting, status_bar
from pages.shared.session import drawn, on_page, session
from pages.workshop import class_bar

PAGES = Path(__file__).parent
LOGO = PAGES.parent / "assets" / "logo.svg"
SCREENS = (
    ("data", "Bring original and synthetic data, and see how they were made comparable."),
    ("keys", "Choose the keys, which an intruder could know, and the targets."),
    ("review", "All targets, and one: findings, exclusions and their effect."),
    ("safeguards", "Steps that make the syntheses safer, with their effect; the safer files."),
    ("compare", "People outside the data beside members; sets of syntheses and safeguards beside each other."),
    ("report", "Report, figures for print, tables, settings and scripts."),
    ("analyses", "Further questions: near misses, membership, small groups, fewer records; with their parameters."),
)
"""What stands in the navigation: six screens in the order of a review, and the page of all other questions."""

LED_TO = (
    ("records", "The people behind the figures, and a look-up as an intruder."),
    ("workshop", "A session of 45 minutes for a class: tasks, answers apart, papers and the data."),
    ("glossary", "The words of these pages, and every measure worked out by hand."),
)
"""Pages to which others lead: Review to the records, the menu to the rest."""
NOT_COUNTED = ("", "data", "keys", "workshop", "glossary")
"""Pages that need no figure of a target: their status bar does not count for its own sake."""


def draw_status_bar(room: str) -> None:
    """Draw the status bar above a page; a session kept as a global here would stay on the server."""
    s = session()
    sizes.heights()
    if room == "review" and s.can_count:
        return  # the bench draws it, at every change
    counted = s.can_count and (room not in NOT_COUNTED or s.now.is_counted())
    with st.container(key=f"room-{room or 'data'}"):  # by which a page begins at its top, in bench.css
        status_bar.draw(s, (room or "data").capitalize(), closing.offer, s.now.queue() if counted else None)


def at_its_own_address() -> None:
    """Lead from `/data` to the first page, which Streamlit serves at the root alone."""
    st.switch_page(PAGES / "data" / "page.py")


st.set_page_config(page_title="Disclosure", page_icon=LOGO, layout="wide", initial_sidebar_state="collapsed")
st.logo(LOGO, size="medium")
signing.needed()
refused = visitors.refused() or closing.closing_notice()
page = st.navigation(
    [
        st.Page(
            PAGES / name / "page.py",
            title=name.capitalize(),
            help=purpose,
            url_path=name if name != "data" else "start",
            default=name == "data",
            visibility="visible" if (name, purpose) in SCREENS else "hidden",
        )
        for name, purpose in (*SCREENS, *LED_TO)
    ]
    + [st.Page(at_its_own_address, title="Data", url_path="data", visibility="hidden")],
    position="hidden" if refused else "top",
)
forgetting.forget_in_time()
if refused:
    visitors.turn_away(refused)
else:
    with visitors.inside(), show.explained(), drawn().drawing():
        starting.begin_if_asked()
        handing.begin()
        on_page(page.url_path)
        if page.url_path != "records":
            session().rows = None  # rows of an engine are kept while they are looked at
        if page.url_path != "workshop":
            class_bar.draw()
        draw_status_bar(page.url_path)
        page.run()
        handing.end()
