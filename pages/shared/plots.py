"""Figures on a page: drawn, described for those who cannot see them, and what was clicked in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from disclosure_core.figures.screen import draw, enlarged
from disclosure_core.rounding import visible
from pages.shared.session import larger
from pages.shared.sizes import TIMES

if TYPE_CHECKING:
    from streamlit.typing import PlotlyState

    from disclosure_core.figures.plot import Plot
    from disclosure_core.figures.safeguards import EffectPlot


LONGEST = 800
"""Letters of the name of a figure at most; a longer one is no name, and browsers leave it out of what they read."""

MORE = "; and more."
"""What stands in place of the rest."""


def figure(
    plot: Plot | EffectPlot,
    key: str,
    height: int | Literal["stretch"] | None = None,
    *,
    narrow: bool = False,
    **selecting: Any,
) -> Any:
    """Show a figure with its sentence for those who cannot see it.

    `height` is px, or "stretch" to fill a place of fixed height.
    """
    # The one button that a figure has makes its file in the browser; none of plotly's sends anything anywhere.
    config = {
        "displayModeBar": "hover",
        "modeBarButtons": [["toImage"]],
        "displaylogo": False,
        "displayNotifier": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"format": "svg", "filename": f"{file_name(plot.title)}-internal"},
    }
    # Streamlit's own grey for axes has a contrast of 3.7:1 on white.
    colour = st.get_option(f"theme.{'dark' if st.context.theme.type == 'dark' else 'light'}.textColor")
    drawn = draw(plot, colour, None if height == "stretch" else height, narrow=narrow)
    if larger():
        enlarged(drawn, TIMES)
    if height == "stretch":
        selecting["height"] = height
    return st.plotly_chart(drawn, key=key, alt=read_aloud(visible(plot.sentence)), config=config, **selecting)


def read_aloud(sentence: str) -> str:
    """Return a figure's sentence, no longer than what is read as a name: where it lists more, up to a whole part."""
    if len(sentence) <= LONGEST:
        return sentence
    whole, found, _ = sentence[: LONGEST - len(MORE)].rpartition("; ")
    return f"{whole if found else sentence[: LONGEST - len(MORE)]}{MORE}"


def file_name(title: str) -> str:
    """Return what the file of a figure on screen is called, without its ending: what it shows."""
    return re.sub(r"[^\w]+", "-", title).strip("-")[:80].rstrip("-").lower() or "figure"


def clicked(event: PlotlyState) -> tuple[str, ...]:
    """Return what the mark stands for that was clicked in a figure; nothing where none was."""
    points = event.selection.points
    data = points[0].get("customdata") if points else None
    return tuple(map(str, data or ()))


def clicked_target(event: PlotlyState) -> str | None:
    """Return the target whose mark was clicked in the arrow plot."""
    return next(iter(clicked(event)), None)
