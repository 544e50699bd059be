"""What is kept of results: the latest used of each kind, under what they depend on."""

# Inside: the survey's page 1 is drawn before anybody comes.

import sys
import threading
from dataclasses import replace
from functools import partial

import pytest

from disclosure_core import Columns, Exclusions, Holdout, NotEvaluated, RemoveReplicated, start_demonstration
from disclosure_core.report.assembled import page_1
from disclosure_core.results.near_misses import NearMisses
from disclosure_core.review import demonstration, results
from disclosure_core.review.results import ROOM, Results
from tests.reports import Look


def test_a_result_is_made_once_for_what_it_depends_on_and_the_latest_used_stay():
    results, made = Results(), []

    def ask(*depends_on, times=1):
        return results.once("tables", *depends_on, make=lambda: made.append(depends_on) or len(made), times=times)

    plain, coded = Columns(), Columns(missing_codes={"income": ("-8",)})
    assert [ask("a", plain), ask("a", Columns()), ask("a", coded)] == [1, 1, 2]  # equal parts, not the same object
    assert ask("a", plain) == 1  # used again: the other one is the oldest now
    assert ask("b", plain) == 3
    assert results.get("tables", "a", coded) is None
    assert results.get("tables", "a", plain) == 1
    assert results.latest("tables") == [3, 1]
    assert len(results.latest("tables")) == ROOM["tables"]
    assert [ask("c", plain, times=2), ask("d", plain, times=2)] == [4, 5]
    assert results.latest("tables") == [5, 4, 3, 1]


def test_runs_that_overtake_each_other_get_what_they_asked_for():
    results, failed = Results(), []
    usual = sys.getswitchinterval()

    def ask(thread: int) -> None:
        try:
            for i in range(3_000):
                asked = (i + thread) % (ROOM["tables"] + 2)
                assert results.once("tables", asked, make=lambda asked=asked: f"of {asked}") == f"of {asked}"
        except Exception as error:
            failed.append(repr(error))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert failed == []
    assert len(results.latest("tables")) == ROOM["tables"]


def test_what_breaks_off_leaves_nothing_and_other_kinds_stay():
    results = Results()
    with pytest.raises(ZeroDivisionError):
        results.once("membership", 1, make=lambda: 1 / 0)
    assert results.get("membership", 1) is None
    results.once("membership", 1, make=lambda: "searched")
    results.once("study", 1, make=lambda: "coded")
    without = results.without(["membership"])
    assert (without.get("membership", 1), without.get("study", 1)) == (None, "coded")
    assert results.get("membership", 1) == "searched"


def test_the_surveys_tables_are_one_for_all_and_what_one_asks_of_them_is_their_own():
    one, other = start_demonstration(), start_demonstration()
    mine, theirs = one.assessment(), other.assessment()
    assert mine.tables is theirs.tables
    assert mine is not theirs
    fewer = other.with_review(replace(other.review, groups={}))
    assert fewer.assessment().tables is not mine.tables
    plain = other.with_review(replace(other.review, columns=Columns()))
    assert plain.assessment().tables.study is plain.study() is not one.study()
    merged = other.with_review(replace(other.review, columns=replace(one.review.columns, types={"age": "category"})))
    assert merged.assessment().tables.study is merged.study() is not one.study()


def test_what_was_made_for_all_is_taken_and_never_changed():
    for_all = Results()
    for_all.once("study", "a", make=lambda: "made before")
    mine = Results(for_all)
    assert mine.once("study", "a", make=lambda: pytest.fail("it is there")) == "made before"
    assert mine.get("study", "a") == "made before"
    assert mine.once("study", "b", make=lambda: "mine") == "mine"
    assert mine.latest("study") == ["mine", "made before"]
    assert for_all.latest("study") == ["made before"]
    without = mine.without(["study"])
    assert without.once("study", "a", make=lambda: "anew") == "anew"
    later = Results()
    later.once("study", "c", make=lambda: "later")
    for_all.take(later)
    assert mine.get("study", "c") == "later"
    assert mine.get("study", "a") is None


@pytest.mark.slow
def test_a_demonstration_that_was_prepared_shows_what_one_that_was_not_does(monkeypatch):
    monkeypatch.setattr(demonstration, "_OF_EVERYBODY", Results())
    plain = demonstration.start_demonstration()
    was, compared = plain.assessment(), plain.comparison()
    demonstration.prepare_demonstration(partial(page_1, look=Look()))
    first = page_1(demonstration.start_demonstration(), Look())
    demonstration.prepare_demonstration(NearMisses.of)  # what was made before stays
    prepared = demonstration.start_demonstration()
    assert page_1(prepared, Look()) is first
    assert NearMisses.of(prepared.printed) is NearMisses.of(demonstration.start_demonstration())
    assert prepared.assessment() is demonstration.start_demonstration().assessment()
    assert prepared.assessment() is not was
    assert prepared.assessment().summary().equals(was.summary())
    assert prepared.is_compared()
    assert [c.name for c in prepared.comparison().candidates] == [c.name for c in compared.candidates]
    outside = prepared.with_holdout(demonstration.demonstration_holdout(), Holdout("demonstration"))
    assert not isinstance(outside.attribute_baseline(), NotEvaluated)
    other = prepared.with_review(replace(prepared.review, exclusions=Exclusions(denominator_limit=1)))
    assert not other.assessment().summary().equals(was.summary())


def test_what_a_class_asks_for_in_the_same_moment_is_made_once():
    for_all, made, all_there = Results(), [], threading.Barrier(9)
    may_end = threading.Event()

    def make():
        made.append(threading.get_ident())
        may_end.wait(20)
        return object()

    found = []

    def visitor():
        mine = Results(for_all)
        all_there.wait()
        found.append(mine.once("study", "a", make=make))

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    all_there.wait()
    may_end.wait(0.3)  # all ask, and one makes
    may_end.set()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(set(map(id, found))) == 1
    assert for_all.get("study", "a") is None, "nothing of one visitor stays with all"
    assert Results(for_all).once("study", "a", make=lambda: "anew") == "anew"


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt])
def test_where_the_first_is_stopped_the_others_make_it_themselves(fault, monkeypatch):
    for_all, begun, waits = Results(), threading.Event(), threading.Event()

    def stopped():
        begun.set()
        waits.wait(20)
        raise fault

    def first():
        with pytest.raises(fault):
            Results(for_all).once("study", "a", make=stopped)

    thread = threading.Thread(target=first)
    thread.start()
    begun.wait(20)
    threading.Timer(0.2, waits.set).start()
    assert Results(for_all).once("study", "a", make=lambda: "mine") == "mine"
    thread.join()
    begun.clear()
    waits.clear()
    monkeypatch.setattr(results, "PATIENCE", 0.1)  # the first takes long
    thread = threading.Thread(target=first)
    thread.start()
    begun.wait(20)
    assert Results(for_all).once("study", "a", make=lambda: "mine") == "mine"
    waits.set()
    thread.join()


def test_the_same_safeguards_on_two_sets_are_two_results():
    opened = start_demonstration()
    opened = opened.with_review(replace(opened.review, targets=("abroad",)).with_steps((RemoveReplicated(),)))
    names = [each.name for each in opened.review.sets]
    found = [opened.after_safeguards(name).targets["abroad"].figures("DiSCO").mean() for name in names]
    assert len(set(found)) == 3
    assert opened.after_safeguards("coarse").targets["abroad"].figures("DiSCO").mean() == found[2]
