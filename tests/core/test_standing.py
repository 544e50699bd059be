"""A verdict belongs to what it judged: it is open where the content of its stamp differs, whatever the history."""

# Inside: reasons are confirmed, and changes named, as pages do.

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    Exclusions,
    KeySet,
    Verdict,
    open_review,
    start,
    start_demonstration,
    start_tables,
)
from disclosure_core.conclusions.standing import Stamp, Standing, asks, changed, fits, sentence, standing
from disclosure_core.review import intruders, reasons
from disclosure_core.review.about import OFFICER
from disclosure_core.review.changes import name_of
from disclosure_core.review.verdicts import confirmable, confirmed, judged, table
from tests import saved
from tests.reports import Look, answer, assemble, blocks, still_open, ungrouped
from tests.written import fixed


def with_(opened, **parts):
    return opened.with_review(replace(opened.review, **parts))


def standings(opened):
    return {g.verdict.target: str(g.standing) for g in opened.verdicts()}


def words(opened, **look):
    found, opened = [], ungrouped(opened) if look.get("shareable") else opened
    for block in blocks(assemble(opened, Look(**look))):
        found += [block.text, *block.items, *(" | ".join(row) for row in block.rows)]
    return "\n".join(found).replace("\xa0", " ")


# ---- the rule ---------------------------------------------------------------------------------------------------------

STAMPS = st.builds(
    Stamp,
    keys=st.lists(st.sampled_from("abcd"), unique=True).map(tuple),
    groups=st.dictionaries(st.sampled_from("ab"), st.integers(2, 4)),
    excluded=st.lists(st.sampled_from(["t = x", "t missing", "denominators above 3"]), unique=True).map(tuple),
    data=st.sampled_from([(), ("1", "2"), ("1", "3")]),
    measure=st.sampled_from(["DiSCO", "DCAPd"]),
    figure=st.sampled_from([0.0, 0.1, 1.87, 1.8700000001, 3.96]),
    tau=st.none() | st.sampled_from([0.5, 1.0]),
    when=st.sampled_from(["", "2026-11-23"]),
    who=st.sampled_from(["", "B. Officer"]),
)


@given(STAMPS, STAMPS)
def test_a_verdict_is_open_if_and_only_if_the_content_of_its_stamp_differs(one, other):
    def content_of(s):
        return (
            sorted(s.keys), sorted(s.groups.items()), sorted(s.excluded), s.data, s.measure, s.tau, f"{s.figure:.12g}"
        )  # fmt: skip

    alike = content_of(one) == content_of(other)
    assert (standing(one, other) is Standing.STANDS) == alike
    assert bool(changed(one, other)) == (not alike)
    assert sentence(one, other).endswith(": confirm") == (not alike)
    again = replace(one, keys=one.keys[::-1], excluded=one.excluded[::-1], figure=one.figure + 0.0, who="C", when="")
    assert standing(one, again) is Standing.STANDS
    assert standing(one, None) is Standing.NOT_APPLYING
    assert standing(None, other) is Standing.CONFIRM


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"figure": 3.96}, "given at 1.87 %, now 3.96 %: confirm"),
        ({"figure": 3.96, "keys": ("a", "b")}, "given at 1.87 %, now 3.96 %: confirm"),
        ({"keys": ("a", "b"), "groups": {"b": 3}}, "given at 1.87 % for other keys and groups: confirm"),
        ({"data": ("2",)}, "given at 1.87 % for other data: confirm"),
        ({"figure": 1.8701}, "given at 1.87 %, the figure moved by less than it shows: confirm"),
        ({"measure": "DCAPd", "figure": 9.0}, "given at 1.87 % (DiSCO), now 9.00 % (DCAPd): confirm"),
        ({"measure": "τ", "tau": 0.8}, "given at 1.87 % (DiSCO), now 1.87 % (ps ≥ 0.8): confirm"),
    ],
)
def test_what_is_said_of_a_verdict_to_confirm(change, said):
    was = Stamp(("a",), data=("1",), figure=1.87)
    assert sentence(was, replace(was, **change)).replace("\xa0", " ") == said


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (120, 253, "given when it excluded 120 records, now 253: confirm"),
        (1, 2, "given when it excluded 1 record, now 2: confirm"),
        (120.2, 120.4, "given when it excluded 120.2 records, now 120.4: confirm"),
    ],
)
def test_what_is_said_of_a_reason_to_confirm(was, now, said):
    assert asks(was, now) == said
    assert not fits(was, now)
    assert fits(was, was + 1e-13)


# ---- of a review ------------------------------------------------------------------------------------------------------

