"""The registry of measures: an entry says all, every list is a view of it, and none is written by hand again."""

# Inside: the registry of measures is what is tested: every view of it has each entry.

import ast
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from disclosure_core import assess
from disclosure_core.comparison import aims
from disclosure_core.counting import registry
from disclosure_core.counting.measure import Over
from disclosure_core.counting.registry import BY_NAME, CLAIMS, COMPARED, IDENTITY, MEASURES, OF_TARGET
from disclosure_core.export.tables import tables
from disclosure_core.report.columns import columns
from disclosure_core.report.words import DEFINITIONS
from disclosure_core.results import TABLES
from disclosure_core.review import effect
from disclosure_core.sensitivity import strongest_intruder
from tests.reference.plainly import Data, counter

ROOT = Path(__file__).parents[2]
NAMES = frozenset({*BY_NAME, *COMPARED})

BY_HAND = {
    "cli/conditions.py:FORMS": "an example of each form of a condition, with what it means",
    "cli/conditions.py:_known": "what has a worst subset, in the order of a refusal; next to it the forms of a figure",
    "report/completeness.py:_limits": "which part of the scope asks for the limits of a measure",
    "pages/review/card.py:STEPS": "the parts of the nested bar, each within the one before",
    "results/review_tables.py:REVIEW_TABLES": "the main figure of each table",
    "cli/key_subsets.py:_answer": "the three figures that a search over subsets prints the worst of",
    "cli/membership.py:membership": "columns of one printed table, in the order of its reading",
    "cli/strongest_intruder.py:_answer": "columns that stand beside the figure in the file and are not printed",
    "counting/assessment.py:_small_table": "columns of a notebook's small table, their heads short enough for it",
    "counting/target_risk.py:_small_table": "columns of a notebook's small table",
    "counting/measures.py:EXCLUSION_ROWS": "the tables of cells that exclusions act on, two of them no measures",
    "counting/near_misses.py:FIGURES": "what near misses have of DiS, DiSCO and Dorig, by tolerance",
    "figures/measures_by_size.py:LINES": "the lines of paper 000's Figure 2, each with its mark",
    "holdout/decision.py:Measure": "a type: a checker reads no computed names",
    "holdout/decision.py:LIMITED": "the values of that type",
    "holdout/decision.py:PRECEDENTS": "limits that were used somewhere, each of its measure",
    "holdout/membership_figures.py:_small_table": "columns of a notebook's small table",
    "holdout/membership_figures.py:figures": "the columns that membership computes",
    "holdout/membership_figures.py:mean": "the columns that membership computes",
    "holdout/membership_figures.py:_by_beta": "the columns that membership computes",
    "report/answer_tables.py:plain_of": "fields of the JSON of page 1: none of them a list of measures",
    "report/exhibits.py:ATTRIBUTES": "the columns of what paper 000 prints in section 3.3.1",
    "report/exhibits.py:CAPS": "the columns of paper 000's Table 2",
    "report/exhibits.py:STEPS": "the columns of paper 001's Table 1",
    "report/members.py:section": "rows of one table in their order, each with its words",
    "report/regulators.py:beside_guessing": "the figures that answer one question of the consensus",
    "sensitivity/node_figures.py:around": "what a node has beside its figure: computed here",
    "verify/counter.py:of_keys": "the plain counter: each measure is counted in its own line",
    "verify/counter.py:of_synthesis": "the plain counter",
    "verify/counter.py:guess": "the plain counter",
    "verify/counter.py:beside_a_guess": "the plain counter",
    "results/near_misses.py:TABLE": "columns of one table, each with what it says of numbers",
    "verify/near.py:near_misses": "the plain counter",
    "verify/outside.py:membership": "the plain counter",
    "pages/analyses/membership.py:_show_found": "heads and helps of one table",
    "pages/review/targets.py:_table": "heads, helps and widths of one table, which has room for few letters",
    "pages/safeguards/least.py:_AIMS": "the four aims that the page asks for, with its questions",
    "pages/shared/limits.py:_FIELDS": "the fields of a limit, by measure",
}
"""Lists of three measures or more that stand outside the registry, and why each does."""


