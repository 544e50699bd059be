"""The queue of targets: figures before and now, flags in words, order and axis that no exclusion moves, what is next."""

# Inside: the order of the queue, for figures that no data have.

from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import (
    Exclusions,
    KeySet,
    Limit,
    Limits,
    Pair,
    Settings,
    Study,
    Verdict,
    assess,
    demo,
    start_demonstration,
)
from disclosure_core.counting.registry import IDENTITY, OF_TARGET
from disclosure_core.holdout.decision import BOTH
from disclosure_core.review import effect
from disclosure_core.review.queue import queue
from disclosure_core.review.scenarios import all_flagged
from disclosure_core.review.verdicts import judged
from pages.review import bench
from tests import saved
from tests.written import rounded

NO = Exclusions(target_levels={"abroad": ("No",)})


@pytest.fixture(scope="module")
def demonstration():
    return start_demonstration()


@pytest.fixture(scope="module")
def base():
    return assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))


def drawn(shown):
    """Return what the table of all targets on Review shows of a queue: as a whole, and its rows by target."""
    found = bench.shows(shown, shown.rows[0].target, None, Exclusions(), {}, (), "DiSCO", {}, "gain")
    return found, {row["target"]: row for row in found["rows"]}


def asking(opened, exclusions=None, **parts):
    reasons = {} if exclusions is None else dict.fromkeys(exclusions.names(), "known")
    more = {} if exclusions is None else {"exclusions": exclusions, "reasons": reasons}  # without one nothing is judged
    return opened.with_review(replace(opened.review, **more, **parts))


@pytest.mark.parametrize(("measure", "names"), [("DiSCO", ("Dorig", "DiSCO")), ("DCAP", ("CAPd", "DCAPd"))])
def test_figures_before_and_now_are_those_of_the_assessments(demonstration, base, measure, names):
    shown = asking(demonstration, NO).queue(measure)
    now = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=NO))
    assert (shown.original, shown.synthetic) == names
    gains = {name: risk.beyond_guess.gain for name, risk in base.targets.items()}
    assert [row.target for row in shown.rows] == sorted(gains, key=lambda name: -gains[name])
    for row in shown.rows:
        was, after = base.targets[row.target], now.targets[row.target]
        assert row.original_before == pytest.approx(was.figures(names[0]).mean())
        assert row.synthetic_before == pytest.approx(was.figures(names[1]).mean())
        assert row.original == pytest.approx(after.figures(names[0]).mean())
        assert row.each == tuple(after.figures(names[1]))
        assert row.moved == (row.target == "abroad")


def test_what_has_no_reason_is_a_preview_beside_the_judged_figure(demonstration, base):
    review = replace(demonstration.review, exclusions=NO)
    shown = demonstration.with_review(review).queue()
    row, without = shown.row("abroad"), base.targets["abroad"].figures("DiSCO")
    now = assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS, exclusions=NO))
    assert (row.each, row.moved) == (tuple(without), False)
    assert row.preview == pytest.approx(now.targets["abroad"].figures("DiSCO").mean())
    table, rows = drawn(shown)
    assert [name for name, each in rows.items() if each["preview"]] == ["abroad"]
    assert any("preview" in line for line in table["under"])
    given = demonstration.with_review(replace(review, reasons={"abroad = No": "known"})).queue().row("abroad")
    assert (given.preview, given.synthetic) == (None, pytest.approx(row.preview))


@pytest.mark.parametrize("measure", ["DiSCO", "DiSDiO", "DCAP"])
@pytest.mark.parametrize(
    "out",
    [
        NO,
        Exclusions(missing_targets=frozenset({"income"})),
        Exclusions(missing_keys=frozenset({"employment"})),
        Exclusions(pairs={"marital": (Pair("sex", "Female", "Married"),)}),
        Exclusions(denominator_limit=1),
        "everything flagged",
    ],
    ids=["level", "missing", "missing key", "pair", "limit", "everything"],
)
def test_no_exclusion_moves_order_or_axis_and_no_mark_leaves_it(demonstration, base, out, measure):
    out = all_flagged(base) if out == "everything flagged" else out
    before, now = demonstration.queue(measure), asking(demonstration, out).queue(measure)
    assert [row.target for row in now.rows] == [row.target for row in before.rows]
    assert now.end == before.end
    assert max(max(row.original, *row.each) for row in now.rows) <= now.end


