"""The dumbbell charts on screen: original against synthetic, and members against people outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.screen.frame import (
    HOVER,
    ROW,
    STEADY,
    arrow,
    forest,
    head,
    keyed,
    marks,
    note,
    one_frame,
    points_axis,
    rows_axis,
    rule,
    short_names,
    spans,
    text,
)
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
    from disclosure_core.figures.members_outside import OutsidePlot, OutsideRow


def arrows(plot: ArrowPlot, ink: str = "") -> go.Figure:
    """Return the Dorig-against-DiSCO plot: two marks a target, an arrow from original to synthetic."""
    rows = plot.rows
    y = list(range(len(rows)))
    traces: list[dict[str, Any]] = []
    if plot.n_syntheses > 1:
        ends = ((row.low, row.high) for row in rows)
        widths = {"name": "smallest to largest synthesis", "opacity": 0.35}
        traces.append(spans(ends, y, color=SYNTHETIC, width=9) | widths)
        each = [(x, i) for i, row in enumerate(rows) for x in row.each]
        at, of = [x for x, _ in each], [i for _, i in each]
        traces.append(marks(at, of, "line-ns", SYNTHETIC, 9, 1.2, name="each synthesis", hoverinfo="skip"))
    sides = (
        (plot.original, [r.original for r in rows], "circle-open", ORIGINAL),
        (plot.synthetic, [r.synthetic for r in rows], "diamond", SYNTHETIC),
    )
    hover = [_hover(plot, row) for row in rows]
    more = {"customdata": [[row.target] for row in rows], "hovertext": hover, **HOVER, **STEADY}
    for name, x, symbol, colour in sides:
        side = "original" if name == plot.original else "synthetic"
        traces.append(marks(x, y, symbol, colour, 11, 2.5, name=f"{name} ({side})", **more))
    ways = [
        arrow((row.original, i), (row.synthetic, i), arrowsize=1.1, standoff=9, startstandoff=8)
        for i, (row, drawn) in enumerate(zip(rows, plot.arrows, strict=True))
        if drawn
    ]
    across = {
        "title": plot.unit_words,
        "range": [-0.02 * plot.largest, min(1.06 * plot.largest, 103)],
        "side": "bottom",
    }
    targets = zip(short_names(row.target for row in rows), rows, strict=True)
    labels = [f"{name} · {text(row.flag)}" if row.flag else name for name, row in targets]
    return one_frame(traces, across, rows_axis(labels, showgrid=True), ink, 130 + ROW * len(rows), annotations=ways)


def outside(plot: OutsidePlot, ink: str = "") -> go.Figure:
    """Return members against people outside, the differences, own answers, and what is concluded, as in print."""
    rows, y = plot.rows, list(range(len(plot.rows)))
    same = plot.compared is not None
    hovering = {"hovertext": [_of_outside(row) for row in rows], **HOVER, "cliponaxis": False}
    others, members = MARKS["outside"], MARKS["synthetic"]
    leads = [row.members >= row.outside for row in rows]
    traces: list[dict[str, Any]] = [
        spans(((r.outside, r.members) for r in rows), y, color=QUIET, width=1.5),
        marks([r.outside for r in rows], y, "line-ns-open", others.colour, 18, 3, **hovering)
        | {
            "mode": "markers+text",
            "name": "people outside",
            "text": [f"  {fixed(r.outside, 1)}  " for r in rows],
            "textposition": [f"middle {'left' if lead else 'right'}" for lead in leads],
        },
        marks([r.members for r in rows], y, members.symbol, members.colour, 11, 0, **hovering)
        | {
            "mode": "markers+text",
            "name": "members",
            "text": [f" <b>{fixed(r.members, 1)}</b> " for r in rows],
            "textposition": [f"middle {'right' if lead else 'left'}" for lead in leads],
        },
    ]
    strong = ink or QUIET
    differences = [(r.difference, r.low, r.high) for r in rows]
    traces += forest("difference", "x2", differences, [r.shown for r in rows], "circle", strong, hovering)
    if same:
        m = [r.same for r in rows]
        traces += forest("own answers", "x3", m, [bool(r.own) for r in rows], "diamond", SYNTHETIC, hovering)
    ends: tuple[tuple[float, float], ...] = (
        ((0.0, 0.43), (0.57, 0.77), (0.81, 1.0)) if same else ((0.0, 0.58), (0.7, 1.0))
    )
    reach = plot.furthest
    across = {"title": plot.unit, "range": [-0.19 * reach, 1.16 * reach], "domain": ends[0], "showgrid": True}
    up = rows_axis(short_names(row.target for row in rows), -0.7)
    axes = {"xaxis2": points_axis(plot.differences, ends[1], ink, short=same)}
    sides = ("right", "left") if leads[0] else ("left", "right")
    notes = [
        note(rows[0].outside, -0.55, keyed("people outside", "upright", QUIET), "x", sides[0]),
        note(rows[0].members, -0.55, keyed("members", "diamond", SYNTHETIC), "x", sides[1]),
        head(
            ends[1][0] - 0.08,
            *(("1 Effect of", "<b>taking part</b>") if same else (plot.effect, "members − people outside")),
        ),
    ]
    notes += [
        note(
            ends[1][0] - 0.015,
            at,
            f"<b>{fixed(r.difference, 1)}</b>" if r.shown else fixed(r.difference, 1),
            "paper",
            "right",
        )
        for at, r in zip(y, rows, strict=True)
    ]
    shapes = [
        rule({"x0": at, "x1": at, "xref": axis, "y0": 0, "y1": 1, "yref": "y domain"}, QUIET)
        for at, axis in ((plot.absolute, "x"), (plot.relative, "x2"))
        if at is not None
    ]
    if same:
        axes["xaxis3"] = points_axis(plot.same_keys, ends[2], ink, short=True)
        notes += [
            head(ends[2][0], "2 Own answers", f"same keys, {fixed(plot.compared or 0, 0)} %"),
            head(1.0, "Conclusion", "") | {"xshift": 14},
            *(
                note(1.0, at, f"<b>{r.conclusion}</b>" if r.own else r.conclusion, "paper", "left") | {"xshift": 14}
                for at, r in zip(y, rows, strict=True)
            ),
        ]
        if 0 < plot.own_first < len(rows):
            at = plot.own_first - 0.5
            line = {"color": QUIET, "width": 1}
            shapes.append({"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "line": line})
    notes.append(head(0.0, f"Disclosed correctly ({plot.measure})", ""))
    figure = one_frame(
        traces, across, up, ink, 130 + ROW * len(rows), shapes=shapes, annotations=notes, showlegend=False, **axes
    )
    figure.layout.margin.t = 56
    if same:
        figure.layout.margin.r = 180  # for the conclusions
    return figure


def _of_outside(row: OutsideRow) -> str:
    """Return what is said of a row where the mouse is."""
    lines = [
        f"<b>{text(row.target)}</b>",
        f"members {fixed(row.members)} %",
        f"people outside {fixed(row.outside)} %",
        f"difference {fixed(row.difference, sign=True)} points",
        f"95 % interval {fixed(row.low, sign=True)} to {fixed(row.high, sign=True)}",
    ]
    if row.same is not None:
        m, low, high = (fixed(x, sign=True) for x in row.same)
        lines += [f"same keys {m} ({low} to {high})", row.conclusion]
    return "<br>".join([*lines, row.decision])


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
