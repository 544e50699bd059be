"""Whole reports, pages and prints of the command line, in words, for a person to read where one changed.

Each stands in `__snapshots__` as one text file. A change that is meant is taken over by `pytest -m slow
tests/slow/test_snapshots.py --snapshot-update` and read in the diff: is each sentence true of its state? That the
numbers are right is told elsewhere (`test_report_read_back.py`, `tests/pages/test_sentences_counted_again.py`).
"""

# Inside: of which kind a report is.

import json
import re
from functools import cache, reduce
from itertools import takewhile

import pytest
import streamlit as st
from google.protobuf.json_format import MessageToDict
from matplotlib.spines import Spine
from streamlit.testing.v1 import element_tree, local_script_runner
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from disclosure_core import Review, demo
from disclosure_core.figures import paper, screen
from disclosure_core.figures.look import Look as Printing
from disclosure_core.report import Block
from disclosure_core.report.render import kind
from disclosure_core.results import RESULTS
from disclosure_core.results.catalogue import every, figure
from tests.commands import disclosure
from tests.core.test_catalogue import asking_for_all
from tests.core.test_figures_beyond import BARS, LINES
from tests.core.test_figures_beyond import OUTSIDE as MEMBERS
from tests.core.test_paper import MARKUP, curves_of, plot_of
from tests.core.test_tried import drawn
from tests.core.test_tried import opened as tried
from tests.pages.conftest import App
from tests.reports import Look, assemble, blocks, ungrouped
from tests.slow.states import REVIEWS
from tests.slow.test_walk import inside
from tests.written import fixed

pytestmark = pytest.mark.slow

KINDS = {
    "internal": Look(cells=True), "shareable": Look(shareable=True, smallest=5),
    "shareable, no names": Look(shareable=True, smallest=5, level_names=False),
}  # fmt: skip
SHARED = ("all searched", "left out for reasons", "numbers", "labelled")
REPORTS = [(name, "internal") for name in REVIEWS] + [(name, k) for name in SHARED for k in list(KINDS)[1:]]
PAGES = [(name, page) for name in ("as it comes", "numbers", "odd")
         for page in ("data", "keys", "review", "records", "safeguards", "analyses", "compare", "report")]  # fmt: skip
PAGES += [
    (name, page) for name in ("a holdout and no limits", "two key sets") for page in ("analyses", "compare", "report")
]
PAGES += [("a holdout and no limits", "review"), ("two key sets", "keys")]


