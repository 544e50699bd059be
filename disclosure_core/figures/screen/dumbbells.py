"""The dumbbell charts on screen: original against synthetic, members against people outside, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.screen.frame import ROW, cut, keyed, one_frame, points_axis, spans, text
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
    from disclosure_core.figures.members_outside import OutsidePlot, OutsideRow
    from disclosure_core.figures.safeguards import EffectPlot, EffectRow


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
        "tickvals": y,
        "ticktext": [text(_short(row)) for row in rows],
        "range": [len(rows) - 0.5, -0.5],
        "showgrid": True,
        "title": None,
    }
    return one_frame(traces, across, up, ink, 130 + ROW * len(rows), annotations=ways)


def outside(plot: OutsidePlot, ink: str = "") -> go.Figure:
    """Return members against people outside, the differences, own answers, and what is concluded, as in print."""
    rows, y = plot.rows, list(range(len(plot.rows)))
    same = plot.compared is not None
    hovering = {
        "hovertext": [_of_outside(row) for row in rows],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }
    others, members = MARKS["outside"], MARKS["synthetic"]
    leads = [row.members >= row.outside for row in rows]
    traces: list[dict[str, Any]] = [
        spans(((r.outside, r.members) for r in rows), y, color=QUIET, width=1.5),
        {
            "type": "scatter",
            "x": [r.outside for r in rows],
            "y": y,
            "mode": "markers+text",
            "name": "people outside",
            "text": [f"  {fixed(r.outside, 1)}  " for r in rows],
            "textposition": [f"middle {'left' if lead else 'right'}" for lead in leads],
            "marker": {"symbol": "line-ns-open", "size": 18, "color": others.colour, "line": {"width": 3}},
            **hovering,
        },
        {
            "type": "scatter",
            "x": [r.members for r in rows],
            "y": y,
            "mode": "markers+text",
            "name": "members",
            "text": [f" <b>{fixed(r.members, 1)}</b> " for r in rows],
            "textposition": [f"middle {'right' if lead else 'left'}" for lead in leads],
            "marker": {"symbol": members.symbol, "size": 11, "color": members.colour},
            **hovering,
        },
    ]
    strong = ink or QUIET
    differences = [(r.difference, r.low, r.high) for r in rows]
    traces += _forest("difference", "x2", differences, [r.shown for r in rows], "circle", strong, hovering)
    if same:
        m = [r.same for r in rows]
        traces += _forest("own answers", "x3", m, [bool(r.own) for r in rows], "diamond", SYNTHETIC, hovering)
    ends: tuple[tuple[float, float], ...] = (
        ((0.0, 0.43), (0.57, 0.77), (0.81, 1.0)) if same else ((0.0, 0.58), (0.7, 1.0))
    )
    reach = plot.furthest
    across = {"title": plot.unit, "range": [-0.19 * reach, 1.16 * reach], "domain": ends[0], "showgrid": True}
    up = {
        "tickvals": y,
        "ticktext": [text(cut(row.target)) for row in rows],
        "range": [len(rows) - 0.5, -0.7],
        "showgrid": False,
        "title": None,
    }
    axes = {"xaxis2": points_axis(plot.differences, ends[1], ink, short=same)}
    sides = ("right", "left") if leads[0] else ("left", "right")
    notes = [
        _note(rows[0].outside, -0.55, keyed("people outside", "upright", QUIET), "x", sides[0]),
        _note(rows[0].members, -0.55, keyed("members", "diamond", SYNTHETIC), "x", sides[1]),
        _head(
            ends[1][0] - 0.08,
            *(("1 Effect of", "<b>taking part</b>") if same else (plot.effect, "members − people outside")),
        ),
    ]
    notes += [
        _note(
            ends[1][0] - 0.015,
            at,
            f"<b>{fixed(r.difference, 1)}</b>" if r.shown else fixed(r.difference, 1),
            "paper",
            "right",
        )
        for at, r in zip(y, rows, strict=True)
    ]
    shapes = [
        {
            "type": "line",
            "x0": at,
            "x1": at,
            "xref": axis,
            "y0": 0,
            "y1": 1,
            "yref": "y domain",
            "line": {"color": QUIET, "dash": "dash"},
        }
        for at, axis in ((plot.absolute, "x"), (plot.relative, "x2"))
        if at is not None
    ]
    if same:
        axes["xaxis3"] = points_axis(plot.same_keys, ends[2], ink, short=True)
        notes += [
            _head(ends[2][0], "2 Own answers", f"same keys, {fixed(plot.compared or 0, 0)} %"),
            _head(1.0, "Conclusion", "") | {"xshift": 14},
            *(
                _note(1.0, at, f"<b>{r.conclusion}</b>" if r.own else r.conclusion, "paper", "left") | {"xshift": 14}
                for at, r in zip(y, rows, strict=True)
            ),
        ]
        if 0 < plot.own_first < len(rows):
            at = plot.own_first - 0.5
            line = {"color": QUIET, "width": 1}
            shapes.append({"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "line": line})
    notes.append(_head(0.0, f"Disclosed correctly ({plot.measure})", ""))
    figure = one_frame(
        traces, across, up, ink, 130 + ROW * len(rows), shapes=shapes, annotations=notes, showlegend=False, **axes
    )
    figure.layout.margin.t = 56
    if same:
        figure.layout.margin.r = 180  # for the conclusions
    return figure


def safeguards(plot: EffectPlot, ink: str = "") -> go.Figure:
    """Return DiSCO before (hollow) and after (filled) safeguards, the difference, and own answers after."""
    rows, y, reach = plot.rows, list(range(len(plot.rows))), plot.furthest
    hovering = {"hovertext": [_of_effect(row) for row in rows], "hovertemplate": "%{hovertext}<extra></extra>"}
    falls = [row.after <= row.before for row in rows]
    traces: list[dict[str, Any]] = [
        spans(((r.before, r.after) for r in rows), y, color=SYNTHETIC, width=1.5, dash="dot")
    ]
    if plot.n_syntheses > 1:
        traces.append(spans(((r.low, r.high) for r in rows), y, color=SYNTHETIC, width=9) | {"opacity": 0.3})
    if plot.with_outside:
        others = MARKS["outside"]
        traces.append(
            {
                "type": "scatter",
                "x": [r.outside for r in rows],
                "y": y,
                "mode": "markers",
                "marker": {"symbol": "line-ns-open", "size": 15, "color": others.colour, "line": {"width": 2.5}},
                **hovering,
            }
        )
    marks = (
        ([r.original for r in rows], "circle-open", ORIGINAL, 11, None, True),
        (
            [r.before for r in rows],
            "diamond-open",
            SYNTHETIC,
            10,
            [f"  {fixed(r.before, 1)}  " if r.change else "" for r in rows],
            True,
        ),
        ([r.after for r in rows], "diamond", SYNTHETIC, 11, [f" <b>{fixed(r.after, 1)}</b> " for r in rows], False),
    )
    for x, symbol, colour, size, words, leads in marks:
        made: dict[str, Any] = {
            "type": "scatter",
            "x": x,
            "y": y,
            "mode": "markers+text" if words else "markers",
            "marker": {"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}},
            "cliponaxis": False,
            **hovering,
        }
        if words:
            sides = ["right" if leads == down else "left" for down in falls]
            others_at = [(r.original, *([] if r.outside is None else [r.outside])) for r in rows]
            made |= {
                "text": words,
                "textposition": [
                    "top center" if _covered(at, others, side, reach) else f"middle {side}"
                    for at, others, side in zip(x, others_at, sides, strict=True)
                ],
            }
        traces.append(made)
    same = plot.same_keys
    end = 0.66 if same else 0.88
    across = {"title": plot.unit, "range": [-0.13 * reach, 1.13 * reach], "domain": (0.0, end), "showgrid": True}
    up = {
        "tickvals": y,
        "ticktext": [text(cut(row.target)) for row in rows],
        "range": [len(rows) - 0.5, -0.6],
        "showgrid": True,
        "title": None,
    }
    keys = [
        *([keyed("people outside", "upright", QUIET)] if plot.with_outside else []),
        keyed("after", "diamond", SYNTHETIC),
        f'<span style="color:{SYNTHETIC}">◇</span> before',
        f'<span style="color:{ORIGINAL}">○</span> Dorig after',
    ]
    notes = [_head(0.0, "DiSCO", "   ".join(keys)), _head(end + 0.09, "Change,", "points") | {"xanchor": "right"}]
    notes += [
        _note(end + 0.09, at, f"<b>{_signed(r.change)}</b>", "paper", "right") for at, r in zip(y, rows, strict=True)
    ]
    axes: dict[str, Any] = {}
    if same:
        m = [r.same for r in rows]
        traces += _forest("own answers", "x2", m, [r.own for r in rows], "diamond", SYNTHETIC, hovering)
        axes["xaxis2"] = points_axis(same, (0.8, 1.0), ink, short=True)
        notes.append(_head(0.8, "Own answers after", "filled: shown"))
        notes += [
            _note(1.0, at, f"<b>{r.conclusion}</b>" if r.own else r.conclusion, "paper", "left") | {"xshift": 12}
            for at, r in zip(y, rows, strict=True)
            if r.conclusion
        ]
    figure = one_frame(traces, across, up, ink, 120 + 38 * len(rows), annotations=notes, showlegend=False, **axes)
    figure.layout.margin.t = 56
    if any(r.conclusion for r in rows):
        figure.layout.margin.r = 110
    return figure


def _covered(at: float, others: tuple[float, ...], side: str, reach: float) -> bool:
    """Return whether another mark of the row lies where the number beside this one would stand."""
    away = [(other - at) * (1 if side == "right" else -1) / reach for other in others]
    return any(0.01 < share < 0.12 for share in away)


def _signed(points: float) -> str:
    return fixed(points, 1, sign=True) if points else "0"


def _of_effect(row: EffectRow) -> str:
    """Return what is said of a row where the mouse is."""
    said = [
        f"<b>{text(row.target)}</b>",
        f"DiSCO before {fixed(row.before)} %, after {fixed(row.after)} % ({fixed(row.low)} to {fixed(row.high)})",
        f"Dorig after {fixed(row.original)} %",
    ]
    said += [] if row.outside is None else [f"people outside after {fixed(row.outside)} %"]
    return "<br>".join(said)


def _forest(
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
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )
    return traces


def _note(x: float, y: float, words: str, across: str, side: str) -> dict[str, Any]:
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


def _head(x: float, words: str, beneath: str) -> dict[str, Any]:
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
