"""An attacker reads shareable reports: no count up to the limit, and no level or pair that so few people have."""

import io
import re
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from disclosure_core import DisclosureError, Exclusions, Pair, Settings, Thresholds
from disclosure_core.export.tables import to_excel
from disclosure_core.figures import dorig_disco
from disclosure_core.holdout.threat_model import ThreatModel
from disclosure_core.protection.steps import RemoveReplicated
from disclosure_core.report import redaction, with_subsets
from disclosure_core.report.assembled import assemble, report, tables
from disclosure_core.report.redaction import count, drawn_share, one_way, share, texts_naming_few, two_way, whole
from disclosure_core.report.source import Look, Report
from disclosure_core.review.opening import read_holdout, start_demonstration, start_tables
from disclosure_core.review.parts import Chain, KeySet
from disclosure_core.review.value import OFFICER
from disclosure_core.sensitivity.key_subsets import search_subsets
from tests.reports import blocks, named, report_of, to_html

EASY = Thresholds(one_way=(0, 50), two_way=(0, 50))
"""Flags are raised as soon as can be: the more is told."""

NEVER = Thresholds(one_way=(10_000, 90), two_way=(10_000, 80))


def said(report):
    """Return all that the two renderers are given: texts, tables, captions, and the numbers that figures are drawn from."""
    return repr(
        [(b.kind, b.text, b.items, b.columns, b.rows, b.plot, b.plot and b.plot.sentence) for b in blocks(report)]
    )


def shared(original, syntheses, asked, limit, *, searched=False, **more):
    files = [("o.csv", "ab" * 32), *((f"s{i}.csv", "cd" * 32) for i in range(len(syntheses)))]
    report = report_of(named(start_tables(original, syntheses), *files), asked, shareable=True, smallest=limit, **more)
    return with_subsets(report, search_subsets(report.study, asked)) if searched else report


def drawn(seed, n, n_synthetic, m):
    """Return an original and syntheses of it: two keys and two targets, with levels that few have."""
    rng = np.random.default_rng(seed)

    def column(levels, size):
        weights = np.arange(1, len(levels) + 1.0) ** 3
        return rng.choice(levels, size, p=weights / weights.sum())

    def frame(size):
        return pd.DataFrame({name: column([f"{name}Level{i}q" for i in range(k)], size)
                             for name, k in (("ka", 4), ("kb", 3), ("ta", 4), ("tb", 3))})  # fmt: skip

    original = frame(n)
    return original, [original.sample(n_synthetic, replace=True, random_state=rng, ignore_index=True) for _ in range(m)]


@pytest.mark.slow
def test_no_level_is_in_the_html_either():
    original, syntheses = drawn(1, 60, 60, 2)
    few = [v for c in original for v, k in original[c].value_counts().items() if k <= 5]
    asked = Settings(keys=("ka", "kb"), thresholds=EASY)
    html = to_html(shared(original, syntheses, asked, 5, searched=True))
    assert len(few) > 3
    assert not [level for level in few if level in html]
    assert "ab" * 8 not in html  # the original's fingerprint


@pytest.mark.slow
def test_the_renamed_level_of_a_few_changes_nothing():
    original, syntheses = drawn(2, 60, 60, 1)
    rarest = original["ta"].value_counts().index[-1]
    asked = Settings(keys=("ka", "kb"), thresholds=EASY)
    texts = set()
    for name in (rarest, "AAA", "zzz"):
        frames = [f.replace({"ta": {rarest: name}}) for f in (original, *syntheses)]
        texts.add(said(shared(frames[0], frames[1:], asked, 8, level_names=False)))
        texts.add(said(shared(frames[0], frames[1:], asked, 8, level_names=False, searched=False)))
    assert len(texts) == 1


def test_the_case_of_the_bishop():
    """What was found: `hiv | job bishop | pos | 1 of 1 | < 10`."""
    original = pd.DataFrame(
        {"job": ["baker"] * 60 + ["nurse"] * 60 + ["bishop"] * 6, "hiv": ["neg"] * 100 + ["pos"] * 26}
    )
    asked = Settings(keys=("job",))
    text = said(shared(original, [original], asked, 10))
    assert "bishop" not in text
    assert "('hiv', 'job baker', 'neg')" in text
    internal = report_of(start_tables(original, [original]), asked)
    assert "('hiv', 'job bishop', 'pos', '1 of 1', '6', '100.00', '20.63', '4.85')" in said(internal)


