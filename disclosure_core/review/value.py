"""What a review is: one frozen value that says everything that moves a figure or a sentence, and nothing else.

Page, command line, report, workbook, scripts and the saved file are views of it. It names levels and columns of
confidential data, and is as confidential as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from disclosure_core.above import above
from disclosure_core.conclusions.standing import Stamp  # noqa: TC001 (pydantic reads it)
from disclosure_core.counting.settings import Exclusions, Settings, Thresholds
from disclosure_core.data.codebook import code_text
from disclosure_core.data.grouping import Groups  # noqa: TC001 (pydantic reads it)
from disclosure_core.data.placing import place
from disclosure_core.data.suggested_codes import codes_by_column
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.decision import Limits
from disclosure_core.holdout.threat_model import ThreatModel
from disclosure_core.parameters import parameter
from disclosure_core.review import chains as of_chains
from disclosure_core.review import integrity, intruder_settings
from disclosure_core.review.about import TITLE, USUAL_TITLE
from disclosure_core.review.forms import SavedExclusions, SavedHierarchy, SavedScenario, SavedVersion  # noqa: TC001 (pydantic reads it)
from disclosure_core.review.parts import (
    Analysis,
    Chain,
    Columns,
    Holdout,
    Judgement,
    KeySet,
    Origin,
    ReasonStamp,
    Sample,
    Sought,
    SourceFile,
    SynthesisSet,
    Verdict,
)
from disclosure_core.rounding import printable
from disclosure_core.shown import listed

if TYPE_CHECKING:
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.opened import Opened
    from disclosure_core.sensitivity.bounds import Bounds

SearchKind = Literal["membership", "subsets", "comparison", "strongest", "least"]


def _one_or_several(names: Any) -> Any:
    """Return names of columns as a tuple, one that stands alone too; what is neither is refused by `Settings`."""
    if isinstance(names, str):
        return (names,)
    return tuple(names) if isinstance(names, Iterable) else names


@dataclass(frozen=True, slots=True, repr=False)
class Review:
    """Everything that moves a figure or a sentence.

    Attributes
    ----------
    source
        Where the data are from: "files"; "demonstration"; "engine", whose tables stay where they are; "tables", frames
        handed over in Python, which have no fingerprint.
    name
        What the data are called.
    original
        The original's file; None unless the source is "files".
    sets
        Named sets of syntheses.
    synthesis_set
        The name of the set that figures speak of; empty for the first.
    columns
        What was decided of columns.
    holdout
        People who were not synthesised; None where there are none.
    population_table
        Where the table of the population by keys is read from; None where there is none.
    intruders, intruder
        Named key sets, and the name of the one that figures speak of.
    targets
        The columns to be learnt; None: every column that is no key.
    groups
        Number of groups, or own breaks, by numeric column; an intruder may know a key in others (`KeySet.groups`).
    exclusions, reasons
        What is excluded, and why, by the name of the exclusion or key.
    reason_stamps
        How many records exclusions took when their reasons were given.
    thresholds, tau
        When a check raises its flag; how sure a claim must be, None for the published measures.
    scenarios, verdicts
        Named exclusions; what the officer says of targets.
    chains, chain
        Safeguards as named chains, and the name of the one that is taken; empty for none.
    samples
        Random samples of the original that the sets are compared with.
    limits
        The office's limits by measure, with whose they are and why.
    threat_model
        The answers that come before a membership figure, the population's size and its source among them.
    assumptions
        The answers to what the measures assume and no file can tell, by question.
    about
        What the office says of the release.
    released
        By set of syntheses, the numbers of those that are released, from 1; several are released together.
    shared
        What the shareable reports were made of that were made of this review.
    searched
        Which searches the figures and the report hold: "membership", "subsets", "comparison", "strongest", "least".
    hierarchies
        By column, how it may be known less exactly.
    sought
        What the least safeguard is searched for.
    answered
        Warnings and suggestions of the data that somebody has seen and kept as they are, by name (`questions`).
    really_different
        By set of syntheses, or "" for every set, the columns that do not meet and of which somebody answered that their
        values really differ: their figures are evaluated.
    analyses
        How further questions are asked, by name: "near-misses", "anonymity" …; one that is not named, as usual.
    scope
        By a name of `scope.SCOPE`, whether the office asks it of this release; one that is not named, where it set a
        limit of it.

    Raises
    ------
    DisclosureError
        When a name stands twice, the set, intruder or chain named is not there, or settings do not fit together.

    Examples
    --------
    >>> Review.of(["sex", "age"], groups={"income": 20})
    Review of files; sets of syntheses: none named
    keys of an intruder: sex, age; targets: every column that is no key
    0 excluded, 0 verdicts, 0 safeguards
    """

    source: Literal["files", "demonstration", "engine", "tables"] = "files"
    name: str = ""
    original: SourceFile | None = None
    sets: tuple[SynthesisSet, ...] = ()
    synthesis_set: str = ""
    columns: Columns = field(default_factory=Columns)
    holdout: Holdout | None = None
    population_table: SourceFile | None = None
    intruders: tuple[KeySet, ...] = (KeySet("an intruder"),)
    intruder: str = "an intruder"
    targets: tuple[str, ...] | None = None
    groups: Mapping[str, Groups] = field(default_factory=dict)
    exclusions: SavedExclusions = field(default_factory=Exclusions)
    reasons: Mapping[str, str] = field(default_factory=dict)
    reason_stamps: tuple[ReasonStamp, ...] = ()
    thresholds: Thresholds = field(default_factory=Thresholds)
    tau: float | None = parameter(None, ge=0, le=1, title="How sure, τ", description="How sure a claim must be.")
    scenarios: tuple[SavedScenario, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    chains: tuple[Chain, ...] = ()
    chain: str = ""
    samples: tuple[Sample, ...] = ()
    limits: Limits = field(default_factory=Limits)
    threat_model: ThreatModel = field(default_factory=ThreatModel)
    assumptions: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    released: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    shared: tuple[SavedVersion, ...] = ()
    searched: frozenset[SearchKind] = frozenset()
    hierarchies: Mapping[str, SavedHierarchy] = field(default_factory=dict)
    sought: Sought = field(default_factory=Sought)
    answered: frozenset[str] = frozenset()
    really_different: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    scope: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        integrity.check(self)
        if self.tau is not None:
            object.__setattr__(self, "tau", float(self.tau))  # 1 and 1.0 are one text in JSON
        _ = self.settings  # settings that do not fit together are an error here

    @property
    def title(self) -> str:
        """The title of its report."""
        return self.about.get(TITLE, "").strip() or USUAL_TITLE

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the intruder that figures speak of, in the order chosen."""
        return self.knows.keys

    @property
    def knows(self) -> KeySet:
        """What the intruder knows that figures speak of."""
        return next(k for k in self.intruders if k.name == self.intruder)

    @property
    def grouping(self) -> dict[str, Groups]:
        """How numeric columns are cut, for the intruder that figures speak of."""
        return self.knows.grouping(self.groups)

    @property
    def bounds(self) -> Bounds:
        """What the strongest intruder may know, and how far to search, for the intruder that figures speak of."""
        return self.knows.bounds

    @property
    def steps(self) -> tuple[Step, ...]:
        """The safeguards of the chain that is taken; none where none is."""
        return next((c.steps for c in self.chains if c.name == self.chain), ())

    def ancestry(self, synthesis_set: str) -> tuple[str, tuple[Origin, ...]]:
        """Return the set that has the files of this one, and what was adopted since, the first first."""
        origins = {s.name: s.origin for s in self.sets if s.origin is not None}
        name, adopted = synthesis_set, []
        while name in origins:
            adopted.append(origins[name])
            name = origins[name].synthesis_set
        return name, tuple(reversed(adopted))

    def differing(self, synthesis_set: str) -> frozenset[str]:
        """Return the columns of which somebody answered that their values really differ in a set of syntheses."""
        return frozenset((*self.really_different.get("", ()), *self.really_different.get(synthesis_set, ())))

    def with_differing(self, column: str, synthesis_set: str = "", *, differ: bool = True) -> Self:
        """Return this review with that answer of a column, or without it."""
        others = tuple(name for name in self.really_different.get(synthesis_set, ()) if name != column)
        now = {**self.really_different, synthesis_set: (*others, column) if differ else others}
        return replace(self, really_different={name: columns for name, columns in now.items() if columns})

    @property
    def settings(self) -> Settings:
        """What is asked of the core, for the intruder that figures speak of.

        A key is no target; and what is excluded with a key that only other intruders know waits for them.
        """
        return intruder_settings.settings_of(self)

    def __repr__(self) -> str:
        """Return three lines: of what, who knows what, and how much was decided; never data."""
        sets = ", ".join(map(printable, (s.name for s in self.sets))) or "none named"
        targets = "every column that is no key" if self.targets is None else f"{len(self.targets):,} named"
        return (
            f"Review of {printable(self.name) or self.source}; sets of syntheses: {sets}\n"
            f"keys of {printable(self.intruder)}: {listed(self.keys) or 'none'}; targets: {targets}\n"
            f"{len(self.exclusions.names()):,} excluded, {len(self.verdicts):,} verdicts, "
            f"{len(self.steps):,} safeguards"
        )

    @classmethod
    def load(cls, path: str | Path) -> Review:
        """Return a review that was saved on the page or by a command; what its file does not hold is as usual.

        Raises
        ------
        DisclosureError
            When there is no such file, or it is not a saved review.
        """
        try:
            file = Path(path)
            there = file.is_file()
        except (OSError, TypeError, ValueError):
            there = False
        if not there:
            raise DisclosureError(f"There is no saved review at {str(path)!r}; name its file.")
        loaded: Review = above().review_at(file)
        return loaded

    def save(self, path: str | Path) -> Path:
        """Write the review, to go on with on the page or by `disclosure run`; return where.

        Raises
        ------
        DisclosureError
            When it cannot be written there.
        """
        return place(path, above().text_of(self))

    @classmethod
    def of(
        cls,
        keys: Iterable[str] | str,
        *,
        targets: Iterable[str] | str | None = None,
        groups: Mapping[str, int | Sequence[float]] | None = None,
        missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
        exclusions: Exclusions | None = None,
        thresholds: Thresholds | None = None,
        really_different: Iterable[str] = (),
    ) -> Review:
        """Return a review that asks for these keys, of no data yet: `open` brings them.

        Parameters
        ----------
        keys, targets, groups, exclusions, thresholds
            As of `Settings`; the keys stay in this order. One column may be named alone.
        missing_codes
            As of `Study`.
        really_different
            Columns whose values really differ: where they do not meet, figures that rest on them are evaluated.

        Raises
        ------
        DisclosureError
            As `Settings`.

        Examples
        --------
        >>> import pandas as pd
        >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
        >>> opened = Review.of(["age"]).open(original, [original])
        >>> opened.assessment().targets["job"].attribute["DiSCO"].tolist()
        [50.0]
        """
        keys, targets = _one_or_several(keys), _one_or_several(targets)
        asked = Settings(keys, targets, groups or {}, exclusions, thresholds)
        codes = codes_by_column(missing_codes or {})
        return cls(
            intruders=(KeySet("an intruder", tuple(keys)),),
            targets=asked.targets,
            groups=dict(asked.groups),
            exclusions=asked.exclusions,
            thresholds=asked.thresholds,
            columns=Columns(missing_codes={n: tuple(map(code_text, found)) for n, found in codes.items()}),
            really_different={"": tuple(really_different)} if really_different else {},
        )

    def open(
        self,
        data: Any = None,
        synthetic: Any = None,
        *,
        holdout: Any = None,
        holdout_is_random: bool | None = None,
        other_data: bool = False,
    ) -> Opened:
        """Return the review with its data: with its files, or with tables that are handed over.

        Parameters
        ----------
        data
            With `synthetic`, the original: a frame, an Arrow table or the place of a file. Else the folder of the files
            that the review names, or their bytes or places by name; nothing for the demonstration survey.
        synthetic
            A table a synthesis, or the places of their files; or the same by the name of a set.
        holdout
            People who were not synthesised, as `data`.
        holdout_is_random
            Whether the holdout is a random part of the original; None: not known.
        other_data
            Whether data that the review was not made with may take the place of its files; it is said.

        Raises
        ------
        DisclosureError
            As `open_review`, `start` and `start_tables`.
        """
        opened: Opened = above().opened(self, data, synthetic, holdout, holdout_is_random, other_data=other_data)
        return opened

    def verdict_on(self, target: str, synthesis_set: str) -> Verdict | None:
        """Return what is said of a target for the intruder that figures speak of; None where nothing is."""
        asked = (synthesis_set, self.intruder, target)
        return next((v for v in self.verdicts if (v.synthesis_set, v.intruder, v.target) == asked), None)

    def with_verdict(
        self,
        target: str,
        synthesis_set: str,
        verdict: Judgement | None,
        reason: str | None = None,
        stamp: Stamp | None = None,
    ) -> Self:
        """Return this review saying so of a target, for the intruder that figures speak of.

        Without a verdict nothing is said of it any more. A reason that is not given is kept, and so is the stamp of a
        verdict that stays the same.
        """
        now = self.verdict_on(target, synthesis_set)
        others = tuple(v for v in self.verdicts if v is not now)
        if verdict is None:
            return replace(self, verdicts=others)
        reason = (now.reason if now else "") if reason is None else reason
        if stamp is None and now is not None and now.verdict == verdict:
            stamp = now.stamp
        return replace(self, verdicts=(*others, Verdict(synthesis_set, self.intruder, target, verdict, reason, stamp)))

    with_settings = intruder_settings.with_settings
    with_steps = of_chains.with_steps
