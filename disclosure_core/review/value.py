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
from disclosure_core.data.grouping import Groups  # noqa: TC001 (pydantic reads it)
from disclosure_core.data.placing import place
from disclosure_core.data.study import codes_by_column
from disclosure_core.errors import DisclosureError
from disclosure_core.holdout.decision import Limits
from disclosure_core.holdout.threat_model import ThreatModel
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
    SavedExclusions,
    SavedHierarchy,
    SavedScenario,
    Sought,
    SourceFile,
    SynthesisSet,
    Verdict,
    free_name,
)
from disclosure_core.review.scope import checked as checked_scope
from disclosure_core.rounding import printable
from disclosure_core.shown import listed

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Pair
    from disclosure_core.protection.steps import Step
    from disclosure_core.review.opened import Opened
    from disclosure_core.sensitivity.node_search import Bounds

VERSION = 3
"""Version of the JSON form; a file of another one is refused."""

EDITION = 2
"""Of the rules that figures are made by; a review that was saved by an earlier one names it (`editions.py`)."""

OFFICER = "Officer"
"""What the officer's name is kept under, beside what is said of the release."""

TITLE = "Title"
"""What the title of the report is kept under, likewise."""

USUAL_TITLE = "Disclosure report"
"""The title of a report that nobody gave another."""


