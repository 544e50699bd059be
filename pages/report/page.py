import streamlit as st

from pages.report import outputs, papers, printing
from pages.shared import downloads, panes, show, unanswered
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
study = needed(s, keys=False)
if s.now.stopped():
    needed(s, met=False)
    outputs.stopped(s)
    st.stop()
if not s.can_count:
    downloads.saved_before(s, "report")
    needed(s)
result = s.assessment()

asked, beside = panes.beside("report", 4, 5)
with asked:
    unanswered.again(s)
    shareable = outputs.report(s, result, beside)
    st.caption(
        "A PDF of a few pages, typeset and accessible, or one HTML file: what was assessed, the keys and why, the "
        "figures, what was flagged and excluded, what was not evaluated, definitions, and a sign-off."
    )

with beside:
    if shareable:
        st.info(
            "Figures for print, tables and scripts hold exact figures and name every level that was excluded: they are "
            "offered beside the internal version only."
        )
    else:
        st.header("Figures for print")
        st.caption("Exact to the millimetre, with fonts embedded; made without a browser and without internet.")
        ending, look = printing.figures(s, result)

        st.header("The papers' exhibits")
        st.caption(
            "The tables and figures of the papers that define these measures, of these data: one workbook, and figures "
            "printed as those above. The first time takes a few seconds: smaller releases are drawn at random."
        )
        papers.exhibits(s, ending, look)

        st.header("Tables")
        outputs.tables(s)

    st.header("The review and scripts")
    st.caption(
        "The whole review in one file: it goes on here later, or is repeated by `disclosure run`; the scripts repeat "
        "it in Python, and in R with synthpop. All of them are confidential: they may name levels that few people have."
    )
    outputs.scripts_and_review(s, scripted=not shareable)
    show.next_page("workshop", "teach a class")
