"""DiSCO before and after safeguards on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.palette import MARKS, ORIGINAL, QUIET, SYNTHETIC
from disclosure_core.figures.screen.frame import (
    HOVER,
    forest,
    head,
    keyed,
    marks,
    note,
    one_frame,
    points_axis,
    rows_axis,
    short_names,
    spans,
    text,
)
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from disclosure_core.figures.safeguards import EffectPlot, EffectRow


def effect(plot: EffectPlot, ink: str = "") -> go.Figure:
    """Return DiSCO before (hollow) and after (filled) safeguards, the difference, and own answers after."""
    rows, y, reach = plot.rows, list(range(len(plot.rows))), plot.furthest
    hovering = {"hovertext": [_of_effect(row) for row in rows], **HOVER}
    falls = [row.after <= row.before for row in rows]
    traces: list[dict[str, Any]] = [
        spans(((r.before, r.after) for r in rows), y, color=SYNTHETIC, width=1.5, dash="dot")
    ]
    if plot.n_syntheses > 1:
        traces.append(spans(((r.low, r.high) for r in rows), y, color=SYNTHETIC, width=9) | {"opacity": 0.3})
    if plot.with_outside:
        colour = MARKS["outside"].colour
        traces.append(marks([r.outside for r in rows], y, "line-ns-open", colour, 15, 2.5, **hovering))
    series = (
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
    for x, symbol, colour, size, words, leads in series:
        made = marks(x, y, symbol, colour, size, 2, cliponaxis=False, **hovering)
        if words:
            sides = ["right" if leads == down else "left" for down in falls]
            others_at = [(r.original, *([] if r.outside is None else [r.outside])) for r in rows]
            made |= {
                "mode": "markers+text",
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
    up = rows_axis(short_names(row.target for row in rows), -0.6, showgrid=True)
    keys = [
        *([keyed("people outside", "upright", QUIET)] if plot.with_outside else []),
        keyed("after", "diamond", SYNTHETIC),
        f'<span style="color:{SYNTHETIC}">◇</span> before',
        f'<span style="color:{ORIGINAL}">○</span> Dorig after',
    ]
    notes = [head(0.0, "DiSCO", "   ".join(keys)), head(end + 0.09, "Change,", "points") | {"xanchor": "right"}]
    notes += [
        note(end + 0.09, at, f"<b>{_signed(r.change)}</b>", "paper", "right") for at, r in zip(y, rows, strict=True)
    ]
    axes: dict[str, Any] = {}
    if same:
        m = [r.same for r in rows]
        traces += forest("own answers", "x2", m, [r.own for r in rows], "diamond", SYNTHETIC, hovering)
        axes["xaxis2"] = points_axis(same, (0.8, 1.0), ink, short=True)
        notes.append(head(0.8, "Own answers after", "filled: shown"))
        notes += [
            note(1.0, at, f"<b>{r.conclusion}</b>" if r.own else r.conclusion, "paper", "left") | {"xshift": 12}
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
