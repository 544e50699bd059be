"""What a report is made from, and the pieces it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from disclosure_core.holdout.threat_model import ThreatModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.data.column import Variable
    from disclosure_core.data.naming import Introduced
    from disclosure_core.data.readers import Lines
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.holdout.decision import Limits
    from disclosure_core.report.answer import Answer
    from disclosure_core.review.remarks import Remarks
    from disclosure_core.review.value import KeySet
    from disclosure_core.review.verdicts import Given

DECISION, DECIDES, RELEASED = "Decision to be taken", "Who takes it", "File that will be released"
STOCHASTIC = "Which of the syntheses is released, and why that one"
RECIPIENTS, GENERATOR, TOLD = "Recipients and access", "Generator, version, seed", "Published about the generator"
LABELLED, PRIVACY_BUDGET = "How the file is labelled as synthetic", "Differential privacy"
POPULATION, ADVERSARY = "Population, its size, and the source of that", "Adversary and what moves them"
SET_APART = "How the holdout was set apart (share, seed)"
REGULATION, GROUP_HARM, NOTE = "Regulation that applies", "Group harm and ethics", "Note"

ABOUT = (
    DECISION, DECIDES, RELEASED, STOCHASTIC, RECIPIENTS, GENERATOR, TOLD, LABELLED, PRIVACY_BUDGET, POPULATION, ADVERSARY,
    SET_APART, REGULATION, GROUP_HARM, NOTE,
)  # fmt: skip
"""What a panel asks of a release that no figure can tell (consensus checklist, items 1 to 4 and 14; paper 001)."""


def asked_about(n_syntheses: int, holdout: bool) -> tuple[str, ...]:
    """Return what of `ABOUT` there is to ask: one synthesis needs no choice, and no holdout was set apart by nobody."""
    needless = {STOCHASTIC} if n_syntheses < 2 else set()
    return tuple(label for label in ABOUT if label not in needless | (set() if holdout else {SET_APART}))


HOLDOUT, MEMBERSHIP, SUBSETS = "Holdout baseline", "Membership", "Subsets of the keys"
"""What is not evaluated unless a section of the report answers it."""


def not_stated(
    about: Mapping[str, str],
    n_syntheses: int,
    holdout: bool,
    set_apart: str = "",
    threat_model: ThreatModel | None = None,
    released: Sequence[int] = (),
) -> list[str]:
    """Return what was not said of the release; a note is free, and so is what is answered elsewhere and printed there.

    That is how the holdout was set apart, where it was done here, the population, its size and the source of that, and
    the file that is released.
    """
    m = threat_model or ThreatModel()
    elsewhere = {SET_APART} if set_apart else set()
    elsewhere |= {POPULATION} if m.population.strip() and m.population_size is not None and m.source.strip() else set()
    elsewhere |= {RELEASED} if released else set()
    asked = asked_about(n_syntheses, holdout)
    return [label for label in asked if label not in {NOTE, *elsewhere} and not about.get(label, "").strip()]


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

    `before` is the members' figure with nothing excluded; None where that is the same, or there is none.
    """

    original: float
    members: float
    outside: float | None
    before: float | None


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
    """

    heading: str
    blocks: tuple[Block, ...]
    covers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReportInput:
    """What a report is made from.

    Attributes
    ----------
    study, assessment
        The data, and the judged figures: after exclusions for a reason.
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
        Whether levels are named; otherwise each is "a level", for a number would tell its rank.
    sections
        What other rooms add.
    notes
        What else is to be said, a sentence each.
    names
        What the sets of syntheses and the chains of safeguards are called that the report speaks of.
    remarks
        What is to be said beside the figures; None where it was not gathered.
    columns
        The keys and targets that have a label, or levels that count as missing.
    mends, assumptions
        What was mended, by column; what was answered of the assumptions, by the question's name.
    answer
        What page 1 says; None for a report that nobody put together from a review, which has no limits.
    holdout
        The file of people outside; None where there is none.
    set_apart
        How they were set apart, where the program did it.
    threat_model
        The answers that come before membership.
    refused
        What stands where there is no figure of membership: the answers, and the reason.
    keys
        The keys in the order chosen; empty for that of the data.
    key_sets, key_set
        Who could look, with which keys and why; and the name of the one whom figures speak of.
    verdicts
        What the officer says of targets, and whether it still fits; None for a report that nobody put together from a
        review.
    unreviewed
        The targets that have no verdict for `key_set`.
    all_excluded
        The figures with all that is excluded, which no limit judges; None where every exclusion has a reason.
    unreconciled
        By target, why none of its figures is evaluated: one differs by two paths. Such a target is not in `assessment`.
    limits
        The office's; None for a report that nobody put together from a review.
    released
        Numbers of the syntheses that are released, from 1; empty where nobody said which.
    """

    study: AnyStudy
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
        (SUBSETS, "fewer keys can disclose more, and only whole key sets were looked at"),
    )
    cells: bool = False
    shareable: bool = False
    smallest: int = 10
    level_names: bool = True
    sections: Sequence[Section] = ()
    notes: Sequence[str] = ()
    names: Sequence[str] = ()
    columns: Sequence[Introduced] = ()
    remarks: Remarks | None = None
    mends: Mapping[str, Sequence[str]] = field(default_factory=dict)
    assumptions: Mapping[str, str] = field(default_factory=dict)
    answer: Answer | None = None
    holdout: FileRead | None = None
    set_apart: str = ""
    threat_model: ThreatModel = field(default_factory=ThreatModel)
    refused: Sequence[Block] = ()
    keys: Sequence[str] = ()
    key_sets: Sequence[KeySet] = ()
    key_set: str = ""
    verdicts: Sequence[Given] | None = None
    unreviewed: Sequence[str] = ()
    all_excluded: Assessment | None = None
    unreconciled: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None
    released: Sequence[int] = ()

    @property
    def keys_in_order(self) -> list[Variable]:
        """The keys as columns, in the order chosen."""
        columns = {key.name: key for key in self.assessment.keys.keys}
        return [columns[name] for name in self.keys or columns if name in columns]

    def with_section(self, section: Section, *answered: str) -> ReportInput:
        """Return this with one more section, and without the entries of `not_evaluated` that it answers."""
        left = tuple((what, why) for what, why in self.not_evaluated if what not in answered)
        return replace(self, sections=(*self.sections, section), not_evaluated=left)

    def with_reason(self, what: str, why: str) -> ReportInput:
        """Return this with another reason why `what` was not evaluated, where it is among those."""
        found = tuple((name, why if name == what else said) for name, said in self.not_evaluated)
        return replace(self, not_evaluated=found)
