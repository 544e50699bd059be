"""The server around the page: `streamlit run app.py` and `disclosure app` both find it here.

Streamlit looks for the literal `app = st.App(…)` in this file; the page itself is `pages/navigation.py`. What must hold
before the first visitor comes is done when this file is imported.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.server import configuration, environment, frontend, handed, lines, logs, preload, request_guard

environment.prepare()
logs.keep_quiet()
app = st.App(
    Path(__file__).parent / "pages" / "navigation.py",
    middleware=[
        Middleware(lines.Lines),
        Middleware(
            request_guard.RequestGuard, hosts=configuration.hosts(), uploads=not configuration.demonstration_only()
        ),
        Middleware(handed.Handed),
        Middleware(frontend.Frontend),
    ],
    lifespan=preload.around,
    debug=False,
)
