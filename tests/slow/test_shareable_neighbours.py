"""Originals that differ in one record, each count in the same range: no byte of anything that can be printed differs.

The reviews are drawn (`neighbours.py`, which also tries hundreds of them: `python -m tests.slow.neighbours 0 400`).
Every range is counted there, from the assessments and the tables themselves, and not by `report/redaction.py`.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from disclosure_core import DisclosureError, NotEvaluated, start_tables
from disclosure_core.report import redaction
from tests.commands import disclosure
from tests.reports import evaluated
from tests.saved import to_json
from tests.slow import neighbours

SEEDS = range(20)


@pytest.fixture(scope="module")
def results():
    """What was compared of some seeds, a few of them in every format."""
    found = {seed: neighbours.tried(seed, 2, in_full=seed % 6 == 2) for seed in SEEDS}
    for seed, each in found.items():
        print(f"seed {seed}: {each}")  # what a failure is repeated with
    return found


def test_neighbours_within_all_ranges_have_the_same_bytes(results):
    assert not [fault for each in results.values() for fault in each.faults]
    assert sum(each.alike for each in results.values()) > 25  # else nothing is compared
    assert sum(each.same for each in results.values()) >= 3


def test_one_record_moves_no_figure_by_more_than_one(results):
    """Counted of every figure that may be shown, of each set, key set and subset, and of people outside."""
    most = [each.largest for each in results.values() if each.counts]
    assert len(most) > 8
    assert 0.99 < max(most) < 1 + 1e-6


def test_what_is_drawn_has_everything_that_a_report_can_print():
    """All of it occurs, also together with people outside that are doubted or refused."""
    seen = Counter()
    for seed in range(60):
        original, of = neighbours.drawn(seed)
        try:
            opened = neighbours.review_of(original, of)
            outside = None if opened.judged.stopped() else evaluated(opened.printed.attribute_baseline)
        except DisclosureError:  # what was drawn does not fit
            continue
        out = opened.review.exclusions
        seen.update({
            "adopted": of.adopted, "tried": bool(of.chain) and not of.adopted, "two sets": len(of.sets) > 1,
            "own breaks": bool(of.asked.groups), "labels": of.labelled, "no names of levels": not of.look.level_names,
            "levels excluded": bool(out.target_levels), "pairs": bool(out.pairs), "missing keys": bool(out.missing_keys),
            "no reason": bool(opened.not_judged), "does not meet": bool(opened.judged.not_met()),
            "refused": of.outside is not None and isinstance(outside, NotEvaluated),
            "doubted": outside is not None and not isinstance(outside, NotEvaluated) and bool(outside.doubts),
            **{search: search in opened.review.searched for search in neighbours.SEARCHES},
            **{f"sorts {name}": of.rare == name for name in neighbours.FIRST_OR_LAST},
        })  # fmt: skip
    assert not [kind for kind, n in seen.items() if n < 2], seen


@pytest.mark.parametrize("leak", ["narrow ranges", "numbers of levels", "a check's records", "Dorig"])
def test_a_report_that_tells_more_is_found(leak, monkeypatch):
    """What must not be is put in, and a few seeds find it."""
    if leak == "narrow ranges":
        monkeypatch.setattr(redaction, "_up", lambda _source, n: max(1, int(np.ceil(round(n, 6)))))
    elif leak == "numbers of levels":
        named = redaction.level
        monkeypatch.setattr(
            redaction, "level", lambda source, of, text: f"{named(source, of, text)} {numbers(source, of)}"
        )
    elif leak == "a check's records":
        usual = redaction.notes
        monkeypatch.setattr(
            redaction, "notes", lambda source, found: [*usual(source, found), *map(str, checks(source))]
        )
    else:
        monkeypatch.setattr(redaction, "of_original", lambda _source: "Dorig")
    assert any(neighbours.tried(seed, 4).faults for seed in range(40))


def numbers(source, name):
    return source.study.columns[name].counts[0].tolist()


def checks(source):
    return [check and check.n_disclosive for risk in source.assessment.targets.values() for check in risk.one_way]


def test_a_refused_holdout_prints_nothing():
    rng = np.random.default_rng(0)
    _, of = neighbours.drawn(2)
    original = neighbours.people(rng, 100, "aaa", 8)
    of = replace(of, sets={"A": [original] * 2}, outside=original.iloc[:60], adopted=False, chain=())
    opened = neighbours.review_of(original, of)
    (said,) = neighbours.everything(opened, of)
    assert "take the holdout out" in said


CALLS = (
    (),
    ("--exclude", "ta=music", "--exclude", "tb=mine", "--reason", "ta=known", "--reason", "tb=known"),
    ("--holdout", "outside.csv", "--search", "subsets", "--search", "membership"),
    ("--search", "strongest", "--group", "age=0,22,90", "--verify"),
)


@pytest.mark.parametrize("more", CALLS)
def test_a_quiet_call_prints_the_same(more, tmp_path, monkeypatch):
    """Files, reports, workbook and both streams of the command line: of the names of the files nothing depends."""
    found = 0
    for seed in range(12):
        original, of = neighbours.drawn(seed)
        sets = {"A": [f.assign(tb=f["tb"].str.rstrip("!")) for f in of.sets["A"]]}
        of = replace(of, asked=neighbours.Settings(keys=("ka", "age")), chain=(), adopted=False, sets=sets)
        of = replace(of, outside=neighbours.people(np.random.default_rng(seed), 80, of.rare, of.limit) if "--holdout" in more else None,
                     review={"searched": frozenset({"subsets"})}, labelled=False, reasons={})  # fmt: skip
        here = neighbours.review_of(original, of)
        within = neighbours.ranges(here, of)
        for other in neighbours.neighbours(original, np.random.default_rng(seed), 3):
            if neighbours.ranges(neighbours.review_of(other, of), of) == within:
                one, two = (
                    called(tmp_path / f"{seed}{i}", f, of, more, monkeypatch) for i, f in enumerate((original, other))
                )
                assert one == two
                found += one[0] == 0
                break
        if found == 2:
            return
    assert found


def called(folder, original, of, more, monkeypatch):
    """Return status, streams and files of one call."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    frames = {"o": original, "outside": of.outside, **{f"s{i}": f for i, f in enumerate(of.sets["A"])}}
    for name, frame in frames.items():
        if frame is not None:
            frame.to_csv(f"{name}.csv", index=False)
    files = ["o.csv", *(f"s{i}.csv" for i in range(len(of.sets["A"])))]
    written = ("r.html", "r.pdf", "w.xlsx")
    call = ["assess", *files, "--keys", "ka,age", "--missing-code", "pay=-9", "--date", "2026-01-02", "--quiet",
            "--shareable", str(of.limit), "--report", written[0], "--appendix", written[1], "--workbook", written[2]]  # fmt: skip
    done = disclosure(*call, *more)
    made = [(folder / name).read_bytes() for name in written if (folder / name).exists()]
    return done.exit_code, done.stdout, done.stderr, made


def test_a_review_that_is_saved_is_no_part_of_it():
    """It holds the original's fingerprint, and stays in the office: its own head says so."""
    opened = start_tables(pd.DataFrame({"k": ["a", "b"] * 20}), [pd.DataFrame({"k": ["a", "b"]})])
    assert "keep it with the original" in to_json(opened.review)
