"""The server around the page: `streamlit run app.py` and `disclosure app` both find it here.

Streamlit looks for the literal `app = st.App(…)` in this file; the page itself is `house.py`. What must hold before the
first visitor comes is done when this file is imported.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.server import configuration, door, frontend, ground, logs, warming

ground.prepare()
logs.keep_quiet()
app = st.App(
    Path(__file__).parent / "house.py",
    middleware=[
        Middleware(door.Door, hosts=configuration.hosts(), uploads=not configuration.demonstration_only()),
        Middleware(frontend.Frontend),
    ],
    lifespan=warming.beside,
    debug=False,
)
