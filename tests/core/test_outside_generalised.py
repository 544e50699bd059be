"""People outside with values that nobody else has: generalised as everybody, then unmatched (measures.md 2, 10, 13).

What a value becomes is a plain function here; the second counter (`verify`) counts what is then the same.
"""

# Inside: nodes of a search are held one by one against the plain counter.

from collections import Counter
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    Band,
    Bounds,
    Breaks,
    Cap,
    Coarsen,
    Hierarchy,
    MergeLevels,
    Recode,
    RoundTo,
    Settings,
    Study,
    attribute_baseline,
    count,
    identity_baseline,
    partition,
    strongest_intruder,
)
from disclosure_core.counting.nodes import KeyNodes
from disclosure_core.counting.target_nodes import of_targets
from disclosure_core.data.coarsenings import of_keys
from disclosure_core.data.joint_column import UNMATCHED
from disclosure_core.holdout.near_misses import near_misses
from disclosure_core.holdout.partition import outside_groups
from disclosure_core.protection.seen_through import through_safeguards
from disclosure_core.sensitivity.node_figures import Figures
from disclosure_core.sensitivity.node_search import Objective
from tests.reference.plainly import Data, counter, levels, outside

DAYS = ["2020-01-05", "2020-01-09", "2020-02-01", "2021-02-01", "2021-11-30"]
MORE_DAYS = [*DAYS, "2020-01-31", "2020-02-29", "2019-12-31", "2031-03-03"]
CODES = ["A1", "A2", "B1", "B2", "C3"]
MORE_CODES = [*CODES, "A9", "B7", "D4", "", "Other"]
NUMBERS = [1, 4, 8, 11, 16, 23, 38]
MORE_NUMBERS = [*NUMBERS, -8, 2.5, 9, 17, 250]
PARENTS = {"A1": "first", "A2": "first", "B1": "second", "B2": "second", "C3": "second", "A9": "first", "D4": "third"}

CELLS = {"d": st.sampled_from(DAYS), "c": st.sampled_from(CODES), "n": st.sampled_from(NUMBERS), "t": st.sampled_from("xyz")}  # fmt: skip
PEOPLE = {"d": st.sampled_from(MORE_DAYS), "c": st.sampled_from(MORE_CODES), "n": st.sampled_from(MORE_NUMBERS), "t": st.sampled_from("xyz")}  # fmt: skip
TABLES = st.lists(st.lists(st.fixed_dictionaries(CELLS), min_size=3, max_size=14), min_size=2, max_size=3)
OUTSIDE = st.lists(st.fixed_dictionaries(PEOPLE), min_size=1, max_size=12)

FUNCTIONS = {
    "month": lambda v: v[:7],
    "year": lambda v: v[:4],
    "decade": lambda v: v[:3],
    "first character": lambda v: v[:1],
    "bands of 5": lambda v: f"from {v // 5 * 5:g}",
    "bands of 20": lambda v: f"from {v // 20 * 20:g}",
    "groups": lambda v: PARENTS.get(v, f"outside {v}"),
    "as it is": str,
}
HIERARCHIES = {
    "d": Hierarchy.calendar("month", "year", "decade"), "c": Hierarchy.prefixes(1), "n": Hierarchy.bands(5, 20),
}  # fmt: skip


def frame(rows):
    made = pd.DataFrame(rows)
    return made.assign(d=pd.to_datetime(made["d"])) if "d" in made else made


def plain(rows, functions):
    """Records as texts, each column through its function."""
    return pa.table({name: [make(row[name]) for row in rows] for name, make in functions.items()})


def counted(tables, people, functions):
    """Members and people outside of DiSCO, and repU, by the second counter."""
    keys = [name for name in functions if name != "t"]
    data = Data([plain(rows, functions) for rows in tables], plain(people, functions), {}, {}, {})
    asked = {"levels": (), "missing_target": False, "missing_keys": (), "pairs": (), "limit": None, "one_way": (50, 90), "two_way": (4, 80)}  # fmt: skip
    rows = outside.beside_outside(counter.Target(data, keys, "t", asked))[0]
    return rows["DiSCO", 0], outside.outside_by_keys(data, keys)[0,]