def lists_by_hand(tree):
    """Yield, of each list of three names of measures or more, what it is assigned to or made in, and its line."""

    def walk(node, where, inside):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            where = node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and where == "":
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            where = ast.unparse(target)
        display = isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict))
        found = set()
        if display and not inside:
            found = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        elif isinstance(node, ast.Call):
            found = {k.arg for k in node.keywords}
        if len(found & NAMES) >= 3:
            yield where, node.lineno
        for child in ast.iter_child_nodes(node):
            yield from walk(child, where, inside or display)

    yield from walk(tree, "", inside=False)


def test_no_list_of_measures_is_written_by_hand():
    found = {}
    for folder, base in (("disclosure_core", ROOT / "disclosure_core"), ("pages", ROOT)):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(base).as_posix()
            text = path.read_text(encoding="utf-8")
            if name != "counting/entries.py" and len(NAMES.intersection(re.findall(r"\w+", text))) >= 3:
                for where, line in lists_by_hand(ast.parse(text)):
                    found.setdefault(f"{name}:{where}", line)
    new = {each: line for each, line in found.items() if each not in BY_HAND}
    assert not new, f"make it a view of the registry, or give a reason in BY_HAND: {new}"
    assert BY_HAND.keys() <= found.keys(), f"no longer there: {BY_HAND.keys() - found.keys()}"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("SHOWN = ('DiSCO', 'UiO', 'repU')", [("SHOWN", 1)]),
        ("def table():\n    return {'gain': 1, 'kappa': 2, 'beyond': 3}", [("table", 2)]),
        ("def table():\n    return dict(gain=1, kappa=2, beyond=3)", [("table", 2)]),
        ("LINES = [('DiSCO', 1), ('TCAP', 2), ('CAPs', 3)]", [("LINES", 1)]),
        ("PAIR = ('DiSCO', 'repU')", []),
        ("WORDS = ('DiSCO of all', 'UiO', 'repU')", []),
    ],
)
def test_a_list_by_hand_is_found(code, found):
    assert list(lists_by_hand(ast.parse(code))) == found


