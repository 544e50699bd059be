"""An attacker reads shareable reports: no count up to the limit, and no level or pair that so few people have."""

# Inside: each rule of redaction, at the numbers where it begins and ends.

import io
import json
import re
import zipfile
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    Breaks,
    Cap,
    Chain,
    Coarsen,
    DisclosureError,
    Exclusions,
    KeySet,
    MergeLevels,
    Pair,
    RemoveReplicated,
    Review,
    Settings,
    ThreatModel,
    Thresholds,
    read_holdout,
    search_subsets,
    start_demonstration,
    start_tables,
)
from disclosure_core.export.tables import to_excel
from disclosure_core.figures import dorig_disco
from disclosure_core.report import redaction, with_subsets
from disclosure_core.report.own_words import texts_naming_few, warning_of_versions
from disclosure_core.report.redaction import count, drawn_share, share, whole
from disclosure_core.review.about import OFFICER
from disclosure_core.review.forms import Version
from tests.reports import Look, Report, assemble, blocks, named, report, report_of, tables, to_html
from tests.saved import from_json, to_json

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
    assert "baker" not in text  # which pair a flag names follows from counts that are not shown
    internal = report_of(start_tables(original, [original]), asked)
    assert "('hiv', 'job bishop', 'pos', '1 of 1', '6', '100.00', '20.63', '4.85')" in said(internal)


def test_no_figure_or_flag_stands_before_an_exclusion_beside_after_it():
    """What lies between is what the exclusion took, and may be one person."""
    original = pd.DataFrame({"k": ["a"] * 100 + ["b"] * 100, "t": ["x"] * 95 + ["y"] * 5 + ["z"] * 100})
    asked = Settings(keys=("k",), exclusions=Exclusions(target_levels={"t": ["z"]}), thresholds=EASY)
    synthetic = original.drop(index=range(95, 100))
    texts = []
    for settings in (asked, replace(asked, exclusions=Exclusions())):
        given = shared(original, [synthetic], settings, 10)
        texts.append(said(given))
        heads = {name for b in blocks(given) for name in b.columns}
        assert not {"DiSCO before"} & heads
    assert "Before exclusions" not in texts[0]
    assert "before exclusions" not in texts[0]
    assert "Alone" not in texts[0]


def test_exclusions_stand_in_the_order_of_what_is_shown():
    """Their true names decided the order: where the few came told whether their name was early in the alphabet."""
    texts = set()
    for rare in ("aaa", "mmm", "zzz"):
        original = pd.DataFrame({"k": ["a", "b"] * 50, "t": ["left"] * 50 + ["right"] * 40 + [rare] * 10})
        out = Exclusions(
            target_levels={"t": [rare, "left", "right"]}, pairs={"t": [Pair("k", "a", rare), Pair("k", "a", "left")]}
        )
        asked = Settings(keys=("k",), exclusions=out)
        texts.add(said(shared(original, [original], asked, 10)))
    assert len(texts) == 1
    assert texts.pop().count("t: a level with few records.") == 1


def test_levels_that_follow_from_the_data_are_refused():
    """A record more moves the ends of groups, and with them 7 others; what is grouped and no key or target does not."""
    original = pd.DataFrame(
        {"k": ["a"] * 50 + ["b"] * 50, "income": [*range(1000, 1198, 2), 98_765], "t": ["x", "y"] * 50}
    )
    asked = Settings(keys=("k",), groups={"income": 2})
    with pytest.raises(
        DisclosureError, match=r"one person can move them: income\. Take groups off, or cut numbers at breaks"
    ):
        blocks(shared(original, [original], asked, 10))
    assert blocks(shared(original, [original], replace(asked, targets=("t",)), 10))
    own = replace(asked, groups={"income": (0, 1100, 500_000)})  # two of four are empty, which is not said
    assert "cut at 0, 1100, 500000" in (text := said(shared(original, [original], own, 10)))
    assert "no record is in" not in text
    assert blocks(report_of(start_tables(original, [original]), asked))


def test_breaks_that_one_text_undoes_are_refused():
    """With it every value is a level: one person moved CAPd by many, and the report said that it was cut."""
    original = pd.DataFrame({"k": ["a"] * 50 + ["b"] * 50, "income": range(1000, 1200, 2), "t": ["x", "y"] * 50})
    with_text = original.astype({"income": object})
    with_text.loc[0, "income"] = "unknown"
    asked = Settings(keys=("k",), groups={"income": (0, 1100, 5000)})
    assert blocks(shared(original, [original], asked, 10))
    with pytest.raises(DisclosureError, match=r"one person's text can keep a column from being numeric: income\."):
        blocks(shared(with_text, [original], asked, 10))
    assert blocks(shared(with_text, [original], replace(asked, targets=("t",)), 10))
    assert blocks(report_of(start_tables(with_text, [original]), asked))