def test_the_order_is_a_choice_and_that_of_before_anything_was_left_out(demonstration, base):
    single = Exclusions(target_levels={"marital": ("Married", "Single")})
    by_gain = [row.target for row in asking(demonstration, single).queue().rows]
    assert by_gain[:4] == ["marital", "education", "settlement", "household"]
    assert asking(demonstration, single).queue().row("marital").beyond.gain < 5  # it would stand third
    largest = base.summary()["target"].tolist()[::-1]
    assert [row.target for row in demonstration.queue(order="figure").rows] == largest
    assert largest[:2] == ["abroad", "marital"]
    beyond = [row.target for row in asking(demonstration, single).queue(order="beyond").rows]
    assert beyond[:4] == ["education", "settlement", "marital", "household"]
    assert [row.target for row in demonstration.queue(order="data").rows] == list(base.targets)


def test_no_claim_is_no_gain_and_below_chance_stands_last():
    """a: right less often than by chance; none: no claim; tied: two commonest levels."""
    original = pd.DataFrame({"k": list("123456"), "a": list("xxyyzz"), "tied": list("pppqqq"), "none": list("uuuuuv")})
    synthetic = pd.DataFrame({"k": list("123456") * 2, "a": list("yyzzxx") * 2, "tied": list("pppqqq") * 2,
                              "none": [*"uuuuuu", *"vvvvvv"]})  # fmt: skip
    found = assess(Study(original, [synthetic]), Settings(keys=("k",)))
    shown = queue(found, found)
    assert [row.target for row in shown.rows] == ["tied", "none", "a"]
    assert shown.row("a").beyond.gain == pytest.approx(-100 / 3)
    assert queue(found, found, order="beyond").rows[0].target == "none"  # the others have ties
    table, rows = drawn(shown)
    assert [row["gain"] for row in table["rows"]] == ["50.0", "0.0", "−33.3"]
    assert rows["none"]["words"] == "DiSCO 0.0 %, Dorig 100.0 %"
    # Two claims about 300 people, both wrong: a third of a point below chance is said, too.
    many = pd.DataFrame({"k": [str(i) for i in range(300)], "a": list("xy") * 150})
    found = assess(Study(many, [many[:2].assign(a=["y", "x"])]), Settings(keys=("k",)))
    shown = queue(found, found)
    table, rows = drawn(shown)
    assert shown.row("a").beyond.gain == pytest.approx(-100 / 300)
    assert rows["a"]["gain"] == "−0.3"


def test_an_axis_has_room_for_shares_of_what_is_left(demonstration):
    """DCAPd may rise when records are left out: shares are then of fewer."""
    column = demo.study().column("abroad", "Target")
    rows = [asking(demonstration, Exclusions(target_levels={"marital": (level,)})).queue("DCAP").row("marital")
            for level in demo.study().column("marital", "Target").levels]  # fmt: skip
    assert column.levels
    assert all(row.original <= demonstration.queue("DCAP").end for row in rows)


def test_flags_say_which_level_and_how_many_pairs(demonstration, base):
    row = demonstration.queue().row("abroad")
    pairs = {tuple(p) for f in base.targets["abroad"].two_way for p in f[["key", "key_level", "target_level"]].values}
    assert row.flags_before.one_way == "“No”"
    assert row.flags_before.two_way == f"{len(pairs)} pairs"
    for target, risk in base.targets.items():
        one, two = risk.flags
        flags = demonstration.queue().row(target).flags_before
        assert bool(flags) == bool(one or two)
        if 0 < two < 5:
            assert flags.two_way.endswith(f"({two} of 5)")
        assert all(n == 5 for _, n in flags.levels) or f"of {5}" in flags.one_way
    left = asking(demonstration, NO).queue().row("abroad")
    assert not left.flags.levels
    assert left.flags_before == row.flags_before


