"""Exclusions with a name, side by side; and the whole of a review in one file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from disclosure_core.assessment import Assessment, assess
from disclosure_core.errors import DisclosureError
from disclosure_core.fitting import fit
from disclosure_core.measures import COMPARED
from disclosure_core.settings import Exclusions, Pair, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from disclosure_core.study import Study

MOST = 50
"""Scenarios that a project holds."""

LONGEST = 60
"""Letters of a scenario's name."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named set of exclusions.

    Raises
    ------
    DisclosureError
        When the name is empty or too long.
    """

    name: str
    exclusions: Exclusions

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self.name).strip())
        if not 0 < len(self.name) <= LONGEST:
            raise DisclosureError(f"Give the scenario a name of 1 to {LONGEST} letters.")


def with_scenario(scenarios: Sequence[Scenario], new: Scenario, instead: str | None = None) -> tuple[Scenario, ...]:
    """Return the scenarios with `new` at the end, or in the place of the one called `instead`.

    Raises
    ------
    DisclosureError
        When another has the name already, or there are too many.
    """
    if any(s.name == new.name and s.name != instead for s in scenarios):
        raise DisclosureError(f"There is a scenario {new.name!r} already; choose another name.")
    if instead is not None:
        return tuple(new if s.name == instead else s for s in scenarios)
    if len(scenarios) >= MOST:
        raise DisclosureError(f"There are {MOST} scenarios already; delete one first.")
    return (*scenarios, new)


def flagged_levels(assessment: Assessment) -> dict[str, tuple[str, ...]]:
    """Return, by target, the levels that the 1-way check flags in any synthesis."""
    found = {
        name: tuple(dict.fromkeys(each.level for check in risk.one_way if check for each in (check, *check.also)))
        for name, risk in assessment.targets.items()
    }
    return {name: levels for name, levels in found.items() if levels}


def flagged_pairs(assessment: Assessment) -> dict[str, tuple[Pair, ...]]:
    """Return, by target, the key-target pairs that the 2-way check lists in any synthesis."""
    found = {}
    for name, risk in assessment.targets.items():
        rows = pd.concat(risk.two_way, ignore_index=True)[["key", "key_level", "target_level"]].drop_duplicates()
        if len(rows):
            found[name] = tuple(Pair(*row) for row in rows.itertuples(index=False))
    return found


def all_flagged(assessment: Assessment, *, levels: bool = True, pairs: bool = True) -> Exclusions:
    """Return the exclusions of `assessment` with everything that its checks flag left out as well."""
    out = assessment.settings.exclusions
    for name, found in (flagged_levels(assessment) if levels else {}).items():
        out = out.with_levels(name, {*out.levels_of(name), *found})
    for name, found_pairs in (flagged_pairs(assessment) if pairs else {}).items():
        out = out.with_pairs(name, {*out.pairs_of(name), *found_pairs})
    return out


def of_the_paper(assessment: Assessment) -> tuple[Scenario, ...]:
    """Return the five columns of paper 000's Table 3 for these data.

    Parameters
    ----------
    assessment
        With nothing left out, so that its 1-way flags are those of the data.

    Source
    ------
    Paper 000, section 5, Table 3.
    """
    levels = Exclusions(target_levels=flagged_levels(assessment))
    missing = replace(
        levels,
        missing_targets=frozenset(assessment.targets),
        missing_keys=frozenset(key.name for key in assessment.keys.keys),
    )
    return (
        Scenario("Nothing left out", Exclusions()),
        Scenario("Flagged levels out", levels),
        Scenario("… and missing values out", missing),
        Scenario("… and denominators ≤ 1", replace(missing, denominator_limit=1)),
        Scenario("Denominators ≤ 1 alone", Exclusions(denominator_limit=1)),
    )


def assessed(study: Study, base: Assessment, scenarios: Iterable[Scenario]) -> tuple[tuple[str, Assessment], ...]:
    """Return each scenario's name and assessment; nothing is counted again.

    What a scenario names and the data do not have is left out of it, as `fit` does.
    """
    found, before = [], base
    for scenario in scenarios:
        settings, _ = fit(study, replace(base.settings, exclusions=scenario.exclusions))
        before = assess(study, settings, base.tables, before)
        found.append((scenario.name, before))
    return tuple(found)


def flat(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `side_by_side` with one line of names: "target", "scenario · measure"."""
    names = ["target" if pair[0] == "target" else " · ".join(pair) for pair in table.columns.to_flat_index()]
    return table.set_axis(names, axis=1)


