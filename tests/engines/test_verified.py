"""The second counter finds every figure of data that stay in DuckDB, as it does of files, and notices one changed."""

# Inside: rows that are counted again are those that the engine grouped.

import json
from dataclasses import replace

import duckdb
import pandas as pd
import pytest

from disclosure_core import (
    Band,
    BlankClaims,
    Cap,
    Coarsen,
    DisclosureError,
    DuckDBStudy,
    Exclusions,
    Hierarchy,
    MergeLevels,
    RemoveReplicated,
    Review,
    RoundTo,
    start_engine,
)
from disclosure_core.export import recount_rows
from disclosure_core.export.verified import verify
from tests.commands import disclosure
from tests.core.test_verify import INTERVALS, SIDES, counted, everything, people
from tests.engines.test_safer import ENGINES, beside

pytestmark = pytest.mark.filterwarnings("default")


def in_engine(opened, folder, frames, outside=None, ending="parquet", engine=DuckDBStudy.of_files):
    """The same review of the same tables, written to files that an engine reads in place."""
    places = []
    for i, frame in enumerate([*frames, *([] if outside is None else [outside])]):
        places.append(folder / f"t{i}.{ending}")
        frame.to_parquet(places[-1]) if ending == "parquet" else frame.to_csv(places[-1], index=False)
    n = len(frames)
    study = engine(places[0], places[1:n])
    there = start_engine(study, "data", None if outside is None else beside(study, places[n]), random=True)
    asked = replace(opened.review, source="engine", original=None, sets=there.review.sets, holdout=there.review.holdout)
    return there.with_review(asked)


@pytest.fixture(
    scope="module", params=[("parquet", ENGINES[0]), ("csv", ENGINES[0]), ("parquet", ENGINES[1])],
    ids=["parquet", "csv", "another engine"],
)  # fmt: skip
def both(request, tmp_path_factory):
    """A review that asks for all that the counter knows, of files and in DuckDB."""
    frames = [people(1), people(2), people(3, 180), people(4)]
    here = everything()
    there = in_engine(here, tmp_path_factory.mktemp("there"), frames, people(5, 150), *request.param)
    return here, there


def test_every_figure_is_found_again(both):
    here, there = both
    found = there.verify()
    assert found.differ == ()
    assert found.n > 1500
    assert all(what.endswith((*INTERVALS, "_low", "_high")) for what in found.not_counted), found.not_counted
    of_files = here.verify()
    of_copies = 5 * there.study().n_syntheses  # whole records are counted of files alone
    assert (found.n + of_copies, found.not_counted) == (of_files.n, of_files.not_counted)


def test_figures_of_files_are_those_of_the_engine(both):
    """What was stated of files is held against rows that DuckDB groups: three ways, one figure."""
    here, there = both
    document = json.loads(here.to_json())
    assert counted(there, document).differ == ()
    del document["tables"]["copies"]  # not counted of rows that stay in an engine
    places = []
    for name, rows in document["tables"].items():
        for column in {c for row in rows for c in row}:
            row = next((r for r in rows if isinstance(r.get(column), float)), None)
            if row is not None and not column.endswith((*INTERVALS, "tau")):
                places.append((row, column, f"{column} of {name}"))
    assert len(places) > 60
    for row, column, _ in places:
        row[column] += 1e-6
    named = {each.figure for each in counted(there, document).differ}
    assert len(named) == len(places)
    assert all(any(each.startswith(said) for each in named) for _, _, said in places)


def test_the_strongest_intruder_is_found_again(both):
    _, there = both
    ways = {"age": Hierarchy.bands("1.5", 3), "region": Hierarchy.table([("n", "ns", "all"), ("s", "ns", "all")])}
    for opened in both:
        review = replace(
            opened.review, exclusions=Exclusions(missing_keys={"region"}), hierarchies=ways, tau=None,
            groups={"income": 3, "age": 2}, targets=("job", "income"), searched=frozenset({"strongest"}), scenarios=(),
        )  # fmt: skip
        document = json.loads(opened.with_review(review).to_json())
        tables = {name: document["tables"][name] for name in ("strongest", "strongest_levels")}
        asked = replace(
            review, source="engine", original=None, sets=there.review.sets, holdout=there.review.holdout
        )  # fmt: skip
        found = counted(there.with_review(asked), document | {"tables": tables})
        assert found.differ == ()
        assert found.n > 30
        for row in tables["strongest"]:
            row["figure"] += 1e-6
        assert counted(opened.with_review(review), document | {"tables": tables}).differ


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_what_was_adopted_is_found_again_of_the_rows_that_would_be_written(ending, tmp_path):
    frames = [people(1), people(2), people(3, 180)]
    steps = (
        Cap("age", 21, 24), RoundTo("income", 500), MergeLevels("region", 80), Band("born", "year"),
        RemoveReplicated(), BlankClaims("job"),
    )  # fmt: skip
    asked = Review.of(["sex", "age", "region"], groups={"income": 3}, missing_codes={"income": -8})
    taken = in_engine(asked.open(frames[0], frames[1:]), tmp_path, frames, None, ending)
    adopted = taken.with_review(taken.review.with_steps(steps)).adopt("safer")
    assert adopted.first_set == "safer"
    found = adopted.verify()
    assert found.differ == ()
    assert found.n > 300
    assert not any("column" in what for what in found.not_counted)
    coarse = taken.with_review(taken.review.with_steps((Coarsen("age", 2),))).adopt("coarse")
    assert coarse.verify().differ == ()
    stated = taken.to_json()
    assert verify(adopted, stated).differ  # the figures before the safeguards are not those after them


