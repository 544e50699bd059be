"""The records behind the figures, against a walk over the records themselves."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure_core import (
    DisclosureError,
    Exclusions,
    Settings,
    Study,
    assess,
    at_risk,
    count,
    demo,
    look_up,
    replicated_uniques,
)
from disclosure_core.records.listing import listed_records
from disclosure_core.records.look_up import matching
from disclosure_core.sensitivity.contributions import BINS, bin_labels, by_level, by_size
from tests.core.test_every_figure import COLUMNS, TARGETS, cases, exclusions_of, frame
from tests.reference import plainly


def people(records, keys):
    """Return each record's key combination."""
    return [tuple(r[k] for k in keys) for r in records]


def text(column, value):
    return column.missing_label if value is None else value


@given(cases())
def test_the_records_at_risk_are_those_that_disco_counts(case):
    original, synthetic, (settings, out, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    found = assess(study, settings)
    keys = [name for name in COLUMNS if name in settings.keys]
    for i, side in enumerate(synthetic):
        answers = {}
        for q, r in zip(people(side, keys), side, strict=True):
            answers.setdefault(q, []).append(r)
        for target in TARGETS:
            counted = found.targets[target].counted[i]
            listed = at_risk(counted)
            cells = Counter((q, r[target]) for q, r in zip(people(original, keys), original, strict=True))
            whole = Counter(people(original, keys))
            expected = {}
            for number, (q, r) in enumerate(zip(people(original, keys), original, strict=True), 1):
                said = {other[target] for other in answers.get(q, [])}
                if said == {r[target]} and not left_out(q, r[target], cells[q, r[target]], keys, target, out):
                    same = len(answers[q])
                    expected[number] = (cells[q, r[target]], same, cells[q, r[target]] == whole[q])
            assert len(listed) == found.targets[target].exclusions[i].loc["DiSCO", "remaining"] == len(expected)
            rows = listed.frame()
            assert rows["record"].tolist() == sorted(expected)
            for row in rows.itertuples(index=False):
                record = original[row[0] - 1]
                columns = [study.columns[name] for name in [*keys, target]]
                assert list(row[1 : len(columns) + 1]) == [text(c, record[c.name]) for c in columns]
                assert row[len(columns) + 1 :] == expected[row[0]]


def left_out(q, level, n, keys, target, out):
    return (
        (level is not None and level in out["levels"][target])
        or (level is None and target in out["missing_targets"])
        or any(q[keys.index(k)] is None for k in out["missing_keys"])
        or any(q[keys.index(k)] == kl and level == tl for k, kl, tl in out["pairs"][target])
        or (out["limit"] is not None and n > out["limit"])
    )


@pytest.mark.slow
@given(cases(), st.data())
def test_filter_order_and_page(case, data):
    original, synthetic, (settings, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    listed = at_risk(assess(study, settings).targets["target"].counted[0])
    whole = listed.frame()
    by = data.draw(st.sampled_from(listed.columns))
    descending = data.draw(st.booleans())
    codes = lambda s: s.cat.codes if isinstance(s.dtype, pd.CategoricalDtype) else s  # noqa: E731
    ordered = whole.sort_values(by, ascending=not descending, kind="stable", key=codes)
    assert listed.ordered(by, descending=descending).frame()["record"].tolist() == ordered["record"].tolist()
    pd.testing.assert_frame_equal(listed.frame(1, 2), whole.iloc[1:3].reset_index(drop=True))
    key = settings.keys[0]
    for level in study.columns[key].labels:
        part = listed.where({key: level})
        assert part.frame()["record"].tolist() == whole.loc[whole[key].astype(str) == level, "record"].tolist()


@pytest.mark.slow
@given(cases(), st.data())
def test_a_look_up_is_what_an_intruder_finds(case, data):
    original, synthetic, (settings, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    tables = count(study, settings)
    person = data.draw(st.sampled_from(original + synthetic[0]))
    known = {k: text(study.columns[k], person[k]) for k in data.draw(st.sets(st.sampled_from(settings.keys)))}
    meets = lambda r: all(text(study.columns[k], r[k]) == level for k, level in known.items())  # noqa: E731
    for target in TARGETS:
        found = look_up(tables.targets[target][0], known)
        column = study.columns[target]
        told = Counter(text(column, r[target]) for r in synthetic[0] if meets(r))
        true = Counter(text(column, r[target]) for r in original if meets(r))
        assert dict(zip(found.levels["level"], found.levels["synthetic"], strict=True)) == {t: told[t] for t in {*told, *true}}  # fmt: skip
        assert dict(zip(found.levels["level"], found.levels["original"], strict=True)) == {t: true[t] for t in {*told, *true}}  # fmt: skip
        assert (found.n_original, found.n_synthetic) == (true.total(), told.total())
        order = [(-r.synthetic, -r.original) for r in found.levels.itertuples()]
        assert order == sorted(order)
        assert found.answer == (next(iter(told)) if len(told) == 1 else None)
        assert found.n_right == (true[found.answer] if found.answer else 0)
    rows = matching(tables.keys, 0, known)
    assert rows.tolist() == [i for i, r in enumerate(synthetic[0]) if meets(r)]
    listed = listed_records(study, 0, rows)
    assert listed["record"].tolist() == (rows + 1).tolist()
    for name, column in study.columns.items():
        assert listed[name].tolist() == [text(column, synthetic[0][i][name]) for i in rows]


@pytest.mark.slow
@given(cases())
def test_replicated_uniques_are_those_that_repu_counts(case):
    original, synthetic, (settings, out, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    found = assess(study, settings)
    keys = [name for name in COLUMNS if name in settings.keys]
    for i, side in enumerate(synthetic):
        pairs = replicated_uniques(found.tables, i, settings.exclusions.missing_keys)
        mine, theirs = Counter(people(original, keys)), Counter(people(side, keys))
        expected = [
            (a, people(side, keys).index(q))
            for a, q in enumerate(people(original, keys))
            if mine[q] == theirs[q] == 1 and not any(q[keys.index(k)] is None for k in out["missing_keys"])
        ]
        assert list(zip(pairs.original.tolist(), pairs.synthetic.tolist(), strict=True)) == expected
        assert found.identity["repU"].iloc[i] == pytest.approx(100 * len(pairs) / len(original))
        right = {t: sum(original[a][t] == side[b][t] for a, b in expected) for t in TARGETS}
        assert dict(pairs.by_target()[["target", "right"]].itertuples(index=False)) == right
        told = pairs.frame("target")
        assert told.iloc[:, :2].to_numpy().tolist() == [
            [a + 1, b + 1] for a, b in expected
        ]  # rows of both files, from 1
        assert told["right"].sum() == right["target"]
        assert told["target"].tolist() == [text(study.columns["target"], side[b]["target"]) for _, b in expected]


@pytest.mark.slow
@given(cases())
def test_contributions_sum_to_disco(case):
    original, synthetic, (settings, out, *_) = case
    study = Study(frame(original), [frame(side) for side in synthetic])
    found = assess(study, settings)
    data, keys = plainly.data(original, synthetic), [name for name in COLUMNS if name in settings.keys]
    for target in TARGETS:
        risk = found.targets[target]
        plain, left = plainly.target(data, keys, target, exclusions_of(out, target)), Counter()
        for (q, t), n in plain.d_left.items():
            left.update(
                {(name, data.label(name, level)): n for name, level in zip((*keys, target), (*q, t), strict=True)}
            )
        whole = np.mean([t.loc["DiSCO", "remaining"] for t in risk.exclusions])
        records = [at_risk(c).frame() for c in risk.counted]
        for side, at in (("original", -3), ("synthetic", -2)):
            sizes = by_size(risk, side)
            assert sizes["size"].tolist() == list(bin_labels())
            held = pd.concat([rows.iloc[:, at] for rows in records]).astype(int)
            each = np.histogram(held, [*BINS, np.inf])[0] / len(records)
            assert sizes["records"].tolist() == pytest.approx(each)
        levels = by_level(risk)
        assert levels["records"].is_monotonic_decreasing
        for name in (target, *settings.keys):
            rows = levels[levels["column"] == name]
            assert rows["records"].sum() == pytest.approx(whole)
            counted = Counter(level for listed in records for level in listed[name])
            assert dict(zip(rows["level"], rows["records"] * len(records), strict=True)) == pytest.approx(counted)
            if whole:
                assert rows["pct"].sum() == pytest.approx(100)
            assert rows["pct_of_level"].tolist() == pytest.approx(
                [100 * r.records / left[name, r.level] for r in rows.itertuples()]
            )


def test_the_classes_of_cells_are_named_by_their_ends():
    assert bin_labels() == ("1", "2", "3–5", "6–10", "> 10")


def test_a_page_of_a_list_begins_where_the_last_one_ends():
    listed = at_risk(assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS)).targets["abroad"].counted[0])
    whole = listed.frame()
    assert len(whole) > 6
    pd.testing.assert_frame_equal(listed.frame(3, 3).reset_index(drop=True), whole.iloc[3:6].reset_index(drop=True))


def test_columns_that_are_called_like_the_list_stay_apart():
    data = pd.DataFrame({"record": ["a", "b"], "t": ["x", "y"]})
    found = assess(Study(data, [data]), Settings(keys=("record",)))
    listed = at_risk(found.targets["t"].counted[0])
    assert listed.columns[:2] == ("record", "record (data)")
    assert listed.ordered("record (data)", descending=True).frame()["record"].tolist() == [2, 1]
    assert listed_records(Study(data, [data]), None, np.array([1]))["record (data)"].tolist() == ["b"]


def test_what_is_not_there_is_a_sentence():
    found = assess(demo.study(), Settings(keys=demo.KEYS))
    listed = at_risk(found.targets["marital"].counted[0])
    for wrong, sentence in (
        (lambda: listed.where({"income": "1"}), "Column 'income' is not a key or the target"),
        (lambda: listed.where({"sex": "Mail"}), "Level 'Mail' is not of 'sex'. Did you mean 'Male'?"),
        (lambda: listed.ordered("nothing"), "Column 'nothing' is not of this list"),
        (lambda: look_up(listed.counted.cells, {"income": "1"}), "Key 'income' is not among the keys"),
        (lambda: look_up(listed.counted.cells, {"sex": "Mail"}), "Key level 'Mail' is not of 'sex'"),
        (lambda: replicated_uniques(found.tables, 0).frame("sex"), "Target 'sex' is not among those assessed"),
    ):
        with pytest.raises(DisclosureError, match=sentence):
            wrong()


def test_an_exclusion_hides_nothing_from_a_look_up():
    settings = Settings(keys=demo.KEYS, exclusions=Exclusions(target_levels={"abroad": ["No"]}))
    found = assess(demo.study(), settings)
    counted = found.targets["abroad"].counted[0]
    found = look_up(counted.cells, {})
    assert found.n_original == 5000
    by_rank = look_up(assess(demo.study(), settings).targets["marital"].counted[0].cells, {}).levels
    assert by_rank.index.tolist() == list(range(len(by_rank)))
    assert by_rank["level"].tolist() != sorted(by_rank["level"])
    assert len(at_risk(counted)) < 5000