PEOPLE = [(("f", "m")[i % 2], "abc"[i % 3], 20 + i * i % 7, "xyz"[(i * i + i // 5) % 3]) for i in range(40)]
COPIES = [(s, r, a, "xyz"[("xyz".index(t) + (i % 9 == 0)) % 3]) for i, (s, r, a, t) in enumerate(PEOPLE)]
COLUMNS = ["sex", "region", "age", "t"]


def frame(rows):
    import pandas as pd

    return pd.DataFrame(rows, columns=COLUMNS)


def disco(keys, levels, limit):
    """Count DiSCO of t in dictionaries: records whose keys have one answer in the copies, and it is theirs, %."""
    at = [COLUMNS.index(k) for k in keys]
    said, cells = {}, {}
    for row in COPIES:
        said.setdefault(tuple(row[i] for i in at), set()).add(row[3])
    for row in PEOPLE:
        q = tuple(row[i] for i in at)
        cells[q, row[3]] = cells.get((q, row[3]), 0) + 1
    n = sum(
        d for (q, t), d in cells.items() if said.get(q) == {t} and t not in levels and (limit is None or d <= limit)
    )
    return 100 * n / len(PEOPLE)


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "keys": st.sampled_from([("sex",), ("sex", "region"), ("region", "sex"), ("sex", "region", "age")]),
        "levels": st.sampled_from([(), ("x",), ("z",)]),
        "others": st.sampled_from([(), ("20",)]),
        "limit": st.sampled_from([None, 2, 50]),
        "tau": st.sampled_from([None, 0.5]),
        "note": st.sampled_from(["", "why"]),
    },
)


@pytest.mark.slow
@settings(max_examples=40)
@given(CHANGES, st.lists(CHANGES, min_size=1, max_size=4))
def test_any_way_of_changing_a_review_ends_where_its_content_does(first, steps):
    begun = start_tables(frame(PEOPLE), [frame(COPIES)])
    state = {"keys": ("sex", "region"), "levels": (), "others": (), "limit": None, "tau": None, "note": ""} | first

    def asked(opened, state):
        out = Exclusions(target_levels={"t": state["levels"], "age": state["others"]}, denominator_limit=state["limit"])
        if "age" in state["keys"]:
            out = out.with_levels("age", ())
        return with_(
            opened, intruders=(KeySet("an intruder", state["keys"]),), exclusions=out, tau=state["tau"],
            reasons={"t": state["note"], "denominators": state["note"]},
        )  # fmt: skip

    opened = asked(begun, state)
    opened = opened.with_review(judged(opened, ["t"], "acceptable"))
    was = state
    for step in steps:
        state = state | step
        opened = asked(opened, state)
    # A verdict judges the judged figure: what is left out without a reason takes nothing from it.
    acts = [(s["levels"], s["limit"]) if s["note"] else ((), None) for s in (was, state)]
    same = set(state["keys"]) == set(was["keys"]) and acts[0] == acts[1]
    found = opened.verdicts()[0]
    assert found.stands == same, (was, state)
    assert found.now.figure == pytest.approx(disco(state["keys"], *acts[1]), abs=1e-9)
    assert opened.queue().row("t").judged == same


@pytest.fixture(scope="module")
def ten():
    """Ten verdicts on the survey, given by somebody on a day."""
    begun = start_demonstration()
    begun = with_(begun, about={OFFICER: "B. Officer"})
    names = [row.target for row in begun.queue().rows]
    return begun.with_review(judged(begun, names, "acceptable", "because", "2026-11-23"))


@pytest.mark.slow
def test_ten_verdicts_then_a_key_and_none_is_printed_as_if_it_still_held(ten):
    assert ten.queue().progress == "10 of 10 judged"
    said = words(ten)
    was = {row.target: fixed(row.synthetic) for row in ten.queue().rows}
    assert f"marital | acceptable | {was['marital']} % (DiSCO) | B. Officer, 2026-11-23 | because" in said
    assert "confirm" not in said
    assert answer(ten).judging == {"an intruder": ("10 of 10 judged", ())}
    later = ten.with_review(intruders.with_keys(ten.review, (*ten.review.keys, "abroad")))
    assert later.queue().progress == "0 of 9 judged, 9 to confirm"
    said, open_ = words(later), " ".join(f"{each.about}: {each.what}" for each in still_open(later))
    told = json.loads(later.to_json())
    rows = {row["target"]: row for row in told["verdicts"]}
    for row in later.queue().rows:
        asks_ = f"given at {was[row.target]} %, now {fixed(row.synthetic)} %: confirm"
        assert f"{row.target} | acceptable | {asks_} | B. Officer, 2026-11-23 | because" in said
        assert f"verdicts: The verdict “acceptable” on {row.target} for an intruder was {asks_}." in open_.replace(
            "\xa0", " "
        )
        assert rows[row.target]["standing"] == "to confirm"
        assert (rows[row.target]["who"], rows[row.target]["when"]) == ("B. Officer", "2026-11-23")
        assert rows[row.target]["now_at"] == row.synthetic
    assert all(r["confirm"].endswith(": confirm") for r in told["answer"]["rows"])
    # What became a key is judged no more, and is not printed as if it were.
    assert "abroad | acceptable" not in said
    assert "Not applying, because they are no targets now: the verdicts on abroad." in said
    assert rows["abroad"]["standing"] == "does not apply"
    assert not answer(later).contradictions
    # Nothing of a stamp is in what may be shared.
    shared = words(later, shareable=True)
    assert not [text for text in ("confirm", "given at", "acceptable", "B. Officer, 2026") if text in shared]


def test_saved_and_opened_again_it_is_the_same_and_edited_by_hand_it_is_to_be_confirmed(ten):
    text = saved.to_json(ten.review)
    again = open_review(saved.from_json(text))
    assert again.review == ten.review
    assert again.queue().progress == "10 of 10 judged"
    for edit in (
        {"figure": 1.0}, {"keys": ["sex"]}, {"excluded": ["marital = Single"]}, {"measure": "odd"}, {"tau": 0.3},
        {"groups": {"bmi": 7}}, {"data": ["0" * 64]},
    ):  # fmt: skip
        plain = json.loads(text)
        verdict = next(v for v in plain["verdicts"] if v["target"] == "marital")
        verdict["stamp"] |= edit
        edited = open_review(saved.from_json(json.dumps(plain)))
        assert standings(edited)["marital"] == "to confirm", edit
        assert edited.queue().progress == "9 of 10 judged, 1 to confirm"
        mended = edited.with_review(confirmed(edited, ["marital"], "2026-11-24"))
        assert mended.queue().progress == "10 of 10 judged"
        assert mended.review.verdict_on("marital", "synthetic data").reason == "because"
        assert name_of(edited.review, mended.review) == "confirmed the verdict on marital"
    verdict["stamp"] = None
    assert standings(open_review(saved.from_json(json.dumps(plain))))["marital"] == "to confirm"


def test_equal_or_lower_figures_are_confirmed_together_and_two_verdicts_never(ten):
    leaky = ten.with_review(judged(ten, ["marital"], "leak", "because", "2026-01-01"))
    leaky = leaky.with_review(judged(leaky, ["education"], "needs a safeguard", "because", "2026-01-01"))
    fewer = with_(leaky, intruders=(replace(leaky.review.intruders[0], keys=("sex", "age")),))
    queue = fewer.queue()
    was = {row.target: row.synthetic for row in ten.queue().rows}
    lower = {target for target in queue.to_confirm if queue.row(target).synthetic <= was[target]}
    together = {g.verdict.target for g in confirmable(fewer)}
    assert together == lower - {"marital", "education"}
    assert together
    assert {"marital", "education"} <= set(queue.to_confirm)
    for one in ("marital", "education"):
        with pytest.raises(DisclosureError, match=f"The verdict on '{one}' is confirmed by itself"):
            confirmed(fewer, [*together, one])
        assert one not in fewer.with_review(confirmed(fewer, [one], "2026-11-24")).queue().to_confirm
    after = fewer.with_review(confirmed(fewer, together, "2026-11-24"))
    assert not together & set(after.queue().to_confirm)
    # The other way round the figures rise: none of them is confirmed with another.
    back = after.with_review(replace(after.review, intruders=leaky.review.intruders))
    assert together == set(back.queue().to_confirm)
    assert {g.verdict.target for g in confirmable(back)} == {t for t in together if queue.row(t).synthetic >= was[t]}


def csv(rows):
    return "\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]).encode()


def test_other_data_with_the_same_figure_are_to_be_confirmed(tmp_path):
    opened = start(("o.csv", csv(PEOPLE)), {"synthetic data": [("s.csv", csv(COPIES))]})
    opened = with_(opened, intruders=(KeySet("an intruder", ("sex", "region")),))
    opened = opened.with_review(judged(opened, ["t"], "leak"))
    assert standings(opened) == {"t": "stands"}
    files = {"o.csv": csv(PEOPLE), "s.csv": csv(COPIES[::-1])}
    other = open_review(opened.review, files, other_data=True)
    assert other.verdicts()[0].sentence.replace("\xa0", " ").endswith("% for other data: confirm")
    assert standings(open_review(opened.review, files | {"s.csv": csv(COPIES)})) == {"t": "stands"}


@pytest.mark.parametrize(("tau", "how"), [(0.8, "stands"), (0.7, "to confirm"), (None, "to confirm")])
def test_a_verdict_on_claims_less_than_certain_is_of_their_threshold(tau, how):
    opened = with_(start_demonstration(), tau=0.8)
    opened = opened.with_review(judged(opened, ["marital"], "leak", tau=0.8))
    opened = opened.with_review(judged(opened, ["bmi"], "leak", measure="DCAP"))  # of no τ
    now = with_(open_review(saved.from_json(saved.to_json(opened.review))), tau=tau)
    assert standings(now) == {"marital": how, "bmi": "stands"}
    bmi = next(g for g in now.verdicts() if g.verdict.target == "bmi")
    assert bmi.now.figure == pytest.approx(now.assessment().targets["bmi"].figures("DCAPd").mean())


def test_a_verdict_is_of_one_intruder_and_one_set(ten):
    second = intruders.added(ten.review, "a neighbour", ("sex", "age"))
    both = ten.with_review(second)
    assert both.queue().progress.startswith("0 of ")
    both = both.with_review(judged(both, ["income"], "leak"))
    narrower = both.with_review(intruders.with_keys(both.review, ("sex",)))
    assert {(g.verdict.intruder, g.verdict.target) for g in narrower.verdicts() if not g.stands} == {
        ("a neighbour", "income")
    }
    assert narrower.with_review(replace(narrower.review, intruder="an intruder")).queue().progress == "10 of 10 judged"
    assert ten.with_review(replace(ten.review, synthesis_set="coarse")).queue().progress == "0 of 10 judged"
    # A copy and another name keep what was judged; a set or an intruder that is gone has nothing to hold it against.
    assert intruders.renamed(both.review, "x").verdicts[-1].stamp == both.review.verdicts[-1].stamp
    copy = ten.with_review(intruders.copied(ten.review, "the same"))
    assert copy.queue().progress == "10 of 10 judged"
    gone = with_(ten, verdicts=(Verdict("no such set", "nobody", "income", "leak"),))
    assert table(gone)["standing"].tolist() == ["does not apply"]


@pytest.mark.slow
def test_a_reason_remembers_how_many_records_its_exclusion_took():
    begun = start_demonstration()
    opened = with_(begun, exclusions=Exclusions(target_levels={"abroad": ("No",)}, denominator_limit=9))
    for name in ("abroad = No", "denominators"):
        opened = opened.with_review(reasons.written(opened, name, "nearly everybody stays"))
    stamp = next(s for s in opened.review.reason_stamps if s.name == "abroad = No")
    alone = with_(
        begun,
        exclusions=Exclusions(target_levels={"abroad": ("No",)}),
        reasons={"abroad = No": "nearly everybody stays"},
    )
    alone = alone.queue().row("abroad")
    assert stamp.records == pytest.approx((alone.synthetic_before - alone.synthetic) * 50)
    assert opened.reasons_to_confirm() == {}
    assert "confirm" not in words(opened)
    later = opened.with_review(intruders.with_keys(opened.review, (*opened.review.keys, "marital")))
    waiting = later.reasons_to_confirm()
    assert set(waiting) == {"abroad = No", "denominators"}
    assert waiting["abroad = No"].startswith(f"given when it excluded {fixed(stamp.records, 0)} records, now ")
    for text in waiting.values():
        assert f"Reason: nearly everybody stays ({text})." in words(later)
        assert any(text in each.what for each in still_open(later))
        assert text not in words(later, shareable=True)
    # Opened again it still waits; confirmed it does not; taken back, it stands.
    again = open_review(saved.from_json(saved.to_json(later.review)))
    assert again.reasons_to_confirm() == waiting
    fitting = later.with_review(reasons.confirmed(later, "abroad = No"))
    assert set(fitting.reasons_to_confirm()) == {"denominators"}
    assert name_of(later.review, fitting.review) == "confirmed the reason for abroad = No"
    back = later.with_review(intruders.with_keys(later.review, begun.review.keys))
    assert back.reasons_to_confirm() == {}
    # Without its exclusion a reason says nothing, and one without text has no stamp.
    assert with_(later, exclusions=Exclusions()).reasons_to_confirm() == {}
    assert reasons.written(opened, "abroad = No", " ").reason_stamps == tuple(
        s for s in opened.review.reason_stamps if s.name != "abroad = No"
    )
    copied = intruders.copied(later.review, "x" * 80)
    for known in (copied, saved.from_json(saved.to_json(copied))):  # after it is opened again, too
        assert intruders.removed(known).reason_stamps == later.review.reason_stamps