def verdicts(*targets, intruder="an intruder", verdict="common knowledge"):
    return tuple(Verdict("synthetic data", intruder, target, verdict) for target in targets)


def test_every_target_asks_for_a_verdict_and_next_leads_to_the_one_without(demonstration):
    shown = demonstration.queue()
    names = [row.target for row in shown.rows]
    first, second, *_, last = names
    assert shown.to_review == tuple(names)
    assert shown.progress == "0 of 10 judged"
    assert [shown.next_open(t) for t in (None, first, last)] == [first, second, first]
    done = demonstration.with_review(judged(demonstration, [first], "leak")).queue()
    assert done.progress == "1 of 10 judged"
    assert done.next_open(last) == second
    every = demonstration.with_review(judged(demonstration, names, "acceptable")).queue()
    assert (every.progress, every.to_review, every.next_open(first)) == ("10 of 10 judged", (), None)
    # A verdict that nobody knows what it judged counts as open.
    loose = asking(demonstration, verdicts=verdicts(first)).queue()
    assert loose.progress == "0 of 10 judged, 1 to confirm"
    assert loose.row(first).given.sentence == f"given without a figure, now {loose.row(first).given.now.shown}: confirm"


def test_no_flag_is_no_pass(demonstration):
    quiet = replace(demonstration.review.thresholds, one_way=(10**6, 90), two_way=(10**6, 80))
    shown = asking(demonstration, thresholds=quiet).queue()
    assert not any(row.flagged for row in shown.rows)
    assert shown.progress == "0 of 10 judged"
    assert shown.next_open("abroad") in shown.to_review


def test_the_limit_of_the_office_marks_what_is_above_it(demonstration):
    figures = {row.target: row.synthetic for row in demonstration.queue().rows}
    limits = Limits(disco=Limit(absolute=rounded(figures["marital"], 4)))
    shown = asking(demonstration, limits=limits).queue()
    assert [row.target for row in shown.rows if row.above] == [t for t, v in figures.items() if v > figures["marital"]]
    table, rows = drawn(shown)
    assert f"▲ Exceeds the office's first limit; {BOTH}." in table["under"]
    assert (table["limit"]["at"], table["limit"]["words"]) == (27.568, "limit 27.568\xa0%")
    assert rows["abroad"]["words"] == "DiSCO 43.3 %, Dorig 66.4 %, exceeds the office's first limit"
    assert {name for name, row in rows.items() if row["above"]} == {row.target for row in shown.rows if row.above}
    assert not any(row.above for row in asking(demonstration, limits=limits).queue("DCAP").rows)
    assert not any(row.above for row in demonstration.queue().rows)


def test_the_worst_intruder_and_the_gravest_verdict_are_shown(demonstration):
    neighbour = KeySet("a neighbour", ("sex", "age"), "lives next door")
    both = (*demonstration.review.intruders, neighbour)
    shown = asking(
        demonstration, NO, intruders=both, intruder="a neighbour",
        verdicts=verdicts("abroad") + verdicts("abroad", intruder="a neighbour", verdict="leak"),
    ).queue()  # fmt: skip
    alone = asking(demonstration, NO).queue()
    row = shown.row("marital")
    assert row.worst.intruder == "an intruder"
    assert row.worst.synthetic == pytest.approx(alone.row("marital").synthetic)
    assert row.synthetic < row.worst.synthetic
    assert shown.row("abroad").verdict.verdict == "leak"
    assert shown.row("abroad").gravest.verdict.verdict == "leak"
    assert shown.row("abroad").words.endswith("leak, to confirm")
    back = asking(demonstration, NO, intruders=both, verdicts=shown.row("abroad") and verdicts("abroad", intruder="a neighbour", verdict="leak")).queue()  # fmt: skip
    assert back.row("abroad").verdict is None
    assert back.row("abroad").gravest.verdict.verdict == "leak"
    assert "leak, to confirm (a neighbour)" in drawn(back)[1]["abroad"]["elsewhere"]
    # The queue of one who knows more has nobody worse, nor has that of one who knows as much.
    assert back.row("marital").worst is None
    twin = (*demonstration.review.intruders, replace(demonstration.review.intruders[0], name="a twin"))
    assert {row.worst for row in asking(demonstration, intruders=twin).queue().rows} == {None}


