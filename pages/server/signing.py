"""Signing in, where the operator named the office's identity provider; who may do what is not ours to say."""

from __future__ import annotations

import streamlit as st

from pages.server import configuration, request_guard, returning, sessions, streamlit_private


def needed() -> None:
    """End the run where the page was started without its request guard, or where nobody has signed in who must.

    It stands before everything: nothing of the app is loaded for a stranger, who takes no visitor's place either.
    """
    if sessions.running() and not request_guard.stands():
        st.error("Start it with `disclosure app` or `streamlit run app.py`: this file alone has no request guard.")
        st.stop()
    if configuration.sign_in() and not st.user.get("is_logged_in", False):
        with st.container(border=True):
            st.markdown("**Sign in first.** This server asks your office who you are.")
            returning.has_nothing(streamlit_private.session_id())  # who signs in begins anew, and has lost nothing
            st.button("Sign in", on_click=st.login, type="primary", icon=":material/login:", key="sign_in")
        st.stop()
