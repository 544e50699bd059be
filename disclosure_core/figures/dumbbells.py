"""The two dumbbell charts in print: original against synthetic, and members against people outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.figures.frame import TYPES, Frame, Type
from disclosure_core.figures.letters import PT, wide
from disclosure_core.figures.members_outside import PARTS, STRIPES, OutsidePlot
from disclosure_core.figures.sheet import INK, ROD, SOFT, ZERO, Scale, Sheet, number, round_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
    from disclosure_core.figures.look import Look

BEFORE = "before"
"""What stands between the hollow marks of what was shown with nothing excluded."""


def _scale(left: float, right: float, least: float, furthest: float, end: float, step: float, need: float) -> Scale:
    """Return a scale from 0 to `end` between two places, with `need` mm for the numbers left and right of all marks."""
    per = (right - left - need) / end
    before = after = need
    for _ in range(6):
        before, after = max(need - per * least, 0.8), max(need - per * (end - furthest), 0.45 * need)
        per = (right - left - before - after) / end
    return Scale(left + before, per, 0.0, end, step)


def _words(
    sheet: Sheet, frame: Frame, scale: Scale, words: list[tuple[str, float, str]], right: float, y: float
) -> None:
    """Name the two sides above their marks in the first row, turned outwards where they would touch."""
    size, gap = frame.type.label, 1.6
    (a, va, ca), (b, vb, cb) = sorted(words, key=lambda w: w[1])
    wa, wb = wide(a, size, "Semibold"), wide(b, size, "Semibold")
    xa, xb = scale.at(va) - wa / 2, scale.at(vb) - wb / 2
    if xb - (xa + wa) < gap:
        middle = (scale.at(va) + scale.at(vb)) / 2
        xa, xb = min(xa, middle - gap / 2 - wa), max(xb, middle + gap / 2)
    xb = min(xb, right - wb)
    xa = max(min(xa, xb - gap - wa), frame.type.side + wide(frame.what, frame.type.tick) + gap)
    xb = max(xb, xa + wa + gap)
    sheet.text(xa, y, a, size, ca, "Semibold")
    sheet.text(xb, y, b, size, cb, "Semibold")


def arrows(plot: ArrowPlot, look: Look) -> Sheet:
    """Draw what the original would disclose (ring) and what the synthetic data do (diamond), a row a target."""
    type_ = TYPES[look.size]
    one, other = look.mark("original"), look.mark("synthetic")
    end, step = round_end(plot.furthest)
    digits = 1
    number_wide = max(
        wide(number(v, digits), type_.value, "Semibold")
        for row in plot.rows
        for v in (row.original, row.synthetic, *(row.before or ()))
    )
    need = type_.half + type_.gap + number_wide
    flags = [_short(row.flag) for row in plot.rows if row.flag]
    flag_wide = max([wide(f, type_.value) for f in flags] + [wide("flag", type_.tick)]) if flags else 0.0
    quiet = [row.left_out for row in plot.rows]

    def framed(two: Sequence[bool]) -> tuple[Frame, Scale]:
        frame = Frame(look, [row.target for row in plot.rows], quiet, two, plot.more, plot.unit_words)
        right = frame.right - flag_wide - (2.2 if flags else 0)
        pairs = [(row.original, row.synthetic, row.low, row.high, *(row.before or ())) for row in plot.rows]
        ends = min(min(p) for p in pairs), max(max(p) for p in pairs)
        return frame, _scale(frame.left, right, *ends, end, step, need)

    def apart(row: ArrowRow, scale: Scale) -> bool:
        """Whether what stood before finds room on the row itself."""
        if row.before is None:
            return True
        now, was = sorted((row.original, row.low, row.high)), sorted(row.before)
        return min(abs(scale.at(was[0]) - scale.at(now[-1])), abs(scale.at(now[0]) - scale.at(was[1]))) > 2 * need and (
            was[0] > now[-1] or was[1] < now[0]
        )

    frame, scale = framed([False] * len(plot.rows))
    two = [not apart(row, scale) for row in plot.rows]
    if any(two):
        frame, scale = framed(two)
    sheet = frame.sheet()
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    frame.under(sheet, scale.x)
    if flags:
        sheet.text(frame.right - flag_wide, frame.head, "flag", type_.tick, SOFT)
    for row, arrow, dy, below, second in zip(
        plot.rows, plot.arrows, frame.stack.y, frame.stack.below, two, strict=True
    ):
        y = frame.top + dy
        if row.before is not None:
            _before(sheet, scale, row.before, frame.top + below if second else y, type_, look)
        low, high = scale.at(row.low), scale.at(row.high)
        if plot.n_syntheses > 1 and high - low > 0.2:
            sheet.band(low, high, y, type_.mark * PT * 0.86, look.band)
        left = row.synthetic <= row.original
        x, x0 = scale.at(row.synthetic), scale.at(row.original)
        edge = max(x + type_.half, high) if left else min(x - type_.half, low)
        if arrow and (x0 - edge) * (1 if left else -1) > type_.half:
            sheet.arrow(x0, edge, y, type_.line, type_.mark * PT * 0.78)
        sheet.mark(x0, y, "o", type_.mark, "white", one.colour, type_.line * 1.55)
        sheet.mark(x, y, "D", type_.mark * 0.82, other.colour, "white", type_.line * 0.5, z=5)
        away = type_.half + type_.gap
        ends = [
            (row.synthetic, min(x - away, low - type_.gap) if left else max(x + away, high + type_.gap), left, True),
            (row.original, x0 + away if left else x0 - away, not left, False),
        ]
        if left and x0 <= high:  # the ring lies on the range, whose end the number has to clear
            ends[1] = (row.original, max(x0 + away, high + type_.gap), False, False)
        for value, place, goes_left, synthetic in ends:
            sheet.value(
                place, y, number(value, digits), type_.value, (other if synthetic else one).word,
                "Semibold" if synthetic else "Regular", "right" if goes_left else "left",
            )  # fmt: skip
        if row.flag:
            sheet.value(frame.right - flag_wide, y, _short(row.flag), type_.value)
    first = plot.rows[0]
    words = [
        (f"{plot.synthetic} (synthetic)", first.synthetic, other.word),
        (f"{plot.original} (original)", first.original, one.word),
    ]
    _words(sheet, frame, scale, words, frame.right - flag_wide - (1.6 if flags else 0), frame.head)
    return sheet


def _short(flag: str) -> str:
    return flag.replace("1- and 2-way", "1-, 2-way")


def _before(sheet: Sheet, scale: Scale, pair: tuple[float, float], y: float, type_: Type, look: Look) -> None:
    """Draw what stood before exclusions: smaller hollow marks on a dotted line."""
    was, now = pair
    thin, half = type_.line * 0.9, type_.half * 0.8
    left = now <= was
    xs = scale.at(now), scale.at(was)
    sheet.line(xs, (y, y), ROD, thin, z=0.9, linestyle=(0, (1, 1.8)))
    sheet.mark(xs[1], y, "o", type_.mark * 0.8, "white", look.mark("original").colour, thin * 0.75)
    sheet.mark(xs[0], y, "D", type_.mark * 0.64, "white", look.mark("synthetic").colour, thin * 0.75)
    away = half + type_.gap
    sheet.value(xs[1] + (away if left else -away), y, number(was), type_.value, SOFT, side="left" if left else "right")
    sheet.value(xs[0] - (away if left else -away), y, number(now), type_.value, SOFT, side="right" if left else "left")
    if abs(xs[0] - xs[1]) > wide(f" {BEFORE} ", type_.note, "It") + 3 * half:
        sheet.value(sum(xs) / 2, y, BEFORE, type_.note, SOFT, "It", "center")


def outside(plot: OutsidePlot, look: Look) -> Sheet:
    """Draw members (diamond) against people outside (upright bar); the difference with its interval at the right."""
    type_ = TYPES[look.size]
    members, others = look.mark("synthetic"), look.mark("outside")
    rows = plot.rows
    unit = plot.unit
    frame = Frame(
        look, [row.target for row in rows], [""] * len(rows), [False] * len(rows), plot.more, unit,
        heads=1 if type_.intervals else 2, beside=0.69 * type_.intervals,
    )  # fmt: skip
    number_wide = max(wide(number(v), type_.value, "Semibold") for row in rows for v in (row.members, row.outside))
    need = type_.half + type_.gap + number_wide
    # From the right: the interval in words, the difference, and the intervals as bars where there is room.
    spans = [f"{number(row.low)} to {number(row.high)}" for row in rows]
    span_wide = max(wide(text, type_.value) for text in spans)
    x_span = frame.right
    x_difference = x_span - max(span_wide, wide("95 % interval", type_.tick) * type_.intervals) - 1.2 * type_.gap - 0.6
    difference_wide = max(wide(number(row.difference), type_.value, "Semibold") for row in rows)
    if type_.intervals:
        difference_wide = max(difference_wide, wide("difference", type_.label, "Semibold"))
    right = x_difference - difference_wide - 2.5 * type_.gap
    sheet = frame.sheet()
    forest = None
    if type_.intervals:
        low, high = plot.differences
        room = 0.04 * (high - low or 1.0)
        wide_ = look.width * 0.2
        _, step = round_end((high - low) or 1.0, 4)
        per = wide_ / (high - low + 2 * room)
        forest = Scale(right - wide_ - per * (low - room), per, low - room, high + room, step)
        forest.draw(sheet, frame.top, frame.bottom, type_.tick, "")
        label = "percentage points more among members"
        x = min(forest.at(low - room), frame.right - wide(label, type_.tick))
        sheet.text(x, frame.bottom + type_.tick * PT * 2.45, label, type_.tick, SOFT)
        right = right - wide_ - 2.2 * type_.gap
    end, step = round_end(plot.furthest, 6 if type_.intervals else 4)
    least = min(min(row.members, row.outside) for row in rows)
    furthest = max(max(row.members, row.outside) for row in rows)
    scale = _scale(frame.left, right, least, furthest, end, step, need)
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    if forest is None or scale.x + wide(frame.units[0], type_.tick) < forest.at(forest.start) - 1:
        frame.under(sheet, scale.x)
    else:
        sheet.text(type_.side, frame.bottom + type_.tick * PT * 2.45, unit, type_.tick, SOFT)
    dashed: dict[str, Any] = {"linestyle": (0, (3, 2))}
    if plot.absolute is not None:
        sheet.line((scale.at(plot.absolute),) * 2, (frame.top, frame.bottom), INK, 0.7, **dashed)
    if plot.relative is not None and forest is not None:
        sheet.line((forest.at(plot.relative),) * 2, (frame.top, frame.bottom), INK, 0.7, **dashed)
    first = frame.head - (0 if type_.intervals else type_.label * 1.12 * PT)
    sheet.text(
        x_difference if type_.intervals else x_span, first, "difference", type_.label, INK, "Semibold", side="right"
    )
    sheet.text(x_span, frame.head, "95 % interval", type_.tick, SOFT, side="right")
    for row, span, dy in zip(rows, spans, frame.stack.y, strict=True):
        y = frame.top + dy
        x, x0 = scale.at(row.members), scale.at(row.outside)
        sheet.line((x0, x), (y, y), ROD, type_.line, z=2)
        tall = type_.mark * PT * 0.8  # taller than the diamond, which so never hides it
        sheet.line((x0, x0), (y - tall, y + tall), others.word, type_.line * 1.7, z=4)
        sheet.mark(x, y, "D", type_.mark * 0.82, members.colour, "white", type_.line * 0.5, z=5)
        leads = row.members >= row.outside
        away = type_.half + type_.gap
        for value, place, colour, goes_right, weight in (
            (row.members, x, members.word, leads, "Semibold"),
            (row.outside, x0, others.word, not leads, "Regular"),
        ):
            sheet.value(
                place + (away if goes_right else -away), y, number(value), type_.value, colour, weight,  # type: ignore[arg-type]
                "left" if goes_right else "right",
            )  # fmt: skip
        ink = INK if row.shown else SOFT
        if forest is not None:
            ends = forest.at(row.low), forest.at(row.high)
            sheet.line(ends, (y, y), INK if row.shown else ZERO, type_.line * 1.5, z=2)
            sheet.mark(
                forest.at(row.difference), y, "o", type_.mark * 0.62, INK if row.shown else "white",
                INK if row.shown else "#6E6E6E", type_.line,
            )  # fmt: skip
            aside = type_.mark * PT * 0.75
            for part, begin, end_ in row.segments:
                x_begin, x_end = sorted((forest.at(begin), forest.at(end_)))
                if look.grey:
                    sheet.striped(x_begin, x_end, y - aside, type_.line * PT * 2.6, STRIPES[part])
                else:
                    sheet.band(x_begin, x_end, y - aside, type_.line * PT * 2, look.mark(PARTS[part]).colour)
            if row.same is not None:
                m, *of_m = (forest.at(x) for x in row.same)
                sheet.line((of_m[0], of_m[1]), (y + aside, y + aside), members.colour, type_.line, z=2)
                sheet.mark(m, y + aside, "D", type_.mark * 0.4, "white", members.colour, type_.line * 0.8)
        sheet.value(
            x_difference, y, number(row.difference), type_.value, ink, "Semibold" if row.shown else "Regular", "right"
        )
        sheet.value(x_span, y, span, type_.value, SOFT, side="right")
    top = rows[0]
    words = [("members", top.members, members.word), ("people outside", top.outside, others.word)]
    _words(sheet, frame, scale, words, right + (0 if type_.intervals else 2), frame.head)
    return sheet