def _code_text(code: float | str) -> str:
    return code if isinstance(code, str) else f"{code:.15g}"


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
        The smallest counts of the shareable reports that were made of this review.
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
    edition
        Of the rules that figures were made by when it was saved.
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
    tau: float | None = None
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
    shared: tuple[int, ...] = ()
    searched: frozenset[SearchKind] = frozenset()
    hierarchies: Mapping[str, SavedHierarchy] = field(default_factory=dict)
    sought: Sought = field(default_factory=Sought)
    answered: frozenset[str] = frozenset()
    really_different: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    edition: int = EDITION
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    scope: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_scope(self.scope)
        for part, names in (
            ("set of syntheses", [s.name for s in self.sets]),
            ("intruder", [k.name for k in self.intruders]),
            ("chain of safeguards", [c.name for c in self.chains]),
            ("scenario", [s.name for s in self.scenarios]),
            ("sample", [s.name for s in self.samples]),
        ):
            twice = next((n for i, n in enumerate(names) if n in names[:i]), None)
            if twice is not None:
                raise DisclosureError(f"There are two called {twice!r}; give each {part} a name of its own.")
        if self.intruder not in {k.name for k in self.intruders}:
            raise DisclosureError(f"There is no intruder {self.intruder!r}; name one of those in the review.")
        if self.chain and self.chain not in {c.name for c in self.chains}:
            raise DisclosureError(f"There is no chain of safeguards {self.chain!r}; name one of those in the review.")
        if self.synthesis_set and self.synthesis_set not in {s.name for s in self.sets}:
            raise DisclosureError(f"There is no set {self.synthesis_set!r}; name one of those in the review.")
        for i, each in enumerate(self.sets):
            if each.origin is not None and each.origin.synthesis_set not in {s.name for s in self.sets[:i]}:
                raise DisclosureError(
                    f"The set {each.name!r} comes from {each.origin.synthesis_set!r}, which is not before it in the "
                    "review; name one of those."
                )
        if self.tau is not None and not 0 <= self.tau <= 1:
            raise DisclosureError("The threshold τ must be between 0 and 1.")
        for numbers in self.released.values():
            if any(n < 1 for n in numbers) or len(set(numbers)) < len(numbers):
                raise DisclosureError("The syntheses that are released are numbers from 1, each named once.")
        for known in self.intruders:
            _ = Settings(groups=known.grouping(self.groups))
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

    def keys_of(self, intruder: str) -> tuple[str, ...]:
        """Return the keys of an intruder; none where there is no such intruder."""
        return next((k.keys for k in self.intruders if k.name == intruder), ())

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
        targets = None if self.targets is None else tuple(t for t in self.targets if t not in self.keys)
        exclusions, _ = self._parted(self.keys)
        return Settings(self.keys, targets, self.grouping, exclusions, self.thresholds)

    def _parted(self, keys: tuple[str, ...]) -> tuple[Exclusions, Exclusions]:
        """Return what is excluded for somebody who knows `keys`, and what waits for other intruders."""
        others = {key for k in self.intruders if k.name != self.intruder for key in k.keys} - set(keys)
        levels = self.knows.others_levels
        out = self.exclusions

        def waits(pair: Pair) -> bool:
            return pair.key in others or pair.key_level in levels.get(pair.key, ())

        here = {target: tuple(p for p in pairs if not waits(p)) for target, pairs in out.pairs}
        waiting = {target: tuple(filter(waits, pairs)) for target, pairs in out.pairs}
        return (
            replace(out, missing_keys=out.missing_keys - others, pairs=here),
            Exclusions(missing_keys=out.missing_keys & others, pairs=waiting),
        )

    def with_settings(self, settings: Settings) -> Self:
        """Return this review asking for other settings; keys that stay keep the order in which they were chosen."""
        staying = tuple(k for k in self.keys if k in settings.keys)
        keys = staying + tuple(k for k in settings.keys if k not in staying)
        targets, out = settings.targets, settings.exclusions
        if targets is not None:  # what is only no target because this intruder knows it
            known = {t for t in self.targets or () if t in self.keys and t in keys}
            targets = tuple(sorted({*targets, *known}))
        _, waiting = self._parted(keys)
        pairs = {t: out.pairs_of(t) + waiting.pairs_of(t) for t in {*dict(out.pairs), *dict(waiting.pairs)}}
        groups, intruders = self._grouped(keys, dict(settings.groups))
        return replace(
            self,
            intruders=intruders,
            targets=targets,
            groups=groups,
            exclusions=replace(out, missing_keys=out.missing_keys | waiting.missing_keys, pairs=pairs),
            thresholds=settings.thresholds,
        )

    def _grouped(
        self, keys: tuple[str, ...], asked: Mapping[str, Groups]
    ) -> tuple[dict[str, Groups], tuple[KeySet, ...]]:
        """Return groups and intruders where the present one knows `keys`, and columns are grouped as `asked`.

        What changes for the one changes for no other: a key is grouped for this intruder alone, and a column that is
        no key keeps its groups for those who know it.
        """
        mine = replace(self.knows, keys=keys)
        now = mine.grouping(self.groups)
        others = [k for k in self.intruders if k.name != mine.name]
        changed = {name for name in {*now, *asked} if now.get(name, 0) != asked.get(name, 0)}
        of_all = {name for name in changed if not others or name not in keys}
        default = {name: asked.get(name, 0) if name in of_all else self.groups.get(name, 0)
                   for name in {*self.groups, *of_all}}  # fmt: skip
        default = {name: default[name] for name in {**self.groups, **asked} if default.get(name)}
        of_mine = {name: n for name, n in mine.groups.items() if name not in of_all}
        of_mine |= {name: asked.get(name, 0) for name in changed - of_all}
        levels = {name: each for name, each in mine.others_levels.items() if name not in changed}
        found = [replace(mine, groups=of_mine, others_levels=levels)]
        for k in others:
            stays = {name: k.grouping(self.groups).get(name, 0) for name in of_all if name in k.keys}
            found.append(replace(k, groups={**k.groups, **stays}) if stays else k)
        by_name = {k.name: k for k in found}
        return default, tuple(by_name[k.name] for k in self.intruders)

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
        """Return a review that was saved on the page or by a command.

        Raises
        ------
        DisclosureError
            When there is no such file, or it is not a saved review.
        """
        try:
            loaded: Review = above().review_of(Path(path).read_text(encoding="utf-8", errors="replace"))
        except (OSError, TypeError, ValueError):
            raise DisclosureError(f"There is no saved review at {str(path)!r}; name its file.") from None
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
            columns=Columns(missing_codes={n: tuple(map(_code_text, found)) for n, found in codes.items()}),
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

    def with_steps(self, steps: tuple[Step, ...], name: str = "tried") -> Self:
        """Return this review with `steps` as the chain that is taken; where none was, as a new one."""
        if self.chain:
            chains = tuple(replace(c, steps=steps) if c.name == self.chain else c for c in self.chains)
            return replace(self, chains=chains)
        new = free_name(name, {c.name for c in self.chains})
        return replace(self, chains=(*self.chains, Chain(new, steps)), chain=new)