class Text(SingleFileSnapshotExtension):
    """One text file a snapshot, named for what it is of."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.fixture
def said(snapshot):
    def same(lines):
        text = re.sub(r"Python 3\.\d+\.\d+", "Python 3", "\n".join(line for line in lines if line.strip()))
        text = re.sub(r"(data:image/png;base64),[\w+/=]+", r"\1", text)  # page 1, with the date of the day
        assert text + "\n" == snapshot(extension_class=Text)

    return same


def told(block):
    """The lines of a part of a report: its text, its items, a row each, and the figure for those who cannot see it."""
    yield f"# {block.text}" if block.kind == "heading" else block.text
    yield from (f"- {item}" for item in block.items)
    yield from (" | ".join(map(str, row)) for row in (block.columns, *block.rows))
    yield f"[{block.plot.sentence}]" if block.plot else ""


@pytest.mark.parametrize(("name", "look"), REPORTS)
def test_a_report(name, look, said):
    opened = REVIEWS[name]()
    given = assemble(ungrouped(opened) if KINDS[look].shareable else opened, KINDS[look])
    said([line for block in (Block("note", kind(given)), *blocks(given)) for line in told(block)])


def rows_of(part):
    """The lines of a table of ours: a row each, its texts and numbers in their order."""
    lines = [part] if not isinstance(part, dict) else part.values()
    for line in lines:
        if isinstance(line, list) and any(isinstance(each, dict) for each in line):
            yield from (" | ".join(leaves(each)) for each in line)
        else:
            yield from filter(None, [" | ".join(leaves(line))])


def leaves(part):
    """The texts and numbers of what JSON holds."""
    if isinstance(part, dict | list):
        for each in part.values() if isinstance(part, dict) else part:
            yield from leaves(each)
    elif isinstance(part, str | int | float) and not isinstance(part, bool) and part != "":
        yield f"{part:.6g}" if isinstance(part, float) else str(part)


def shown(app):
    """The lines of a page: what each element says, and its help."""
    for element in (*inside(app.at.main), *inside(app.at._tree.children[2])):  # dialogs stand beside the page
        if element.type == "bidi_component" and not element.proto.bytes:  # a table of ours
            yield from rows_of(json.loads(element.proto.json)["shows"])
            continue
        if element.type == "bidi_component":  # a button of ours
            head = json.loads(element.proto.bytes.partition(b"\n")[0])
            yield from (
                head["label"] + head["mark"] * head["unsaved"],
                *([f"({head['help']})"] if head["help"] else []),
            )
            continue
        for name in ("label", "value", "options"):
            value = getattr(element, name, None)
            if isinstance(value, str | list | tuple) and value and "<style>" not in value:
                yield value if isinstance(value, str) else " | ".join(map(str, value))
        yield from (f"({text})" for name in ("help", "alt") if (text := getattr(element.proto, name, "")))
        if element.type == "dataframe":
            yield from element.value.to_csv(index=False, sep="|", float_format="%.6g").splitlines()


@pytest.mark.parametrize(("name", "page"), PAGES)
def test_a_page(name, page, said):
    st.cache_data.clear()
    app = App()
    app.hold(REVIEWS[name]())
    said(shown(app.page(page)))


LOOKS = {
    "border", "column", "direction", "disabled", "divider", "expandable", "flexContainer", "format", "gapConfig", "heightConfig",
    "horizontal", "icon", "max", "maxChars", "min", "placeholder", "popover", "shortcut", "step", "style", "type", "weight", "widthConfig",
}  # fmt: skip
"""What Streamlit is told of how an element or a container looks and what it lets in, as it names it."""


def looks(element):
    """How an element of a page looks, without its texts and values: one line, which begins with its key."""
    told = MessageToDict(element.proto) | getattr(element, "placed", {})
    fold = {name: len(told.get(name, {}).pop("id", "")) > 0 for name in ("popover", "expandable") if name in told}
    for name in fold:
        told[name].pop("label")
    key = re.sub(r"^\$\$ID-[0-9a-f]{32}-|^None$", "", told.get("id", ""))
    lines = [
        element.type,
        key,
        json.dumps({n: told[n] for n in sorted(LOOKS & {*told})}),
        "runs when opened" if any(fold.values()) else "",
    ]
    for name, column in json.loads(told.get("columns") or "{}").items():
        lines.append(json.dumps([name, column], ensure_ascii=False))
    return " ".join(filter(None, lines))


def all_of(block):
    """All that a page holds, those within after what they stand in."""
    for child in block.children.values():
        yield child
        yield from all_of(child) if hasattr(child, "children") else ()


SEARCHES = ("subsets", "number-of-keys", "strongest-intruder", "membership", "uniques-outside")
VIEWS = {
    "nothing opened": lambda: App().page("data"),
    **{page: lambda page=page: held().page(page) for page in ("data", "keys", "review", "safeguards", "compare", "report", "workshop")},
    **{each: lambda each=each: held().page("records").set("radio", "records.view", each) for each in ("Records at risk", "Look up")},
    **{f"analyses, {each}": lambda each=each: held().question(each) for each in (*(each.short for each in RESULTS), *SEARCHES)},
    "the least safeguard": lambda: held().page("safeguards").click("safe.least.lead"),
    "reasons": lambda: App().hold(REVIEWS["left out for reasons"]()).page("report"),
    "intervals of two syntheses": lambda: App().hold(of_two()).page("keys"),
}  # fmt: skip


def of_two():
    return Review.of(["age"], groups={"age": 3}).open(demo.original(), demo.syntheses()[:2])


def held():
    app = App()
    return app.hold(REVIEWS["all searched"]())


def placed(messages):
    """The tree of a page, of which each element has its height and width: these come beside it, and AppTest drops them."""
    tree = element_tree.parse_tree_from_messages(messages)
    for message in messages:
        if message.delta.HasField("new_element"):
            node = reduce(lambda node, at: node.children[at], message.metadata.delta_path, tree)
            told = MessageToDict(message.delta.new_element)
            sides = {name: told.get(name) for name in ("heightConfig", "widthConfig")}
            node.placed = {name: side for name, side in sides.items() if side not in (None, {"useStretch": True})}
    return tree


@pytest.mark.parametrize("view", VIEWS)
def test_how_a_page_looks(view, said, monkeypatch):
    """What stands beside what and how wide, what a number looks like, what a click opens: other tests ask for no place."""
    monkeypatch.setattr(local_script_runner, "parse_tree_from_messages", placed)
    st.cache_data.clear()
    said(map(looks, all_of(VIEWS[view]().at.main)))


DRAWN = ("text", "position", "ha", "color", "fontfamily", "size", "rotation", "xydata", "linewidth", "linestyle", "marker", "markersize",
         "markerfacecolor", "markeredgecolor", "markeredgewidth", "xy", "x", "y", "width", "height", "facecolor", "edgecolor", "hatch", "paths")  # fmt: skip
"""What matplotlib is told of letters, lines, marks and areas, as it names it."""
FIGURES = [("everything", name) for name in (
    "dorig-disco", "members-outside-disco", "keys-added", "given-away-tau", "steps", "denominators", "contributions", "scenarios", "all-but-one",
    "risk-utility", "sets-by-target", "least-safeguard", "each-key-repu", "strongest-repu", "fewer-records-disco",
    "measures-by-size", "membership-keys", "near-misses", "shared-keys", "usefulness")]  # fmt: skip
LARGE = (
    "dorig-disco",
    "members-outside-disco",
    "scenarios",
    "sets-by-target",
    "risk-utility",
    "usefulness",
    "steps",
    "keys-added",
)
FIGURES += [("left out without", name) for name in LARGE] + [("numbers", name) for name in LARGE[:2]]
BY_HAND = {
    "bars": lambda: BARS, "outside": lambda: MEMBERS, "lines": lambda: LINES, "frames": lambda: curves_of(7), "arrows": lambda: plot_of(MARKUP * 2),
    "safeguards": lambda: drawn(tried()),
}  # fmt: skip
FIGURES += [("by hand", name) for name in BY_HAND]
asked = cache(lambda review: REVIEWS[review]() if review in REVIEWS else asking_for_all())


def short(told):
    """What is told of a place or a colour, in three digits or tenths: less than anybody sees."""
    told = getattr(told, "bounds", getattr(told, "vertices", told))
    told = told.tolist() if hasattr(told, "tolist") else told
    if isinstance(told, dict):
        return {name: short(part) for name, part in told.items()}
    if isinstance(told, list | tuple):
        return [short(part) for part in told]
    return float(f"{told:.1f}" if abs(told) > 100 else f"{told:.3g}") if isinstance(told, float) else told


def line_of(told):
    return json.dumps(short(told), ensure_ascii=False, separators=(",", ":")).replace(".0,", ",").replace(".0]", "]")


def drawn_of(artist):
    told = [short(ask()) for name in DRAWN if (ask := getattr(artist, f"get_{name}", None))]
    return f"{type(artist).__name__} {artist.zorder} {line_of([each for each in told if each not in (None, 'None')])}"


@pytest.mark.parametrize(("review", "name"), FIGURES)
def test_how_a_figure_is_drawn(review, name, said):
    """Where each mark and word stands, how large and in which colour: other tests ask for what it tells."""
    target = "household" if name == "near-misses" else None
    plot = BY_HAND[name]() if review == "by hand" else figure(asked(review), name, target)
    lines, grey = [], Printing("column", grey=True, title="A title")
    on_paper = (Printing(), grey) if review == "everything" else (Printing("slide"), Printing(width_mm=60))
    for look in on_paper if name != "safeguards" else ():
        drawn = paper.figure(plot, look)
        ours = takewhile(lambda each: not isinstance(each, Spine), drawn.axes[0].get_children())
        lines += [f"# {look.measures} {drawn.get_size_inches()}", *map(drawn_of, ours)]
    for way in ({"ink": "#101922"}, {"narrow": True}):
        told = screen.draw(plot, **way).to_dict()
        told["layout"].pop("template", None)  # Streamlit's
        now = [*map(line_of, told["data"]), *(line_of({part: each}) for part, each in told["layout"].items())]
        lines += [f"# on screen {way}", *(line for line in now if line not in lines)]
    said(lines)


PAIR, KEYS = ["demo.csv", "one.csv"], ["--keys", "sex,age,region"]
OUTSIDE = ["--holdout", "outside.csv", "--population", "1000000", "--assume", "same-population=yes",
           "--assume", "membership-is-news=yes"]  # fmt: skip
CALLS = {
    "anonymity": ["anonymity", *PAIR, *KEYS],
    "combined": ["combined-release", *PAIR, "two.csv", *KEYS],
    "compare": ["compare", "demo.csv", "--set", "a", "one.csv", "--set", "b", "two.csv", *KEYS],
    "key subsets": ["key-subsets", *PAIR, *KEYS],
    "look up": ["look-up", *PAIR, *KEYS, "--target", "marital", "--know", "age=17"],
    "membership": ["membership", *PAIR, *KEYS, *OUTSIDE],
    "protect": [
        "protect",
        *PAIR,
        *KEYS,
        "--missing-code",
        "income=-8",
        "--step",
        "cap=income,0,9000",
        "--output",
        "safer",
    ],
    "release size": ["release-size", "small.csv", "small.csv", *KEYS, "--repeats", "1"],
    "tau": ["tau", *PAIR, *KEYS],
    "one tau": ["tau", *PAIR, *KEYS, "--tau", "0.8"],
    "plain": ["assess", *PAIR, *KEYS],
    "people outside": ["assess", *PAIR, *KEYS, "--holdout", "outside.csv", "--holdout-is", "random-part"],
    "same": ["assess", "small.csv", "small.csv", "--keys", "sex", "--missing-code", "income=-8"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("said")
    original, syntheses = demo.original(), demo.syntheses()
    for name, frame in (("demo", original), ("one", syntheses[0]), ("two", syntheses[1]), ("outside", demo.holdout())):
        frame.to_csv(folder / f"{name}.csv", index=False)
    original.head(200).to_csv(folder / "small.csv", index=False)
    return folder


@pytest.mark.parametrize("name", CALLS)
def test_a_call(name, said, folder, monkeypatch):
    monkeypatch.chdir(folder)
    done = disclosure(*CALLS[name])
    assert done.exit_code == 0, done.stderr
    said((done.stdout + done.stderr).splitlines())


@pytest.mark.parametrize("name", ["numbers", "left out for reasons", "safer"])
def test_a_figure_in_words_tells_the_figures_of_the_core(name):
    opened = REVIEWS[name]().judged
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
        told = re.search(r"DiSCO: and the answer is right: ([\d,.]+?)[;.]? ", said["steps", target] + " ").group(1)
        # As it is drawn: a count of 100 or more without decimals.
        assert float(told.replace(",", "")) == pytest.approx(right, abs=0.5001 if right >= 99.5 else 0.0501)
    assert len(rows) == len(result.targets) - (name == "numbers")  # the holdout lacks a column there
