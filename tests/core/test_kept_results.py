"""A result is kept under what it was made of: after any change of a review it is what nobody has kept says, and undone.

Each part of a review that moves a figure is changed where everything was made before, and where nothing was.
"""

import re
from dataclasses import fields, replace

import pytest

from disclosure_core import (
    Bounds,
    Chain,
    Columns,
    Exclusions,
    Hierarchy,
    Holdout,
    KeySet,
    Limit,
    Limits,
    MergeLevels,
    Opened,
    Review,
    RoundTo,
    Scenario,
    ThreatModel,
    Thresholds,
)
from disclosure_core.holdout import baseline
from disclosure_core.results import FewerRecords
from disclosure_core.review.parts import Analysis, Sample
from tests.core.test_verify import people

MINE = KeySet("an intruder", ("sex", "age", "region", "born"))
NEIGHBOUR = KeySet("neighbour", ("age", "region"))
ROUNDED, MERGED = Chain("rounded", (RoundTo("income", 1000.0),)), Chain("merged", (MergeLevels("job", 30, "both"),))
TOLD = {"population_size": 5_000, "same_population": True, "news": True}


@pytest.fixture(scope="module")
def opened():
    review = replace(
        Review.of(MINE.keys, targets=["job", "income", "member"], groups={"income": 3}),
        exclusions=Exclusions(target_levels={"job": ["cook"]}, denominator_limit=9),
        reasons={"job": "known"},
        intruders=(MINE, NEIGHBOUR),
        threat_model=ThreatModel(**TOLD),
        chains=(ROUNDED, MERGED),
        chain="rounded",
        searched=frozenset({"subsets", "membership", "strongest"}),
    )
    return review.open(people(1, 60), [people(2, 60), people(3, 50)], holdout=people(5, 40), holdout_is_random=True)


@pytest.fixture(scope="module")
def before(opened):
    """What is said of it, all of which is made and kept by then."""
    return said(opened)


def said(opened: Opened) -> list[str]:
    """Return what is made of a review, and kept, as text."""
    return [
        opened.to_json(),
        "\n".join(note.text for note in opened.remarks().every),
        re.sub(" at 0x[0-9a-f]+", "", repr(opened.queue().rows)),
        repr(opened.reasons_to_confirm()),
        opened.growth().to_json(),
        opened.before().to_json(),
        opened.all_excluded.assessment().to_json(),
        "\n".join(each.to_json() for _, each in opened.scenarios()),
        opened.after_safeguards().to_json(),
        opened.usefulness_after_safeguards().tables.to_json(),
        FewerRecords.of(opened).bands.attribute.to_json(),
    ]


CHANGED = {
    "a missing code": {"columns": Columns(missing_codes={"income": ("-8",)})},
    "a type": {"columns": Columns(types={"age": "category"})},
    "keys": {"intruders": (replace(MINE, keys=("sex", "age")), NEIGHBOUR)},
    "another intruder": {"intruder": "neighbour"},
    "groups": {"groups": {"income": 5}},
    "groups of a key": {"groups": {"income": 3, "age": 2}},
    "targets": {"targets": ("job",)},
    "a level": {"exclusions": Exclusions(target_levels={"job": ["nurse"]}, denominator_limit=9)},
    "a limit that has no reason": {"exclusions": Exclusions(target_levels={"job": ["cook"]}, denominator_limit=2)},
    "a missing key": {"exclusions": Exclusions(missing_keys={"age"}), "reasons": {"missing keys": "so"}},
    "a reason": {"reasons": {"job": "known", "denominators": "few"}},
    "thresholds": {"thresholds": Thresholds((1, 10), (1, 20))},
    "τ": {"tau": 0.5},
    "scenarios": {"scenarios": (Scenario("few", Exclusions(denominator_limit=2)),)},
    "a chain": {"chain": "merged"},
    "steps of a chain": {"chains": (replace(ROUNDED, steps=MERGED.steps), MERGED)},
    "a sample": {"samples": (Sample(0.5, 3),)},
    "limits": {"limits": Limits(disco=Limit(absolute=5.0))},
    "the threat model": {"threat_model": ThreatModel(**TOLD | {"population_size": 900})},
    "bounds": {"intruders": (replace(MINE, bounds=Bounds(subsets=4)), NEIGHBOUR)},
    "a hierarchy": {"hierarchies": {"age": Hierarchy.bands(2)}},
    "whose holdout": {"holdout": Holdout("file", random=False)},
    "how a further result is asked": {
        "analyses": {"anonymity": Analysis(asked={"k": 3}), "tau": Analysis(in_report=False)}
    },
    "released": {"released": {"synthetic data": (2,)}},
}


OTHERS = {
    *("source", "name", "original", "sets", "synthesis_set", "population_table"),  # other data
    *("assumptions", "about", "answered", "shared", "searched", "verdicts", "reason_stamps", "scope"),  # no figure
    *("sought", "really_different"),  # tests/core/test_least_safeguard.py, tests/core/test_not_met.py
}
"""Parts of a review that are not changed here."""


def test_every_part_of_a_review_is_changed_or_named():
    assert {f.name for f in fields(Review)} == {part for change in CHANGED.values() for part in change} | OTHERS


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_what_is_kept_is_what_is_made_anew_and_stands_again_when_undone(opened, before, change):
    review = replace(opened.review, **change)
    changed = said(opened.with_review(review))
    assert changed == said(Opened(review, opened.data))
    assert said(opened.with_review(opened.review)) == before


def test_an_exclusion_has_its_own_target_alone_compared_with_people_outside_again(opened, monkeypatch):
    review = opened.review
    target = "member"
    level = opened.assessment().targets[target].counted[0].cells.column.levels[0]
    opened.attribute_baseline()
    again, real = [], baseline._of_target
    monkeypatch.setattr(
        baseline, "_of_target", lambda joined, name, *more: again.append(name) or real(joined, name, *more)
    )
    asked = replace(
        review, exclusions=review.exclusions.with_levels(target, [level]), reasons={**review.reasons, target: "known"}
    )
    found = opened.with_review(asked).attribute_baseline()
    assert again == [target]
    anew = Opened(asked, opened.data).attribute_baseline()
    for name in ("figures", "context", "parts", "same_keys", "effect"):
        assert getattr(found, name).equals(getattr(anew, name)), name
    assert not found.figures.equals(opened.attribute_baseline().figures)
