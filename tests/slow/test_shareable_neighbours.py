"""Originals that differ in one record, each count in the same range: no byte of anything that can be printed differs.

Every range is counted here again, from the assessments and from the tables themselves, and not by `report/redaction.py`.
"""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from disclosure_core import DisclosureError, Exclusions, Pair, Settings
from disclosure_core.counting.assessment import identity_by_keys
from disclosure_core.errors import NotEvaluated
from disclosure_core.export.tables import to_excel
from disclosure_core.holdout.threat_model import Motive, ThreatModel
from disclosure_core.protection.steps import Cap, Recode, RemoveReplicated
from disclosure_core.report.assembled import assemble, report, tables
from disclosure_core.report.source import Look
from disclosure_core.review.adoption import adoption
from disclosure_core.review.opening import read_holdout, start_tables
from disclosure_core.review.parts import Chain, KeySet
from disclosure_core.review.safer import adopted_files
from tests.core.test_shareable import EASY, said

LIMIT, N = 8, 100
KEYS, TARGETS = ("ka", "kb"), ("ta", "tb")


def people(rng, n, rare):
    """Return people of whom three have a level with a rare name in each column."""
    frame = pd.DataFrame({
        "ka": rng.choice(["mabel", "molly", "myra"], n, p=[0.5, 0.3, 0.2]), "kb": rng.choice(["m1", "m2"], n),
        "ta": rng.choice(["mayhem", "motto", "music"], n, p=[0.6, 0.3, 0.1]), "tb": rng.choice(["mine", "more"], n),
        "age": rng.integers(20, 24, n),
    })  # fmt: skip
    for i, name in enumerate((*KEYS, *TARGETS)):
        frame.loc[3 * i : 3 * i + 2, name] = f"{rare}{name}"
    return frame


def review_of(original, syntheses, outside, rare, kind):
    """Return a review in which everything is asked that a report can print."""
    opened = start_tables(original, {"A": syntheses[:2], "B": syntheses[2:]})
    if "holdout" in kind:
        opened = opened.with_holdout(*read_holdout("outside.csv", outside.to_csv(index=False).encode()))
    out = Exclusions(
        target_levels={"ta": [f"{rare}ta", "music"]}, missing_targets={"tb"},
        pairs={"tb": [Pair("ka", "mabel", "mine"), Pair("kb", f"{rare}kb", "more")]},
    )  # fmt: skip
    settings = Settings(
        keys=KEYS, targets=(*TARGETS, "age"), thresholds=EASY, exclusions=out if "excluded" in kind else Exclusions()
    )
    review = opened.review.with_settings(settings)
    steps = (
        Cap("age", None, 22),
        RemoveReplicated(),
        *([] if "excluded" in kind else [Recode("ta", "other", (f"{rare}ta", "music"))]),
    )
    review = replace(
        review, chains=(Chain("tried", steps),), chain="tried", searched=frozenset({"membership", "subsets", *(["comparison"] if "holdout" not in kind else [])}),
        threat_model=ThreatModel("adults", 100_000, "register", True, True, True, Motive.RECOGNITION),
        intruders=(*review.intruders, KeySet("neighbours", ("ka",))),
        reasons=dict.fromkeys((*KEYS, *TARGETS), "it is known"),
    )  # fmt: skip
    opened = opened.with_review(review)
    return opened.with_review(adoption(opened).review) if "adopted" in kind else opened


def in_range(n, of):
    """Return the range of a count: 0 to the limit, and so on, and the last before the whole."""
    n = round(float(n), 6)
    if of - n < LIMIT + of % LIMIT:
        return "nearly all"
    return next(i for i in itertools.count() if n <= (i + 1) * LIMIT)


def ranges(opened):
    """Return the ranges of all counts that a report may print or name something for; None where it may print nothing."""
    found, original = opened.printed.assessment(), opened.data.original.frame
    n, counts = found.n_original, []
    identity = found.identity.mean()
    counts += [identity[m] * n / 100 for m in ("UiO", "UiOiS", "repU")]
    counts += [v * n / 100 for m in ("UiO", "repU") for v in identity_by_keys(opened.study(), found.settings)[m]]
    for risk in found.targets.values():
        counts += [risk.figures(m).mean() * n / 100 for m in ("CAPd", "iS", "DiS", "DiSCO")]
    searched = opened.printed.subsets()
    counts += [v * n / 100 for m in ("UiO", "UiOiS", "repU") for v in searched.identity[m]]
    counts += [v * n / 100 for v in searched.attribute["DiSCO"]]
    for name in opened.set_names:
        of_set = opened.printed.assessment(None, name)
        counts.append(of_set.identity["repU"].mean() * n / 100)
        counts += [risk.figures("DiSCO").mean() * n / 100 for risk in of_set.targets.values()]
    outside = opened.printed.attribute_baseline()
    others = []
    if opened.data.holdout is not None:
        if isinstance(outside, NotEvaluated):
            return None
        rows = outside.summary()
        counts += [v * outside.n_training / 100 for v in rows["members"]]
        others = [in_range(v * outside.n_holdout / 100, outside.n_holdout) for v in rows["non_members"]]
    named = [tuple(sorted(v for v, k in original[c].value_counts().items() if k > LIMIT)) for c in original]
    both = [in_range(((original["ka"] == "mabel") & (original["tb"] == "mine")).sum(), n)]
    files = [f.sha256 for f in adopted_files(opened) or ()]
    return n // LIMIT, [in_range(v, n) for v in counts], others, named, both, files, identity["UiS"]


