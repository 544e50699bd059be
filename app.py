"""Opens the house: page configuration and the way through the rooms. Nothing else."""

from pathlib import Path

import streamlit as st

from pages.parts import forgetting, ground, show, visitors

HERE = Path(__file__).parent
STEPS = HERE / "pages" / "steps"
ROOMS = (
    ("data", ":material/upload_file:", "Bring original and synthetic data, and see how they were made comparable."),
    ("keys", ":material/key:", "Choose what an outsider could know, and what could be learnt."),
    ("risk", ":material/insights:", "What the synthetic data give away, target by target."),
    ("review", ":material/rule:", "One target: what the checks found, what to leave out, before and after."),
    ("records", ":material/person_search:", "The people behind the figures, a look-up as an intruder, and safeguards."),
    ("baseline", ":material/balance:", "People who were not in the data: what would be known anyway, and membership."),
    ("report", ":material/description:", "Report, figures for print, tables, settings and scripts."),
    ("glossary", ":material/menu_book:", "The words of these pages, and every measure worked out by hand."),
)

st.set_page_config(
    page_title="Disclosure", page_icon=HERE / "assets" / "logo.svg", layout="wide", initial_sidebar_state=220
)
ground.prepare()
refused = visitors.refused()
page = st.navigation(
    [
        st.Page(STEPS / f"{name}.py", title=name.capitalize(), icon=icon, help=purpose, default=name == "data")
        for name, icon, purpose in ROOMS
    ],
    position="hidden" if refused else "sidebar",
)
forgetting.forget_in_time()
if refused:
    visitors.turn_away(refused)
else:
    show.for_a_projector()
    with visitors.inside(), show.explained():
        page.run()