def side_by_side(found: Sequence[tuple[str, Assessment]], measure: str = "DiSCO") -> pd.DataFrame:
    """Return one table: targets down, scenarios across, as paper 000's Table 3.

    Returns
    -------
    DataFrame
        A row a target, the largest of the first scenario first. Columns: ("target", ""), then for each scenario
        (name, measure of the original) and (name, measure of the synthetic data), means over the syntheses in %.

    Raises
    ------
    DisclosureError
        When there is no such measure, or no scenario.
    """
    if not found:
        raise DisclosureError("There is no scenario yet; name the present exclusions as one.")
    original, synthetic = COMPARED.get(measure, ("", ""))
    order = found[0][1].summary(measure)["target"].tolist()[::-1]
    columns: dict[tuple[str, str], list[Any]] = {("target", ""): order}
    for name, assessment in found:
        rows = assessment.summary(measure).set_index("target").loc[order]
        columns[name, original], columns[name, synthetic] = rows["original"].tolist(), rows["synthetic"].tolist()
    return pd.DataFrame(columns)


SCHEMA = 1
"""Version of a project file; raised when an older program would misread a newer file."""


@dataclass(frozen=True, slots=True)
class Project:
    """All of a review but the data.

    Attributes
    ----------
    settings
        What is asked now.
    scenarios
        Named exclusions.
    reasons, about
        What the officer wrote, by name.
    files
        SHA-256 of the data files, by name.
    missing_codes
        By numeric column, as texts.
    """

    settings: Settings = field(default_factory=Settings)
    scenarios: tuple[Scenario, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    missing_codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the file's text; a program that reads settings finds them in it."""
        plain = json.loads(self.settings.to_file(self.files)) | {
            "project": SCHEMA,
            "scenarios": [{"name": s.name, "exclusions": s.exclusions.to_plain()} for s in self.scenarios],
            "reasons": dict(self.reasons),
            "about": dict(self.about),
            "missing_codes": {name: list(codes) for name, codes in self.missing_codes.items()},
        }
        return json.dumps(plain, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the project that `to_json` wrote, or one of settings alone that `Settings.to_file` wrote.

        Raises
        ------
        DisclosureError
            When the text is not such a file, is damaged, or was written by a newer version.
        """
        settings = Settings.from_json(text)
        plain = json.loads(text)
        version = plain.get("project", SCHEMA)
        if type(version) is not int or version < 1:
            raise DisclosureError("This project file is damaged: its version is no number. Save it again.")
        if version > SCHEMA:
            raise DisclosureError("This project was saved by a newer version; update this program to read it.")
        try:
            scenarios: tuple[Scenario, ...] = ()
            for given in _checked(plain.get("scenarios", []), list):
                new = Scenario(_checked(_checked(given, dict)["name"], str), Exclusions.from_plain(given["exclusions"]))
                scenarios = with_scenario(scenarios, new)
            reasons, about, files = (_texts(plain.get(name, {})) for name in ("reasons", "about", "files"))
            codes = {
                name: tuple(_checked(code, str) for code in _checked(found, list))
                for name, found in _checked(plain.get("missing_codes", {}), dict).items()
            }
            return cls(settings, scenarios, reasons, about, files, codes)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DisclosureError(
                "This project file is damaged: a part is missing or of the wrong type. Save it again."
            ) from error

    def differences(self, study: Study, files: Mapping[str, str]) -> tuple[str, ...]:
        """Return a sentence for each way in which the present data are not those this was saved with.

        Parameters
        ----------
        study
            The present data.
        files
            SHA-256 of their files, by name.

        Raises
        ------
        DisclosureError
            When none of its keys is in the data.
        """
        keys = set(self.settings.keys)
        if keys and not keys & set(study.columns):
            raise DisclosureError(
                "These settings belong to other data: none of their keys is here; nothing was changed."
            )
        said = []
        was, now = list(self.files.values()), list(files.values())
        if was and was[0] in now[1:]:
            said.append("The original of that review is given as synthetic now: were the files swapped?")
        elif was and set(was) != set(now):
            gone = [name for name, sha in self.files.items() if sha not in files.values()]
            said.append(
                f"This was saved with other data ({', '.join(gone[:6]) or 'other files'}): check that keys, levels and "
                "codes still mean the same."
            )
        named = {*self.settings.keys, *(self.settings.targets or ()), *dict(self.settings.groups)}
        absent = sorted(named - set(study.columns))
        if absent:
            said.append(f"These data have no {', '.join(map(repr, absent[:8]))}.")
        return tuple(said)


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}")
    return value


def _texts(plain: Any) -> dict[str, str]:
    return {name: _checked(value, str) for name, value in _checked(plain, dict).items()}