# ---- known less exactly ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("table", [False, True])
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(TABLES, OUTSIDE)
def test_at_every_level_of_every_hierarchy(table, tables, people):
    hierarchies = HIERARCHIES | ({"c": Hierarchy.table(list(PARENTS.items()))} if table else {})
    of = partition(frame(tables[0]), frame(people), [frame(rows) for rows in tables[1:]])
    if not hasattr(of, "joint"):
        return
    asked = Settings(keys=("d", "c", "n"), targets=("t",))
    study, m = of.joint.with_unmatched(hierarchies), of.n_syntheses
    counts = count(study, asked)
    levels = of_keys(study, counts.keys.keys, hierarchies, 1 + m)
    nodes = KeyNodes(counts.keys, levels, m)
    figures = Figures(nodes, of_targets(counts, asked, nodes, None), [Objective("DiSCO", "t")])
    alone = count(Study(frame(tables[0]), [frame(rows) for rows in tables[1:]]), asked)
    own = KeyNodes(alone.keys, of_keys(alone.study, alone.keys.keys, hierarchies, 1 + m), m)
    without = Figures(own, of_targets(alone, asked, own, None), [Objective("DiSCO", "t")])
    for i in range(max(map(len, levels)) - 1):
        node = tuple(min(i, len(each) - 2) for each in levels)
        names = [each[at].name for each, at in zip(levels, node, strict=True)]
        functions = {
            key.name: FUNCTIONS["groups" if "group" in said else said]
            for key, said in zip(counts.keys.keys, names, strict=True)
        }
        members, _ = counted(tables, people, {**functions, "t": str})
        assert figures.figure(0, node) == pytest.approx(members["members"]), names
        assert figures.figure_outside(0, node) == pytest.approx(members["non_members"]), names
        assert without.figure(0, node) == figures.figure(0, node)  # a holdout moves nobody's figure


def test_who_has_a_value_that_the_table_lacks_is_said():
    training = pd.DataFrame({"c": ["A1", "A2", "B1", "B2"] * 5, "t": list("xxyy") * 5})
    holdout = pd.DataFrame({"c": ["A9", "Z", "Z", "B7", "A1"], "t": list("xxyyx")})
    of = partition(training, holdout, [training])
    asked, rows = Settings(keys=("c",), targets=("t",)), {k: v for k, v in PARENTS.items() if k not in ("C3", "D4")}
    found = strongest_intruder(
        of, asked, {"c": Hierarchy.table(list(rows.items()))}, Bounds(at_best={"c": "2 groups"}), measures=["DiSCO"]
    )
    assert of.own_values == {"c"}
    assert found.of("DiSCO", "t")["outside"] == pytest.approx(40)  # A9 and A1; Z and B7 stand in no group
    said = "Column 'c' of the holdout: 3 of 5 records have a value that its table lacks. They match nobody."
    assert said in found.notes
    every = Hierarchy.table([*rows.items(), ("Z", "first"), ("B7", "second")])
    sound = strongest_intruder(of, asked, {"c": every}, measures=["DiSCO"])
    assert not any("table" in note for note in sound.notes)


def test_birthdays_that_no_other_file_has_serve_by_their_year():
    """Every day stands twice in the original, and no day of the holdout is among them: as they are they cannot serve."""
    days = pd.date_range("1950-01-01", periods=300, freq="31D")
    training = pd.DataFrame({"d": days.repeat(2), "t": ["x" if d.year % 2 else "y" for d in days.repeat(2)]})
    other = days + pd.Timedelta(days=3)
    holdout = pd.DataFrame({"d": other, "t": ["x" if d.year % 2 else "y" for d in other]})
    of = partition(training, holdout, [training], random=True)
    assert "d" in of.joint.unusable
    by_year = {"d": Hierarchy.calendar("year")}
    found = strongest_intruder(of, Settings(("d",), ("t",)), by_year, Bounds(at_best={"d": "year"}), measures=["DiSCO"])
    assert found.of("DiSCO", "t")["outside"] == pytest.approx(100)
    safer, _ = through_safeguards(training, holdout, [training], [Band("d", "year")], Settings(keys=("d",)))
    assert attribute_baseline(safer, Settings(("d",), ("t",))).summary()["non_members"].tolist() == [pytest.approx(100)]


# ---- through safeguards ----------------------------------------------------------------------------------------------


def merged(fewer, original):
    n = Counter(original)
    return lambda v: "Other" if n[v] < fewer else v


def in_groups(n, tables, people):
    every = {f"{v:g}": Decimal(str(v)) for rows in (*tables, people) for v in (row["n"] for row in rows)}
    there = Counter(f"{row['n']:g}" for rows in tables for row in rows)
    of = levels.grouped(every, there, n, set())
    return lambda v: of.get(f"{v:g}", f"{v:g}")


