"""From a study and settings to an assessment: calls, never computes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from disclosure_core.counting import checks, measures, registry
from disclosure_core.counting.claims import BeyondGuess, beyond_guess
from disclosure_core.counting.count import chosen, count, count_keys, growing_keys
from disclosure_core.counting.near_misses import LISTED, near_misses, special_codes
from disclosure_core.counting.settings import Exclusions
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import fixed, printable
from disclosure_core.shown import Shown, listed, named, several, with_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from decimal import Decimal

    import numpy.typing as npt

    from disclosure_core.counting.cells import Counted, KeyTable, Pairs, Tables
    from disclosure_core.counting.near_misses import Tolerance
    from disclosure_core.counting.settings import Pair, Settings, Thresholds
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.values import Note
    from disclosure_core.shown import Place

Row: TypeAlias = "tuple[str, npt.NDArray[np.float64], npt.NDArray[np.float64]]"
"""A target's name, and a figure of the original and of the synthetic data, shape (m,) each, in %."""

_UNITS = {
    **dict.fromkeys(("original", "synthetic", "min", "max"), "% of the original records"),
    **dict.fromkeys(("one_way", "two_way"), "syntheses"),
    "sd": "percentage points",
    **{name: registry.UNITS[name] for name in registry.CLAIMS},
}

FLAGS = {(False, False): "", (True, False): "1-way", (False, True): "2-way", (True, True): "1- and 2-way"}


