"""An address of before: what stood here are questions of the page Analyses."""

import streamlit as st

st.switch_page("analyses/page.py")
