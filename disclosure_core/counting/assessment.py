"""From a study and settings to an assessment: calls, never computes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats
from disclosure_core.counting import measures, registry
from disclosure_core.counting.count import chosen, count
from disclosure_core.counting.identity import of_keys
from disclosure_core.counting.near_misses import special_codes
from disclosure_core.counting.target_risk import TargetRisk
from disclosure_core.errors import DisclosureError, not_found
from disclosure_core.rounding import fixed, printable, visible
from disclosure_core.shown import Place, Shown, listed, named, several, with_units

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Tables
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Exclusions, Settings
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.data.values import Note

Row: TypeAlias = "tuple[str, Floats, Floats]"
"""A target's name, and a figure of the original and of the synthetic data, shape (m,) each, in %."""

_UNITS = {
    **dict.fromkeys(("original", "synthetic", "min", "max"), "% of the original records"),
    **dict.fromkeys(("one_way", "two_way"), "syntheses"),
    "sd": "percentage points",
    **{name: registry.UNITS[name] for name in registry.CLAIMS},
}

FLAGS = {(False, False): "", (True, False): "1-way", (False, True): "2-way", (True, True): "1- and 2-way"}


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
        found = of_keys(self.keys, self.settings)
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
            + "".join(f"\nNot evaluated: {visible(said)}" for said in dict.fromkeys(self.not_evaluated.values()))
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
    """Return the table of `Assessment.summary` for any pair of figures."""
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