def test_another_intruders_figure_is_never_cut_and_a_flag_that_is_gone_is_not_said_to_stand(demonstration):
    neighbour = KeySet("a neighbour with a very long name indeed", ("sex", "age"), "lives next door")
    both = (*demonstration.review.intruders, neighbour)
    now = asking(demonstration, NO, intruders=both, intruder=neighbour.name).queue()
    rows = [row for row in now.rows if row.worst]
    assert len({bool(row.flags.words) for row in rows}) == 2
    for row in rows:
        said = f"{row.worst.intruder}: {bench.short(row.worst.synthetic)} %"
        assert drawn(now)[1][row.target]["elsewhere"] == said
        assert len(row.words) < 60
    gone = now.row("abroad")
    assert gone.flagged
    assert not gone.flags.words
    table = drawn(now)[1]
    assert table["abroad"]["flag"].startswith("⚑ no flag now, ")
    assert {"no flag now" in table[row.target]["flag"] for row in now.rows if row.flags} == {False}
    assert {row.target for row in now.rows if "⚑" in table[row.target]["flag"]} == {
        row.target for row in now.rows if row.flags_before
    }
    assert gone.words.endswith(" · no verdict")


def test_what_another_intruder_knows_waits_for_that_intruder(demonstration):
    pair, other = Pair("region", "Aldermoor", "No"), KeySet("a colleague", ("sex", "age"))
    review = replace(
        demonstration.review,
        intruders=(*demonstration.review.intruders, other),
        exclusions=Exclusions(pairs={"abroad": (pair,)}, missing_keys=frozenset({"employment"})),
    )
    switched = replace(review, intruder="a colleague")
    assert switched.settings.exclusions == Exclusions()
    assert demonstration.with_review(switched).assessment().targets["region"].target == "region"
    # Asked for something else meanwhile, it is still there when the first comes back.
    moved = switched.with_settings(replace(switched.settings, exclusions=NO))
    assert moved.exclusions.pairs_of("abroad") == (pair,)
    assert replace(moved, intruder="an intruder").settings.exclusions.pairs_of("abroad") == (pair,)
    assert replace(moved, intruder="an intruder").settings.exclusions.levels_of("abroad") == ("No",)
    assert saved.from_json(saved.to_json(moved)) == moved


def test_a_verdict_is_given_changed_and_taken_back(demonstration):
    review = demonstration.review.with_verdict("abroad", "synthetic data", "leak", "too few stay")
    assert review.verdict_on("abroad", "synthetic data").reason == "too few stay"
    review = review.with_verdict("abroad", "synthetic data", "acceptable")
    assert [(v.verdict, v.reason) for v in review.verdicts] == [("acceptable", "too few stay")]
    assert review.with_verdict("abroad", "synthetic data", None).verdicts == ()


def test_the_effect_is_in_both_denominators(demonstration, base):
    after = asking(demonstration, NO).assessment().targets["abroad"]
    frame = effect.before_and_after(base.targets["abroad"], after).set_index("measure")
    records = sum(t.loc["DiSCO", "remaining"] for t in after.exclusions) / 5
    left = sum(t.loc["original", "remaining"] for t in after.exclusions) / 5
    assert frame.loc["DiSCO", "after"] == pytest.approx(100 * records / 5000)
    assert frame.loc["DiSCO", "counted"] == pytest.approx(100 * records / left)
    each_now = after.figures("DiSCO")
    assert (frame.loc["DiSCO", "min"], frame.loc["DiSCO", "max"]) == (each_now.min(), each_now.max())
    each = effect.by_synthesis(base.targets["abroad"], after)
    assert each["DiSCO"].tolist() == after.figures("DiSCO").tolist()
    assert each["DiSCO before"].tolist() == base.targets["abroad"].figures("DiSCO").tolist()
    taken = effect.excluded_records(after)
    assert taken.loc["DiSCO", "target level"] + taken.loc["DiSCO", "remaining"] == pytest.approx(
        frame.loc["DiSCO", "before"] * 50
    )
    assert effect.excluded_records(base.targets["abroad"]) is None
    for name, kind, out in (
        ("income", "missing target", Exclusions(missing_targets=frozenset({"income"}))),
        ("marital", "pair", Exclusions(pairs={"marital": (Pair("sex", "Female", "Married"),)})),
        ("marital", "denominator", Exclusions(denominator_limit=1)),
    ):
        taken = effect.excluded_records(asking(demonstration, out).assessment().targets[name])
        assert taken.columns[taken.any()].tolist() == [kind, "remaining"]
    every = effect.every_measure(base.targets["abroad"], after)
    assert sorted(every["measure"]) == sorted((*IDENTITY, *OF_TARGET))