def read(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("m", [m for m in MEASURES if m.family != "membership"], ids=lambda m: m.name)
def test_each_is_defined_where_its_readers_look(m):
    for page, gives in (("measures.md", "give its formula"), ("glossary.md", "say in plain words what it is")):
        named = any(
            re.search(rf"(?<!\w){re.escape(name)}(?!\w)", read(page), re.I) for name in (m.name, m.label, m.short)
        )
        assert named, f"docs/{page} does not name {m.name}: {gives} there"


def test_each_entry_is_whole():
    assert len(BY_NAME) == len(MEASURES)
    page = read("measures.md")
    for m in MEASURES:
        assert m.says
        document, section = m.source.split()
        assert document == "consensus.md" or f"\n## {section}. " in page
        assert (m.figure is not None) == (m.name in OF_TARGET)
        assert not (m.worse and m.is_reference)
        assert not m.original or BY_NAME[m.original].is_reference
        assert not m.compared or m.original
        assert m.help or m.family not in ("claims", "identity")
        assert m.plain or m.family != "identity"


def test_lists_are_views():
    """What reads the registry has the order of files, pages and refusals: a new entry's fields move it here on purpose."""
    assert list(COMPARED) == ["DiSCO", "DiSDiO", "DCAP"]
    assert aims.MEASURES == ("DiSCO", "beyond", "gain", "M", "repU")
    assert strongest_intruder.MEASURES == ("DiSCO", "gain", "beyond", "repU", "F_rel")
    defined = " ".join(row[0] for row in DEFINITIONS)
    assert defined == "UiO UiS UiOiS repU Dorig Dsyn iS DiS DiSCO DiSDiO CAPd DCAPd TCAP TCAPi"
    heads = columns("summary")
    assert all(heads[m.name].label == m.label for m in MEASURES)


@pytest.fixture(scope="module")
def files():
    rng = np.random.default_rng(7)
    return [
        pd.DataFrame({"a": rng.integers(0, 9, n), "b": rng.integers(0, 5, n), "t": rng.integers(0, 3, n)}).astype(str)
        for n in (90, 60, 130, 80)
    ]


@pytest.fixture(scope="module")
def found(files):
    return assess(files[0], files[1:], keys=["a", "b"], targets=["t"])


def test_a_measure_is_made_over_syntheses_as_its_entry_says(found):
    risk = found.targets["t"]
    each = [risk.only(i) for i in range(3)]
    for m in MEASURES:
        if m.name in (*OF_TARGET, *IDENTITY):
            frame = next(f for f in (risk.attribute, risk.caps, risk.identity) if m.name in f)
            alone = [next(f for f in (r.attribute, r.caps, r.identity) if m.name in f)[m.name].iloc[0] for r in each]
            assert frame[m.name].tolist() == alone
            over = Over.ONCE if len(set(alone)) == 1 else Over.MEAN
            assert m.over is over, (
                f"{m.name} says `over={m.over}` and behaves as {over}: what is read from one synthesis is averaged, or "
                "rests on the original alone; a ratio of sums is made in `counting/claims.py`"
            )
        elif m.family == "claims":
            alone = [getattr(one.beyond_guess, m.name) for one in each]
            mean = getattr(risk.beyond_guess, m.name) == pytest.approx(np.mean(alone), rel=1e-9)
            assert m.over in (Over.SUMS, Over.BEST)
            assert mean == (m.name in ("gain", "beyond")), m.name  # of all people: sums and means are one


def test_every_measure_is_counted_a_second_time(files, found):
    """A measure that the plain counter lacks, or counts to another figure, is no measure."""
    data = Data([pa.Table.from_pandas(frame) for frame in files], None, {}, {}, {})
    no = {"levels": (), "pairs": (), "missing_target": False, "missing_keys": (), "limit": None}
    target = counter.Target(data, ("a", "b"), "t", no)
    risk, by_keys = found.targets["t"], counter.identity(data, ("a", "b"))
    for i in range(1, len(files)):
        attribute, caps, _ = target.of_synthesis(i)
        again = attribute | caps
        assert again.keys() == set(OF_TARGET), (
            f"count in a line of `Target.of_synthesis` (verify/counter.py), or leave out: {again.keys() ^ set(OF_TARGET)}"
        )
        assert again == pytest.approx({name: risk.figures(name)[i - 1] for name in OF_TARGET}, rel=1e-9)
        assert by_keys[i,] == pytest.approx(found.identity.loc[i].to_dict(), rel=1e-9)
    beside = {name: getattr(risk.beyond_guess, name) for name in CLAIMS}
    assert target.beside_a_guess() == pytest.approx(beside, rel=1e-9)


def test_tables_schema_and_page_have_the_columns_of_the_registry(found):
    made = tables(found)
    assert list(made["identity"]) == ["synthesis", *IDENTITY]
    assert (*list(made["attribute"])[2:], *list(made["caps"])[2:]) == OF_TARGET
    assert set(CLAIMS) <= set(made["summary"])
    schema = json.loads(read("figures.schema.json"))
    of = schema["properties"]["tables"]["properties"]
    risk = found.targets["t"]
    assert set(effect.every_measure(risk, risk)["measure"]) == {*IDENTITY, *OF_TARGET}
    for name in ("identity", "attribute", "caps", "summary"):
        assert of[name]["items"]["anyOf"][0]["required"] == list(made[name]), "run `python docs/make_schema.py`"


def test_units_of_frames_are_those_of_the_registry(found):
    risk = found.targets["t"]
    for frame in (found.identity, risk.attribute, risk.caps):
        assert frame.attrs["units"] == {name: registry.UNITS[name] for name in frame}
    units = {column.unit for table in ("", *TABLES) for column in columns(table).values()}
    known = r"(%|percentage points|mean |share|least probability|disclosive records).*|a ratio|absolute|relative|bits|records|at most 1|of all|"
    assert {unit for unit in units if not re.fullmatch(known, unit)} == set()
