"""Every field of a figures file, changed in any way, is found: what may rightly differ is a list of three."""

import copy
import json
from dataclasses import replace

import pandas as pd
import pytest

from disclosure_core import DisclosureError, Exclusions, Limit, Limits, Review, RoundTo
from disclosure_core.export.verified import verify
from tests.core.test_verify import everything, people
from tests.figures_files import Recount, figures_file, is_found, others
from tests.written import to_evidence

MAY_DIFFER = {("disclosure",), ("figures", "disclosure"), ("counted_again",)}
"""The list; a test below holds the program to it."""


def of_everything():
    limits = Limits(Limit(5, 2, "our board", "as ever"), Limit(50, 20, "our board", "as ever"))
    first = everything()
    return first.with_review(replace(first.review, limits=limits, searched=frozenset({"subsets", "strongest"})))


def adopted():
    opened = Review.of(["sex", "age"]).open(people(1), [people(2)])
    return opened.with_review(opened.review.with_steps((RoundTo("age", 2.0),))).adopt("rounded")


def without_reason():
    review = Review.of(["sex", "age"], exclusions=Exclusions(target_levels={"job": ["cook"]}))
    return review.open(people(1), [people(2), people(3)])


def refused():
    frame = people(1)
    return Review.of(["sex", "age", "income"]).open(frame, [people(2)], holdout=frame, holdout_is_random=True)


REVIEWS = {
    "everything": of_everything, "a set that was adopted": adopted, "an exclusion without a reason": without_reason,
    "a holdout that is refused": refused,
}  # fmt: skip


def changes(document):
    """Yield a change of each kind at each place: what it is, the place, and what makes and undoes it."""

    def of(value, place):
        if isinstance(value, dict):
            yield "unknown field", place, value, lambda v: v.update(unheard="of")
            for name in list(value):
                yield "deleted", (*place, name), value, lambda v, name=name: v.pop(name)
                yield from of(value[name], (*place, name))
                if not isinstance(value[name], dict | list):
                    for kind, other in others(value[name]):
                        yield kind, (*place, name), value, lambda v, name=name, other=other: v.update({name: other})
        elif isinstance(value, list):
            yield "appended", place, value, lambda v: v.append(copy.deepcopy(v[-1]) if v else "more")
            if len(value) > 1 and value[0] != value[-1]:
                yield "swapped", place, value, lambda v: v.insert(0, v.pop())
            for i in range(len(value)):
                yield "row deleted", (*place, i), value, lambda v, i=i: v.pop(i)
                yield from of(value[i], (*place, i))
                if not isinstance(value[i], dict | list):
                    for kind, other in others(value[i]):
                        yield kind, (*place, i), value, lambda v, i=i, other=other: v.__setitem__(i, other)

    yield from of(document, ())


def chosen(document, most):
    """Return the changes that are tried: of each kind in each field at most so many rows, the first among them."""
    alike = {}
    for change in changes(document):
        kind, place = change[:2]
        field = tuple("" if isinstance(part, int) else part for part in place)
        alike.setdefault((kind, field), []).append(change)
    for found in alike.values():
        ranks = {round(i * (len(found) - 1) / max(most - 1, 1)) for i in range(most)}
        yield from (found[i] for i in sorted(ranks))


def missed(document, most=3):
    """Return what is not found: the first change of each kind among all that a file holds, others in what holds them."""
    made, counted, found, kinds, n = copy.deepcopy(document), frozenset(), set(), set(), 0
    written = json.dumps(document)
    for kind, place, holder, change in list(chosen(document, most)):
        before = copy.copy(holder)
        change(holder)
        around = place[:-1] if kind in kinds else ()
        if not is_found(document, made, counted, around):
            found.add((kind, place))
        kinds.add(kind)
        holder.clear()
        (holder.update if isinstance(holder, dict) else holder.extend)(before)
        n += 1
    assert json.dumps(document) == written
    assert n > 100
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", REVIEWS)
def test_every_change_of_every_field_is_found(name):
    opened = REVIEWS[name]()
    document = json.loads(opened.to_json())
    assert missed(document, 1) <= {
        ("another text", ("disclosure",)),
        ("emptied", ("disclosure",)),
    }


@pytest.mark.slow
def test_every_change_of_an_evidence_file_is_found():
    document = json.loads(to_evidence(adopted()))
    found = missed(document, 1)
    assert {place for _, place in found} <= MAY_DIFFER
    assert is_found({**document, "counted_again": "9 figures, 0 differ"}, document, frozenset())


def test_the_list_of_what_may_differ_is_short():
    assert set(figures_file._MAY_DIFFER) == MAY_DIFFER


@pytest.mark.slow
@pytest.mark.parametrize("name", REVIEWS)
def test_what_was_not_changed_passes_and_each_figure_is_counted_or_listed(name):
    opened = REVIEWS[name]()
    found = verify(opened, opened.to_json())
    assert found.differ == ()
    assert not verify(opened, to_evidence(opened)).differ
    document = json.loads(opened.to_json())
    _, counted = Recount(opened).held_against(document)
    figures = {p: v for p, v in figures_file.leaves(document) if figures_file.is_figure(v)}
    rest = [p for p in figures if p not in counted and not figures_file.is_asked(p)]
    listed = {what.split(" (")[0] for what in found.not_counted}
    assert {figures_file.column_of(p).split(" (")[0] for p in rest if figures[p] != "NaN"} <= listed
    assert len(listed) < 40, listed


def test_a_name_that_stands_twice_and_a_number_that_is_written_otherwise():
    opened = Review.of(["k"]).open(*small())
    written = opened.to_json()
    twice = written.replace('"disclosure":', '"answer": {"rows": []},\n "disclosure":', 1)
    with pytest.raises(DisclosureError, match="no file of figures"):
        verify(opened, twice)
    document = json.loads(written)
    assert '"n_keys": 1.0' not in written
    document["tables"]["identity"][0]["synthesis"] = 1.0  # as another program writes it back
    assert verify(opened, json.dumps(document)).differ


def small():
    frame = pd.DataFrame({"k": list("aabbc") * 4, "t": list("xyxyz") * 4})
    return frame, [frame[::-1]]


def test_each_difference_is_named_once_and_in_words():
    opened = Review.of(["k"]).open(*small())
    document = json.loads(opened.to_json())
    document["settings"]["keys"] = ["t"]
    document["answer"]["outcome"] = "within"
    del document["tables"]["caps"]
    document["tables"]["identity"][0]["repU"] += 1
    document["tables"]["attribute"] *= 2
    said = [each.sentence for each in verify(opened, json.dumps(document)).differ]
    assert said[0] == "settings, keys, 1: stated “t”, made again “k”."
    assert said[1] == "answer, outcome: stated “within”, made again “not evaluated”."
    assert "repU of identity (1): stated 1, counted again 0." in said
    assert "table caps: stated not there, made again 1 entry." in said
    assert sum("attribute (t, 1)" in each for each in said) == len(document["tables"]["attribute"][0])
