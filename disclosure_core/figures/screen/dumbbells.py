"""The two dumbbell charts on screen: original against synthetic, and members against people outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.members_outside import PARTS, OutsidePlot
from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.screen.frame import ROW, cut, inked, one_frame, text
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow


def arrows(plot: ArrowPlot, ink: str = "") -> go.Figure:
    """Return the Dorig-against-DiSCO plot: two marks a target, an arrow from original to synthetic."""
    rows = plot.rows
    y = list(range(len(rows)))
    traces: list[dict[str, Any]] = []
    if plot.n_syntheses > 1:
        xs: list[float | None] = [x for row in rows for x in (row.low, row.high, None)]
        ys: list[float | None] = [x for i in y for x in (i, i, None)]
        traces.append({
            "type": "scatter", "x": xs, "y": ys, "mode": "lines", "name": "smallest to largest synthesis",
            "hoverinfo": "skip", "line": {"color": SYNTHETIC, "width": 9}, "opacity": 0.35,
        })  # fmt: skip
        each = [(x, i) for i, row in enumerate(rows) for x in row.each]
        traces.append({
            "type": "scatter", "x": [x for x, _ in each], "y": [i for _, i in each], "mode": "markers",
            "name": "each synthesis", "hoverinfo": "skip",
            "marker": {"symbol": "line-ns", "size": 9, "line": {"width": 1.2, "color": SYNTHETIC}},
        })  # fmt: skip
    marks = (
        (plot.original, [r.original for r in rows], "circle-open", ORIGINAL),
        (plot.synthetic, [r.synthetic for r in rows], "diamond", SYNTHETIC),
    )
    hover = [_hover(plot, row) for row in rows]
    names = [[row.target] for row in rows]
    for name, x, symbol, colour in marks:
        side = "original" if name == plot.original else "synthetic"
        traces.append({
            "type": "scatter", "x": x, "y": y, "mode": "markers", "name": f"{name} ({side})", "customdata": names,
            "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>",
            "marker": {"symbol": symbol, "color": colour, "size": 11, "line": {"width": 2.5, "color": colour}},
            "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
        })  # fmt: skip
    ways = [
        {
            "x": row.synthetic, "y": i, "ax": row.original, "ay": i, "xref": "x", "yref": "y", "axref": "x",
            "ayref": "y", "showarrow": True, "arrowhead": 2, "arrowsize": 1.1, "arrowwidth": 1.4,
            "arrowcolor": QUIET, "standoff": 9, "startstandoff": 8, "text": "",
        }
        for i, (row, arrow) in enumerate(zip(rows, plot.arrows, strict=True))
        if arrow
    ]  # fmt: skip
    across = {
        "title": plot.unit_words,
        "range": [-0.02 * plot.largest, min(1.06 * plot.largest, 103)],
        "side": "bottom",
    }
    up = {
        "tickvals": y, "ticktext": [text(_short(row)) for row in rows], "range": [len(rows) - 0.5, -0.5],
        "showgrid": True, "title": None,
    }  # fmt: skip
    return one_frame(traces, across, up, ink, 130 + ROW * len(rows), annotations=ways)


def outside(plot: OutsidePlot, ink: str = "") -> go.Figure:
    """Return members against people outside, and beside them the differences with their intervals."""
    rows, y = plot.rows, list(range(len(plot.rows)))
    names = [text(cut(row.target)) for row in rows]
    hover = [
        f"<b>{text(r.target)}</b><br>members {fixed(r.members)} %<br>people outside {fixed(r.outside)} %<br>"
        f"difference {fixed(r.difference, sign=True)} points<br>95 % interval {fixed(r.low, sign=True)} to "
        f"{fixed(r.high, sign=True)}<br>{r.decision}"
        for r in rows
    ]
    hovering = {"hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>", "cliponaxis": False}
    rods_x = [v for r in rows for v in (r.outside, r.members, None)]
    rods_y = [v for at in y for v in (at, at, None)]
    others, members = MARKS["outside"], MARKS["synthetic"]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "x": rods_x, "y": rods_y, "mode": "lines", "hoverinfo": "skip", "showlegend": False,
            "line": {"color": QUIET, "width": 1.5},
        },
        {
            "type": "scatter", "x": [r.outside for r in rows], "y": y, "mode": "markers", "name": "people outside",
            "marker": {"symbol": "line-ns-open", "size": 18, "color": others.colour, "line": {"width": 3}}, **hovering,
        },
        {
            "type": "scatter", "x": [r.members for r in rows], "y": y, "mode": "markers", "name": "members",
            "marker": {"symbol": members.symbol, "size": 11, "color": members.colour}, **hovering,
        },
    ]  # fmt: skip
    strong = ink or QUIET
    for shown, name in ((True, "difference"), (False, "difference: the interval holds 0")):
        some = [(at, r, h) for at, r, h in zip(y, rows, hover, strict=True) if r.shown is shown]
        if some:
            traces.append({
                "type": "scatter", "x": [r.difference for _, r, _ in some], "y": [at for at, _, _ in some],
                "xaxis": "x2", "mode": "markers", "name": name,
                "marker": {
                    "symbol": "circle" if shown else "circle-open", "size": 9, "color": strong if shown else QUIET,
                    "line": {"width": 2},
                },
                "error_x": {
                    "type": "data", "symmetric": False, "array": [r.high - r.difference for _, r, _ in some],
                    "arrayminus": [r.difference - r.low for _, r, _ in some], "width": 0, "thickness": 2,
                    "color": strong if shown else QUIET,
                },
                "hovertext": [h for *_, h in some], "hovertemplate": "%{hovertext}<extra></extra>",
            })  # fmt: skip
    for part, side in PARTS.items():
        made = [(at, segment) for at, r in zip(y, rows, strict=True) for segment in r.segments if segment[0] == part]
        if made:
            traces.append({
                "type": "bar", "orientation": "h", "base": [a for _, (_, a, _) in made],
                "x": [b - a for _, (_, a, b) in made],
                "y": [at - 0.28 for at, _ in made], "width": 0.13, "xaxis": "x2", "name": part,
                "marker": {"color": MARKS[side].colour}, "hovertemplate": f"{part}: %{{x:+.2f}} points<extra></extra>",
            })  # fmt: skip
    same = [(at, r.same) for at, r in zip(y, rows, strict=True) if r.same is not None]
    if same:
        traces.append({
            "type": "scatter", "x": [m for _, (m, _, _) in same], "y": [at + 0.28 for at, _ in same], "xaxis": "x2",
            "mode": "markers", "name": "same keys (M)",
            "marker": {"symbol": "diamond-open", "size": 8, "color": SYNTHETIC, "line": {"width": 1.5}},
            "error_x": {
                "type": "data", "symmetric": False, "array": [b - m for _, (m, _, b) in same],
                "arrayminus": [m - a for _, (m, a, _) in same], "width": 0, "thickness": 1.5, "color": SYNTHETIC,
            },
            "hovertemplate": "same keys: %{x:+.2f} points<extra></extra>",
        })  # fmt: skip
    low, high = plot.differences
    room = 0.06 * (high - low or 1.0)
    across = {"title": plot.unit, "range": [-0.02 * plot.furthest, 1.06 * plot.furthest], "domain": [0, 0.62]}
    up = {
        "tickvals": y, "ticktext": names, "range": [len(rows) - 0.5, -0.5], "showgrid": True, "title": None,
    }  # fmt: skip
    beside = {
        "title": "difference, percentage points", "range": [low - room, high + room], "domain": [0.68, 1],
        "zeroline": True, "fixedrange": True, "automargin": True,
    }  # fmt: skip
    dashed = {"color": QUIET, "dash": "dash"}
    limits = ((plot.absolute, "x"), (plot.relative, "x2"))
    shapes = [
        {"type": "line", "x0": at, "x1": at, "xref": axis, "y0": 0, "y1": 1, "yref": "y domain", "line": dashed}
        for at, axis in limits
        if at is not None
    ]
    return one_frame(
        traces, across, up, ink, 140 + ROW * len(rows), xaxis2=inked(beside, ink), shapes=shapes, barmode="overlay"
    )


def _short(row: ArrowRow) -> str:
    name = cut(row.target)
    return f"{name} · {row.flag}" if row.flag else name


def _hover(plot: ArrowPlot, row: ArrowRow) -> str:
    lines = [
        f"<b>{text(row.target)}</b>",
        f"{plot.original} {fixed(row.original)} % ({fixed(row.n_original, 0)} records)",
        f"{plot.synthetic} {fixed(row.synthetic)} % ({fixed(row.n_synthetic, 0)} records)",
    ]
    if plot.n_syntheses > 1:
        lines.append(f"{plot.n_syntheses} syntheses: {fixed(row.low)} to {fixed(row.high)} %")
    if row.flag:
        lines.append(f"{row.flag} check raised")
    return "<br>".join(lines)
