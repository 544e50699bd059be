"""An app run in this process, page by page."""

# Inside: what parses in a child, or is drawn while a button is pressed, is replaced.

import json
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from disclosure_core.data import readers
from disclosure_core.data.readers import _parent
from pages.analyses import shown, strongest
from pages.report import verifying
from pages.safeguards import least
from pages.safeguards.steps import KINDS
from pages.server import handed
from pages.shared import session
from pages.shared.running import running
from tests.written import rounded

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
"""Each app looked through the description of every installed package anew, for longer than all else that it does first."""

APP = Path(__file__).parents[2] / "pages/navigation.py"  # not app.py: it is no page, and AppTest would draw nothing


@pytest.fixture(autouse=True)
def _no_leaks():
    """AppTest gives every app the same session id: cached values would leak from test to test."""
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def _parsed_here(request, monkeypatch):
    """Parse uploads in this process, a second less for each: children are for tests marked `in_child`, and for servers."""
    if "in_child" in request.keywords:
        return

    def parsed(data, name, options, limits, waiting=None):
        return tuple(readers.parse(data, name, options, limits))

    def answered(job, buffers, data, name, limits, waiting, handle):
        (answer,) = handle(b"f", *import_module(job["module"]).answered(data, buffers, job | {"name": name}))
        return answer

    monkeypatch.setattr(_parent, "parse_in_child", parsed)
    monkeypatch.setattr(_parent, "ask_child", answered)  # for saved reviews and codebooks
    monkeypatch.setattr(_parent, "prepare", lambda n: None)


def as_shown(figures, digits: int = 2):
    """Return figures of the core as a table on a page holds them: rounded there, half away from zero."""
    if isinstance(figures, dict):
        return {name: as_shown(value, digits) for name, value in figures.items()}
    if isinstance(figures, list):
        return [as_shown(value, digits) for value in figures]
    return rounded(float(figures), digits) if isinstance(figures, float) else figures


@dataclass(frozen=True)
class Hand:
    """A button of ours (`pages/shared/handing.py`), as a browser is told of it."""

    id: str
    head: dict
    body: bytes

    @property
    def key(self) -> str:
        return self.head["key"]

    @property
    def label(self) -> str:
        return self.head["label"] + self.head["mark"] * self.head["unsaved"]

    @property
    def file(self) -> bytes | None:
        """The file on its way, as the browser that asked for it gets it."""
        told = self.head.get("file")
        if told is None:
            return None
        got = handed._FILES[told["address"]].data if told["address"] else self.body
        assert (len(got), zlib.crc32(got)) == (told["size"], told["crc"])
        return got


def _texts(shown) -> list[str]:
    """Return all texts that a table of ours is told."""
    inner = shown.values() if isinstance(shown, dict) else shown if isinstance(shown, list) else ()
    return [shown] if isinstance(shown, str) else [text for each in inner for text in _texts(each)]