@pytest.mark.parametrize(("taken", "alike"), [(0, True), (3, True), (10, True), (11, False), (30, False)])
def test_an_exclusion_that_takes_few_moves_no_figure(taken, alike):
    """All of one level of k have one answer, so DiSCO counts them; leaving `few` out takes `taken` of them."""
    k = ["a"] * 100 + [f"q{i % 2}" for i in range(taken)]
    t = ["x"] * 95 + ["y"] * 5 + ["few"] * taken
    original = pd.DataFrame({"k": [*k, *["b"] * 100], "t": [*t, *["z"] * 100]})
    synthetic = original.drop(index=range(95, 100))
    asked = Settings(keys=("k",), exclusions=Exclusions(target_levels={"t": ["few"]} if taken else {"t": ["z"]}))
    found = [b for b in blocks(shared(original, [synthetic], asked, 10)) if b.columns[:2] == ("Target", "DiSCO before")]
    ((_, before, after),) = found[0].rows
    if taken:
        assert (before == after) == alike
    assert "Alone" not in said(shared(original, [synthetic], asked, 10))


def test_an_interval_of_a_grouped_column_is_not_named():
    """Its ends are values that single people may have: the smallest and the largest income."""
    income = [*range(1000, 1198, 2), 98_765]
    original = pd.DataFrame({"k": ["a"] * 50 + ["b"] * 50, "income": income})
    asked = Settings(keys=("k",), groups={"income": 2}, thresholds=EASY)
    text = said(shared(original, [original], asked, 10))
    assert "98765" not in text.replace(",", "")
    assert "'k a', 'group 1'" in text


def test_too_few_records_are_a_sentence():
    original, syntheses = drawn(3, 19, 30, 1)
    with pytest.raises(DisclosureError, match="needs at least 20 original records; choose a smaller count"):
        blocks(shared(original, syntheses, Settings(keys=("ka",)), 10))


def test_the_officers_own_words_are_told_of_before():
    original = pd.DataFrame({"job": ["baker"] * 60 + ["bishop"] * 6, "t": ["x", "y"] * 33})
    reasons = {
        "job": "the bishop is known",
        "t": "bishops, archbishop",
        "a": "archbishop and the_bishop_",
        "b": "BISHOP",
    }
    report = shared(original, [original], Settings(keys=("job",)), 10, reasons=reasons, title="No baker")
    assert texts_naming_few(report) == ("the reason for job", "the reason for a", "the reason for b")


def test_a_number_is_a_level_only_where_its_column_is_named():
    """Version 2, chapter 2 and 2 copies are not the two people of floor 2."""
    original = pd.DataFrame({"floor": [1] * 60 + [2] * 6, "post": [91_051] * 60 + [91_052] * 6, "t": ["x", "y"] * 33})
    reasons = {
        "a": "version 2, see chapter 2", "b": "the floor is known, version 2.1", "c": "people of floor 2", "d": "of 91052",
    }  # fmt: skip
    report = shared(
        original, [original], Settings(keys=("floor", "post")), 10, reasons=reasons, title="Report, version 2"
    )
    assert texts_naming_few(report) == ("the reason for c", "the reason for d")


def test_uis_is_rounded_as_a_share_of_the_smallest_synthesis():
    """25 of 40 are the range up to 30 of 40; taken of the original's 200 records they would be 65.00 %."""
    original = pd.DataFrame({"k": [f"k{i}" for i in range(200)], "t": ["x", "y"] * 100})
    synthetic = original.iloc[[*range(25), *[30] * 15]]
    larger = original.iloc[[*range(50), *[60] * 30]]
    (table,) = [
        b for b in blocks(shared(original, [synthetic, larger], Settings(keys=("k",)), 10)) if "UiS" in b.columns
    ]
    ((_, *cells),) = table.rows
    assert cells[table.columns.index("UiS") - 1] == "75.00"


def compared(original, *sets, **more):
    """Return a review of sets side by side, and after a safeguard."""
    opened = start_tables(original, dict(zip(("A", "B"), sets, strict=False)))
    opened = opened.with_review(opened.review.with_settings(Settings(keys=("ka", "kb"))))
    chains = (Chain("tried", (RemoveReplicated(),)),)
    return opened.with_review(replace(opened.review, searched=frozenset({"comparison"}), chains=chains, **more))


SHARED = Look(shareable=True, smallest=10, date="2026-01-02")


