"""What a report is made from, and the pieces it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from disclosure_core.assessment import Assessment
    from disclosure_core.study import Study

ABOUT = (
    "Decision to be taken",
    "File that will be released",
    "Generator, version, seed",
    "Differential privacy",
    "Population, its size, and the source of that",
    "Adversary and what moves them",
)
"""What a panel asks of a release that no figure can tell (consensus checklist, items 1 to 4)."""

HOLDOUT, MEMBERSHIP, SUBSETS = "Holdout baseline", "Membership", "Subsets of the keys"
"""What is not evaluated unless a section of the report answers it."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was assessed: its role ("Original", "Synthesis 1" …), name, records and SHA-256."""

    role: str
    name: str
    rows: int
    sha256: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One piece of a report.

    Attributes
    ----------
    kind
        "heading", "text", "list", "table", "figure" or "signoff".
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
    """

    kind: Literal["heading", "text", "list", "table", "figure", "signoff"]
    text: str = ""
    items: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    figures: frozenset[int] = frozenset()
    plot: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A part that another room adds to the report: a holdout baseline, membership, subsets of keys.

    Attributes
    ----------
    heading
        Its heading.
    blocks
        What stands under it, in order. In a shareable report it is the caller who writes figures with `shown.share`
        and `shown.count`.
    covers
        Items of the consensus checklist that it answers, by number.
    """

    heading: str
    blocks: tuple[Block, ...]
    covers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class ReportInput:
    """What a report is made from.

    Attributes
    ----------
    study, assessment
        The data and the figures.
    files
        What was assessed.
    title, author, date
        As they are to stand on the report; the date is given, never looked up.
    reasons
        Reasons for keys and exclusions. For a key, by its name; for exclusions, by the target's name, "missing keys" or
        "denominators". One exclusion has a reason of its own under the name that
        `Exclusions.names_of` gives it.
    about
        What the office says of the release, by the labels of `ABOUT`; what is not said is printed as "not stated".
    scenarios
        Other assessments to set side by side, by name.
    not_evaluated
        What was not evaluated, and why that matters or what would be needed.
    cells
        Whether an internal report lists the largest cells that DiSCO counts, and the records in them.
    shareable
        Without counts below `smallest`: smaller ones are withheld, all others rounded to multiples of it.
    smallest
        The smallest count that a shareable report shows, records.
    level_names
        Whether levels are named; otherwise they are "level 1", "level 2" …
    sections
        What other rooms add.
    notes
        What else the office wants to say, a sentence each.
    """

    study: Study
    assessment: Assessment
    files: Sequence[FileRead]
    title: str = "Disclosure report"
    author: str = ""
    date: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    scenarios: Sequence[tuple[str, Assessment]] = ()
    not_evaluated: Sequence[tuple[str, str]] = (
        (HOLDOUT, "without people who were not in the data, a leak cannot be told from general knowledge"),
        (
            MEMBERSHIP,
            "whether somebody was in the data at all was not looked at; it needs a holdout and the population's size",
        ),
        (SUBSETS, "fewer keys can give more away, and only this set was looked at"),
    )
    cells: bool = False
    shareable: bool = False
    smallest: int = 10
    level_names: bool = True
    sections: Sequence[Section] = ()
    notes: Sequence[str] = ()

    def with_section(self, section: Section, *answered: str) -> ReportInput:
        """Return this with one more section, and without the entries of `not_evaluated` that it answers."""
        left = tuple((what, why) for what, why in self.not_evaluated if what not in answered)
        return replace(self, sections=(*self.sections, section), not_evaluated=left)
