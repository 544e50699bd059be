"""What a report is made from, and the pieces it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from disclosure_core.report import redaction
from disclosure_core.report.answer import Answer, answer
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.about import OFFICER, TITLE
from disclosure_core.review.combined import stated
from disclosure_core.review.safer import adopted_files

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.data.column import Variable
    from disclosure_core.data.readers import Lines
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import KeySet
    from disclosure_core.review.remarks import Remarks
    from disclosure_core.review.value import Review
    from disclosure_core.review.verdicts import Given

HOLDOUT, MEMBERSHIP, SUBSETS = "Holdout baseline", "Membership", "Subsets of the keys"
"""What is not evaluated unless a section of the report answers it."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was assessed: its role ("Original", "Synthesis 1" …), name, records, SHA-256, and of a text its lines."""

    role: str
    name: str
    rows: int
    sha256: str = ""
    lines: Lines | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """Where one row's marks stand on the scale of page 1, %: the original, the members, people outside.

    `before` is the members' figure with nothing excluded; None where that is the same, or there is none. `limit` is the
    office's first limit, of members.
    """

    original: float
    members: float
    outside: float | None
    before: float | None
    limit: float | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Block:
    """One piece of a report.

    Attributes
    ----------
    kind
        "heading", "text", "list", "table", "figure", "signoff", "facts" (rows of a label and a text), "answer" (its
        headline, sentences as items, and a row a result: how many, which) or "note" (small sentences to a table).
    text
        The heading, paragraph or caption.
    items
        The points of a list, or the lines of a sign-off.
    columns, rows
        Of a table: headers, and cells as text.
    figures
        Of a table: which columns hold figures and stand to the right.
    plot
        Of a figure: its description.
    marks, scale
        Of a table: what is drawn behind its first column, a row each, None for a row without; and where their axis ends,
        with the step of its grid.
    result
        Of a table: the column that says within, above or not evaluated.
    exact
        Of a table: the column whose texts are set letter by letter, as a fingerprint is.
    contents
        Of a heading: whether the contents of what follows stand before it.
    """

    kind: Literal["heading", "text", "list", "table", "figure", "signoff", "facts", "answer", "note"]
    text: str = ""
    items: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    figures: frozenset[int] = frozenset()
    plot: Any = None
    marks: tuple[Marks | None, ...] = ()
    scale: tuple[float, float] = (100, 20)
    result: int | None = None
    exact: int | None = None
    contents: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Section:
    """A part that another room adds to the report: a holdout baseline, membership, subsets of keys.

    Attributes
    ----------
    heading
        Its heading.
    blocks
        What stands under it, in order. In a shareable report it is the caller who writes figures with `redaction.share`
        and `redaction.count`.
    covers
        Items of the consensus checklist that it answers, by number.
    more
        What the appendix holds of it.
    """

    heading: str
    blocks: tuple[Block, ...]
    covers: frozenset[int] = frozenset()
    more: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """How a report is to be; nothing of it moves a figure.

    Attributes
    ----------
    title
        As it is to stand on it; empty for the review's (`Review.title`).
    date
        As it is to stand on it; given, never looked up.
    shareable
        Without counts below `smallest`.
    smallest
        The smallest count that a shareable report shows, records.
    level_names
        Whether a shareable report names levels; an internal one always does.
    dorig
        Whether a shareable report shows Dorig and DiSDiO, which one person can move by a whole cell.
    cells
        Whether an internal report's appendix lists the largest cells, and the records in them.
    appendix
        Whether it is the appendix that is made: what the report leaves out, definitions, the checklist.
    """

    title: str = ""
    date: str = ""
    shareable: bool = False
    smallest: int = 10
    level_names: bool = True
    dorig: bool = False
    cells: bool = False
    appendix: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A report of a review: the review with its data, how the report is to be, and what was searched for it.

    Its figures are those that may leave the page (`Opened.printed`). Each is made when a section first asks for it.

    Attributes
    ----------
    opened
        The review and its data.
    look
        How the report is to be.
    sections
        What was searched for it: people outside, membership, subsets of the keys, near misses, sets side by side.
    not_evaluated
        What was not evaluated, and why that matters or what would be needed.
    """

    opened: Opened
    look: Look = field(default_factory=Look)
    sections: tuple[Section, ...] = ()
    not_evaluated: tuple[tuple[str, str], ...] = (
        (HOLDOUT, "without people outside the data, a leak cannot be distinguished from general knowledge"),
        (
            MEMBERSHIP,
            "whether somebody was in the data at all was not looked at; it needs a holdout and the population's size",
        ),
        (SUBSETS, "fewer keys can disclose more, and only whole key sets were looked at"),
    )

    @property
    def review(self) -> Review:
        """What is asked, with what the officer wrote."""
        return self.opened.review

    @cached_property
    def printed(self) -> Opened:
        """The review under the exclusions that have a reason."""
        return self.opened.printed

    @cached_property
    def stopped(self) -> NotEvaluated | None:
        """Why no figure of the intruder that figures speak of is evaluated: values do not meet; None where one is."""
        return self.opened.judged.stopped()

    @cached_property
    def study(self) -> AnyStudy:
        """Original and syntheses, made comparable."""
        return self.opened.study()

    @cached_property
    def assessment(self) -> Assessment:
        """The judged figures: after exclusions for a reason."""
        return self.printed.assessment()

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row a target, as a report may show it: as `redaction.summary`."""
        return redaction.summary(self)

    @cached_property
    def all_excluded(self) -> Assessment | None:
        """The figures with all that is excluded, which no limit judges; None where every exclusion has a reason."""
        return self.opened.assessment() if self.opened.not_judged else None

    @cached_property
    def answer(self) -> Answer:
        """What page 1 says."""
        return answer(self.opened)

    @cached_property
    def remarks(self) -> Remarks:
        """What is to be said beside the figures."""
        return self.opened.remarks()

    @cached_property
    def verdicts(self) -> tuple[Given, ...]:
        """What the officer says of targets, and whether it still fits."""
        return self.opened.verdicts()

    @cached_property
    def reasons(self) -> Mapping[str, str]:
        """Reasons for keys and exclusions, by name; an internal report says with each whether it is to be confirmed."""
        return self.review.reasons if self.shareable else of_reasons.reasons_printed(self.opened)

    @property
    def about(self) -> Mapping[str, str]:
        """What the office says of the release, by the labels of `of_release.ABOUT`."""
        return {label: text for label, text in self.review.about.items() if label not in (OFFICER, TITLE)}

    @property
    def author(self) -> str:
        """The officer's name; empty where none was given."""
        return self.review.about.get(OFFICER, "")

    @property
    def title(self) -> str:
        """The title as it stands on the report."""
        return self.look.title or self.review.title

    @property
    def shareable(self) -> bool:
        """Whether counts below `smallest` are withheld, and all others rounded to multiples of it."""
        return self.look.shareable

    @property
    def smallest(self) -> int:
        """The smallest count that a shareable report shows, records."""
        return self.look.smallest

    @property
    def level_names(self) -> bool:
        """Whether levels are named; otherwise each is "a level", for a number would tell its rank."""
        return self.look.level_names or not self.shareable

    @cached_property
    def files(self) -> tuple[FileRead, ...]:
        """What was assessed."""
        return tuple(files_read(self.opened))

    @property
    def holdout(self) -> FileRead | None:
        """The file of people outside; None where there is none."""
        return holdout_read(self.opened)

    @property
    def keys_in_order(self) -> list[Variable]:
        """The keys as columns, in the order chosen."""
        columns = {key.name: key for key in self.assessment.keys.keys}
        return [columns[name] for name in self.review.keys if name in columns]

    @property
    def key_sets(self) -> tuple[KeySet, ...]:
        """The intruders that know a key."""
        return tuple(k for k in self.review.intruders if k.keys)

    @property
    def released(self) -> tuple[int, ...]:
        """Numbers of the syntheses that are released, from 1; empty where nobody said which of those there are."""
        return stated(self.opened)

    def with_section(self, section: Section, *answered: str) -> Report:
        """Return this with one more section, and without the entries of `not_evaluated` that it answers."""
        left = tuple((what, why) for what, why in self.not_evaluated if what not in answered)
        return replace(self, sections=(*self.sections, section), not_evaluated=left)

    def with_reason(self, what: str, why: str) -> Report:
        """Return this with another reason why `what` was not evaluated, where it is among those."""
        found = tuple((name, why if name == what else said) for name, said in self.not_evaluated)
        return replace(self, not_evaluated=found)


