"""Whatever the program can say of the data is said in one state at least, and in another it is not.

The sentences are found in the code, so that a new one without a state fails: every text of four words or more in the
modules that speak of data, but for errors, help and what stands for those who cannot see. The states are reviews: each
is reported, shown on every page with every view, and given to the command line. `sentences.toml` lists, each by its fixed
words, what another test reaches (`elsewhere`), what stands on its page whatever the data are (`always`), what says
nothing of the data (`not_said`), and what has no state yet (`without`): that list is a debt, and may only shrink.
"""

import ast
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from click.testing import CliRunner

from disclosure_core import Exclusions, Settings
from disclosure_core.cli.commands import main
from disclosure_core.data import demo, suggestions
from disclosure_core.data.coded import CodedTable
from disclosure_core.holdout.decision import Limit, Limits
from disclosure_core.protection.safeguards import Cap, Coarsen, MergeLevels, RemoveReplicated, RemoveUniques, RoundTo
from disclosure_core.report import blocks
from disclosure_core.report.assembled import Look, report_input
from disclosure_core.review.opening import start, start_demonstration
from disclosure_core.review.scenarios import paper_scenarios
from disclosure_core.review.value import Chain, Holdout
from pages.shared.session import Session
from tests.pages.conftest import App
from tests.slow.test_report_read_back import ANSWERED, OUTSIDE, STATES, opened_in
from tests.slow.test_walk import VIEWS, inside

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LISTED = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))
CORE = ROOT / "disclosure_core"
SPEAKING = [
    *sorted((CORE / "report").glob("*.py")), *sorted((CORE / "review").glob("*.py")),
    *sorted((CORE / "comparison").glob("*.py")), *sorted((CORE / "holdout").glob("*.py")),
    *sorted((CORE / "sensitivity").glob("*.py")), *sorted((CORE / "protection").glob("*.py")),
    *(CORE / "data" / f"{n}.py" for n in ("agreement", "harmonise", "suggestions", "study")), CORE / "cli" / "leaving.py",
    *sorted(p for p in (ROOT / "pages").rglob("*.py") if p.parent.name in (
        "baseline", "compare", "keys", "records", "review", "safeguards", "report", "shared")),
]  # fmt: skip
WORDS = 4
ERRORS = {"DisclosureError", "not_found", "LookupError", "ValueError", "TypeError", "KeyError"}
LABELLED = {
    "button", "popover", "expander", "text_input", "selectbox", "multiselect", "radio", "number_input", "toggle", "dialog",
    "checkbox", "offer", "file_uploader", "page_link", "next_page", "_button", "TextColumn", "NumberColumn", "percent_column",
    "records_column", "progress", "cast",
}  # fmt: skip
"""What a call of these names first is a label, and says nothing of the data."""

NOT_SAID = {"help", "help_text", "placeholder", "icon", "key", "alt", "description"}


# ---- what can be said ------------------------------------------------------------------------------------------------