def test_breaks_of_a_column_that_an_adopted_safeguard_cut_are_none_of_them():
    original = pd.DataFrame({"k": ["a"] * 50 + ["b"] * 50, "income": range(1000, 1200, 2), "t": ["x", "y"] * 50})
    opened = start_tables(original, [original])
    review = opened.review.with_settings(Settings(keys=("k",), groups={"income": (0, 1100, 5000)}))
    step = Breaks("income", (1050, 1100))
    opened = opened.with_review(replace(review, chains=(Chain("tried", (step,)),), chain="tried")).adopt()
    assert report(opened, "html", SHARED)


@pytest.mark.parametrize(
    ("step", "refused"),
    [
        (Coarsen("income", 5), True),
        (MergeLevels("t", 5), True),
        (Breaks("income", (1050, 1100)), False),
        (Cap("income", None, 1100), False),
    ],
)
def test_so_are_safeguards_adopted_that_take_levels_from_the_data(step, refused):
    original = pd.DataFrame(
        {"k": ["a"] * 50 + ["b"] * 50, "income": range(1000, 1200, 2), "t": ["x", "y"] * 48 + ["z"] * 4}
    )
    opened = start_tables(original, [original])
    review = opened.review.with_settings(Settings(keys=("k",)))
    opened = opened.with_review(replace(review, chains=(Chain("tried", (step,)),), chain="tried"))
    opened = opened.adopt()
    if refused:
        with pytest.raises(DisclosureError, match="no levels may follow from the data"):
            report(opened, "html", SHARED)
    else:
        assert report(opened, "html", SHARED)


def test_a_denominator_limit_is_refused_where_it_acts():
    original, syntheses = drawn(3, 60, 30, 1)
    asked = Settings(keys=("ka",), exclusions=Exclusions(denominator_limit=8))
    with pytest.raises(DisclosureError, match="no denominator limit may be set, for one person can move a whole cell"):
        blocks(shared(original, syntheses, asked, 10))
    assert blocks(shared(original, syntheses, asked, 10, reasons={}))  # without a reason it moves no judged figure


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


def test_no_set_stands_beside_its_safer_form():
    original, syntheses = drawn(4, 230, 200, 2)
    opened = compared(original, syntheses[:1], syntheses[1:], chain="tried")
    names = [row[0] for b in blocks(assemble(opened, SHARED)) if b.columns[:1] == ("Set",) for row in b.rows]
    assert names == ["A", "B"]
    every = [row[0] for b in blocks(assemble(opened, Look())) if b.columns[:1] == ("Set",) for row in b.rows]
    assert len(every) > 2
    adopted = opened.adopt("safe")
    names = [row[0] for b in blocks(assemble(adopted, SHARED)) if b.columns[:1] == ("Set",) for row in b.rows]
    assert names == ["B", "safe"]


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


def test_ten_is_the_smallest_count_unless_another_is_named():
    original, syntheses = drawn(3, 60, 30, 1)
    report = report_of(start_tables(original, syntheses), Settings(keys=("ka",)))
    assert (report.smallest, Look().smallest) == (10, 10)


def test_reports_with_several_limits_give_exact_counts_away():
    """What is warned of: each hides a count among as many as its limit, and together they leave one."""
    given = [assemble(start_demonstration(), Look(shareable=True, smallest=limit)) for limit in (10, 7)]
    printed = {n: tuple(count(each, n, 1000) for each in given) for n in range(841)}  # 12 * 70: whole ranges of both
    assert all(min(Counter(texts[i] for texts in printed.values()).values()) >= 7 for i in range(2))
    alone = Counter(printed.values())
    assert [n for n, texts in printed.items() if n > 10 and alone[texts] == 1][:2] == [21, 50]


