import streamlit as st

from pages.server import classroom
from pages.shared import panes, show
from pages.workshop import room, sheets, teaching

alone = not classroom.there_is_one()
if not alone and room.is_projected():
    room.board()
    st.stop()

done, led = panes.side_by_side("workshop", 3, 2)
with done:
    if alone:
        st.markdown("Forty-five minutes on the demonstration survey, for a class.")
        st.markdown(sheets.student())
    else:
        st.markdown("Tasks on the demonstration survey. The teacher opens them one by one.")
        room.tasks(sheets.tasks())
with led:
    st.header("For teachers")
    if alone:
        teaching.alone()
    else:
        teaching.of_the_room(sheets.tasks())
    show.next_page("glossary", "look up a word")
