"""What stands beside dumbbells on screen: intervals in a frame of their own, words at a row, the head of a column."""

from __future__ import annotations

from typing import Any

from disclosure_core.figures.palette import QUIET
from disclosure_core.figures.screen.frame import HOVER


def forest(
    name: str, axis: str, spans: list[Any], shown: list[bool], symbol: str, colour: str, hovering: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return figures with their intervals: those that are shown filled, the others hollow and grey."""
    traces = []
    for filled in (True, False):
        some = [i for i, span in enumerate(spans) if span is not None and shown[i] is filled]
        if not some:
            continue
        ink = colour if filled else QUIET
        traces.append(
            {
                "type": "scatter",
                "x": [spans[i][0] for i in some],
                "y": some,
                "xaxis": axis,
                "mode": "markers",
                "name": name if filled else f"{name}, not shown",
                "marker": {
                    "symbol": symbol if filled else f"{symbol}-open",
                    "size": 9,
                    "color": ink,
                    "line": {"width": 2, "color": ink},
                },
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": [spans[i][2] - spans[i][0] for i in some],
                    "arrayminus": [spans[i][0] - spans[i][1] for i in some],
                    "width": 0,
                    "thickness": 2,
                    "color": ink,
                },
                "hovertext": [hovering["hovertext"][i] for i in some],
                **HOVER,
            }
        )
    return traces


def note(x: float, y: float, words: str, across: str, side: str) -> dict[str, Any]:
    """Return words at a row."""
    return {
        "x": x,
        "y": y,
        "xref": across,
        "yref": "y",
        "text": words,
        "showarrow": False,
        "xanchor": side,
        "yanchor": "middle",
    }


def head(x: float, words: str, beneath: str) -> dict[str, Any]:
    """Return the head of a column, above the rows."""
    return {
        "x": x,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "text": f"<b>{words}</b><br>{beneath}",
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "align": "left",
    }
