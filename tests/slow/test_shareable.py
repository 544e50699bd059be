"""An attacker with no bound on computing reads shareable reports: what `tests/core/test_shareable.py` says, at length."""

# Inside: figures and exhibits as one file.

import itertools
import re
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    Cap,
    Chain,
    Exclusions,
    KeySet,
    Limit,
    Limits,
    MergeLevels,
    Motive,
    Pair,
    RemoveReplicated,
    Scenario,
    Settings,
    ThreatModel,
    read_holdout,
    start_tables,
)
from disclosure_core.export.archive import archive
from disclosure_core.export.tables import to_excel
from disclosure_core.figures import paper
from disclosure_core.report import exhibits, tables_of
from disclosure_core.results.catalogue import every
from tests.commands import disclosure
from tests.core.test_shareable import EASY, drawn, said, shared
from tests.reports import Look, report, tables
from tests.unpacked import pieces

ONE = [("a", "x"), ("a", "x"), ("b", "y"), ("b", "y")]
SEVERAL = {
    "one key": (("ab", "xyz"), (4, 5), [ONE]),
    "two keys": (("ab", "pq", "xy"), (4, 5), [[("a", "p", "x"), ("a", "q", "x"), ("b", "p", "y"), ("b", "q", "y")]]),
    "two syntheses": (("ab", "xyz"), (6, 7), [ONE, [("a", "x"), ("a", "y"), ("b", "z"), ("b", "z")]]),
}
"""Levels of keys and target, records of the original, and the syntheses."""


@pytest.mark.parametrize(
    ("exercise", "n_reports", "none_counted"), [("one key", 3, 0), ("two keys", 5, 0), ("two syntheses", 10, 5)]
)
def test_whoever_knows_everything_but_the_original_pins_no_small_count(exercise, n_reports, none_counted):
    """Every original is written out: with any report many of them agree, and disagree on each count below the limit.

    The attacker knows the program, the synthetic data, which levels there are, and has no bound on computing. That nobody
    is somewhere can be pinned only where `none_counted` says so: with two syntheses one report has one original alone.
    """
    values, sizes, rows = SEVERAL[exercise]
    columns = ["k", "t"] if len(values) == 2 else ["k", "l", "t"]
    synthetic = [pd.DataFrame(each, columns=columns) for each in rows]
    asked = Settings(keys=tuple(columns[:-1]), thresholds=EASY)
    limit, originals = 2, defaultdict(list)
    for n in sizes:
        for picked in itertools.combinations_with_replacement(list(itertools.product(*values)), n):
            original = pd.DataFrame(picked, columns=columns)
            originals[said(shared(original, synthetic, asked, limit))].append(Counter(picked))
    assert len(originals) == n_reports  # the report says something
    facts = [fact for fact in itertools.product(*[(*v, None) for v in values]) if set(fact) != {None}]
    pinned = []
    for same in originals.values():
        for fact in facts:
            of = [
                sum(n for kind, n in one.items() if all(f in (None, v) for f, v in zip(fact, kind, strict=True)))
                for one in same
            ]
            pinned += [of[0]] if len(set(of)) == 1 and of[0] < limit else []
    assert pinned == [0] * none_counted


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), limit=st.integers(3, 9), m=st.integers(1, 2), names=st.booleans())
def test_what_few_people_have_is_named_nowhere(seed, limit, m, names):
    """Levels and pairs that few have are left out by name, flagged as soon as can be, and named nowhere."""
    original, syntheses = drawn(seed, 60, 60, m)
    few = {c: [v for v, k in original[c].value_counts().items() if k < limit] for c in original}
    both = original.groupby(["ka", "ta"]).size()
    rare = [Pair("ka", k, t) for (k, t), n in both.items() if n < limit]
    often = {t for (k, t), n in both.items() if n > limit} | {k for (k, t), n in both.items() if n > limit}
    out = Exclusions(target_levels={c: few[c] for c in ("ta", "tb")}, pairs={"ta": rare})
    for exclusions in (Exclusions(), out):
        asked = Settings(keys=("ka", "kb"), thresholds=EASY, exclusions=exclusions)
        report = shared(original, syntheses, asked, limit, searched=True, level_names=names)
        text = said(report) + repr([f.to_dict() for f in tables_of(report).values()])
        for level in (v for levels in few.values() for v in levels):
            assert level not in text
        for p in rare:  # each alone may be well known
            assert not re.search(rf"{p.key_level}[^|()]{{0,12}}{p.target_level}", text)
            assert f"'ka {p.key_level}', '{p.target_level}'" not in text
        assert not names or not exclusions.pairs_of("ta") or "few records" in text
        if not names:
            assert "Level0q" not in text
            assert "Level3q" not in text
    assert often


# ---- every byte of a whole report --------------------------------------------------------------------------------------

MARK = re.compile(rb"zqmark|98717193|98,717|8711", re.IGNORECASE)
"""Of levels that few have, of the largest income, and of a missing code that few have."""


