"""The two dumbbell charts in print: original against synthetic, and members against people outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disclosure_core.figures.frame import Frame, Type, type_of
from disclosure_core.figures.letters import PT, Weight, wide
from disclosure_core.figures.sheet import INK, ROD, SOFT, ZERO, Scale, Sheet, number, round_end
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    from disclosure_core.figures.dorig_disco import ArrowPlot, ArrowRow
    from disclosure_core.figures.look import Look
    from disclosure_core.figures.members_outside import OutsidePlot, OutsideRow

_WHOLE = 145.0
"""Millimetres of a page from which on conclusions have a column of their own."""

_UNDER = 0.34
"""Share of the sheet left of the words beneath the intervals."""

BEFORE = "before"
"""What stands between the hollow marks of what was shown with nothing excluded."""


def _scale(
    left: float, right: float, least: float, furthest: float, end: float, step: float, need: float, number: float
) -> Scale:
    """Return a scale from 0 to `end` between two places, with `need` mm for the numbers left and right of all marks.

    A number that is `number` mm wide stands left of the scale's zero where it would lie on it.
    """
    per = (right - left - need) / end
    before = after = need
    for _ in range(6):
        beyond = need - per * least
        before = max(beyond, number + 1.4) if beyond > 0 else 0.8
        after = max(need - per * (end - furthest), 0.45 * need)
        per = (right - left - before - after) / end
    return Scale(left + before, per, 0.0, end, step)


def _clear(scale: Scale, place: float, text: str, size: float, weight: Weight) -> float:
    """Return where a number ends that stands left of its mark: not on the scale's zero, but left of it."""
    return min(place, scale.x - 0.6) if place - wide(text, size, weight) < scale.x + 0.4 else place


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
    type_ = type_of(look)
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
        return frame, _scale(frame.left, right, *ends, end, step, need, number_wide)

    def apart(row: ArrowRow, scale: Scale) -> bool:
        """Whether what stood before finds room on the row itself, at the right or at the left."""
        if row.before is None:
            return True
        now, was = (sorted(map(scale.at, each)) for each in ((row.original, row.low, row.high), row.before))
        return max(was[0] - now[-1], now[0] - was[-1]) > 2 * need

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
            _draw_before_exclusions(sheet, scale, row.before, frame.top + below if second else y, type_, look)
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
            text = number(value, digits)
            weight: Weight = "Semibold" if synthetic else "Regular"
            sheet.value(
                _clear(scale, place, text, type_.value, weight) if goes_left else place,
                y,
                text,
                type_.value,
                (other if synthetic else one).word,
                weight,
                "right" if goes_left else "left",
            )
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


def _draw_before_exclusions(
    sheet: Sheet, scale: Scale, pair: tuple[float, float], y: float, type_: Type, look: Look
) -> None:
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
    """Draw members (diamond) against people outside (upright bar), the difference, own answers, and the conclusion.

    A page has room for all of it. On a slide, on a narrow page and in one column the conclusion stands beneath the
    name; in one column, intervals are words alone.
    """
    type_ = type_of(look)
    rows = plot.rows
    same = plot.compared is not None
    whole = same and look.size == "page" and look.width >= _WHOLE
    below = [row.conclusion if same and not whole else "" for row in rows]
    frame = Frame(
        look,
        [row.target for row in rows],
        below,
        [False] * len(rows),
        plot.more,
        plot.unit,
        heads=2 if whole or not type_.intervals else 1,
        beside=(0.78 if whole else 0.69) * type_.intervals,
        under=_UNDER if type_.intervals else 1.0,
    )
    sheet = frame.sheet()
    right = _concluded(sheet, frame, plot) if whole else _spans(sheet, frame, plot)
    number_wide = max(wide(number(v), type_.value, "Semibold") for row in rows for v in (row.members, row.outside))
    end, step = round_end(plot.furthest, 6 if type_.intervals else 4)
    least = min(min(row.members, row.outside) for row in rows)
    furthest = max(max(row.members, row.outside) for row in rows)
    scale = _scale(frame.left, right, least, furthest, end, step, type_.half + type_.gap + number_wide, number_wide)
    scale.draw(sheet, frame.top, frame.bottom, type_.tick)
    fits = len(frame.units) == 1 and scale.x + wide(frame.units[0], type_.tick) < right
    frame.under(sheet, scale.x if fits or not type_.intervals else type_.side)
    if plot.absolute is not None:
        sheet.line((scale.at(plot.absolute),) * 2, (frame.top, frame.bottom), INK, 0.7, linestyle=(0, (3, 2)))
    members, others = look.mark("synthetic"), look.mark("outside")
    for row, dy in zip(rows, frame.stack.y, strict=True):
        _both(sheet, scale, row, frame.top + dy, look)
    words = [("members", rows[0].members, members.word), ("people outside", rows[0].outside, others.word)]
    _words(sheet, frame, scale, words, right + (0 if type_.intervals else 2), frame.head)
    if 0 < plot.own_first < len(rows) and same:
        y = frame.top + frame.stack.edges[plot.own_first - 1]
        sheet.line((type_.side, frame.right), (y, y), SOFT, 0.7)
    return sheet


