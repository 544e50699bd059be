"""The queue of targets on screen: a row a target, its words above its marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.data.naming import named
from disclosure_core.figures.palette import ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.queue import GAIN, QueuePlot, gain_of, under_name
from disclosure_core.figures.screen.frame import TYPE, cut, one_frame, text
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.review.queue import QueueRow


LINE, TALLEST, FILLED = 44, 60, 440
"""Height of a row of the queue, px: a line of words above its marks; few rows are taller, to fill a small window."""

_WORDS_AT, _MARKS_AT = -0.24, 0.2
"""Where words and marks stand in a row of the queue, in rows from its middle, downwards."""

_GAIN_BELOW = 0.2
"""How far the mark of the gain over chance stands beneath those of the measures, in rows."""

_TICK = 0.1
"""Half the height of a synthesis' mark in a row of the queue, in rows."""


def queue(plot: QueuePlot, ink: str = "", height: int | None = None) -> go.Figure:
    """Return the queue: a row a target, words above its marks; an unseen bar takes a click anywhere in a row."""
    q, rows = plot.queue, plot.queue.rows
    start, end = q.start - 0.02 * q.end, 1.02 * q.end
    y = [i + _MARKS_AT for i in range(len(rows))]
    names = [[row.target] for row in rows]
    quiet: dict[str, Any] = {"type": "scatter", "hoverinfo": "skip", "showlegend": False}
    traces: list[dict[str, Any]] = [{
        "type": "bar", "orientation": "h", "base": start, "x": [end - start] * len(rows), "y": list(range(len(rows))),
        "width": 1, "marker": {"color": "rgba(0,0,0,0)", "line": {"width": 0}}, "customdata": names,
        "hoverinfo": "none", "name": "rows", "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }]  # fmt: skip
    # Each trace costs a browser some milliseconds, twice: many marks are one line, and the rows' lines are the axis'.
    ways = [(row.original, row.synthetic) for row in rows]
    traces.append(quiet | _lines(ways, y, "from original to synthetic", {"color": QUIET, "width": 1.4}))
    if q.n_syntheses > 1:
        spread = [(min(row.each), max(row.each)) for row in rows]
        line = {"color": SYNTHETIC, "width": 8}
        traces.append(quiet | _lines(spread, y, "smallest to largest synthesis", line) | {"opacity": 0.35})
        ticks = [(x, at) for row, at in zip(rows, y, strict=True) for x in row.each]
        traces.append(quiet | {
            "x": [x for tick, _ in ticks for x in (tick, tick, None)],
            "y": [at for _, middle in ticks for at in (middle - _TICK, middle + _TICK, None)],
            "mode": "lines", "name": "each synthesis", "line": {"width": 1.1, "color": SYNTHETIC},
        })  # fmt: skip
    if was := [(row, at) for row, at in zip(rows, y, strict=True) if row.moved]:
        dotted = {"color": SYNTHETIC, "width": 1.3, "dash": "dot"}
        ends = [(row.synthetic_before, row.synthetic) for row, _ in was]
        traces.append(quiet | _lines(ends, [at for _, at in was], "what moved", dotted))
        colours = [colour for _ in was for colour in (ORIGINAL, SYNTHETIC)]
        traces.append(quiet | {
            "x": [x for row, _ in was for x in (row.original_before, row.synthetic_before)],
            "y": [at for _, at in was for _ in range(2)], "mode": "markers", "name": "before", "opacity": 0.6,
            "marker": {
                "symbol": ["circle-open", "diamond-open"] * len(was), "size": 9, "color": colours,
                "line": {"width": 1.2, "color": colours},
            },
        })  # fmt: skip
    hover = [_of_row(plot, row) for row in rows]
    traces.append({
        "type": "scatter", "x": [max(row.beyond.gain, q.start) for row in rows], "mode": "markers", "name": GAIN,
        "y": [at + _GAIN_BELOW for at in y], "customdata": [[row.target] for row in rows],
        "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {"symbol": "square", "size": 5, "color": QUIET}, "showlegend": False,
        "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
    })  # fmt: skip
    for name, side, symbol, colour, xs in (
        (q.original, "original", "circle-open", ORIGINAL, [row.original for row in rows]),
        (q.synthetic, "synthetic", "diamond", SYNTHETIC, [row.synthetic for row in rows]),
    ):
        traces.append({
            "type": "scatter", "x": xs, "y": y, "mode": "markers", "name": f"{name} ({side})", "customdata": names,
            "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>", "showlegend": False,
            "marker": {"symbol": symbol, "size": 10, "color": colour, "line": {"width": 2.2, "color": colour}},
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        })  # fmt: skip
    if hatched := [(row, at) for row, at in zip(rows, y, strict=True) if row.preview is not None]:
        traces.append(quiet | {
            "x": [row.preview for row, _ in hatched], "y": [at for _, at in hatched], "mode": "markers",
            "name": "preview, with all that is excluded",
            "marker": {"symbol": "diamond-x-open", "size": 11, "color": SYNTHETIC, "line": {"width": 1.2}},
        })  # fmt: skip
    n = len(rows)
    traces.append(quiet | {
        "x": [start] * n + [end] * n, "y": [i + _WORDS_AT for i in range(n)] * 2, "mode": "text", "name": "words",
        "text": [_words(row) for row in rows] + [f"<b>{fixed(row.synthetic)}</b>" for row in rows],
        "textposition": ["middle right"] * n + ["middle left"] * n, "cliponaxis": False,
        "textfont": {"size": TYPE} | ({"color": ink} if ink else {}),
    })  # fmt: skip
    tall = min(max(LINE, FILLED / max(n, 1)), TALLEST)
    chosen = next((i for i, row in enumerate(rows) if row.target == plot.target), None)
    shapes: list[dict[str, Any]] = []
    if chosen is not None:
        box = {"type": "rect", "xref": "x domain", "y0": chosen - 0.5, "y1": chosen + 0.5, "layer": "below"}
        shapes.append(box | {"x0": 0, "x1": 1, "fillcolor": "rgba(31,131,201,0.14)", "line": {"width": 0}})
        shapes.append(box | {"x0": 0, "x1": 0.008, "fillcolor": ORIGINAL, "line": {"width": 0}})
    across = {"range": [start, end], "side": "top", "showgrid": True, "automargin": False}
    up = {
        "range": [len(rows) - 0.5, -0.5], "showticklabels": False, "tickvals": y, "showgrid": True,
        "gridcolor": "rgba(138,143,152,0.4)", "automargin": False,
    }  # fmt: skip
    return one_frame(
        traces, across, up, ink, height or round(40 + tall * n), shapes=shapes, barmode="overlay", bargap=0,
        showlegend=False, uirevision="same", margin={"l": 4, "r": 4, "t": 26, "b": 4},
    )  # fmt: skip


def _lines(ends: list[tuple[float, float]], y: list[float], name: str, line: dict[str, Any]) -> dict[str, Any]:
    """Return lines between two numbers of a row each, as one trace."""
    return {
        "x": [x for pair in ends for x in (*pair, None)], "y": [x for at in y for x in (at, at, None)], "mode": "lines",
        "name": name, "line": line,
    }  # fmt: skip


def _words(row: QueueRow) -> str:
    """Return what stands above a row's marks: flag or verdict, the name, and what it is about."""
    mark = "▲ " if row.above else ""
    mark += ("✓ " if row.judged else "? ") if row.given else "⚑ " if row.flags else ""
    name = cut(row.target, 24)
    under = _beside_name(under_name(row), max(30, 46 - len(name)), figure_last=row.worst is not None)
    more = f"<span style='font-size:0.85em'>  {text(under)}</span>" if under else ""
    return f" {mark}<b>{text(name)}</b>{more}"


def _beside_name(said: str, longest: int, *, figure_last: bool) -> str:
    """Return what stands beside a name, cut to its room; another intruder's figure at its end is never cut."""
    if len(said) <= longest or not figure_last:
        return cut(said, longest)
    words, _, last = said.rpartition(" · ")
    whose, _, figure = last.rpartition(": ")
    last = f"{cut(whose, longest - len(figure) - 2 - (8 if words else 0))}: {figure}"
    return " · ".join(part for part in (cut(words, longest - len(last) - 3), last) if part)


def _of_row(plot: QueuePlot, row: QueueRow) -> str:
    q = plot.queue
    was = f" (before {fixed(row.original_before)} %)", f" (before {fixed(row.synthetic_before)} %)"
    lines = [
        f"<b>{text(row.target)}</b>{text(named(row.target, plot.labels).removeprefix(row.target))}",
        f"{q.original} {fixed(row.original)} %{was[0] if row.moved else ''}",
        f"{q.synthetic} {fixed(row.synthetic)} %{was[1] if row.moved else ''}",
    ]
    if row.preview is not None:
        lines.append(f"Preview, with all that is excluded: {q.synthetic} {fixed(row.preview)} %")
    if q.n_syntheses > 1:
        lines.append(f"{q.n_syntheses} syntheses: {fixed(min(row.each))} to {fixed(max(row.each))} %")
    lines.append(
        f"{gain_of(row)} points; κ {fixed(row.beyond.kappa)}; beyond the commonest {fixed(row.beyond.beyond)} %"
    )
    if under := under_name(row):
        lines.append(text(under))
    return "<br>".join(lines)