def files_read(opened: Opened) -> list[FileRead]:
    """Return what was assessed: role, name, records and fingerprint of each table.

    Of an adopted set these are the safer files, with the fingerprints of the bytes that are handed out; the files that
    they were made of follow, as "Unprotected synthesis 1" and so on.
    """
    study = opened.study()
    sizes = (study.n_original, *study.n_synthetic)
    roles = ["Original", *(f"Synthesis {i}" for i in range(1, len(sizes)))]
    readings = [r for r in opened.readings() if r.sha256]
    names = [(r.name, r.sha256, r.lines) for r in readings] or [(opened.review.name, "", None)] * len(sizes)
    before: list[FileRead] = []
    if handed_out := adopted_files(opened):
        before = [
            FileRead(f"Unprotected synthesis {i}", r.name, len(r.frame), r.sha256, r.lines)
            for i, r in enumerate(readings[1:], 1)
        ]
        names = [names[0], *((f.name, f.sha256, None) for f in handed_out)]
    told = zip(roles, names, sizes, strict=True)
    return [*(FileRead(role, name, n, sha, lines) for role, (name, sha, lines), n in told), *before]


def holdout_read(opened: Opened) -> FileRead | None:
    """Return the file of people outside; None where there is none."""
    reading = opened.data.holdout
    return (
        None
        if reading is None
        else FileRead("Holdout", reading.name, len(reading.frame), reading.sha256, reading.lines)
    )


def set_apart(opened: Opened) -> str:
    """Return how people outside were set apart, where that is known; empty otherwise."""
    source = opened.review.holdout
    if source is None or source.share is None:
        return ""
    return f"split off the original at random here: {source.share:g} % for training, seed {source.seed}"