def marked(seed, mark="zqmark", most=98_717_193):
    """Return people of whom few have levels with a mark in their name; the same people whatever the mark is."""
    rng, n = np.random.default_rng(seed), 240
    frame = pd.DataFrame({
        "job": rng.choice(["baker", "nurse", "clerk"], n), "area": rng.choice(["north", "south"], n),
        "age": rng.integers(20, 60, n), "ill": rng.choice(["no", "maybe"], n, p=[0.7, 0.3]),
        "income": rng.integers(1000, 1300, n), "town": rng.choice(["Oslo", "Bergen", "Bodo"], n),
    })  # fmt: skip
    for rows, name, level in (
        (slice(0, 3), "job", "job"), (slice(2, 5), "ill", "ill"), (slice(4, 6), "area", "area"), (slice(0, 0), "town", "town"),
        (slice(1, 1), "town", "hamlet"), (slice(6, 6), "ill", "ILL "), (slice(10, 12), "ill", "none"),
    ):  # fmt: skip
        frame.loc[rows, name] = f"{mark}{level}"
    frame.loc[1, "income"], frame.loc[2:4, "income"], frame.loc[0, "age"] = most, -8711, most
    return frame


def whole(exclusions, mark="zqmark", most=98_717_193):
    """Return a review in which all is searched, of those people, with rare levels wherever a level can be named."""
    original = marked(1, mark, most)
    first = original.sample(240, replace=True, random_state=1).reset_index(drop=True)
    first.iloc[:4] = original.iloc[:4]
    second = pd.concat([original.iloc[:100], marked(3, mark, most).iloc[:100]], ignore_index=True)
    foreign = marked(4, mark, most)
    foreign.loc[30:40, "job"] = f"{mark}foreign"
    opened = start_tables(original, {"A": [first, second], "B": [foreign, marked(6, mark, most)]})
    outside = marked(9, mark, most).to_csv(index=False).encode()
    opened = opened.with_holdout(*read_holdout("outside.csv", outside))
    columns = replace(
        opened.review.columns, missing_codes={"income": ("-8711",)}, missing_texts={"ill": (f"{mark}none",)},
        mends={"ill": ("space", "case")},
    )  # fmt: skip
    opened = opened.with_review(replace(opened.review, columns=columns))
    out = Exclusions(
        target_levels={"ill": [f"{mark}ill"], "town": [f"{mark}town"]}, missing_targets={"income"},
        pairs={"ill": [Pair("job", f"{mark}job", "no"), Pair("area", f"{mark}area", f"{mark}ill")],
               "town": [Pair("job", f"{mark}job", f"{mark}hamlet")]},
    )  # fmt: skip
    review = opened.review.with_settings(
        Settings(keys=("job", "area", "age"), thresholds=EASY,
                 exclusions=out if exclusions else Exclusions())
    )  # fmt: skip
    steps = (MergeLevels("town", 5, "Other", (f"{mark}hamlet",)), Cap("age", None, 60), RemoveReplicated())
    opened = opened.with_review(replace(
        review, limits=Limits(Limit(10, 2), Limit(30), Limit(relative=0.2)), tau=0.7, chains=(Chain("tried", steps),),
        chain="tried", searched=frozenset({"membership", "subsets", "comparison"}),
        threat_model=ThreatModel("adults", 100_000, "register", True, True, True, Motive.RECOGNITION),
        intruders=(*review.intruders, KeySet("neighbours", ("town", "job"))), scenarios=(Scenario("without", out),),
        reasons=dict.fromkeys(("ill", "town", "income"), "it is known"),  # without one, no judged figure tells of it
    ))  # fmt: skip
    opened.membership()
    opened.subsets()
    return opened


def told_in(*files):
    """Return the marks in files, unpacked."""
    return {m.lower() for file in files for piece in pieces(file) for m in MARK.findall(piece.replace(b"\0", b""))}


def three(opened, look):
    return report(opened, "pdf", look), report(opened, "html", look), to_excel(tables(opened, look))


@pytest.mark.parametrize(("exclusions", "names"), [(True, True), (False, False)])
def test_no_byte_of_a_whole_report_tells_what_few_have(exclusions, names):
    look = Look(shareable=True, smallest=10, level_names=names, date="2026-01-02")
    here = whole(exclusions)
    made = three(here, look)
    assert told_in(*made) == set()
    for mark in ("aaa", "mmm", "Ωabc"):  # the first, in the middle, and the last
        assert made == three(whole(exclusions, mark, 77_777_777), look)
    assert b"zqmark" in told_in(*three(here, Look()))  # an internal report names them, and this looks where it does


def zips(opened):
    """Return all figures, and all exhibits, as one zip each."""
    figures = (file for name, target, plot in every(opened) for file in paper.files(name, plot, "pdf", target=target))
    return archive(figures), archive(exhibits.files(opened, ("svg", "png")))


def test_figures_and_exhibits_name_no_level_but_those_that_are_left_out():
    """They are exact, and for the office; of levels they hold what their captions say of exclusions, and no other name."""
    made = zips(whole(False))
    assert b"zqmark" not in told_in(*made)
    assert made == zips(whole(False, "Ωabc", 77_777_777))
    for one in zips(whole(True)):
        assert b"zqmark" in told_in(one)  # this looks where they are named


@pytest.mark.parametrize("option", ["--figures", "--exhibits"])
def test_no_zip_of_them_is_made_beside_a_shareable_report(tmp_path, option):
    marked(1).to_csv(tmp_path / "people.csv", index=False)
    people, left = str(tmp_path / "people.csv"), tmp_path / "left.zip"
    asked = ["assess", people, people, "--keys", "job", "--report", str(tmp_path / "r.html"), option, str(left)]
    refused = disclosure(*asked, "--shareable", "10")
    assert f"{option} writes exact figures, which are not to be shared" in refused.output
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]