BREAKS = (5, 20)


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    TABLES, OUTSIDE,
    st.sampled_from(["month", "year", "decade"]), st.sampled_from(["prefix", "table", "merge", "recode", "recode, prefix"]),
    st.sampled_from(["band", "breaks", "groups", "cap", "round", "cap, band"]),
)  # fmt: skip
def test_through_every_safeguard(tables, people, date, code, number):
    columns = {name: [row[name] for row in tables[0]] for name in "dcn"}
    there = {row["c"] for rows in tables for row in rows}
    recoded = lambda v: "Z" if v in ("A1", "B1") and v in there else v  # noqa: E731
    codes = {
        "prefix": ([Band("c", "prefix:1")], lambda v: v[:1]),
        "table": ([Band("c", "regions", tuple(PARENTS.items()))], lambda v: PARENTS.get(v, f"outside {v}")),
        "merge": ([MergeLevels("c", 2)], merged(2, columns["c"])),
        "recode": ([Recode("c", "Z", tuple(sorted({"A1", "B1"} & there)))], recoded),
        "recode, prefix": (
            [Recode("c", "Z", tuple(sorted({"A1", "B1"} & there))), Band("c", "prefix:1")], lambda v: recoded(v)[:1]
        ),
    }  # fmt: skip
    capped = lambda v: min(max(v, 4), 20)  # noqa: E731
    numbers = {
        "band": ([Band("n", "5")], lambda v: str(v // 5)),
        "breaks": ([Breaks("n", BREAKS)], lambda v: str(sum(b <= v for b in BREAKS))),
        "groups": ([Coarsen("n", 2)], in_groups(2, tables, people)),
        "cap": ([Cap("n", 4, 20)], lambda v: f"{capped(v):g}"),
        "round": ([RoundTo("n", 10)], lambda v: f"{10 * np.floor(v / 10 + 0.5):g}"),
        "cap, band": ([Cap("n", 4, 20), Band("n", "5")], lambda v: str(capped(v) // 5)),
    }
    if code.startswith("recode") and not {"A1", "B1"} & there:
        return
    chain = [Band("d", date), *codes[code][0], *numbers[number][0]]
    functions = {"d": FUNCTIONS[date], "c": codes[code][1], "n": numbers[number][1], "t": str}
    sides = [frame(rows) for rows in tables]
    of, _ = through_safeguards(sides[0], frame(people), sides[1:], chain, Settings(keys=("c",)))
    if not hasattr(of, "joint"):
        return
    asked = Settings(keys=("d", "c", "n"), targets=("t",))
    found, keys = attribute_baseline(of, asked), identity_baseline(of, asked)
    expected, by_keys = counted(tables, people, functions)
    mean = found.summary().iloc[0]
    assert mean["members"] == pytest.approx(expected["members"])
    assert mean["non_members"] == pytest.approx(expected["non_members"])
    assert keys.summary().iloc[0]["non_members"] == pytest.approx(by_keys["non_members"])


def test_a_step_lets_nobody_in_whose_value_the_table_lacks():
    """Where the table makes one group of all, and where a rest or an end would take in a column in other codes."""
    training = pd.DataFrame({"c": list("ab") * 40, "n": [*range(40)] * 2, "t": list("xy") * 40})
    one = Band("c", "one", (("a", "all"), ("b", "all"), ("c", "all")))
    few = pd.DataFrame({"c": list("acd"), "n": [1, 2, 3], "t": list("xxx")})
    of, _ = through_safeguards(training, few, [training], [one], Settings(keys=("c",)))
    column = of.joint.columns["c"]
    assert [column.label(code) for code in column.synthetic[-1].tolist()] == ["all", "all", UNMATCHED]
    assert any("that the table of a safeguard lacks" in note.text for note in of.joint.outside)
    other = training.assign(c=[str(i) for i in range(80)], n=[1000 + i for i in range(80)])
    for step in (MergeLevels("c", 60), Recode("c", "Z", ("a", "b")), Cap("n", 5, 60), Breaks("n", (5, 60))):
        of, _ = through_safeguards(training, other, [training], [step], Settings(keys=("c",)))
        assert step.column in of.joint.unusable


def test_numbers_outside_all_groups_match_nobody_and_are_said():
    training = pd.DataFrame({"n": [*range(10, 60)] * 2, "t": ["x"] * 100})
    holdout = pd.DataFrame({"n": [-8, 250, 10, 59, 35.5, 9.99], "t": ["x"] * 6})
    of = partition(training, holdout, [training], random=True)
    for groups in (2, 7):
        asked = Settings(keys=("n",), targets=("t",), groups={"n": groups})
        assert attribute_baseline(of, asked).summary()["non_members"].tolist() == [pytest.approx(50)]
        (note,) = outside_groups(of, dict(asked.groups))
        said = "Column 'n' of the holdout: 3 of 6 records have a value outside all of its groups. They match nobody."
        assert note.text == said
    assert outside_groups(partition(training, holdout[2:5], [training]), {"n": 7}) == ()
    safer, _ = through_safeguards(training, holdout, [training], [Coarsen("n", 4)], Settings(keys=("n",)))
    assert [n for note in safer.joint.outside if "safeguard" in (n := note.text)] == [
        "Column 'n' of the holdout: 3 of 6 records have a value outside all groups of a safeguard. They match nobody."
    ]
    assert safer.joint.columns["n"].labels[-1] == UNMATCHED
    # As numbers they are near or far, whatever the groups of another use.
    near = near_misses(of, Settings(keys=("t",), targets=("n",)), "n")
    assert near["non_members"].notna().all()
