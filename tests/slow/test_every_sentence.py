"""Whatever the program can say of the data is said in one state at least, and in another it is not.

The sentences are found in the code, so that a new one without a state fails: every text of four words or more in the
modules that speak of data, but for errors. A label, a help and what stands for those who cannot see say something of
the data where they are built from values or chosen by a state; one that is the same whatever the data are is not looked
for. The states are reviews: each is reported, shown on every page with every view, written as a workbook, and given to
the command line. `sentences.toml` lists, each by its fixed words, what another test reaches (`elsewhere`), what stands
on its page whatever the data are (`always`), what says nothing of the data (`not_said`), and what has no state yet
(`without`): that list is a debt, and may only shrink.
"""

import ast
import io
import json
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from click.testing import CliRunner

from disclosure_core import Exclusions, Pair, Settings, Study, assess
from disclosure_core.cli.commands import main
from disclosure_core.data import demo, suggestions
from disclosure_core.data.coded import CodedTable
from disclosure_core.errors import NotEvaluated
from disclosure_core.export.workbook import workbook
from disclosure_core.figures import risk_utility
from disclosure_core.figures.catalogue import CATALOGUE, every, offered
from disclosure_core.figures.screen import draw
from disclosure_core.protection.safeguards import RemoveUniques
from disclosure_core.report import Block, ReportInput, blocks
from disclosure_core.report.assembled import Look, report_input
from disclosure_core.report.render import kind
from disclosure_core.review.saved import to_json
from disclosure_core.review.value import Review
from disclosure_core.rounding import fixed
from pages.shared.session import Session
from tests.pages.conftest import App
from tests.slow.states import REVIEWS, odd
from tests.slow.test_report_read_back import OUTSIDE, opened_in
from tests.slow.test_walk import VIEWS, inside

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LISTED = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))
CORE = ROOT / "disclosure_core"
DRAWING = ("charts", "dumbbells", "maps", "paper", "sheet")
"""These set in print what a description says; what they write on an axis is of no data."""

BUILT = ("suggested_keys", "workbook")
"""Of these, what is built from values says something; the others are words to look for, and heads of columns and sheets."""

HELPING = ("app", "inputs", "commands", "steps")
"""What these say is help, or of the server."""

SPEAKING = [
    *sorted((CORE / "report").glob("*.py")), *sorted((CORE / "review").glob("*.py")),
    *sorted((CORE / "comparison").glob("*.py")), *sorted((CORE / "holdout").glob("*.py")),
    *sorted((CORE / "sensitivity").glob("*.py")), *sorted((CORE / "protection").glob("*.py")),
    *sorted(p for p in (CORE / "figures").glob("*.py") if p.stem not in DRAWING), *sorted((CORE / "data" / "values").glob("*.py")),
    *(CORE / "data" / f"{n}.py" for n in ("agreement", "harmonise", "mending", "suggestions", "study")),
    *sorted(p for p in (CORE / "cli").glob("*.py") if p.stem not in HELPING), CORE / "counting" / "restrict.py", CORE / "export" / "safer.py",
    CORE / "export" / "workbook.py", CORE / "notebook.py", CORE / "data" / "suggested_keys.py", *sorted((CORE / "records").glob("*.py")),
    *sorted(p for p in (ROOT / "pages").rglob("*.py") if p.parent.name in (
        "baseline", "compare", "data", "keys", "records", "review", "safeguards", "report", "shared")),
]  # fmt: skip
WORDS = 4
ERRORS = {"DisclosureError", "not_found", "LookupError", "ValueError", "TypeError", "KeyError"}
LABELLED = {
    "button", "popover", "expander", "text_input", "selectbox", "multiselect", "radio", "number_input", "toggle", "dialog",
    "checkbox", "offer", "file_uploader", "page_link", "next_page", "_button", "TextColumn", "NumberColumn", "percent_column",
    "records_column", "progress", "cast",
}  # fmt: skip
"""What a call of these names first is a label."""