def pieces(node: ast.AST) -> list[str] | None:
    """Return the fixed parts of a text, in order; None where the node is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [str(v.value) for v in node.values if isinstance(v, ast.Constant)]
    return None


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
            inner += node.args[:1] if name in LABELLED else []
            inner += node.args[1:2] if name == "table" and "pages" in path.parts else []  # for those who cannot see
            inner += node.args[1:2] if name in ("percent_column", "records_column") else []  # help
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(v) for v in node.values if isinstance(v, ast.Constant)}
        silent |= {id(each) for found in inner for each in ast.walk(found)}
    found = []
    for node in ast.walk(tree):
        fixed = None if id(node) in silent else pieces(node)
        if (
            fixed is not None
            and len(re.findall(r"[A-Za-z]{2,}", " ".join(fixed))) >= WORDS
            and " " in " ".join(fixed).strip()
        ):
            found.append(tuple(squeezed(part) for part in fixed if part.strip()))
    return found


def squeezed(text: str) -> str:
    """Return a text without what Markdown, line breaks and capitals add to it."""
    return re.sub(r"[\s\\*]+", " ", text).casefold()


def pattern(fixed: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(?s)" + ".{0,400}?".join(re.escape(part.strip()) for part in fixed))


def known_as(fixed: tuple[str, ...]) -> str:
    """Return what a sentence is listed under."""
    return " … ".join(part.strip() for part in fixed if part.strip())


# ---- what is said ----------------------------------------------------------------------------------------------------


def of_page(app: App) -> str:
    said = []
    for element in inside(app.at.main):
        for name in ("label", "value", "options"):
            value = getattr(element, name, None)
            if isinstance(value, str | list | tuple):
                said.append(value if isinstance(value, str) else "\n".join(map(str, value)))
        if element.type == "dataframe":
            said.append(element.value.to_csv())
        if element.type == "plotly_chart":
            said.append(element.proto.spec)
    return squeezed("\n".join(said))


def of_report(opened, look: Look) -> str:
    return squeezed("\n".join(
        piece for b in blocks(report_input(opened, look))
        for piece in (b.text, *b.items, *(c for row in (b.columns, *b.rows) for c in row), b.plot.sentence if b.plot else "")
    ))  # fmt: skip


SEEN_ON = {
    "data": [{}],
    "keys": [{}],
    "review": [{"review.view": view} for view in VIEWS]
    + [{"review.flags": True, "review.everything": True, "review.add_pair": True}],
    "records": [{"records.view": v} for v in ("At risk", "Look up", "Replicated uniques")],
    "safeguards": [{}],
    "baseline": [{}],
    "compare": [{"compare.view": v} for v in ("Sets", "Usefulness")],
    "report": [{}],
}
BASELINE = ("Attributes", "Replicated uniques", "Membership", "Fewer records", "Released together", "Anonymity")


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def odd():
    """Files about which there is much to say: codes, texts for nothing, identifiers, copies, levels on one side."""
    frame = pd.DataFrame({
        "sex": ["f", "m"] * 60, "age": [*range(20, 50)] * 4, "work": ["yes", "no", "NA"] * 40,
        "number": [f"P{i:03}" for i in range(120)], "income": [-8] * 12 + [*range(1000, 1108)], "born": ["03/04/2020"] * 120,
    })  # fmt: skip
    other = frame.assign(work=frame["work"].str.upper() + " ", age=frame["age"][::-1].to_numpy(), more=1)
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(other)), ("t.csv", csv(other))]})
    return opened.asking(
        opened.review.with_settings(Settings(keys=("sex", "age", "number"), groups={"age": 4, "income": 119}))
    )


def alike():
    """A synthesis that is the original, with few people: all is given away, and nothing is flagged."""
    frame = pd.DataFrame({"k": [f"k{i}" for i in range(30)], "j": ["x"] * 30, "t": ["a", "b", "b"] * 10})
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(frame))]})
    return opened.asking(opened.review.with_settings(Settings(keys=("k",))))


def strangers():
    """A synthesis that shares no key with the original: nothing is given away."""
    frame = pd.DataFrame({"k": [f"k{i}" for i in range(30)], "t": ["a", "b", "b"] * 10})
    other = frame.assign(k=[f"m{i}" for i in range(30)])
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(other))]})
    out = Exclusions(target_levels={"t": ["a"]}, missing_keys={"k"}, denominator_limit=1)
    return opened.asking(opened.review.with_settings(Settings(keys=("k",), exclusions=out)))


def safer():
    steps = (
        RemoveReplicated(),
        Cap("income", 0, 9000),
        RoundTo("bmi", 5),
        MergeLevels("region", 400),
        Coarsen("income", 5),
    )
    opened = opened_in(STATES["left out without"])
    review = replace(opened.review, chains=(Chain("tried", steps),), chain="tried", searched=frozenset({"comparison"}))
    opened = opened.asking(review)
    return opened.asking(replace(review, scenarios=paper_scenarios(opened.assessment()), tau=0.8))


def mended():
    """What was mended and answered, and what was read otherwise; a key of too many levels; few people outside."""
    opened = odd()
    columns = replace(opened.review.columns, mends={"work": ("space", "case")}, missing_texts={"work": ("NA",)})
    no = {"all-synthetic": "no", "one-row-one-person": "no", "labelled": "no"}
    return opened.asking(replace(opened.review, columns=columns, assumptions=no, targets=("work",), groups={}))


def split():
    """The original in two, with few people outside."""
    opened = start_demonstration()
    return opened.asking(replace(opened.review, holdout=Holdout("split", None, 95, 1), targets=("marital",)))


def census():
    """A population that the release tells nothing new of."""
    state = {
        "holdout": OUTSIDE,
        "threat_model": replace(ANSWERED, population_size=6300, training_alone=True, random_sample=False),
    }
    return opened_in(
        {**state, "limits": Limits(Limit(10, 2)), "searched": frozenset({"membership"}), "targets": ("abroad",)}
    )


def to_be_searched():
    return opened_in({"holdout": OUTSIDE, "threat_model": ANSWERED, "targets": ("abroad",)})


def of_others():
    return opened_in(
        {"holdout": OUTSIDE, "threat_model": replace(ANSWERED, same_population=False), "targets": ("abroad",)}
    )


def of_nobody_knows_how_many():
    return opened_in(
        {"holdout": OUTSIDE, "threat_model": replace(ANSWERED, population_size=None), "targets": ("abroad",)}
    )


def one_each():
    """Two sets of one synthesis, side by side."""
    frames = [
        ("o.csv", csv(demo.original().head(400))),
        *((f"{i}.csv", csv(f.head(400))) for i, f in enumerate(demo.syntheses()[:2])),
    ]
    opened = start(frames[0], {"a": [frames[1]], "b": [frames[2]]})
    review = opened.review.with_settings(Settings(keys=("sex", "age", "region")))
    return opened.asking(replace(review, searched=frozenset({"comparison"})))


def one_column():
    """Columns with one level, and intervals that many records share."""
    frame = pd.DataFrame({"k": ["a", "b"] * 30, "c": ["x"] * 60, "d": ["y"] * 60, "n": [0] * 40 + [*range(20)]})
    opened = start(("o.csv", csv(frame)), {"synthetic data": [("s.csv", csv(frame.iloc[::-1].head(50)))]})
    return opened.asking(opened.review.with_settings(Settings(keys=("k",), groups={"n": 20})))


def nothing_asked():
    opened = start_demonstration()
    return opened.asking(replace(opened.review, intruders=(replace(opened.review.intruders[0], keys=()),)))


REVIEWS = {name: (lambda state=state: opened_in(state)) for name, state in STATES.items()}
REVIEWS |= {
    f.__name__: f
    for f in (
        odd,
        alike,
        strangers,
        safer,
        mended,
        split,
        census,
        to_be_searched,
        of_others,
        of_nobody_knows_how_many,
        one_each,
        one_column,
        nothing_asked,
    )
}
ON_PAGES = ("as it comes", "left out for reasons", "membership refused", "all searched", "two key sets", "odd", "alike",
            "strangers", "safer", "mended", "census", "to_be_searched", "one_column", "nothing_asked")  # fmt: skip


@cache
def recorded() -> dict[tuple[str, str], str]:
    """Return all that is said, by medium (the report, a page, the command line) and state."""
    st.cache_data.clear()
    st.cache_resource.clear()
    said = {}
    reviews = {name: make() for name, make in REVIEWS.items()}
    for name, opened in reviews.items():
        if opened.review.keys:
            said["report", name] = of_report(opened, Look(cells=name == "two key sets"))
        if name in ("left out for reasons", "all searched", "odd", "safer"):
            said["report", f"{name}, shareable"] = of_report(opened, Look(shareable=True, smallest=5))
            said["report", f"{name}, no names"] = of_report(opened, Look(shareable=True, smallest=5, level_names=False))
    for name in ON_PAGES:
        for page, views in SEEN_ON.items():
            app = App()
            app.at.session_state["session"] = Session(opened=reviews[name])
            views = views if page != "baseline" else [{"_": view} for view in BASELINE]
            for i, view in enumerate(views):
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
        app.at.session_state["session"] = Session(opened=reviews["strangers" if what == "nobody" else "as it comes"])
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


def drawing(app: App) -> App:
    app.at.session_state["session"].baseline_view = "Fewer records"
    app.at.run()
    app.set("number_input", "baseline.repeats", 1)
    return app.click("baseline.draw")


def at_tau(app: App, tau: float) -> App:
    app.at.session_state["session"].update(tau=tau)
    return app.tab("review.view", "τ")


def looking_up(app: App) -> App:
    app.tab("records.view", "Look up").set("toggle", "records.truth", True)
    return app.set("selectbox", "records.known.age", 80).set("selectbox", "records.known.employment", 1)


def narrowing(app: App) -> App:
    app.at.session_state["session"].narrowed = {"age": "80", "employment": "Student"}
    app.at.run()
    return app


ACTS = {
    ("baseline", "drawn"): drawing,
    ("records", "looked up"): looking_up,
    ("records", "nobody of these"): narrowing,
    ("keys", "searched"): lambda app: app.click("keys.search_targets"),
    ("keys", "nobody"): lambda app: app.click("keys.search_targets"),
    ("review", "surely"): lambda app: at_tau(app, 1.0),
    ("review", "as sure as DCAP"): lambda app: at_tau(app, 0.0),
    ("review", "taken back"): lambda app: app.set("number_input", "review.limit", 3).set("number_input", "review.limit", None),
    ("review", "a verdict taken back"): lambda app: app.click("review.mark").set("text_input", "review.verdict.why", "so"),
    ("review", "no verdict"): lambda app: app.click("review.mark").click("review.unmark"),
    ("report", "shareable"): lambda app: app.set("radio", "report.kind", "Shareable"),
}  # fmt: skip
"""What is done on a page, where a sentence stands only after it."""


def _has(app: App, key: str) -> bool:
    return any(w.key == key for w in app.at.selectbox)


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """What the command line says, in a few states."""
    folder = tmp_path_factory.mktemp("said")
    demo.original().to_csv(folder / "demo.csv", index=False)
    demo.syntheses()[0].to_csv(folder / "one.csv", index=False)
    demo.holdout().to_csv(folder / "outside.csv", index=False)
    small = demo.original().head(200)
    small.to_csv(folder / "small.csv", index=False)
    calls = {
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


def test_every_sentence_is_said_in_one_state_and_not_in_another(said):
    never, always, paid = [], [], []
    for path in SPEAKING:
        for fixed in sentences(path):
            name, (yes, no) = known_as(fixed), where(fixed, said)
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