def test_everything_left_out_has_no_share_of_what_is_counted(demonstration, base):
    every = Exclusions(target_levels={"abroad": demo.study().column("abroad", "Target").levels},
                       missing_targets=frozenset({"abroad"}))  # fmt: skip
    after = asking(demonstration, every).assessment().targets["abroad"]
    frame = effect.before_and_after(base.targets["abroad"], after)
    assert frame["after"].iloc[3] == 0
    assert frame["counted"].isna().all()
    assert asking(demonstration, every).queue().row("abroad").synthetic == 0


def test_the_table_has_marks_of_before_only_where_something_moved(demonstration):
    (still, rows), (moved, later) = (drawn(o.queue()) for o in (demonstration, asking(demonstration, NO)))
    assert not any(row["before"] for row in rows.values())
    assert [name for name, row in later.items() if row["before"]] == ["abroad"]
    assert "before exclusions 43.3 %" in later["abroad"]["words"]
    row = asking(demonstration, NO).queue().row("abroad")
    assert later["abroad"]["before"] == [rounded(row.synthetic_before, 3), rounded(row.original_before, 3)]
    assert still["axis"] == moved["axis"]
    assert [name for name in rows if rows[name]["synthetic"] != later[name]["synthetic"]] == ["abroad"]


def test_pairs_are_listed_as_the_tables_of_all_syntheses_have_them(base):
    for risk in base.targets.values():
        every = pd.concat(risk.two_way)
        flagging = every.groupby(["key", "key_level", "target_level"]).agg(
            n=("pct", "size"), pct=("pct", "first"), of=("n_key_level", "first"), npairs=("npairs", "mean")
        )
        assert {(p.key, p.key_level, p.target_level) for p in risk.pairs_listed} == set(flagging.index)
        for p, found in risk.pairs_listed.items():
            row = flagging.loc[(p.key, p.key_level, p.target_level)]
            assert (found.syntheses, found.pct, found.n_key_level) == (row["n"], row["pct"], row["of"])
            assert found.records * 5 >= row["npairs"]
        records = [found.records for found in risk.pairs_listed.values()]
        assert records == sorted(records, reverse=True)
    assert sum(len(risk.pairs_listed) for risk in base.targets.values()) == sum(
        r.n_pairs for r in base.targets.values()
    )
    assert base.targets["abroad"].n_pairs == 55


def test_a_pair_promises_what_excluding_it_takes_then_and_after_other_exclusions(demonstration, base):
    """2,498 stood beside Female, and 3,302 went: npairs counts the cells over the check's threshold alone."""
    out, promised, taken = Exclusions(), 0.0, 0.0
    full, n = base.targets["abroad"], base.n_original
    for pair, alone in list(full.pairs_listed.items())[:4]:
        before = asking(demonstration, out).assessment().targets["abroad"]
        more = out.with_pairs("abroad", {*out.pairs_of("abroad"), pair})
        after = asking(demonstration, more).assessment().targets["abroad"]
        fell = (before.figures("DiSCO").mean() - after.figures("DiSCO").mean()) * n / 100
        assert full.pairs_listed_beside(before)[pair].records == pytest.approx(fell, abs=1e-9)
        promised, taken, out = promised + alone.records, taken + fell, more
    assert promised > taken > 0  # pairs of several keys share records: what is left is counted, not added up
    assert list(full.pairs_listed_beside(before)) == list(full.pairs_listed)
    assert set(full.pairs_listed_beside(after)) == set(full.pairs_listed)
