"""Named exclusions side by side: what is disclosed where other answers and cells are not counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

import pandas as pd
from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.counting.settings import Exclusions
from disclosure_core.data.typeset import LEVELS, Column
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.figures import scenarios as figure_of
from disclosure_core.results.declared import Drawn, OneOf, Result, targets_asked
from disclosure_core.results.table import Counted, Counter, Row, Table
from disclosure_core.review.scenarios import Scenario, assessed, paper_scenarios, with_scenarios
from disclosure_core.rounding import few, fixed
from disclosure_core.verify import counter as plain

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.shapes import BarPlot
    from disclosure_core.review.inputs import Inputs
    from disclosure_core.review.opened import Opened

ORIGINAL = "% of the original records"
NOTHING, AS_SET = "With nothing excluded", "With what is excluded"
"""What stands beside the named scenarios, unless one of them has the same exclusions."""

NO_SCENARIO = NotEvaluated(
    "There is no scenario.", "Exclude something, name a scenario on the Review page, or ask for the paper's five."
)


class Asked(Parameters):
    """What is set side by side."""

    target: Annotated[str | None, OneOf(lambda data: tuple(data.assessment.targets))] = Field(
        None, title="Target", description="One target; all of them by default."
    )
    paper: bool = Field(
        False, title="The five of the paper", description="Add the five sets of exclusions of the paper."
    )


def _is_several(opened: Opened) -> bool:
    asked = Scenarios.asked_of(opened.review)
    return bool(opened.review.scenarios or asked.paper or opened.judged.review.exclusions != Exclusions())


def _excluded(counter: Counter) -> Mapping[str, Exclusions]:
    """Return by scenario what acts of it; nothing where the review has none, whatever a file says."""
    found = evaluated(lambda: Scenarios.of(counter.printed))
    return found.excluded if isinstance(found, Scenarios) else {}


def _targets_again(counter: Counter, rows: Sequence[Row]) -> Counted:
    scenarios, syntheses = _excluded(counter), range(1, counter.data.m + 1)
    again = {}
    for name in counter.targets_in(rows):
        for scenario, out in scenarios.items():
            of = [counter.target_of(name, out).of_synthesis(i)[0] for i in syntheses]
            again[name, scenario] = {m: plain.mean([each[m] for each in of]) for m in ("Dorig", "DiSCO")}
    return again


def _keys_again(counter: Counter, _: Sequence[Row]) -> Counted:
    again = {}
    for scenario, out in _excluded(counter).items():
        of = plain.identity(counter.data, counter.keys, out.missing_keys).values()
        again[(scenario,)] = {m: plain.mean([each[m] for each in of]) for m in ("UiO", "repU")}
    return again


def figures_of(found: Sequence[tuple[str, Assessment]]) -> pd.DataFrame:
    """Return Dorig and DiSCO, a row a target and scenario; the largest DiSCO of the first scenario comes first."""
    order = found[0][1].summary()["target"].tolist()[::-1]
    by_name = {scenario: each.summary().set_index("target") for scenario, each in found}
    rows = [
        (name, scenario, each["original"][name], each["synthetic"][name])
        for name in order
        for scenario, each in by_name.items()
    ]
    return pd.DataFrame(rows, columns=["target", "scenario", "Dorig", "DiSCO"])


def side_by_side(frame: pd.DataFrame) -> pd.DataFrame:
    """Return targets down, scenarios across, as paper 000's Table 3."""
    rows = frame.set_index(["target", "scenario"])
    columns = {
        f"{scenario}{LEVELS}{measure}": rows.xs(scenario, level="scenario")[measure]
        for scenario in frame["scenario"].unique()
        for measure in ("Dorig", "DiSCO")
    }
    return pd.DataFrame(columns).loc[frame["target"].unique()].rename_axis(index="target").reset_index()


TARGETS = Table(
    "scenarios",
    "Dorig and DiSCO of every target in each scenario, % of the original records",
    {
        "target": Column("Target", kind="text"),
        "scenario": Column("Scenario", kind="text"),
        "Dorig": Column("Dorig", ORIGINAL),
        "DiSCO": Column("DiSCO", ORIGINAL, says="Means over the syntheses."),
    },
    ("target", "scenario"),
    "DiSCO",
    printed=side_by_side,
    there=_is_several,
    again=_targets_again,
)
KEYS = Table(
    "scenarios_identity",
    "What each scenario excludes, and UiO and repU in it, % of the original records",
    {
        "scenario": Column("Scenario", kind="text"),
        "excludes": Column("Excludes", kind="text"),
        "UiO": Column("UiO", ORIGINAL),
        "repU": Column("repU", ORIGINAL, says="Means over the syntheses."),
    },
    ("scenario",),
    "repU",
    there=_is_several,
    again=_keys_again,
)