@pytest.mark.parametrize("name", SIDES)
def test_values_are_read_alike(name, tmp_path):
    frames = [pd.DataFrame({"k": ["a", "a", "b", "c"], "t": side}) for side in SIDES[name]]
    for keys in (["k"], ["t"]):
        opened = in_engine(Review.of(keys).open(frames[0], [frames[1]]), tmp_path, frames)
        found = opened.verify()
        assert (found.differ, found.not_counted) == ((), {})
        assert found.n


TYPES = {
    "ENUM": "case when i % 2 = 0 then 'a' else 'b' end::enum('a', 'b')", "HUGEINT": "(i % 3)::hugeint",
    "DECIMAL": "(i % 3)::decimal(9, 2) / 7", "FLOAT": "((i % 3) / 10)::float", "NaN": "case i % 3 when 0 then 'nan'::double when 1 then null else 1.5 end",
    "UUID": "('0000000000000000000000000000000' || (i % 3))::uuid", "infinity": "case i % 3 when 0 then 'infinity'::timestamp else timestamp '2020-01-01' end", "TIMESTAMP": "timestamp '2020-01-01' + interval (i % 3) hour",
}  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
def test_types_of_duckdb_are_read_alike_or_said(name, tmp_path):
    place = tmp_path / "survey.ddb"
    with duckdb.connect(str(place)) as made:
        for table, n in (("o", 30), ("s", 23)):
            made.execute(f"create table {table} as select i % 4 as k, {TYPES[name]} as n from range({n}) as r(i)")
    opened = start_engine(DuckDBStudy.of_tables(place, "o", ["s"]), "data")
    found = opened.with_review(replace(opened.review, intruders=Review.of(["k"]).intruders)).verify()
    assert found.differ == ()
    assert found.n or any("column n" in what for what in found.not_counted)
    assert not found.not_counted or name in ("UUID", "infinity")


def test_what_makes_too_many_combinations_is_said_and_in_no_count(both, monkeypatch):
    _, there = both
    monkeypatch.setattr(recount_rows, "MOST", 60)
    found = there.with_review(replace(there.review, scenarios=(), intruders=there.review.intruders[:1])).verify()
    assert found.differ == ()
    assert any("more than 60 combinations of" in what for what in found.not_counted)
    monkeypatch.setattr(recount_rows, "MOST", 10)
    with pytest.raises(DisclosureError, match="cannot be counted again: more than 10 combinations"):
        there.verify()


def test_a_changed_file_is_noticed(tmp_path):
    frames = [people(1), people(2)]
    asked = Review.of(["sex", "age"])
    there = in_engine(asked.open(frames[0], frames[1:]), tmp_path, frames)
    there.assessment()
    people(7).to_parquet(tmp_path / "t1.parquet")
    with pytest.raises(DisclosureError, match="changed while they were read"):
        verify(there, asked.open(frames[0], frames[1:]).to_json())


def test_from_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for i, name in enumerate(("o", "s", "h")):
        people(i + 1).to_parquet(f"{name}.parquet")

    def run(*call):
        return disclosure(*call)

    duck = ["--engine", "duckdb", "--holdout", "h.parquet"]
    done = run("assess", "o.parquet", "s.parquet", *duck, "--keys", "sex,age", "--save", "r.json", "--json", "f.json",
               "--verify", "--holdout-is", "random-part")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "A second counter: " in done.stderr
    named = ["--original", "o.parquet", "--synthetic", "s.parquet"]
    done = run("verify", "r.json", *duck, *named, "--figures", "f.json")
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(" values of the file compared\n")
    assert " figures, 0 differ" in done.stdout
    document = json.loads((tmp_path / "f.json").read_text())
    document["tables"]["holdout_identity"][0]["non_members"] += 0.01
    (tmp_path / "g.json").write_text(json.dumps(document))
    done = run("verify", "r.json", *duck, *named, "--figures", "g.json", "--quiet")
    assert done.exit_code == 1
    assert "figures, 1 differs" in done.stdout
    assert done.stderr.splitlines()[-1].startswith("non_members of holdout_identity (1): stated ")
    assert "name them again, by --holdout" in run("verify", "r.json", *duck[:2], *named).stderr
    assert "`disclosure verify` takes them as well" in run("verify", "r.json").stderr
