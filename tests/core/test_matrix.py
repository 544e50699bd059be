"""Every further result reaches every channel; a hole has a reason. `pytest -s tests/core/test_matrix.py` prints it."""

import io
import json

import openpyxl
import pandas as pd
import pytest

from disclosure_core import NotEvaluated
from disclosure_core.data.typeset import to_latex, to_markdown
from disclosure_core.figures import paper
from disclosure_core.report import blocks
from disclosure_core.results import RESULTS, catalogue
from tests.cli.test_manual import SCHEMA
from tests.commands import condition, main
from tests.core.test_further_results import everything
from tests.core.test_verify import MADE_BY_THE_PROGRAM, REVIEW_TABLES, counted
from tests.pages.conftest import App
from tests.reports import Look, appendix, assemble

pytestmark = pytest.mark.slow

HOLES = {
    ("population", "figure"): "a figure or two of each synthesis: there is nothing to draw",
    ("combined-release", "figure"): "six shares of each target, bounds of one another: a table says it",
    ("release-size", "figure"): "the catalogue has its figures, one for each measure",
    ("release-size", "second counter"): "its figures are of random draws",
    **{
        (kind.short, "shareable report"): "its exact counts and those of neighbouring tables subtract"
        for kind in RESULTS
    },
}
"""By result and channel, why it is not there."""


@pytest.fixture(scope="module")
def opened():
    return everything()


@pytest.fixture(scope="module")
def channels(opened):
    """Return by channel what tells whether a result is in it."""
    document = json.loads(opened.to_json())
    sheets = openpyxl.load_workbook(io.BytesIO(opened.to_excel()), read_only=True).sheetnames
    source, shared = assemble(opened, Look()), assemble(opened, Look(shareable=True, smallest=2))
    annex, more = [b.text for b in blocks(source)], [b.text for b in appendix(source)]
    again = {kind.short: counted(opened, own(document, kind)) for kind in RESULTS}
    page_1 = counted(opened, document | {"tables": {}}).n
    app = App()
    app.hold(opened)
    questions = [button.label for button in app.page("analyses").at.button]
    shown = {kind.short: of_page(app, kind.short) for kind in RESULTS}

    def every(kind, holds):
        return all(holds(table) for table in kind.tables)

    def of(kind):
        return kind.of(opened.printed)

    def command(kind):
        options = {name for param in main.commands[kind.short].params for name in (param.name,)}
        return set(kind.asks.model_fields) <= options

    return {
        "page": lambda kind: kind.question in questions and kind.reads.partition(". ")[0] in shown[kind.short],
        "command": lambda kind: kind.short in main.commands and command(kind),
        "report": lambda kind: any(of(kind).sentences()[0] in text for text in annex),
        "appendix": lambda kind: kind.title in more,
        "shareable report": lambda kind: any(b.text == kind.title for b in appendix(shared)),
        "JSON": lambda kind: every(kind, lambda table: set(table.columns) == set(document["tables"][table.name][0])),
        "schema": lambda kind: every(kind, lambda t: t.name in SCHEMA["properties"]["tables"]["properties"]),
        "workbook": lambda kind: every(kind, lambda table: table.name in sheets),
        "LaTeX, Markdown": lambda kind: all(
            write(frame, kind.tables[0].columns, "x") for frame in of(kind).evaluated().values() for write in (to_latex, to_markdown)
        ),
        "--fail-if": lambda kind: every(kind, lambda table: any("holds for" in line for line in condition(f"{table.name}>-1000")(opened))),
        "figure": lambda kind: kind.drawn is not None and drawn(opened, kind.drawn.name),
        "notebook": lambda kind: kind.title in opened.result(kind.short)._repr_html_() and bool(json.loads(opened.result(kind.short).to_json())["tables"]),
        "second counter": lambda kind: again[kind.short].n > page_1 and not again[kind.short].differ and every(kind, lambda table: table.again is not None),
        "kept": lambda kind: of(kind) is of(kind),
    }  # fmt: skip


def of_page(app, short):
    """What the page says of one result."""
    app.at.session_state["session"].analysis = short
    app.at.run()
    return app.sound().text()


def own(document, kind):
    """The figures of one result alone."""
    tables = {table.name: document["tables"][table.name] for table in kind.tables}
    return document | {"tables": tables}


def drawn(opened, name):
    entries = [entry for entry in catalogue.CATALOGUE.values() if entry.name in (name, f"{name}-all")]
    plots = [catalogue.figure(opened, each.name, "income" if each.of_a_target else None) for each in entries]
    return bool(plots) and all(not isinstance(plot, NotEvaluated) and paper.draw(plot, "svg") for plot in plots)


def test_every_result_is_in_every_channel_or_a_reason_says_why_not(channels):
    found = pd.DataFrame({name: {kind.short: bool(has(kind)) for kind in RESULTS} for name, has in channels.items()})
    print()
    print(found.replace({True: "yes", False: "no"}).T.to_string())
    print("\n".join(f"{result}, {channel}: {why}" for (result, channel), why in HOLES.items()))
    holes = {(str(result), str(channel)) for result, row in found.iterrows() for channel, has in row.items() if not has}
    assert not holes - set(HOLES), f"bring it there, or give a reason in HOLES: {holes - set(HOLES)}"
    assert not set(HOLES) - holes, f"it is there now, and its reason goes: {set(HOLES) - holes}"


ALONE, AGAIN = "a condition by its name alone", "second counter"
SEVERAL = "none of its figures is meant before the others: a condition names table.column"
TABLE_HOLES = {
    **{(name, AGAIN): why for name, why in MADE_BY_THE_PROGRAM.items() if name in REVIEW_TABLES},
    **{
        (name, ALONE): SEVERAL
        for name in (
            "summary", "summary_all_excluded", "identity", "attribute", "caps", "levels", "one_way", "two_way", "exclusions",
            "holdout_difference", "least_safeguard", "sets", "copies", "identifiers",
        )
    },
}  # fmt: skip
"""By table of a review and channel, why it is not there."""


def test_every_table_of_a_review_is_in_every_channel_or_a_reason_says_why_not():
    """Searches, people outside, safeguards and sets: `test_conditions.py` judges each of their figures."""
    written = SCHEMA["properties"]["tables"]["properties"]

    def described(name, table):
        rows = written.get(name, {}).get("items", {})
        return any(set(table.ids) <= each.get("properties", {}).keys() for each in rows.get("anyOf", [rows]))

    channels = {
        "schema": described,
        ALONE: lambda _, table: bool(table.main),
        AGAIN: lambda _, table: table.again is not None,
    }
    found = pd.DataFrame(
        {c: {name: has(name, table) for name, table in REVIEW_TABLES.items()} for c, has in channels.items()}
    )
    print()
    print(found.replace({True: "yes", False: "no"}).to_string())
    print("\n".join(f"{table}, {channel}: {why}" for (table, channel), why in TABLE_HOLES.items()))
    assert {(str(n), str(c)) for n, row in found.iterrows() for c, has in row.items() if not has} == TABLE_HOLES.keys()