def test_what_a_set_is_good_for_tells_no_record():
    """S_pMSE follows from the counts as they are: one record that changes moved it in the report."""
    original, syntheses = drawn(4, 230, 200, 2)
    other = original.copy()
    differing = next(i for i in range(1, 200) if original["tb"][i] != original["tb"][0])
    other.loc[0, "tb"] = original["tb"][differing]
    found = [compared(frame, syntheses[:1], syntheses[1:]) for frame in (original, other)]
    useful = [[float(c.figures["mean S_pMSE", ""].mean()) for c in opened.comparison().candidates] for opened in found]
    assert all(round(a, 2) != round(b, 2) for a, b in zip(*useful, strict=True))
    head = next(b for b in blocks(assemble(found[0], SHARED)) if b.columns[:1] == ("Set",))
    assert head.columns == ("Set", "repU %", head.columns[2])
    internal = next(b for b in blocks(assemble(found[0], Look())) if b.columns[:1] == ("Set",))
    assert internal.columns[3:] == ("Mean S_pMSE", "Largest S_pMSE", "Mean detail lost %", "Largest detail lost %")


def test_marks_of_a_shareable_figure_stand_at_rounded_records():
    source = Report(start_demonstration(), SHARED)
    plot = redaction.arrows(source, dorig_disco.describe(source.assessment))
    assert plot.n_original % 10 == 0
    for row in plot.rows:
        records = [share_ * plot.n_original / 100 for share_ in (row.original, row.synthetic)]
        assert [row.n_original, row.n_synthetic] == pytest.approx(records)


def test_the_target_that_a_comparison_shows_is_chosen_by_rounded_figures():
    """60 of 100 and 51 of 100 are one range, so that the name says nothing of which is more."""
    head = []
    for more, less in (("ta", "tb"), ("tb", "ta")):
        known = pd.DataFrame({"ka": [f"k{i}" for i in range(100)], "kb": "x", more: "y", less: "y"})
        told = known.copy()
        told.loc[60:, more] = "n"
        told.loc[51:, less] = "n"
        opened = compared(known, [told], [told])
        assert opened.comparison().worst_target == more
        head.append(next(b for b in blocks(assemble(opened, SHARED)) if b.columns[:1] == ("Set",)).columns[2])
    assert head[0] == head[1] == "DiSCO of ta %"


@pytest.mark.slow
def test_that_a_synthesis_repeats_the_original_is_for_the_internal_version():
    """Who has the synthetic file would have the original's column with it, to the last record."""
    original, _ = drawn(6, 60, 60, 1)
    synthetic = original.assign(ta=original["ta"][::-1].to_numpy())
    for frames in ([synthetic, synthetic], [original, original]):
        opened = start_tables(original, frames)
        opened = opened.with_review(opened.review.with_settings(Settings(keys=("ka",))))
        told, hidden = (report(opened, "html", look).decode() for look in (Look(), SHARED))
        assert "record by record" in told
        assert "record by record" not in hidden
        assert "Syntheses 1 and 2 are the same" in told
        assert "Syntheses 1 and 2 are the same" in hidden


def test_a_workbook_tells_no_moment_of_making():
    """Its properties held the second in which it was made; a report holds the date that stands on it."""
    opened = compared(*drawn(7, 60, 60, 1))
    with zipfile.ZipFile(io.BytesIO(to_excel(tables(opened, SHARED)))) as book:
        times = re.findall(rb"W3CDTF\">([^<]*)<", book.read("docProps/core.xml"))
        assert times == [b"1980-01-01T00:00:00Z"] * 2
        assert {part.date_time[0] for part in book.infolist()} == {1980}


def test_names_of_files_sets_and_key_sets_are_words_of_the_officer_too():
    original = pd.DataFrame({"job": ["baker"] * 60 + ["bishop"] * 10, "t": ["x", "y"] * 35})
    opened = start_tables(original, {"plain": [original], "Bishop_left": [original]})
    opened = opened.with_holdout(*read_holdout("bishop.csv", original.to_csv(index=False).encode()))
    review = opened.review.with_settings(Settings(keys=("job",)))
    sets = (
        *review.intruders,
        KeySet("who knows the bishop", ("job",), "BISHOPS"),
        KeySet("all", ("job",), "no bishop"),
    )
    steps = (Chain("without bishop", (RemoveReplicated(),)), Chain("mild", (RemoveReplicated(),)))
    review = replace(
        review, intruders=sets, chains=steps, searched=frozenset({"comparison"}), about={OFFICER: "Bishop, J."},
        threat_model=ThreatModel("all but the bishop", 1_000, "a bishop's register"),
    )  # fmt: skip
    found = texts_naming_few(Report(opened.with_review(review), SHARED))
    assert found == (
        "the officer's name", "the name of the file of Holdout", "the name of key set 2", "the reason for key set 3",
        "the name of set or chain 2", "the name of set or chain 3", "the population",
        "the source of the population's size",
    )  # fmt: skip
    html = report(opened.with_review(review), "html", replace(SHARED, appendix=True)).decode()
    assert "all but the bishop" in html
    assert "a bishop&#39;s register" in html
    assert not texts_naming_few(Report(opened.with_review(review), replace(SHARED, smallest=9)))