@dataclass(frozen=True, eq=False, repr=False)
class TargetRisk(Shown):
    """What can be learnt of one target; each figure is read from the cells when it is first asked for.

    Attributes
    ----------
    target
        Its name.
    left_out, thresholds
        The part of the settings that these figures depend on.
    counted
        The cells and what the exclusions leave of them, one a synthesis.
    special
        Codes of a numeric target's missing codes, such as -8: levels that are no numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import assess
    >>> assess(original, [original], keys=["age"]).targets["job"]
    TargetRisk: job, 1 synthesis; flags: 1-way 0, 2-way 0
    Dorig 50.00 %, DiSCO 50.00 % of the original records
    """

    target: str
    left_out: Exclusions
    thresholds: Thresholds
    counted: tuple[Counted, ...]
    special: tuple[int, ...] = ()

    @cached_property
    def identity(self) -> pd.DataFrame:
        """UiO, UiS, UiOiS, repU in %, a row a synthesis, from the records that the exclusions leave (measures.md 6)."""
        return _by_synthesis([measures.identity_of_target(c) for c in self.counted], registry.IDENTITY)

    @cached_property
    def attribute(self) -> pd.DataFrame:
        """Dorig … DiSDiO in %, denominators and claims in records, a row a synthesis (measures.md 4)."""
        return self._table(registry.ATTRIBUTE)

    @cached_property
    def caps(self) -> pd.DataFrame:
        """The CAP family in %, a row a synthesis (measures.md 5)."""
        return self._table(registry.CAPS)

    @cached_property
    def guess(self) -> measures.Guess:
        """How often a guess is right without the synthetic data: the commonest level, and baseCAPd (measures.md 10)."""
        return measures.guess(self.counted[0].cells)

    @cached_property
    def beyond_guess(self) -> BeyondGuess:
        """How far the claims are better than a guess: gain over chance, κ, the list per level (measures.md 10)."""
        return beyond_guess(self.counted)

    @cached_property
    def one_way(self) -> tuple[checks.OneWayCheck | None, ...]:
        """The 1-way finding of each synthesis, None where there is none (measures.md 7)."""
        return tuple(checks.one_way(c, self.thresholds) for c in self.counted)

    @cached_property
    def two_way(self) -> tuple[pd.DataFrame, ...]:
        """The 2-way findings of each synthesis, a row a pair, columns as `checks.TWO_WAY` (measures.md 7)."""
        return checks.two_way_frames(self.counted[0].cells, self._pairs)

    @cached_property
    def pairs_listed(self) -> dict[Pair, checks.ListedPair]:
        """The pairs of `two_way` over all syntheses, most records first, with what excluding each takes."""
        return checks.pairs_listed(self._pairs, self.counted)

    def pairs_listed_beside(self, now: TargetRisk) -> dict[Pair, checks.ListedPair]:
        """Return `pairs_listed` in its order, with what excluding each takes of what is counted `now`."""
        found = self.pairs_listed if now is self else checks.pairs_listed(self._pairs, now.counted)
        return {pair: found[pair] for pair in self.pairs_listed}

    def covered_by(self, pair: Pair) -> frozenset[Pair]:
        """Return the pairs of `pairs_listed` that take no record any more once `pair` alone is excluded."""
        if pair not in self._covered:
            alone = Exclusions(pairs={self.target: (pair,)})
            left = checks.pairs_listed(self._pairs, [c.cells.counted(alone) for c in self.counted])
            self._covered[pair] = frozenset(other for other, each in left.items() if not each.records) - {pair}
        return self._covered[pair]

    @cached_property
    def _covered(self) -> dict[Pair, frozenset[Pair]]:
        return {}

    @cached_property
    def excluded(self) -> tuple[pd.DataFrame, ...]:
        """Records excluded by each kind of exclusion, and what remains: a frame a synthesis (measures.md 6)."""
        rows, columns = _named(measures.EXCLUSION_ROWS, "measure"), _named(measures.EXCLUSION_COLUMNS)
        frames = (pd.DataFrame(records, index=rows, columns=columns) for records in self.excluded_records)
        return tuple(with_units(frame, dict.fromkeys(measures.EXCLUSION_COLUMNS, "records")) for frame in frames)

    @property
    def exclusions(self) -> tuple[pd.DataFrame, ...]:
        """The same as `excluded`: the check against R's answers asks for it by this name."""
        return self.excluded

    def __repr__(self) -> str:
        """Return two lines: of what, and the largest figures; never data."""
        found = dict(self.attribute.mean())
        one, two = self.flags
        return (
            f"TargetRisk: {printable(self.target)}, {several(len(self.counted))}; flags: 1-way {one}, 2-way {two}\n"
            f"Dorig {fixed(found['Dorig'])} %, DiSCO {fixed(found['DiSCO'])} % of the original records"
        )

    def _small_table(self) -> pd.DataFrame:
        names = ["Dorig", "iS", "DiS", "DiSCO", "DiSDiO"]
        return self.attribute[names].rename(columns={name: f"{name} %" for name in names}).reset_index()

    def plot(self, path: Place | None = None, **look: Any) -> Any:
        """Return the steps from its keys to a right answer, for the screen; or write it, as `Assessment.plot`."""
        return self._plotted(path, look)

    def only(self, i: int) -> TargetRisk:
        """Return what can be learnt from synthesis `i` alone, counted from 0."""
        return TargetRisk(self.target, self.left_out, self.thresholds, self.counted[i : i + 1], self.special)

    def near_misses(self, tolerances: Iterable[float | str | Decimal | Tolerance] = LISTED) -> pd.DataFrame:
        """Return DiS, DiSCO and Dorig where a number near enough counts as right: a row a tolerance.

        Parameters
        ----------
        tolerances
            "10%" of the number claimed, or 100 in the target's unit; 0, 5, 10, 25 and 50 % by default.

        Returns
        -------
        DataFrame
            As `near_misses.near_misses`, in % of the original records.

        Raises
        ------
        DisclosureError
            When a tolerance is not a number or below 0, or the target has no numbers to compare.

        Examples
        --------
        >>> import pandas as pd
        >>> from disclosure_core import assess
        >>> original = pd.DataFrame({"age": [30, 30, 41], "income": [1000, 1100, 2000]})
        >>> synthetic = pd.DataFrame({"age": [30, 41], "income": [1050, 2100]})
        >>> risk = assess(original, [synthetic], keys=["age"], targets=["income"]).targets["income"]
        >>> risk.near_misses(["0%", "5%", 100])[["tolerance", "DiS", "DiSCO"]].round(1).to_numpy().tolist()
        [['0%', 100.0, 0.0], ['5%', 100.0, 100.0], ['100', 100.0, 100.0]]
        """
        return near_misses(self, tolerances)

    def figures(self, measure: str) -> npt.NDArray[np.float64]:
        """Return one measure of `attribute` or `caps`, shape (m,): a figure a synthesis."""
        return np.array(self._figures(measure))

    @property
    def flags(self) -> tuple[int, int]:
        """How many syntheses raise the 1-way and the 2-way flag."""
        return sum(check is not None for check in self.one_way), sum(pairs.key.size > 0 for pairs in self._pairs)

    @cached_property
    def n_pairs(self) -> int:
        """How many pairs the 2-way check lists in any synthesis, each counted once."""
        return checks.n_distinct(self._pairs)

    @cached_property
    def _pairs(self) -> tuple[Pairs, ...]:
        return tuple(checks.two_way(c, self.thresholds) for c in self.counted)

    @cached_property
    def _sums(self) -> list[measures.Sums]:
        rows = [dict(zip(measures.EXCLUSION_ROWS, t[:, -1].tolist(), strict=True)) for t in self.excluded_records]
        return [measures.Sums(c, left) for c, left in zip(self.counted, rows, strict=True)]

    @cached_property
    def _made(self) -> dict[str, tuple[float, ...]]:
        return {}

    def _figures(self, name: str) -> tuple[float, ...]:
        """Return one measure, a figure a synthesis, computed once; of the original alone it is that of the first."""
        if name not in self._made:
            measure = registry.BY_NAME[name]
            made = measure.figure
            assert made is not None, name
            once = (made(self._sums[0]),) * len(self._sums) if measure.is_reference else None
            self._made[name] = once or tuple(map(made, self._sums))
        return self._made[name]

    def _table(self, names: tuple[str, ...]) -> pd.DataFrame:
        return _by_synthesis(list(zip(*map(self._figures, names), strict=True)), names)

    @cached_property
    def excluded_records(self) -> tuple[npt.NDArray[np.int64], ...]:
        """The numbers of `excluded`, shape (8, 6), rows as `EXCLUSION_ROWS`: an array a synthesis."""
        return tuple(measures.excluded_records(c) for c in self.counted)