def test_dorig_and_disdio_are_shown_only_where_they_are_asked_for():
    """One of 14 who share keys and answer gives another: Dorig falls by 14, CAPd by less than 2, and no byte may tell."""
    people = pd.DataFrame({"k": ["a"] * 14 + ["b"] * 46, "t": ["x"] * 14 + ["x", "y"] * 23})
    other = people.copy()
    other.loc[0, "t"] = "y"
    asked = Settings(keys=("k",), thresholds=NEVER)
    texts = [said(shared(frame, [people], asked, 10)) for frame in (people, other)]
    assert texts[0] == texts[1]
    assert "CAPd" in texts[0]
    tables_of_it = [b.columns for b in blocks(shared(people, [people], asked, 10)) if b.kind == "table"]
    assert not any({"Dorig", "DiSDiO"} & {*columns} for columns in tables_of_it)
    asked_for = [shared(frame, [people], asked, 10, dorig=True) for frame in (people, other)]
    assert said(asked_for[0]) != said(asked_for[1])
    assert all("can tell nobody from one person" in said(each) for each in asked_for)
    heads = {name for b in blocks(asked_for[0]) if b.kind == "table" for name in b.columns}
    assert {"Dorig", "DiSDiO"} <= heads


def test_a_number_in_a_reason_is_a_level_of_its_key_also_with_separators():
    original = pd.DataFrame({"post": [91_051] * 60 + [98_765] * 6, "age": [30] * 60 + [96] * 6, "t": ["x", "y"] * 33})
    reasons = {"post": "all know 98,765", "age": "the one of 96 is known", "t": "chapter 96"}
    given = shared(
        original, [original], Settings(keys=("post", "age")), 10, reasons=reasons, title="98 765 is left out"
    )
    assert texts_naming_few(given) == ("the title", "the reason for post", "the reason for age")
    others = {"post": "98,765,432 people", "age": "it is known to 960 people"}
    given = shared(original, [original], Settings(keys=("post", "age")), 10, reasons=others)
    assert texts_naming_few(given) == ()


@pytest.mark.parametrize(
    "said",
    ["98,765", "98 765", "98.765", "98’765", "98'765", "98\u00a0765", "98\u202f765", "98_765", "98·765", "circa 98,765", "98765.0",
     "98.765,00", "９８７６５", "٩٨٧٦٥", "98\u200b765", "98\u00ad765", "of 98 765 €", "the bishop", "BISHOP", "bi\u200bshop", "ｂｉｓｈｏｐ",
     "\u202ebishop", "Bishop  of\nBath", "bishop of bath", "Caf\u00e9 owner", "Cafe\u0301 owner", "CAFÉ OWNER", "STRASSE", "Straße",
     "O’Hara", "O'Hara", "well‑known", "well–known", "ﬁsher"],
)  # fmt: skip
def test_a_level_of_few_is_found_in_any_spelling_of_its_letters(said):
    few = ["bishop", "Bishop of Bath", "Caf\u00e9 owner", "Straße", "O'Hara", "well-known", "fisher"]
    original = pd.DataFrame(
        {"post": [91_051] * 60 + [98_765] * 7, "job": ["baker"] * 60 + few, "t": ["x", "y"] * 33 + ["x"]}
    )
    asked = Settings(keys=("post", "job"))
    assert texts_naming_few(shared(original, [original], asked, 10, title=f"Without {said}.")) == ("the title",)
    assert (
        texts_naming_few(shared(original, [original], asked, 10, title="Without bakers, of 98,766 and 1,987,650")) == ()
    )


def test_a_review_that_remembers_limits_alone_is_read_and_tells_nothing_more():
    """As they were saved before versions had exclusions and syntheses."""
    plain = json.loads(to_json(Review())) | {"shared": [5, 20]}
    kept = from_json(json.dumps(plain)).shared
    assert kept == (Version(5), Version(20))
    assert warning_of_versions(Version(20, "", "e", ("A",)), kept) == ""
    whole = (Version(20, "ab", "cd", ("A", "ef")),)
    assert from_json(to_json(Review(shared=whole))).shared == whole
    with pytest.raises(DisclosureError, match="damaged at"):
        from_json(json.dumps(plain | {"shared": [{"smallest": "20"}]}))


def test_other_exclusions_or_syntheses_of_the_same_original_are_warned_of():
    first = Version(10, "ab", "e", ("A", "cd"))
    assert (
        warning_of_versions(first, [first, replace(first, smallest=20), replace(first, original="ff", exclusions="g")])
        == ""
    )
    assert "with other exclusions." in warning_of_versions(first, [replace(first, exclusions="g")])
    assert "with other syntheses." in warning_of_versions(first, [replace(first, syntheses=("B", "cd"))])
    both = warning_of_versions(first, [replace(first, exclusions="g", syntheses=())])
    assert "with other exclusions and other syntheses." in both