BESIDE = {"help", "short_help", "epilog", "help_text", "placeholder", "alt", "description"}
"""What stands beside something else, for those who ask, or who cannot see."""

NOT_SAID = {"icon", "key"}


# ---- what can be said ------------------------------------------------------------------------------------------------


def pieces(node: ast.AST) -> list[str] | None:
    """Return the fixed parts of a text, in order; None where the node is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [str(v.value) for v in node.values if isinstance(v, ast.Constant)]
    return None


def of_data(node: ast.AST) -> bool:
    """Return whether a text is built from values, or chosen by a state."""
    return any(isinstance(n, ast.FormattedValue | ast.IfExp | ast.BoolOp | ast.BinOp) for n in ast.walk(node))


def beside(call: ast.Call, name: str, path: Path) -> list[ast.expr]:
    """Return the label, the help and the alternative text that a call is given."""
    found = [k.value for k in call.keywords if k.arg in BESIDE] + (call.args[:1] if name in LABELLED else [])
    if (name in ("table", "figures") and "pages" in path.parts) or name in ("percent_column", "records_column"):
        found += call.args[1:2]
    return found


def sentences(path: Path) -> list[tuple[str, ...]]:
    """Return the fixed parts of each text in a file that is long enough to say something."""
    tree, silent = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        inner: list[ast.AST] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner = [node.value]
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            inner = [node] if name in ERRORS else [k.value for k in node.keywords if k.arg in NOT_SAID]
            inner += [text for text in beside(node, name, path) if not of_data(text)]
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(v) for v in node.values if isinstance(v, ast.Constant)}
        silent |= {id(each) for found in inner for each in ast.walk(found)}
    found = []
    for node in ast.walk(tree):
        fixed = None if id(node) in silent else pieces(node)
        if fixed is None or (path.stem in BUILT and not of_data(node)):
            continue
        words = re.sub("<[^>]*>", " ", " ".join(fixed))  # markup is no word
        if len(re.findall(r"[A-Za-z]{2,}", words)) >= WORDS and " " in words.strip():
            found.append(tuple(squeezed(part) for part in fixed if part.strip()))
    return found


def squeezed(text: str) -> str:
    """Return a text without what Markdown, line breaks and capitals add to it."""
    return re.sub(r"[\s\\*]+", " ", re.sub(r"\\(?=[^A-Za-z0-9\s])", "", text)).casefold()


def pattern(fixed: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(?s)" + ".{0,400}?".join(re.escape(part.strip()) for part in fixed))


def known_as(fixed: tuple[str, ...]) -> str:
    """Return what a sentence is listed under."""
    return " … ".join(part.strip() for part in fixed if part.strip())


# ---- what is said ----------------------------------------------------------------------------------------------------


def of_page(app: App) -> str:
    said = []
    for element in (*inside(app.at.main), *inside(app.at._tree.children[2])):  # dialogs stand beside the page
        for name in ("label", "value", "options"):
            value = getattr(element, name, None)
            if isinstance(value, str | list | tuple):
                said.append(value if isinstance(value, str) else "\n".join(map(str, value)))
        said += [getattr(element.proto, name, "") for name in ("help", "alt")]
        if element.type == "dataframe":
            said += [element.value.to_csv(), element.proto.columns]
        if element.type == "plotly_chart":
            said.append(json.dumps(json.loads(element.proto.spec), ensure_ascii=False))
    return squeezed("\n".join(said))


def of_figures(opened) -> str:
    """Return what each figure says in words and beneath it, of each target, cut short as on paper, or why it is not there."""
    plots = [plot for _, _, plot in every(opened, of_targets=True)]
    plots += [plot.first(1) for plot in plots if hasattr(plot, "first")]
    compared = opened.comparison() if "comparison" in opened.review.searched else None
    plots += [risk_utility.describe(compared, risk) for risk in compared.risks] if compared else []
    lacking = [found for entry in CATALOGUE.values() if (found := entry.lacking(opened)) is not None]
    said = [entry.title for entry in offered(opened)]
    said += [getattr(plot, name, "") for plot in plots for name in ("title", "caption", "sentence", "unit", "what")]
    return squeezed("\n".join([*said, *(f"{found.why} {found.needs}" for found in lacking)]))


def of_drawing(opened) -> str:
    """Return what is written in each figure on screen, also where the pointer rests on a mark."""
    return squeezed(
        "\n".join(
            json.dumps(draw(plot).to_plotly_json(), ensure_ascii=False, default=list)
            for _, _, plot in every(opened, of_targets=True)
        )
    )


def of_workbook(opened) -> str:
    """Return what a workbook's first sheet says, and what stands above the columns of the others."""
    sheets = pd.read_excel(io.BytesIO(workbook(opened)), sheet_name=None, engine="calamine")
    return squeezed(
        "\n".join([sheets["about"].to_csv(), *(" ".join(map(str, frame.columns)) for frame in sheets.values())])
    )