class Scenarios(Result[Asked]):
    """Named exclusions side by side.

    Attributes
    ----------
    excluded
        By scenario, what acts of it on these data.
    rows, keys
        A row a target and scenario, the largest DiSCO of the first scenario first; and a row a scenario.
    n_original
        Records of the original.
    """

    short: ClassVar = "scenarios"
    about: ClassVar = "The claims"
    question: ClassVar = "What if other exclusions held?"
    title: ClassVar = "Scenarios side by side"
    purpose: ClassVar = "Show named exclusions side by side."
    reads: ClassVar = (
        "A scenario is a set of exclusions with a name. Side by side, scenarios show how much each assumption about "
        "common knowledge changes the figures. What is excluded now stands beside them, and nothing excluded."
    )
    formula: ClassVar = (
        '"The five of the paper" are the columns of Table 3 of Raab, Nowok and Dibben (2026): nothing excluded; the '
        "target levels that the 1-way check flags excluded; missing values of targets and keys excluded as well; and "
        "denominators of more than 1 excluded as well; denominators of more than 1 excluded alone. The authors advise "
        "against the last: it does not count small groups of people who all have the same answer, which an intruder "
        "may well find."
    )
    example: ClassVar = "--paper"
    asks: ClassVar = Asked
    tables: ClassVar = (TARGETS, KEYS)
    drawn: ClassVar = Drawn("scenarios", "Scenarios", of_all=False)
    may_be_none: ClassVar = True

    def __init__(self, asked: Asked, found: Sequence[tuple[str, Assessment]], targets: Sequence[str]) -> None:
        self.asked, self.n_original = asked, found[0][1].n_original
        self.excluded = {name: each.left_out for name, each in found}
        rows = figures_of(found)
        self.rows = rows[rows["target"].isin(targets)].reset_index(drop=True)
        self.keys = pd.DataFrame(
            [
                {"scenario": scenario, "excludes": _what(each)}
                | {m: float(each.identity[m].mean()) for m in ("UiO", "repU")}
                for scenario, each in found
            ]
        )

    @classmethod
    def lacking(cls, data: Inputs, asked: Asked) -> NotEvaluated | None:
        """Return why nothing stands side by side; a target that is asked for and is none is an error."""
        targets_asked(data, asked.target)
        return None if data.scenarios or asked.paper or data.settings.exclusions != Exclusions() else NO_SCENARIO

    @classmethod
    def make(cls, data: Inputs, asked: Asked, progress: Progress | None = None) -> Scenarios:  # noqa: ARG003 (quick)
        """Return the figures in each scenario; nothing is counted again."""
        named, now = data.scenarios, data.assessment
        if asked.paper:
            named = with_scenarios(named, paper_scenarios(data.before))
        found = assessed(data.study, now, named)
        known, names = {each.left_out for _, each in found}, [name for name, _ in found]
        if Exclusions() not in known:
            found = (*assessed(data.study, now, [Scenario(_free(NOTHING, names), Exclusions())]), *found)
        if now.left_out not in {*known, Exclusions()}:
            found = (*found, (_free(AS_SET, names), now))
        return cls(asked, found, targets_asked(data, asked.target))

    @property
    def most(self) -> str:
        """The target that is disclosed most in any scenario."""
        largest = self.rows.groupby("target", sort=False)["DiSCO"].max()
        return str(largest.index[int(largest.to_numpy().argmax())])

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return a row a target and scenario, and a row a scenario."""
        return {TARGETS.name: self.rows, KEYS.name: self.keys}

    def sentences(self) -> list[str]:
        """Say of the target that is disclosed most in any scenario what it is in each."""
        rows = self.rows[self.rows["target"] == self.most]
        each = (f"{name} {fixed(x)} %" for name, x in zip(rows["scenario"], rows["DiSCO"], strict=True))
        return [f"DiSCO of {self.most}: {'; '.join(each)}."]

    def figure(self) -> BarPlot:
        """Return what is disclosed in each scenario of the target that is asked for, or of the one disclosed most."""
        return figure_of.describe(self.rows, self.asked.target or self.most, self.n_original)


def _free(label: str, taken: Sequence[str]) -> str:
    """Return a label of ours that no scenario has."""
    return label if label not in taken else _free(f"{label} now", taken)


def _what(a: Assessment) -> str:
    """Return what a scenario excludes: levels and pairs by name where there are few; others as their number."""
    out = a.left_out
    said = [f"{few([f'“{v}”' for v in levels])} of {name}" for name, levels in out.target_levels]
    if out.missing_targets:
        every = set(out.missing_targets) >= set(a.targets)
        said.append(f"missing {'values of every target' if every else few(sorted(out.missing_targets))}")
    if out.missing_keys:
        every = set(out.missing_keys) >= {key.name for key in a.keys.keys}
        said.append(f"missing {'values of every key' if every else f'{few(sorted(out.missing_keys))} (key)'}")
    said += [
        f"{few([f'{p.key} “{p.key_level}” with “{p.target_level}”' for p in pairs])} of {name}"
        for name, pairs in out.pairs
    ]
    if out.denominator_limit is not None:
        said.append(f"cells of more than {out.denominator_limit} records")
    return "; ".join(said) or "nothing"
