"""What a review is put together of: files and sets, column decisions, key sets, verdicts, chains of safeguards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from disclosure_core.comparison.aims import REMOVED, Aim, May
from disclosure_core.comparison.ways import Ways  # noqa: TC001 (pydantic reads it)
from disclosure_core.conclusions.standing import Stamp  # noqa: TC001 (pydantic reads it)
from disclosure_core.counting.settings import Settings
from disclosure_core.data.codebook import Codebook  # noqa: TC001 (pydantic reads it)
from disclosure_core.data.grouping import Groups  # noqa: TC001 (pydantic reads it)
from disclosure_core.data.readers import ReadOptions
from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import SEED, parameter, within
from disclosure_core.review.forms import SavedHierarchy, SavedStep  # noqa: TC001 (pydantic reads it)
from disclosure_core.sensitivity.bounds import Bounds

SYNTHETIC = "synthetic data"
"""What the set of syntheses is called where there is one only."""


LIMITS = "limits"
"""An aim of its own: the office's limit of DiSCO, of every target."""

_SHARE = {"gt": 0, "lt": 100}

Texts = Mapping[str, tuple[str, ...]]
"""By column: some texts."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was brought.

    Attributes
    ----------
    name
        Its name, without a folder.
    sha256
        Fingerprint of its bytes, hexadecimal; empty for a table handed over in Python, which has none.
    options
        What the user corrected of how it is read.
    """

    name: str
    sha256: str = ""
    options: ReadOptions = field(default_factory=ReadOptions)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted`, with a number where it is taken."""
    return next(n for n in (wanted, *(f"{wanted} {i}" for i in range(2, len(taken) + 3))) if n not in taken)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an adopted set of syntheses comes from: another set, after a chain of safeguards.

    Attributes
    ----------
    synthesis_set
        The set that the safeguards were applied to.
    chain
        What the chain was called.
    steps
        Its safeguards, in order.
    keys, groups
        On which a record was unique when the chain was adopted: another intruder looked at later changes no file.
    """

    synthesis_set: str
    chain: str
    steps: tuple[SavedStep, ...]
    keys: tuple[str, ...] = ()
    groups: Mapping[str, Groups] = field(default_factory=dict)

    @property
    def judged(self) -> Settings:
        """The keys and groups, as what removes records asks for them."""
        return Settings(keys=self.keys, groups=self.groups)


@dataclass(frozen=True, slots=True)
class SynthesisSet:
    """Syntheses of one method, under a name; each file may hold several.

    An adopted set has an origin and no files of its own: it is made again of the files of its origin.
    """

    name: str
    files: tuple[SourceFile, ...]
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Holdout:
    """People who were not synthesised.

    Attributes
    ----------
    kind
        "file": `file` holds them. "demonstration": those that come with the survey. "split": the part of the original
        that was held out, as `holdout.partition.split` does; the rest of it stands as the original.
    file
        Where they are read from; None but for "file".
    share, seed
        Of a split: training part in % of the original's records, above 0 and below 100, and where the random numbers
        start; None otherwise.
    random
        What the office says of a file: whether it is a random part of the original; None where it is not said. A split
        of this program is one, and so are the survey's own people.

    Raises
    ------
    DisclosureError
        When a split names no share or seed, or something else does.

    Examples
    --------
    >>> Holdout("file", random=True).by_lot
    True
    """

    kind: Literal["file", "demonstration", "split"] = "file"
    file: SourceFile | None = None
    share: float | None = parameter(
        None, **_SHARE, title="Training part, % of the records", description="Training part, % of the records."
    )
    seed: int | None = parameter(
        None, **SEED, title="Seed", description="Note it down: with the same file and share it gives the same parts."
    )
    random: bool | None = None

    @property
    def by_lot(self) -> bool | None:
        """Whether chance alone decided who was held out; None: not known."""
        return self.random if self.kind == "file" else True

    def __post_init__(self) -> None:
        split = self.share is not None and self.seed is not None
        if split != (self.kind == "split") or (self.share is None) != (self.seed is None):
            raise DisclosureError("A split of the original names its share and its seed, and nothing else does.")
        if not within(self, "share") or (self.seed or 0) < 0:
            raise DisclosureError("A split has a share above 0 and below 100 %, and a seed of 0 or more.")


@dataclass(frozen=True, slots=True)
class Columns:
    """What was decided of columns, for all files alike.

    Attributes
    ----------
    mends
        By column, how its values are brought together before they are compared, in this order.
    missing_texts
        By column, the texts that stand for an empty cell.
    types
        By column, what it is read as.
    missing_codes
        By numeric column, the values that stand for “no answer”, as texts.
    numbers
        By column, what looks like such a code and was said to be a value like any other.
    codebook
        What the columns of all files hold, where somebody brought it: it counts before what the files say.

    Examples
    --------
    >>> Columns(missing_codes={"income": ("-8",)}).missing_codes["income"]
    ('-8',)
    """

    mends: Texts = field(default_factory=dict)
    missing_texts: Texts = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    missing_codes: Texts = field(default_factory=dict)
    numbers: Texts = field(default_factory=dict)
    codebook: Codebook | None = None


@dataclass(frozen=True, slots=True)
class KeySet:
    """What one intruder could know.

    Attributes
    ----------
    name
        What the intruder is called.
    keys
        Columns that the intruder knows, in the order chosen.
    reason
        Why they could be known.
    groups
        In how many groups, or at which breaks, the intruder knows a numeric key, 0 for each value; a key that is not
        named is known in the groups of the review.
    others_levels
        By key, levels that only other intruders' groups have: pairs with them wait for these intruders.
    bounds
        What the strongest intruder with these keys may know, and how far to search.

    Examples
    --------
    >>> KeySet("a neighbour", ("sex", "age"), groups={"age": 5}).grouping({"income": 20})
    {'income': 20, 'age': 5}
    """

    name: str
    keys: tuple[str, ...] = ()
    reason: str = ""
    groups: Mapping[str, Groups] = field(default_factory=dict)
    others_levels: Texts = field(default_factory=dict)
    bounds: Bounds = field(default_factory=Bounds)

    def grouping(self, default: Mapping[str, Groups]) -> dict[str, Groups]:
        """Return how numeric columns are cut, where this intruder knows keys in groups of their own."""
        own = {name: n for name, n in self.groups.items() if name in self.keys}
        return {name: n for name, n in {**default, **own}.items() if n or name not in own}


Judgement = Literal["common knowledge", "acceptable", "needs a safeguard", "leak"]
"""What can be said of a target, the gravest last."""

VERDICTS: tuple[Judgement, ...] = get_args(Judgement)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the officer says of one target, for one set of syntheses and one intruder.

    `stamp` is what it judged, at which figure, by whom and when; None where nobody knows, as in a review put together
    by hand: such a verdict waits to be confirmed.

    Examples
    --------
    >>> Verdict("synthetic data", "an intruder", "income", "leak", "a register of salaries").verdict
    'leak'
    """

    synthesis_set: str
    intruder: str
    target: str
    verdict: Judgement
    reason: str = ""
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class ReasonStamp:
    """What the reason for an exclusion was given for, of one intruder and one set of syntheses.

    Attributes
    ----------
    name
        What the reason is kept under, as in `Review.reasons`.
    records
        Disclosive records that the exclusion took alone, mean over the syntheses; of all targets where it acts on all.
    """

    synthesis_set: str
    intruder: str
    name: str
    records: float


@dataclass(frozen=True, slots=True)
class Chain:
    """Safeguards in the order in which they apply, under a name.

    Attributes
    ----------
    name
        Its name.
    steps
        In order.
    of_original
        Whether the original itself with these safeguards is compared with the syntheses.

    Examples
    --------
    >>> from disclosure_core import RoundTo
    >>> [step.sentence for step in Chain("rounded", (RoundTo("income", 100),)).steps]
    ["Round 'income' to multiples of 100."]
    """

    name: str
    steps: tuple[SavedStep, ...] = ()
    of_original: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """A random sample of the original, which is compared with the syntheses.

    Attributes
    ----------
    share
        % of the original's records, above 0 and below 100.
    seed
        Where the random numbers start.

    Raises
    ------
    DisclosureError
        When share or seed is another number.
    """

    share: float = parameter(**_SHARE, title="Random sample, % of the original's records")
    seed: int = parameter(1, **SEED, title="Seed")

    def __post_init__(self) -> None:
        if not within(self, "share") or self.seed < 0:
            raise DisclosureError("A sample has a share above 0 and below 100 %, and a seed of 0 or more.")
        object.__setattr__(self, "share", float(self.share))

    @property
    def name(self) -> str:
        """What it is called beside the sets."""
        return f"{self.share:g} % sample of the original" + (f", seed {self.seed}" if self.seed != 1 else "")


@dataclass(frozen=True, slots=True)
class Analysis:
    """How one further question is asked (`results.RESULTS`).

    Attributes
    ----------
    in_report
        Whether report, tables and JSON hold it; None: as usual for that question.
    asked
        Its parameters by name, those that are not as usual.
    """

    in_report: bool | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sought:
    """What the least safeguard is searched for: an aim, and what may be touched.

    Attributes
    ----------
    aims
        As `Aim.parsed` reads them, or "limits": the office's.
    coarsen, remove, blank, ways, remove_claims
        As of `May`.
    seconds
        When the search ends; None: when every release, or the beam, was looked at.

    Raises
    ------
    DisclosureError
        When an aim cannot be read, the share is none from 0 to 100, or the seconds are below 0.

    Examples
    --------
    >>> from disclosure_core import Hierarchy
    >>> Sought(("DiSCO<5",), coarsen={"age": Hierarchy.bands(5, 10)}, remove=5).may.words
    'age (5,10); at most 5 % of a synthesis removed'
    """

    aims: tuple[str, ...] = ()
    coarsen: Mapping[str, SavedHierarchy] = field(default_factory=dict)
    remove: float = parameter(0.0, **REMOVED)
    blank: tuple[str, ...] = ()
    seconds: float | None = parameter(
        None, ge=0, title="Seconds", description="End the search then, with what was looked at."
    )
    ways: Mapping[str, Ways] = field(default_factory=dict)
    remove_claims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for aim in self.aims:
            if aim != LIMITS:
                Aim.parsed(aim)
        if not within(self, "remove"):
            raise DisclosureError("The share of records that may be removed is from 0 to 100 %.")
        if not within(self, "seconds"):
            raise DisclosureError("A search ends after 0 seconds or more.")

    @property
    def may(self) -> May:
        """What may be touched.

        Raises
        ------
        DisclosureError
            When nothing may be.
        """
        return May(self.coarsen, self.remove, self.blank, self.ways, self.remove_claims)