def of_results(opened) -> str:
    """Return what results say of themselves in a notebook."""
    found = [opened.assessment(), opened.attribute_baseline(), opened.identity_baseline(), opened.membership()]
    found += [opened.subsets()] if "subsets" in opened.review.searched else []
    return squeezed("\n".join(repr(result) for result in found if not isinstance(result, NotEvaluated)))


def of_report(given: ReportInput) -> str:
    return squeezed("\n".join(
        piece for b in (Block("note", kind(given)), *blocks(given))
        for piece in (b.text, *b.items, *(c for row in (b.columns, *b.rows) for c in row), b.plot.sentence if b.plot else "")
    ))  # fmt: skip


COMPARED = "compare.view"
SEEN_ON = {
    "data": [{}],
    "keys": [{}],
    "review": [{"review.view": view} for view in VIEWS]
    + [{"review.flags": True, "review.everything": True, "review.add_pair": True}],
    "records": [{"records.view": v} for v in ("At risk", "Look up", "Replicated uniques")],
    "safeguards": [{}],
    "baseline": [{}],
    "compare": [{}, *({COMPARED: view} for view in ("Side by side", "Usefulness"))],
    "report": [{}],
}
BASELINE = ("Attributes", "Replicated uniques", "Membership", "Fewer records", "Released together", "Anonymity")


ON_PAGES = ("as it comes", "left out for reasons", "membership refused", "all searched", "two key sets", "odd", "alike",
            "strangers", "safer", "mended", "census", "to_be_searched", "one_column", "nothing_asked", "everything_fits",
            "numbers", "other_columns", "far")  # fmt: skip


DRAWN = (
    "as it comes",
    "all searched",
    "safer",
    "odd",
    "numbers",
    "small_levels",
    "one_each",
    "far",
    "strangers",
    "by_size",
    "flat",
)
"""The reviews of which every figure is read."""


WRITTEN = ("as it comes", "all searched", "safer", "by_size", "two key sets", "split", "a verdict against the figure")
"""The reviews of which the workbook and results in a notebook are read."""


