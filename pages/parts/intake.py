"""How data come in: the demonstration survey in one click, or files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError, Settings, Study, demo
from pages.parts.session import begin, session

if TYPE_CHECKING:
    from disclosure_core.readers import Reading

DEMONSTRATION = "the demonstration survey"


@st.cache_resource(show_spinner=False)
def _demonstration() -> Study:
    """Return the demonstration survey, read once for everybody: it is public, and a study does not change."""
    return demo.study()


def begin_demonstration() -> None:
    """Start with the demonstration survey and keys that suit it."""
    begin(_demonstration(), DEMONSTRATION, Settings(keys=demo.KEYS, groups=demo.GROUPS))


def begin_if_asked() -> None:
    """Start with the demonstration survey where the program was started with --demo and nothing else is open."""
    if session().study is None and "--demo" in sys.argv[1:]:
        begin_demonstration()


def files() -> None:
    """Ask for an original and synthetic files, and start with them when told to."""
    from disclosure_core import readers

    types = [ending.lstrip(".") for ending in readers.EXTENSIONS]
    left, right = st.columns(2)
    with left:
        original = st.file_uploader(
            "Original data",
            type=types,
            key="upload.original",
            help="The confidential records, one person a row. They stay in this server's memory and end with your tab.",
        )
    with right:
        synthetic = st.file_uploader(
            "Synthetic data",
            type=types,
            accept_multiple_files=True,
            key="upload.synthetic",
            help="One file a synthesis of the same original; or one file that holds several.",
        )
    pressed = st.button(
        "Compare these files", type="primary", disabled=original is None or not synthetic, key="upload.compare"
    )
    if pressed and original is not None:
        with st.status("Reading the files …") as status:
            readings = readers.read(original.getvalue(), original.name)
            if len(readings) > 1:
                raise DisclosureError(
                    f"{original.name} holds {len(readings)} tables; give the original as a file with one."
                )
            syntheses = [r for file in synthetic for r in readers.read(file.getvalue(), file.name)]
            status.update(label="Making them comparable …")
            _begin(readings[0], syntheses)
            status.update(label="Ready", state="complete")
        st.rerun()


def _begin(original: Reading, syntheses: list[Reading]) -> None:
    study = Study(original.frame, [s.frame for s in syntheses])
    names = ", ".join(s.name for s in syntheses)
    begin(study, f"{original.name} against {names}", Settings())
    codes = {n: tuple(map(str, found)) for n, found in original.missing_codes.items() if n in study.columns}
    if codes:
        session().recode_missing(codes)