class App:
    """One visitor, who finds widgets by key and pages by name."""

    asked = 0

    def __init__(self) -> None:
        self.at = AppTest.from_file(str(APP), default_timeout=300).run()
        self.sound()

    def sound(self) -> "App":
        assert not self.at.exception, self.at.exception
        assert self.at.main.children, "nothing was drawn: is this the page's script?"
        assert not any("went wrong on our side" in e.value for e in self.at.error)
        return self

    def page(self, name: str) -> "App":
        self.at.switch_page(f"{name}/page.py").run()
        return self.sound()

    @property
    def session(self) -> session.Session:
        """What the visitor's session holds."""
        return self.at.session_state["session"]

    def hold(self, opened) -> "App":
        """Have a review open, as if somebody had just begun it."""
        self.at.session_state["session"] = session.begin(opened)
        return self

    def question(self, short: str) -> "App":
        """Look at a question of the page Analyses."""
        self.session.analysis = short
        return self.page("analyses")

    def demo(self, target: str | None = "abroad") -> "App":
        """Open the demonstration survey and look at a target; None: at the first of the queue."""
        self.at.button(key="data.demo").click().run()
        self.session.target = target
        return self.sound()

    def set(self, kind: str, key: str, value) -> "App":
        getattr(self.at, kind)(key=key).set_value(value).run()
        return self.sound()

    def step(self, kind: str) -> "App":
        """Ask for a kind of step on the page Safeguards."""
        group = next(name for name, kinds in KINDS.items() if kind in kinds)
        return self.set("button_group", "safe.group", group).set("selectbox", "safe.kind", kind)

    def click(self, key: str) -> "App":
        if key in self.hands():
            return self.ask(key)
        self.at.button(key=key).click().run()
        return self.sound()

    def hands(self) -> dict[str, Hand]:
        """Return the buttons of ours, by their keys, in the order of the page."""
        found = {}
        for element in self.at.get("bidi_component"):
            if not element.proto.bytes:
                continue  # a table of ours
            head, _, body = element.proto.bytes.partition(b"\n")
            hand = Hand(element.proto.id, json.loads(head), body)
            found[hand.key] = hand
        return found

    def parts(self) -> dict[str, tuple[str, dict]]:
        """Return the tables of ours that are drawn, by key: their ids, and what they are told."""
        told = [(e.proto.id, json.loads(e.proto.json)) for e in self.at.get("bidi_component") if e.proto.json]
        return {data["key"]: (key, data) for key, data in told}

    def part(self, key: str) -> dict:
        """Return what a table of ours (`pages/shared/parts.py`) shows."""
        return self.parts()[key][1]["shows"]

    def act(self, key: str, *acts: dict) -> "App":
        """Do in a table of ours what its script would tell."""
        part, data = self.parts()[key]
        first = self.asked + 1
        self.asked += len(acts)
        told = {"page": "a" * 20, "of": data["of"], "acts": [{"n": n, **act} for n, act in enumerate(acts, first)]}
        states = self.at._tree.get_widget_states()
        states.widgets.append(WidgetState(id=part, json_value=json.dumps({"told": told})))
        self.at._run(states)
        return self.sound()

    def roles(self, role: str = "key") -> list[str]:
        """Return the columns that have a role on the page Keys: keys in their order, others in that of the data."""
        found = [row["name"] for row in self.part("keys.roles")["rows"] if row["cells"]["role"]["value"] == role]
        return sorted(found, key=self.session.review.keys.index) if role == "key" else found

    def keys(self, names) -> "App":
        """Choose keys in the table of columns, in this order, each after those that stay."""
        review, names, staying = self.session.review, list(names), []
        for key in review.keys:
            if names[len(staying) : len(staying) + 1] == [key]:
                staying.append(key)
        out = [key for key in review.keys if key not in staying]
        back = ["target" if review.targets is None else "left out"] * len(out)
        return self.change(*zip(out, back, strict=True), *((name, "key") for name in names[len(staying) :]))

    def cell(self, column: str, head: str) -> dict:
        """Return what the table of columns on the page Keys shows of a column under a head."""
        return next(row["cells"][head] for row in self.part("keys.roles")["rows"] if row["name"] == column)

    def answer(self, name: str, value: str) -> "App":
        """Answer a question of the box on the page Data."""
        return self.act("data.answers", {"do": "answer", "name": name, "value": value})

    def take_back(self, name: str) -> "App":
        """Take back what was decided on the page Data."""
        return self.act("data.answers", {"do": "back", "name": name})

    def box(self, part: str = "entries") -> dict[str, dict]:
        """Return what the box on the page Data asks by name, or notes, or has as decided."""
        return {each["name"]: each for each in self.part("data.answers")[part]}

    def codes(self, **codes: str) -> "App":
        """Write which numbers of columns are no answer, in the table on the page Data."""
        acts = ({"do": "codes", "column": name, "value": text} for name, text in codes.items())
        return self.act("data.columns", *acts)

    def column(self, name: str) -> dict:
        """Return what the table on the page Data shows of a column."""
        return next(row["cells"] for row in self.part("data.columns")["rows"] if row["name"] == name)

    def targets(self, names) -> "App":
        """Choose the targets in the table of columns, and leave out all else that is no key."""
        rest = [*self.roles("target"), *self.roles("left out")]
        return self.change(*((name, "target" if name in names else "left out") for name in rest))

    def change(self, *roles: tuple[str, str], do: str = "role") -> "App":
        """Change the roles of columns, or another cell of theirs, one after the other."""
        return self.act("keys.roles", *({"do": do, "column": name, "value": value} for name, value in roles))

    def groups(self, **asked: int | str) -> "App":
        """Write how many groups columns are put into."""
        return self.change(*((name, str(n)) for name, n in asked.items()), do="groups")

    def look(self, target: str) -> "App":
        """Look at a target: in the table of all of them, or by the list of their names on another page."""
        if "review.bench" in self.parts():
            return self.act("review.bench", {"open": target})
        return self.set("selectbox", "review.target", target)

    def looked_at(self) -> str:
        """Return the target whose card is open."""
        return self.part("review.card")["target"]

    def excludable(self) -> dict[str, dict]:
        """Return what the card has a switch or a tick for, by the name that its reason is kept under."""
        card = self.part("review.card")
        rows = [*card["one_way"]["rows"], *card["pairs"]["rows"], *card["pairs"]["alike"]]
        return {row["exclusion"]: row for row in [*rows, *filter(None, [card["missing"]])]}

    def exclude(self, name: str, *, on: bool = True) -> "App":
        """Switch or tick what is excluded under a name."""
        row = self.excludable()[name]
        what = {"pairs": [row["id"]]} if "id" in row else {"level": row["level"]} if "level" in row else None
        return self.act(
            "review.card", {"target": self.looked_at(), **({**what, "on": on} if what else {"missing": on})}
        )

    def leave_out(self, level: str) -> "App":
        """Exclude a level of the target whose card is open that has no row there."""
        assert level in [each["level"] for each in self.part("review.card")["one_way"]["others"]]
        return self.act("review.card", {"target": self.looked_at(), "level": level, "on": True})

    def reason(self, name: str, text: str) -> "App":
        """Write why anybody would know what is excluded under a name."""
        assert self.excludable()[name]["on"]
        return self.act("review.card", {"target": self.looked_at(), "why": name, "text": text})

    def judge(self, verdict: str, reason: str = "") -> "App":
        """Give the verdict that is asked for."""
        targets = self.part("review.verdict")["targets"]
        return self.act("review.verdict", {"targets": targets, "verdict": verdict, "reason": reason})

    def ask(self, key: str, n: int = 0, got: list[int] | None = None) -> "App":
        """Say what a browser says of a button of ours: that it was pressed, or which file it got."""
        hand, self.asked = self.hands()[key], self.asked + (not got)
        assert not hand.head["disabled"]
        told = {"page": "a" * 20, "of": hand.head["of"], "n": n or self.asked, "open": not got, "tries": self.asked}
        states = self.at._tree.get_widget_states()
        value = json.dumps({"told": {**told, "inputs": 0, "got": got}})
        states.widgets.append(WidgetState(id=hand.id, json_value=value))
        self.at._run(states)
        return self.sound()

    def fetch(self, key: str) -> bytes:
        """Press a button that hands out a file, take it, and acknowledge it; its key may be without `report.get.`."""
        key = key if key in self.hands() else f"report.get.{key}"
        hand = self.ask(key).hands()[key]
        told, data = hand.head["file"], hand.file
        assert data is not None
        self.ask(key, told["n"], [told["n"], told["crc"]])
        assert key not in self.hands() or self.hands()[key].file is None
        return data

    def open(self, key: str) -> "App":
        """Open a popover or an expander whose content is made only then."""
        self.at.session_state[key] = True
        self.at.run()
        return self.sound()

    def saved_review(self, text: str | bytes, *files: tuple[str, bytes]) -> "App":
        """Give the Data page a review that was saved, and files of it by name and bytes."""
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        brought = [(*file, "") for file in [*files, ("review.json", content)]]
        self.open("data.saved").at.file_uploader(key="data.settings").set_value(brought).run()
        return self.sound()

    def tab(self, key: str, name: str) -> "App":
        """Choose a tab whose content is made only then."""
        self.at.session_state[key] = name
        self.at.run()
        return self.sound()

    def upload(self, original: tuple[str, bytes], *synthetic: tuple[str, bytes]) -> "App":
        """Give files by name and bytes, and compare them."""
        self.at.file_uploader(key="upload.original").set_value((*original, "")).run()
        self.at.file_uploader(key="upload.synthetic").set_value([(*file, "") for file in synthetic]).run()
        return self.click("upload.compare")

    def metrics(self) -> dict[str, str]:
        return {m.label: m.value for m in self.at.metric}

    def opened(self) -> str:
        """Return the line on what is open, as the Data page has it."""
        return next(m.value for m in self.at.markdown if "Open: " in m.value).partition("Open: ")[2]

    def text(self) -> str:
        kinds = (
            self.at.title, self.at.header, self.at.markdown, self.at.caption, self.at.info, self.at.success, self.at.warning,
            self.at.error, self.at.toast,
        )  # fmt: skip
        words = "\n".join(element.value for elements in kinds for element in elements)
        words += "".join(f"\n{popover.proto.popover.label}" for popover in self.at.get("popover"))
        words += "".join(f"\n{said}" for _, told in self.parts().values() for said in _texts(told["shows"]))
        return words.replace("\N{NO-BREAK SPACE}", " ")

    def plain(self) -> str:
        """Return the page's words as a person reads them, without the escapes of Markdown."""
        return self.text().replace("\\", "")

    def frame(self, column: str | tuple[str, str]):
        """Return the first table on the page that has this column."""
        return next(d.value for d in self.at.dataframe if column in d.value.columns)

    def headings(self, column: str | tuple[str, str]) -> dict[str, str | None]:
        """Return what stands above the columns of the first table that has this one, where it is not their name."""
        shown = next(d.proto.columns for d in self.at.dataframe if column in d.value.columns)
        return {name: said.get("label") for name, said in json.loads(shown).items()}

    def drawn(self) -> dict[str, str]:
        """Return what is said of each figure to those who cannot see it, by its key."""
        return {chart.proto.id.split("-", 2)[2]: chart.proto.alt for chart in self.at.get("plotly_chart")}

    def files(self) -> dict[str, str]:
        """Return the keys of the files that are offered, most of them their names, by the label of their button."""
        return {hand.label: hand.key.partition("report.get.")[2] for hand in self.downloads()}

    def downloads(self) -> list[Hand]:
        """Return the buttons of the page that hand out a file: not that of the status bar, which is on every page."""
        return [hand for hand in self.hands().values() if hand.head["icon"] == "download"]


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def pressing_stop(monkeypatch):
    """Press Stop of a long step at one of its reports, the first being 0; what was reported until then is given."""

    @contextmanager
    def at(key: str, stage: int):
        told = []

        def pressed(label, of_step, said, work):
            def of_work(progress):
                def report(done, of):
                    told.append((done, of))
                    progress(done, of)
                    if of_step == key and len(set(told)) > stage:
                        session.session().stopped.add(key)  # what the button does, and then the run ends
                        st.stop()

                return work(report)

            return running(label, of_step, said, of_work)

        with monkeypatch.context() as patched:
            for module in (strongest, least, verifying, shown):
                patched.setattr(module, "running", pressed)
            yield told

    return at
