"""What figures for print show, and how: the words of `--figure-look`, in a fold; they hold for every figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.data.written import named
from disclosure_core.figures.look import NARROWEST, WIDEST, Look
from disclosure_core.figures.palette import MARKS
from disclosure_core.rounding import visible
from pages.shared import show

SIZES: Mapping[str, Mapping[str, Any]] = {
    **{f"{width} mm wide": {"width_mm": float(width)} for width in (85, 88, 114, 174, 180)},
    "Slide, 16:9": {"size": "slide"},
    "Another width": {},
}
"""By what a size is called, how `Look` calls it: one and two columns of usual journals."""

FORMATS = ("PDF", "SVG", "PNG, 300 dpi", "PNG, 600 dpi", "EPS", "TIFF, 300 dpi", "TIFF, 600 dpi")

_ORDERS = {"largest first": "", "by name": "name", "as the targets were chosen": "targets"}
_TEXTS = {"as usual": "", "outlines": "outlines", "text": "text"}


def ask_look(targets: Sequence[str], known: Sequence[str], size: str, form: str, *, grey: bool) -> Look:
    """Ask how figures are printed beyond size, format and greys, and return the look; what cannot be is said."""
    ending, _, dots = form.lower().partition(", ")
    usual: dict[str, Any] = {"grey": grey, "dpi": int(dots.split()[0]) if ending in ("png", "tiff") else 300}
    with st.popover("Labels, colours, targets …", icon=":material/palette:", key="report.look"):
        st.caption("They hold for every figure that is downloaded here, as with --figure-look.")
        given = _fold(targets, own=not SIZES[size])
    try:
        labels = _labels(given.pop("labels"), known)
        return Look(**usual, **SIZES[size], **given, labels=labels)
    except DisclosureError as error:
        st.error(show.literal(str(error)), icon=":material/error:")
        return Look(**usual, **SIZES[size])


def _fold(targets: Sequence[str], *, own: bool) -> dict[str, Any]:
    """Return what is given in the fold, by the names of `Look`."""
    labels = st.text_area(
        "Labels",
        placeholder="abroad=Has lived abroad",
        key="report.look.labels",
        persist_state="session",
        height=100,
        help="A line each: what a target, key or set is called, by its name.",
    )
    kept = st.multiselect(
        "Targets",
        list(targets),
        format_func=visible,
        key="report.look.targets",
        persist_state="session",
        placeholder="All",
        select_all=False,
        help="Figures of several targets show these.",
    )
    left, right = st.columns(2)
    order = left.selectbox("Order", list(_ORDERS), key="report.look.order", persist_state="session")
    text = right.selectbox(
        "Letters of SVG and PDF",
        list(_TEXTS),
        key="report.look.text",
        persist_state="session",
        help="Text can be edited, where the font is installed; by default outlines in SVG, text in PDF.",
    )
    found: dict[str, Any] = {
        "labels": labels or "",
        "targets": tuple(kept),
        "order": _ORDERS[order],
        "text": _TEXTS[text],
    }
    if own:
        found["width_mm"] = left.number_input(
            "Width, mm", NARROWEST, WIDEST, 120.0, 1.0, key="report.look.width", persist_state="session"
        )
    found["height_mm"] = right.number_input(
        "Height, mm",
        20.0,
        WIDEST,
        None,
        1.0,
        key="report.look.height",
        persist_state="session",
        placeholder="As needed",
    )
    found["font"] = (
        left.text_input("Font", placeholder="Source Sans 3", key="report.look.font", persist_state="session") or ""
    )
    found["flags"] = st.toggle("Column of flags", True, key="report.look.flags", persist_state="session")
    st.caption("Colours by side; second to fourth are further measures, or sets, in one figure.")
    with st.container(horizontal=True):
        colours = {
            side: st.color_picker(
                side.capitalize(), mark.colour, key=f"report.look.colour.{side}", persist_state="session"
            )
            for side, mark in MARKS.items()
        }
    found["colours"] = {
        side: colour.upper() for side, colour in colours.items() if colour.upper() != MARKS[side].colour.upper()
    }
    return found


def _labels(text: str, known: Sequence[str]) -> dict[str, str]:
    """Return the labels that lines name, of known names."""
    found = {}
    for line in filter(str.strip, text.splitlines()):
        name, label = named(line.rstrip(), known) or ("", "")
        if not name.strip():
            raise DisclosureError(f"{line!r} is no label: write a line for each, such as abroad=Has lived abroad.")
        found[name if name in known else name.strip()] = label.strip()
    return found