_WIDEST = 36
"""Letters of a name in a table that a terminal prints."""


def _short(name: str) -> str:
    """Return a name as a terminal shows it, without its middle where it is long."""
    shown = printable(name)
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST // 2]}…{shown[1 - _WIDEST // 2 :]}"


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Shown):
    """What the synthetic data disclose of the original, as it was asked for.

    Attributes
    ----------
    settings
        What was asked.
    keys
        The key combinations; its columns stand in the order of the data.
    targets
        By name, in the order of the data.
    notes
        What is to be said of the groupings.
    not_evaluated
        By target, why its figures are NaN: it, or a key, does not meet.
    why_no_identity
        Why the figures of the keys are NaN but UiO; empty where they are not.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import assess
    >>> assess(original, [original], keys=["age"])
    Assessment: 4 original records, 1 synthesis; keys: age
    UiO 0.00 %, repU 0.00 % of the original records
    DiSCO: job 50.00 %
    """

    settings: Settings
    keys: KeyTable
    targets: dict[str, TargetRisk]
    notes: tuple[Note, ...]
    tables: Tables
    not_evaluated: Mapping[str, str] = field(default_factory=dict)
    why_no_identity: str = ""

    @property
    def n_original(self) -> int:
        """N_d, original records."""
        return self.keys.n_original

    @property
    def n_synthetic(self) -> tuple[int, ...]:
        """N_s, records of each synthesis."""
        return self.keys.n_synthetic

    @property
    def left_out(self) -> Exclusions:
        """What is excluded from these figures; the settings may exclude from columns that are no target here, too."""
        return self.settings.exclusions.moving(self.settings.keys, self.targets)

    @cached_property
    def identity(self) -> pd.DataFrame:
        """UiO, UiS, UiOiS, repU in %, a row a synthesis, from the keys alone; moved by missing keys only."""
        found = _identity(self.keys, self.settings)
        if self.why_no_identity:
            found.loc[:, [name for name in registry.IDENTITY if name != "UiO"]] = np.nan
        return found

    def __repr__(self) -> str:
        """Return three lines: sizes and keys, the keys' figures, the largest of the targets'; never data."""
        identity = self.identity.mean()
        rows = reversed(self.compared())
        return (
            f"Assessment: {self.n_original:,} original records, {several(len(self.n_synthetic))}; "
            f"keys: {listed(key.name for key in self.keys.keys)}\n"
            f"UiO {fixed(identity['UiO'])} %, repU {fixed(identity['repU'])} % of the original records\n"
            f"DiSCO: {named([(name, float(synthetic.mean())) for name, _, synthetic in rows])}"
            + "".join(f"\nNot evaluated: {said}" for said in dict.fromkeys(self.not_evaluated.values()))
        )

    def __getitem__(self, target: str) -> TargetRisk:
        """Return what can be learnt of one target.

        Raises
        ------
        DisclosureError
            When it is none.
        """
        if target not in self.targets:
            raise not_found("Target", target, "of this assessment", self.targets)
        return self.targets[target]

    def __iter__(self) -> Iterator[str]:
        """Give the names of the targets, in the order of the data."""
        return iter(self.targets)

    def __len__(self) -> int:
        """Return how many targets there are."""
        return len(self.targets)

    def __bool__(self) -> bool:
        """Return that there is one: an assessment of keys alone is one, too."""
        return True

    def __str__(self) -> str:
        """Return what `repr` says and a row a target, no wider than 100 letters."""
        rows = self._small_table().drop(columns=["claims right %", "best guess, same people %"])
        rows["target"] = [_short(name) for name in rows["target"]]
        if rows.empty:
            return repr(self)
        heads = {"gain over chance": "gain"}
        table = rows.rename(columns=heads).to_string(index=False, float_format=fixed, na_rep="–")
        return f"{repr(self).rpartition(chr(10) + 'DiSCO: ')[0]}\n\n{table}" + "".join(
            f"\nNot evaluated: {said}" for said in dict.fromkeys(self.not_evaluated.values())
        )

    def _small_table(self) -> pd.DataFrame:
        heads = {
            "target": "target",
            "original": "Dorig %",
            "synthetic": "DiSCO %",
            "min": "min",
            "max": "max",
            "gain": "gain over chance",
            "kappa": "κ",
            "claims_right": "claims right %",
            "best_guess": "best guess, same people %",
            "flag": "flag",
        }
        return self.summary().iloc[::-1][list(heads)].rename(columns=heads)

    def plot(self, path: Place | None = None, *, measure: str = "DiSCO", **look: Any) -> Any:
        """Return what is disclosed, target by target, for the screen; or write it: .pdf, .svg, .png, .eps or .tiff.

        `look` is that of `figures.look.Look`: width_mm, labels, targets, grey … With `ax`, axes of matplotlib, it is
        drawn on them; with `ax="new"` a figure of matplotlib is returned.
        """
        return self._plotted(path, look, measure)

    def summary(self, measure: str = "DiSCO") -> pd.DataFrame:
        """Return one row a target, the smallest synthetic measure first, as R orders them.

        Parameters
        ----------
        measure
            "DiSCO" or "DiSDiO", against Dorig; or "DCAP", DCAPd against CAPd.

        Returns
        -------
        DataFrame
            Columns target; original and synthetic, means over the syntheses in %; min, max and sd of the synthetic
            measure over the syntheses (sd NaN for one); one_way and two_way, the syntheses that raise each flag; flag,
            the two in words. Beside a guess, of the claims that DiSCO counts: gain, beyond (% of the original records)
            and kappa, as set; claims_right, best_guess and chance, % of the claims with nothing excluded.

        Raises
        ------
        DisclosureError
            When there is no such measure.

        Source
        ------
        measures.md 8.
        """
        found = summarised(self.targets, self.compared(measure))
        if self.not_evaluated:
            found.loc[found["target"].isin(list(self.not_evaluated)), "flag"] = "not evaluated"
        return found

    def compared(self, measure: str = "DiSCO") -> list[Row]:
        """Return a row a target of one comparison, in the order of `summary`.

        Raises
        ------
        DisclosureError
            When there is no such measure.
        """
        if measure not in registry.COMPARED:
            raise DisclosureError(f"There is no comparison {measure!r}; choose one of {', '.join(registry.COMPARED)}.")
        original, synthetic = registry.COMPARED[measure]
        return in_order([(name, r.figures(original), r.figures(synthetic)) for name, r in self.targets.items()])


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Return rows, one a target, with the smallest mean of the synthetic data first; what has none comes before."""
    return sorted(rows, key=lambda row: (not np.isnan(row[2]).any(), row[2].mean()))


def summarised(targets: Mapping[str, TargetRisk], rows: Iterable[Row]) -> pd.DataFrame:
    """Return the table of `Assessment.summary` for any pair of figures.

    Parameters
    ----------
    targets
        By name.
    rows
        One a target, in the order of the table.
    """
    table = []
    for name, original, values in rows:
        one, two = targets[name].flags
        over, beyond = measures.over_syntheses(values), targets[name].beyond_guess
        table.append(
            {
                "target": name,
                "original": original.mean(),
                "synthetic": over["mean"],
                "min": over["min"],
                "max": over["max"],
                "sd": over["sd"],
                "one_way": one,
                "two_way": two,
                "flag": FLAGS[one > 0, two > 0],
                **{figure: getattr(beyond, figure) for figure in registry.CLAIMS},
            }
        )
    return with_units(pd.DataFrame(table), _UNITS)


def assess(
    study: AnyStudy, settings: Settings, tables: Tables | None = None, before: Assessment | None = None
) -> Assessment:
    """Return what the synthetic data disclose of the original.

    Parameters
    ----------
    study
        Original and syntheses made comparable.
    settings
        Keys, targets, groups, exclusions and thresholds.
    tables
        What `count(study, settings)` returned for settings with the same `counting()`; counted anew where absent, or
        where they are of another study.
        Exclusions and thresholds only read tables again, so a caller who keeps them has a new figure at once.
    before
        An earlier assessment of the same tables; targets that the change does not touch are taken from it.

    Raises
    ------
    DisclosureError
        When a key, target or level is not in the data, or none is chosen.

    Examples
    --------
    >>> import pandas as pd
    >>> from disclosure_core import Settings, Study, assess
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> synthetic = pd.DataFrame({"age": [30, 30, 41, 55], "job": ["nurse", "nurse", "cook", "cook"]})
    >>> risk = assess(Study(original, [synthetic]), Settings(keys=("age",))).targets["job"]
    >>> risk.attribute[["Dorig", "iS", "DiS", "DiSCO"]].round(1).to_numpy().tolist()
    [[50.0, 100.0, 100.0, 75.0]]
    """
    if tables is None or tables.study is not study or tables.counting != settings.counting():
        tables = count(study, settings)
    else:
        chosen(study, settings)  # exclusions may name what is not there
    reusable = before.targets if before is not None and before.tables is tables else {}
    targets, out = {}, settings.exclusions.moving(settings.keys, tables.targets)
    for name, cells in tables.targets.items():
        left_out = out.of(name)
        old = reusable.get(name)
        if old is not None and old.left_out == left_out and old.thresholds == settings.thresholds:
            targets[name] = old
        else:
            counted = tuple(c.counted(left_out) for c in cells)
            targets[name] = TargetRisk(name, left_out, settings.thresholds, counted, special_codes(study, name))
    return Assessment(settings, tables.keys, targets, tables.notes, tables)


def identity_by_keys(study: AnyStudy, settings: Settings, order: Sequence[str] = ()) -> pd.DataFrame:
    """Return how identity disclosure grows as the keys are added one at a time.

    Parameters
    ----------
    study, settings
        As of `assess`.
    order
        The keys in the order in which they are added; that of the data where none is given.

    Returns
    -------
    DataFrame
        A row a key: `key`, the key added; UiO, UiS, UiOiS, repU in %, means over the syntheses.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or `order` does not hold the keys.

    Source
    ------
    measures.md 3, with the first key, the first two, and so on.
    """
    if order and sorted(order) != list(settings.keys):
        raise DisclosureError(f"The order of the keys must hold each of them once: {', '.join(settings.keys)}.")
    out = settings.exclusions.missing_keys
    rows = []
    for keys in growing_keys(study, settings, order):
        figures = [measures.identity_of_keys(keys, i, out) for i in range(study.n_syntheses)]
        rows.append({"key": keys.keys[-1].name} | dict(zip(registry.IDENTITY, np.mean(figures, axis=0), strict=True)))
    frame = pd.DataFrame(rows, columns=["key", *registry.IDENTITY])
    return with_units(frame, {name: registry.UNITS[name] for name in registry.IDENTITY})


def identity_without_each(study: AnyStudy, settings: Settings) -> pd.DataFrame:
    """Return identity disclosure with all keys, and with all but one.

    Returns
    -------
    DataFrame
        `without`, the key that is not known, empty in the first row; UiO, UiS, UiOiS, repU in %, means over the
        syntheses. No row for the only key: nobody is told apart without it.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.

    Source
    ------
    measures.md 3, of all keys and of each subset that lacks one.
    """
    out, rows = settings.exclusions.missing_keys, []
    for without in ("", *(settings.keys if len(settings.keys) > 1 else ())):
        keys = tuple(key for key in settings.keys if key != without)
        asked = replace(settings, keys=keys, exclusions=Exclusions(missing_keys=out & {*keys}))
        figures = identity_alone(study, asked)
        rows.append({"without": without} | figures.mean().to_dict())
    frame = pd.DataFrame(rows, columns=["without", *registry.IDENTITY])
    return with_units(frame, {name: registry.UNITS[name] for name in registry.IDENTITY})


def identity_alone(study: AnyStudy, settings: Settings) -> pd.DataFrame:
    """Return UiO, UiS, UiOiS, repU in %, a row a synthesis, where no target is asked about.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or none is chosen.

    Source
    ------
    measures.md 3.
    """
    return _identity(count_keys(study, settings), settings)


def _identity(keys: KeyTable, settings: Settings) -> pd.DataFrame:
    out = settings.exclusions.missing_keys
    rows = [measures.identity_of_keys(keys, i, out) for i in range(len(keys.n_synthetic))]
    return _by_synthesis(rows, registry.IDENTITY)


def _by_synthesis(rows: list[tuple[float, ...]], columns: tuple[str, ...]) -> pd.DataFrame:
    """Return a frame a row a synthesis, numbered from 1, with the unit of each column."""
    index = pd.RangeIndex(1, len(rows) + 1, name="synthesis")
    frame = pd.DataFrame(np.array(rows), index=index, columns=_named(columns))
    return with_units(frame, {name: registry.UNITS[name] for name in columns})


@cache
def _named(labels: tuple[str, ...], name: str | None = None) -> pd.Index[str]:
    """Return labels as pandas' own, made once: making them takes longer than a small frame."""
    return pd.Index(labels, name=name)