LOOK = Look(shareable=True, smallest=LIMIT, date="2026-01-02")


def everything(opened):
    """Return the bytes of report and appendix, and of the workbook of their tables."""
    made = [report(opened, "html", replace(LOOK, appendix=appendix)) for appendix in (False, True)]
    return (*made, to_excel(tables(opened, LOOK)))


def neighbours(original, rng):
    """Yield originals with one record less, one more and one changed, those with rare levels first."""
    for at in (
        *(range(12, 20) if "number" in original else (0, 3, 6, 9)),
        *rng.permutation(np.arange(20, len(original))),
    ):
        yield original.drop(index=at).reset_index(drop=True)
        yield pd.concat([original, original.iloc[[at]]], ignore_index=True)
        changed = original.copy()
        changed.loc[at, ["ta", "tb"]] = original.loc[(at + 7) % len(original), ["ta", "tb"]].to_numpy()
        if not changed.equals(original):
            yield changed


@pytest.mark.parametrize(
    ("kind", "rare"),
    [
        ("plain", "aaa"), ("plain", "mmm"), ("plain", "zzz"), ("excluded", "aaa"), ("holdout", "mmm"), ("adopted", "zzz"),
        ("excluded holdout", "mmm"), ("adopted holdout", "aaa"), ("doubted holdout", "zzz"),
    ],
)  # fmt: skip
def test_neighbours_within_all_ranges_have_the_same_bytes(kind, rare):
    """The names of what few have sort first, in the middle and last."""
    pairs = [pair for seed in range(4) for pair in itertools.islice(alike(seed, kind, rare), 1)][:2]
    assert pairs  # else nothing is compared
    for here, there in pairs:
        if "doubted" in kind:
            doubts = [each.attribute_baseline().doubts for each in (here, there)]
            assert doubts[0] != doubts[1]
        assert [words(here, names) for names in (True, False)] == [words(there, names) for names in (True, False)]
    assert everything(pairs[0][0]) == everything(pairs[0][1])


def words(opened, names):
    """Return all that the renderers are given."""
    return said(assemble(opened, replace(LOOK, level_names=names)))


def with_a_number(rng, original, syntheses, outside):
    """Return them with a number in which nobody is like another, so that the 8 who are inside, too, are a doubt."""
    original, outside = (f.assign(number=rng.integers(0, 10**6, len(f))) for f in (original, outside))
    syntheses = [f.assign(number=rng.permutation(original["number"])) for f in syntheses]
    outside.iloc[12:20] = original.iloc[12:20]
    return original, syntheses, outside


def alike(seed, kind, rare):
    """Yield a review, and the same of an original that differs in one record and in no range."""
    rng = np.random.default_rng(seed)
    original = people(rng, N, rare)
    syntheses = [original.sample(N, replace=True, random_state=rng, ignore_index=True) for _ in range(3)]
    outside = people(rng, 80, rare)
    if "doubted" in kind:
        original, syntheses, outside = with_a_number(rng, original, syntheses, outside)
    for each in syntheses:  # every level is in every file, so that values meet
        each.iloc[:12] = original.iloc[:12]
    here = review_of(original, syntheses, outside, rare, kind)
    within = ranges(here)
    for other in itertools.islice(neighbours(original, rng), 16):
        there = review_of(other, syntheses, outside, rare, kind)
        if within is not None and ranges(there) == within:
            yield here, there


def test_a_refused_holdout_prints_nothing():
    rng = np.random.default_rng(0)
    original = people(rng, N, "aaa")
    opened = review_of(original, [original] * 3, original.iloc[:60], "aaa", "holdout")
    with pytest.raises(DisclosureError, match="take the holdout out"):
        everything(opened)