def _both(sheet: Sheet, scale: Scale, row: OutsideRow, y: float, look: Look) -> None:
    """Draw members and people outside of one row, with their figures."""
    type_, members, others = type_of(look), look.mark("synthetic"), look.mark("outside")
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
        text = number(value)
        sheet.value(
            place + away if goes_right else _clear(scale, place - away, text, type_.value, weight),  # type: ignore[arg-type]
            y,
            text,
            type_.value,
            colour,
            weight,  # type: ignore[arg-type]
            "left" if goes_right else "right",
        )


def _concluded(sheet: Sheet, frame: Frame, plot: OutsidePlot) -> float:
    """Draw from the right the conclusions, own answers and the effect of taking part; return where these begin."""
    type_, look = frame.type, frame.look
    x = frame.right - max(wide(row.conclusion, type_.value, "Semibold") for row in plot.rows)
    upper = frame.head - type_.label * 1.12 * PT
    sheet.text(x, upper, "Conclusion", type_.label, INK, "Semibold")
    for row, dy in zip(plot.rows, frame.stack.y, strict=True):
        colour, weight = (look.mark("synthetic").word, "Semibold") if row.own else (SOFT, "Regular")
        sheet.value(x, frame.top + dy, row.conclusion, type_.value, colour, weight)  # type: ignore[arg-type]
    own = _forest(sheet, frame, plot.same_keys, x - 1.5 * type_.gap, 0.15)
    sheet.text(own.at(own.start), upper, "2 Own answers", type_.label, INK, "Semibold")
    sheet.text(own.at(own.start), frame.head, f"same keys, {fixed(plot.compared or 0, 0)} %", type_.tick, SOFT)
    for row, dy in zip(plot.rows, frame.stack.y, strict=True):
        if row.same is not None:
            colour = look.mark("synthetic").colour if row.own else ZERO
            _interval(sheet, own, row.same, frame.top + dy, type_, "D", colour, filled=bool(row.own))
    return _effect(sheet, frame, plot, own.at(own.start) - 1.5 * type_.gap, 0.15, f"1 {plot.effect}", upper)


def _spans(sheet: Sheet, frame: Frame, plot: OutsidePlot) -> float:
    """Draw from the right the difference with its interval in words, and as a line where there is room."""
    type_ = frame.type
    spans = [f"{number(row.low)} to {number(row.high)}" for row in plot.rows]
    span_wide = max(wide(text, type_.value) for text in spans)
    head_wide = wide("95 % interval", type_.tick) if type_.intervals else 0.0
    sheet.text(frame.right, frame.head, "95 % interval", type_.tick, SOFT, side="right")
    for span, dy in zip(spans, frame.stack.y, strict=True):
        sheet.value(frame.right, frame.top + dy, span, type_.value, SOFT, side="right")
    x = frame.right - max(span_wide, head_wide) - 1.2 * type_.gap - 0.6
    if type_.intervals:
        return _effect(sheet, frame, plot, x, 0.2, "difference", frame.head, at_right=True)
    sheet.text(frame.right, frame.head - type_.label * 1.12 * PT, "difference", type_.label, INK, "Semibold", "right")
    return x - _numbers(sheet, frame, plot, x) - 2.5 * type_.gap


