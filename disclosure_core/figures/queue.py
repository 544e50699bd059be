"""The figure of the queue: all targets with their marks of before exclusions and of now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from disclosure_core.data.naming import named
from disclosure_core.holdout.decision import BOTH
from disclosure_core.review.queue import UNFLAGGED
from disclosure_core.rounding import compare, fixed, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disclosure_core.review.queue import Queue, QueueRow


GAIN = "gain over chance"


@dataclass(frozen=True, slots=True)
class QueuePlot:
    """The queue as a figure: filled marks are now, hollow ones and a dotted line lead from before.

    Attributes
    ----------
    queue
        What is shown, in its order and on its axis.
    target
        The chosen row, shaded; None: none.
    labels
        By target, what its file says that it holds: it stands under the pointer, and in the words of the figure.
    """

    queue: Queue
    target: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def title(self) -> str:
        """What the figure shows."""
        return f"All targets, {self.queue.original} and {self.queue.synthetic}"

    @property
    def caption(self) -> str:
        """What is counted, and over what."""
        return f"{self.unit}{', means over the syntheses' if self.queue.n_syntheses > 1 else ''}."

    @property
    def signs(self) -> tuple[str, ...]:
        """What the signs in a row mean, a line each."""
        several = "Bar behind ◆: range over syntheses, a tick for each"
        return (
            "⚑ A 1-way or 2-way flag, and for what; ✓ a verdict is given; ? it is to be confirmed",
            *([f"▲ {self._limit[:1].upper()}{self._limit[1:]}; {BOTH}"] if self.above else []),
            *([several] if self.queue.n_syntheses > 1 else []),
            "Hollow: before exclusions",
            *(
                ["Hatched: a preview, with all that is excluded; a reason makes it the judged figure"]
                if self.previews
                else []
            ),
            f"▪ beneath: {GAIN}, of DiSCO's claims",
            f"Bold, on the right: {self.queue.synthetic}",
        )

    @property
    def unit(self) -> str:
        """What the axis counts."""
        return f"% of {self.queue.n_original:,} original records"

    @property
    def moved(self) -> tuple[QueueRow, ...]:
        """The rows where a mark of before is drawn beside that of now."""
        return tuple(row for row in self.queue.rows if row.moved)

    @property
    def previews(self) -> tuple[QueueRow, ...]:
        """The rows where what is excluded without a reason would move the judged figure."""
        return tuple(row for row in self.queue.rows if row.preview is not None)

    @property
    def above(self) -> tuple[QueueRow, ...]:
        """The rows whose figure exceeds the office's first limit, that of members."""
        return tuple(row for row in self.queue.rows if row.above)

    @property
    def _limit(self) -> str:
        return "" if self.queue.limit is None else f"exceeds the office's first limit, {plain(self.queue.limit)} %"

    @property
    def sentence(self) -> str:
        """The figure in words, for those who cannot see it."""
        q = self.queue
        listed = "; ".join(self._of(row) for row in q.rows)
        targets = f"{len(q.rows)} targets" if len(q.rows) > 1 else "one target"
        return f"{q.original} and {q.synthetic} of {targets}, {self.unit}, {q.progress}. {listed}."

    def _of(self, row: QueueRow) -> str:
        q = self.queue
        was = f" (before {fixed(row.synthetic_before)})" if row.moved else ""
        over = self._limit if row.above else ""
        chosen = "chosen" if row.target == self.target else ""
        more = ", ".join(part for part in (over, gain_of(row), under_name(row), chosen) if part)
        called = named(row.target, self.labels)
        return f"{called}: {q.original} {fixed(row.original)}, {q.synthetic} {fixed(row.synthetic)}{was}, {more}"


def gain_of(row: QueueRow) -> str:
    """Return the gain over chance of a row in words, and what it was where exclusions moved it."""
    now, was = row.beyond.gain, row.beyond_before.gain
    moved = "" if compare(now, was) == 0 else f" (before {fixed(was)})"
    return f"{GAIN} {fixed(now)}{moved}"


def under_name(row: QueueRow) -> str:
    """Return what stands under a target's name: the verdict, or what is flagged; and who learns more of it."""
    said = row.given.words if row.given else row.flags.words
    if not said and row.flagged:
        said = f"{UNFLAGGED} now"
    worse = row.gravest
    if worse and (row.verdict is None or worse.verdict.verdict != row.verdict.verdict):
        said = ", ".join(part for part in (said, f"{worse.words} ({worse.verdict.intruder})") if part)
    elsewhere = f"{row.worst.intruder}: {fixed(row.worst.synthetic)}" if row.worst else ""
    return " · ".join(part for part in (said, elsewhere) if part)


def describe(shown: Queue, target: str | None = None, labels: Mapping[str, str] | None = None) -> QueuePlot:
    """Return the figure of the queue with one row chosen."""
    return QueuePlot(shown, target, labels or {})