@cache
def recorded() -> dict[tuple[str, str], str]:
    """Return all that is said, by medium (the report, a page, the command line) and state."""
    st.cache_data.clear()
    st.cache_resource.clear()
    said = {}
    reviews = {name: make() for name, make in REVIEWS.items()}
    for name, opened in reviews.items():
        if opened.review.keys:
            said["notes", name] = squeezed(
                "\n".join(note.text for note in opened.remarks().with_result(opened.assessment()).every)
            )
            if name in DRAWN:
                said["figures", name] = of_figures(opened)
                said["drawn", name] = of_drawing(opened)
            if name in WRITTEN:
                said["workbook", name] = of_workbook(opened)
                said["notebook", name] = of_results(opened)
            said["report", name] = of_report(report_input(opened, Look(cells=name == "left out for reasons")))
        if name in ("left out for reasons", "all searched", "odd", "safer", "strangers", "small_levels"):
            said["report", f"{name}, shareable"] = of_report(report_input(opened, Look(shareable=True, smallest=5)))
            said["report", f"{name}, no names"] = of_report(
                report_input(opened, Look(shareable=True, smallest=5, level_names=False))
            )
    study = Study(demo.original(), demo.syntheses()[:1])
    said["report", "without a review"] = of_report(ReportInput(study, assess(study, Settings(keys=("sex", "age"))), ()))
    for name in ON_PAGES:
        for page, views in SEEN_ON.items():
            app = App()
            app.at.session_state["session"] = Session(opened=reviews[name])
            views = views if page != "baseline" else [{"_": view} for view in BASELINE]
            for i, view in enumerate(views):
                if page == "compare" and i and view[COMPARED] not in app.at.radio(key=COMPARED).options:
                    continue
                for key, value in view.items():
                    if page == "baseline":
                        app.at.session_state["session"].baseline_view = value
                    else:
                        app.at.session_state[key] = value
                app.page(page) if i == 0 else app.at.run()
                said[page, f"{name} {i}"] = of_page(app)
                if page == "safeguards":
                    for kind in app.at.selectbox(key="safe.kind").options if _has(app, "safe.kind") else ():
                        app.at.selectbox(key="safe.kind").set_value(kind).run()
                        said[page, f"{name} {kind}"] = of_page(app)
                if not reviews[name].review.keys:
                    break
    for (page, what), act in ACTS.items():
        app = App()
        app.at.session_state["session"] = Session(opened=reviews.get(BEGUN_AT.get(what, "as it comes")))
        said[page, what] = of_page(act(app.page(page)))
    app = App()
    for page in SEEN_ON:
        said[page, "no data"] = of_page(app.page(page))
    frame = odd().frames()[0].assign(
        kind=pd.Categorical(["a", "b"] * 60), yes=[True, False] * 60, day=pd.to_datetime(["2020-01-31"] * 120),
        empty=None, post=["007", "1"] * 60, mixed=["1", "2", "x"] * 40, far=[*range(119), 9999],
    )  # fmt: skip
    said["data", "what columns were taken for"] = "\n".join(suggestions.type_reasons(CodedTable.of(frame)).values())
    made = reviews["safer"].protected()
    names = [f"synthesis {i}" for i in range(1, 6)]
    said["log", "safer"] = squeezed(made.log(names, reviews["safer"].review.settings))
    said["log", "with notes"] = squeezed(made.log(names, reviews["safer"].review.settings, [["no codes"]] * 5))
    said["log", "uniques"] = (
        squeezed(RemoveUniques().sentence) if hasattr(RemoveUniques(), "sentence") else squeezed(str(RemoveUniques()))
    )
    return said


def opening(app: App, **what: object) -> App:
    """Open what is folded away, or choose what is shown."""
    for name, value in what.items():
        app.at.session_state[name.replace("__", ".")] = value
    app.at.run()
    return app


def drawing(app: App) -> App:
    app.at.session_state["session"].baseline_view = "Fewer records"
    app.at.run()
    app.set("number_input", "baseline.repeats", 1)
    return app.click("baseline.draw")


def at_tau(app: App, tau: float) -> App:
    app.at.session_state["session"].update(tau=tau)
    return app.tab("review.view", "τ")


def looking_up(app: App, **known: int) -> App:
    app.tab("records.view", "Look up").set("toggle", "records.truth", True)
    for name, level in known.items():
        app.set("selectbox", f"records.known.{name}", level)
    return app