def _numbers(sheet: Sheet, frame: Frame, plot: OutsidePlot, x: float) -> float:
    """Write the differences so that they end at x, those that are shown heavier; return how wide they are."""
    type_ = frame.type
    for row, dy in zip(plot.rows, frame.stack.y, strict=True):
        ink, weight = (INK, "Semibold") if row.shown else (SOFT, "Regular")
        sheet.value(x, frame.top + dy, number(row.difference), type_.value, ink, weight, "right")  # type: ignore[arg-type]
    return max(wide(number(row.difference), type_.value, "Semibold") for row in plot.rows)


def _effect(
    sheet: Sheet,
    frame: Frame,
    plot: OutsidePlot,
    right: float,
    share: float,
    head: str,
    y: float,
    *,
    at_right: bool = False,
) -> float:
    """Draw the differences with their intervals, and their numbers on one side; return where all of it begins."""
    type_ = frame.type
    head_wide = wide(head, type_.label, "Semibold")
    if at_right:
        numbers = max(_numbers(sheet, frame, plot, right), head_wide)
        sheet.text(right, y, head, type_.label, INK, "Semibold", side="right")
        right -= numbers + 2.5 * type_.gap
    forest = _forest(sheet, frame, plot.differences, right, share)
    left = forest.at(forest.start)
    if not at_right:
        x = left - type_.gap
        sheet.text(x - (w := _numbers(sheet, frame, plot, x)), y, head, type_.label, INK, "Semibold")
        sheet.text(x - w, frame.head, "members − people outside", type_.tick, SOFT)
        left = x - w
    label = "percentage points"
    sheet.text(
        min(forest.at(forest.start), frame.right - wide(label, type_.tick)),
        frame.bottom + type_.tick * PT * 2.45,
        label,
        type_.tick,
        SOFT,
    )
    if plot.relative is not None:
        sheet.line((forest.at(plot.relative),) * 2, (frame.top, frame.bottom), INK, 0.7, linestyle=(0, (3, 2)))
    for row, dy in zip(plot.rows, frame.stack.y, strict=True):
        span = (row.difference, row.low, row.high)
        _interval(sheet, forest, span, frame.top + dy, type_, "o", INK if row.shown else ZERO, filled=row.shown)
    return left - 2.2 * type_.gap


def _forest(sheet: Sheet, frame: Frame, ends: tuple[float, float], right: float, share: float) -> Scale:
    """Draw and return a scale of percentage points that ends at `right` and takes a share of the sheet."""
    low, high = ends
    room = 0.04 * (high - low or 1.0)
    width = frame.look.width * share
    _, step = round_end((high - low) or 1.0, 4)
    per = width / (high - low + 2 * room)
    scale = Scale(right - width - per * (low - room), per, low - room, high + room, step)
    scale.draw(sheet, frame.top, frame.bottom, frame.type.tick, "")
    return scale


def _interval(
    sheet: Sheet,
    scale: Scale,
    span: tuple[float, float, float],
    y: float,
    type_: Type,
    shape: str,
    colour: str,
    *,
    filled: bool,
) -> None:
    """Draw a figure with its interval; filled where it is shown."""
    at, low, high = (scale.at(value) for value in span)
    sheet.line((low, high), (y, y), colour, type_.line * 1.5, z=2)
    size = type_.mark * (0.62 if shape == "o" else 0.56)
    sheet.mark(at, y, shape, size, colour if filled else "white", colour if filled else "#6E6E6E", type_.line)