@pytest.mark.parametrize(
    ("n", "of", "shown"),
    [
        (0, 200, "≤ 5.00"), (1, 200, "≤ 5.00"), (9, 200, "≤ 5.00"), (10, 200, "≤ 5.00"), (10.2, 200, "10.00"),
        (11, 200, "10.00"), (20, 200, "10.00"), (21, 200, "15.00"), (181, 200, "95.00"), (190, 200, "95.00"),
        (191, 200, "nearly all"), (199, 200, "nearly all"), (200, 200, "nearly all"), (190, 209, "95.00"),
        (191, 209, "nearly all"), (5, 20, "≤ 50.00"), (11, 20, "nearly all"), (5, 19, "withheld"),
    ],
)  # fmt: skip
def test_where_the_ranges_end(n, of, shown):
    original, syntheses = drawn(3, 60, 30, 1)
    report = shared(original, syntheses, Settings(keys=("ka",)), 10)
    assert share(report, 100 * n / of, of) == shown
    assert drawn_share(report, 100 * n / of, of) == pytest.approx(
        float(shown.removeprefix("≤ ")) if shown[-1].isdigit() else 100.0
    )
    records = f"{float(shown.removeprefix('≤ ')) * whole(report, of) / 100:.0f}" if shown[-1].isdigit() else shown
    assert count(report, n, of) == "≤ " * shown.startswith("≤") + records
    internal = Report(report.opened)
    assert share(internal, 100 * n / of, of) == f"{100 * n / of:.2f}"
    assert [write(r, float("nan"), of) for write in (share, count) for r in (report, internal)] == ["–"] * 4


@pytest.mark.parametrize(("n", "flagged", "told"), [(85, True, False), (97, True, True), (80, False, False)])
def test_a_flag_is_told_where_rounded_counts_raise_it(n, flagged, told):
    """85 of 101 are 84 %, but 81 of 110 may be meant, and those are no 80 %."""
    others = [("c", "q", "yz"[i % 2]) for i in range(200)]
    level = [("a", "p", "x")] * n + [("b", "p", "y")] * (101 - n)
    pair = [("a", "p", "x")] * n + [("a", "q", "yz"[i % 2]) for i in range(101 - n)]
    asked = Settings(keys=("k", "l"), thresholds=Thresholds(one_way=(50, 80), two_way=(50, 80)))
    for rows, check in ((level, one_way), (pair, two_way)):
        original = pd.DataFrame([*rows, *others], columns=["k", "l", "t"])
        report = shared(original, [original], asked, 10)
        internal = Report(report.opened)
        raised = [{str(what) for what in check(r, r.assessment.targets["t"])} for r in (internal, report)]
        wanted = "x" if check is one_way else str(Pair("k", "a", "x"))
        assert [wanted in each for each in raised] == [flagged, told]


def test_ten_is_the_smallest_count_unless_another_is_named():
    original, syntheses = drawn(3, 60, 30, 1)
    report = report_of(start_tables(original, syntheses), Settings(keys=("ka",)))
    assert (report.smallest, Look().smallest) == (10, 10)


def test_reports_with_several_limits_give_exact_counts_away():
    """What is warned of: each hides a count among as many as its limit, and together they leave one."""
    given = [assemble(start_demonstration(), Look(shareable=True, smallest=limit)) for limit in (10, 7)]
    pinned = []
    for n in range(11, 200):
        ranges = [set(range(redaction._down(each, n), redaction._up(each, n) + 1)) for each in given]
        assert all(len(values) >= 7 for values in ranges)
        pinned += [n] * (len(ranges[0] & ranges[1]) == 1)
    assert pinned[:2] == [21, 50]