def ticking(app: App) -> App:
    app.at.session_state["session"].unmasked = True
    app.at.session_state["records.table.abroad.0.0"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app.at.run()
    return app


def searching(app: App) -> App:
    return app.click("keys.search_targets").set("selectbox", "keys.given_away", "DiSCO of income")


def leaving_out(app: App, *outs: Exclusions) -> App:
    """Leave out one thing after the other, and take the last back."""
    for out in outs:
        app.at.session_state["session"].update(exclusions=out)
    app.at.run()
    return app.click("review.undo")


def capping(app: App) -> App:
    app.set("selectbox", "safe.kind", "Top and bottom code").set(
        "selectbox", "safe.column.Top and bottom code", "income"
    )
    return app.set("number_input", "safe.low", 0.0)


def one_cell(app: App) -> App:
    app.at.session_state["session"].table = ("c", "")
    return app.tab("compare.view", "Usefulness")


def membership(app: App) -> App:
    app.at.session_state["session"].baseline_view = "Membership"
    app.at.run()
    return app


def another_is_open(app: App) -> App:
    app.at.session_state["session"].update(about={"Note": "so"})
    return app.click("data.demo")


def several_methods(app: App) -> App:
    files = [(f"{method}_{i}.csv", b"a\n1\n", "") for method in ("cart", "gan") for i in (1, 2)]
    app.at.file_uploader(key="upload.synthetic").set_value(files).run()
    return app


def given_a_review(app: App, review: Review) -> App:
    app.open("data.saved").at.file_uploader(key="data.settings").set_value(
        ("r.json", to_json(review).encode(), "")
    ).run()
    return app


def asking(app: App, settings: Settings) -> App:
    app.at.session_state["session"].ask(settings)
    app.at.run()
    return app


def no_longer_fitting(app: App) -> App:
    """Levels and pairs are left out that other groups and keys do not have."""
    session = app.at.session_state["session"]
    level = session.now.study().grouped("income", 20)[0].labels[1]
    out = Exclusions(target_levels={"income": [level]}, pairs={"marital": [Pair("age", "17", "Single")]})
    session.update(exclusions=out)
    asked = session.settings
    return asking(app, replace(asked, keys=("sex", "region"), groups={**dict(asked.groups), "income": 3}))


def taking_up(app: App) -> App:
    app = given_a_review(app, opened_in({"holdout": OUTSIDE}).review)
    return app.click("data.use")


def narrowing(app: App) -> App:
    app.at.session_state["session"].narrowed = {"age": "80", "employment": "Student"}
    app.at.run()
    return app


ACTS = {
    ("baseline", "drawn"): drawing,
    ("baseline", "a holdout of a file asked for"): lambda app: app.click("baseline.bring"),
    ("baseline", "few outside"): lambda app: app,
    ("baseline", "many keys"): membership,
    ("records", "looked up"): lambda app: looking_up(app, age=80, employment=1),
    ("records", "one answer"): lambda app: looking_up(app, k=1),
    ("records", "a record ticked"): ticking,
    ("records", "nobody of these"): narrowing,
    ("keys", "searched"): lambda app: app.click("keys.search_targets"),
    ("keys", "searched, of a target"): searching,
    ("keys", "nobody"): lambda app: app.click("keys.search_targets"),
    ("review", "nothing is counted"): lambda app: app,
    ("review", "every measure"): lambda app: opening(app, review__view="Figures", review__every=True),
    ("review", "the curve as a table"): lambda app: opening(app, review__view="τ", **{"review.tau.table": True}),
    ("review", "all targets as a table"): lambda app: opening(app, **{"review.targets": True}),
    ("report", "an exhibit"): lambda app: opening(app, **{"report.exhibit": "000 Table 2, CAP family"}),
    ("review", "surely"): lambda app: at_tau(app, 1.0),
    ("review", "as sure as DCAP"): lambda app: at_tau(app, 0.0),
    ("review", "taken back"): lambda app: app.set("number_input", "review.limit", 3).set("number_input", "review.limit", None),
    ("review", "no limit"): lambda app: leaving_out(app, Exclusions(denominator_limit=3), Exclusions()),
    ("review", "something else left out"): lambda app: leaving_out(app, *(Exclusions(missing_targets={n}) for n in ("income", "bmi"))),
    ("review", "another reason"): lambda app: app.set("radio", "review.verdict", "leak").set("text_input", "review.verdict.why", "so").click("review.undo"),
    ("review", "no verdict"): lambda app: app.set("radio", "review.verdict", "leak").click("review.unmark").click("review.undo"),
    ("safeguards", "a code"): capping,
    ("compare", "one cell"): one_cell,
    ("compare", "in an engine"): lambda app: app.click("compare.measure").set("multiselect", "compare.named", ["k", "t"]),
    ("data", "a review with a holdout"): taking_up,
    ("data", "another is open"): another_is_open,
    ("data", "several methods"): several_methods,
    ("data", "several sets"): lambda app: several_methods(app).set("toggle", "upload.several", True),
    ("data", "a review of an engine"): lambda app: given_a_review(app, REVIEWS["far"]().review),
    ("data", "a review of tables"): lambda app: given_a_review(app, REVIEWS["unlike_values"]().review),
    ("data", "a review of no file"): lambda app: given_a_review(app, Review()),
    ("data", "no keys"): lambda app: asking(app, Settings()),
    ("keys", "other groups"): no_longer_fitting,
    ("report", "shareable"): lambda app: app.set("radio", "report.kind", "Shareable"),
}  # fmt: skip
"""What is done on a page, where a sentence stands only after it."""

BEGUN_AT = {
    "nothing is counted": "everything left out", "nobody": "strangers", "no keys": "one_column", "several methods": "", "several sets": "", "a review of an engine": "",
    "a review of tables": "", "a review of no file": "", "few outside": "split", "many keys": "many_keys", "a code": "odd", "one cell": "one_column",
    "in an engine": "far", "one answer": "alike", "searched, of a target": "odd", "a holdout of a file asked for": "odd",
}  # fmt: skip
"""The review that it is done with, where that is not the first."""


def _has(app: App, key: str) -> bool:
    return any(w.key == key for w in app.at.selectbox)


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """What the command line says, in a few states."""
    folder = tmp_path_factory.mktemp("said")
    demo.original().to_csv(folder / "demo.csv", index=False)
    for i, name in enumerate(("one", "two")):
        demo.syntheses()[i].to_csv(folder / f"{name}.csv", index=False)
    demo.holdout().to_csv(folder / "outside.csv", index=False)
    small = demo.original().head(200)
    small.to_csv(folder / "small.csv", index=False)
    pair, keys = ["demo.csv", "one.csv"], ["--keys", "sex,age,region"]
    outside = ["--holdout", "outside.csv", "--population", "1000000"]
    outside += [part for name in ("same-population", "membership-is-news") for part in ("--assume", f"{name}=yes")]
    calls = {
        "anonymity": ["anonymity", *pair, *keys],
        "combined": ["combined-release", *pair, "two.csv", *keys],
        "compare": ["compare", "demo.csv", "--set", "a", "one.csv", "--set", "b", "two.csv", *keys],
        "key subsets": ["key-subsets", *pair, *keys],
        "look up": ["look-up", *pair, *keys, "--target", "marital", "--know", "age=17"],
        "membership": ["membership", *pair, *keys, *outside],
        "protect": ["protect", *pair, *keys, "--step", "cap=income,0,9000", "--output", "safer"],
        "release size": ["release-size", "small.csv", "small.csv", *keys, "--repeats", "1"],
        "tau": ["tau", *pair, *keys],
        "one tau": ["tau", *pair, *keys, "--tau", "0.8"],
        "plain": ["assess", "demo.csv", "one.csv", "--keys", "sex,age,region"],
        "left out": ["assess", "demo.csv", "one.csv", "--keys", "sex,age", "--holdout", "outside.csv", "--report", "r.html", "--fail-if", "DiSCO>1"],
        "same": ["assess", "small.csv", "small.csv", "--keys", "sex", "--missing-code", "income=-8"],
    }  # fmt: skip
    said = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, call in calls.items():
            done = CliRunner().invoke(main, call)
            assert done.exit_code in (0, 1), done.stderr
            said["command line", name] = squeezed(done.stdout + done.stderr)
    return said


@pytest.fixture(scope="module")
def said(commands):
    return recorded() | commands


def where(fixed: tuple[str, ...], said: dict[tuple[str, str], str]) -> tuple[set, set]:
    """Return the states in which something is said, and those of the same media in which it is not."""
    found = pattern(fixed)
    longest = max(fixed, key=len).strip()
    yes = {state for state, text in said.items() if longest in text and found.search(text)}
    media = {medium for medium, _ in yes}
    return yes, {state for state in said if state[0] in media} - yes


@pytest.mark.parametrize("name", ["numbers", "left out for reasons", "safer"])
def test_a_figure_in_words_tells_the_figures_of_the_core(name):
    opened = REVIEWS[name]()
    result, said = opened.assessment(), {(n, t): plot.sentence for n, t, plot in every(opened, of_targets=True)}
    for entry, original, synthetic in (("dorig-disco", "Dorig", "DiSCO"), ("capd-dcapd", "CAPd", "DCAPd")):
        means = {
            t: [float(risk.figures(m).mean()) for m in (original, synthetic)] for t, risk in result.targets.items()
        }
        top = max(means, key=lambda t: means[t][1])
        assert (
            f"Highest: {top}, {original} {fixed(means[top][0])}, {synthetic} {fixed(means[top][1])}"
            in said[entry, None]
        )
    ends = opened.growth()["repU"].tolist()
    assert f"repU from {fixed(ends[0])} to {fixed(ends[-1])}" in said["keys-added", None]
    rows = opened.attribute_baseline().summary("DiSCO")
    for row in rows.to_dict("records"):
        told = f"{row['target']}: members {fixed(row['members'])}, people outside {fixed(row['non_members'])}, "
        told += f"difference {fixed(row['difference'], sign=True)}"
        assert told in said["members-outside-disco", None]
    for target, risk in result.targets.items():
        right = float(risk.figures("DiSCO").mean()) * result.n_original / 100
        assert f"DiSCO: and the answer is right: {right:,.1f}" in said["steps", target]
    assert len(rows) == len(result.targets) - (name == "numbers")  # the holdout lacks a column there


def test_every_sentence_is_said_in_one_state_and_not_in_another(said):
    never, always, paid = [], [], []
    for path in SPEAKING:
        for parts in sentences(path):
            name, (yes, no) = known_as(parts), where(parts, said)
            if name in LISTED["elsewhere"] or name in LISTED["not_said"]:
                continue
            if name in LISTED["without"]:
                paid += [name] if yes else []
            elif not yes:
                never.append(f"{path.relative_to(ROOT)}: {name}")
            elif not no and name not in LISTED["always"]:
                always.append(f"{path.relative_to(ROOT)}: {name}")
    assert not never, f"{len(never)} said in no state here; give them one, or list the test: {never}"
    assert not paid, f"these have a state now, take them off the list: {paid}"
    assert not always, f"{len(always)} said in every state of their page; is that true? {always}"


def test_what_is_listed_is_still_said():
    there = {known_as(fixed) for path in SPEAKING for fixed in sentences(path)}
    assert [name for kind in LISTED.values() for name in kind if name not in there] == []


@pytest.mark.parametrize("test", sorted(set(LISTED["elsewhere"].values())))
def test_a_test_that_is_named_has_the_sentence(test):
    """Four words of it in a row, or the whole where it is shorter."""
    text = squeezed((ROOT / test).read_text(encoding="utf-8"))
    for name in (n for n, of in LISTED["elsewhere"].items() if of == test):
        parts = [part.split() for part in name.split(" … ")]
        runs = [
            " ".join(words[i : i + WORDS]).strip(".,:;()") for words in parts for i in range(len(words) - WORDS + 1)
        ]
        assert any(run in text for run in runs or [name.strip(".,:;()")]), name
