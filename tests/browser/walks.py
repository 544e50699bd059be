"""Random walks of hands that are faster than the server: `python -m tests.browser.walks 1 2 3 [--acts 120] [--load]`.

In a real browser, on all six screens, Analyses and the menu: clicks, typing, Enter, Tab and arrow keys, 0 to 700 ms
apart, at whatever is on the screen then; for some dozens of acts roughly, too: Undo held down, Back, Forward and a
reload while something runs, safeguards, lists and numbers. Seed 1 walks on the demonstration survey, 2 on a labelled
data set of 26 columns, 3 on one of 60, 4 on the survey again, and so on. The page itself notes what was pressed and
typed. Every dozen acts the review is saved. Then each act must be in the file, each difference to the file before must
be of an act, and what is on the screen must be what the file holds, and what the server draws in a page that is loaded
again: every widget, table row and figure. At the end the preview and the report of the page are those of the file, the
figures on the page are those of `disclosure run`, and Undo leads back to what the review began with. Each walk prints
its seed, its acts and what was wrong; exit status 1 where anything was.
"""

from __future__ import annotations

import argparse
import base64
import datetime as dt
import json
import random
import re
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyreadstat

from disclosure_core import Review, open_review
from disclosure_core.report import assembled
from tests.browser import driving
from tests.commands import disclosure
from tests.reports import Look, report

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DATA = ("survey", 26, 60)
"""Of what the walks are, in turn: the demonstration survey, or a labelled data set of so many columns."""

SCREENS = ("Data", "Keys", "Review", "Safeguards", "Compare", "Report", "Analyses")
REMEMBERED = 50
"""Changes that Undo takes back; what came before them stays."""

PAUSES = (0, 0, 20, 50, 100, 200, 400, 700)
"""Milliseconds between two acts."""

ABOUT = ("Officer", "Title")
"""What is kept of the release under the label of its field, also where nothing is."""

NOT_TOUCHED = re.compile(
    r"Delete|Open |Upload|upload|Browse|Compare these|Use this review|Search|search|Stop|as PDF|Excel|Evidence|Parquet|"
    r"intruder|Copy|Download CSV|Remove this one|Bring|Take the survey|Give it up|Adopt|Find|Fullscreen|Larger|Another|"
    r"Every figure|exhibit|All figures|Figures|Read the files|Records|Workshop|Glossary|Clear|Name of the|^Variant|"
    r"Answer |Look at|records of|the records|Count again|Verify|Redo|Help|Close|Show|zoom|: holds|Version|Date|"
    r"Draw|simulat|Start|Let |Table|Try |Go on|Date|Undo|Internal|Shareable|List cells|Code|Sheet|Step|Seed|"
    r"^Save|Menu|Earlier|Later|Intruder"
)
"""What a walk leaves alone: other data, files that take long, searches, and what no file of a review holds."""

ROUGHLY = re.compile(
    r"^(Undo|Redo|Try it|Adopt|Step |Remove this one$|Variant|New variant|Copy this one|Change them|Leave them as|"
    r"Seed|Answer |Let )|Coarsen a column|Remove records|Blank or label|^It is a number|^Treat "
)
"""What is pressed beside the rest by hands that go back and forth: the file then holds what no act alone tells."""

WATCH = r"""
(() => {
const all = (root, which = "button, input, select, summary, a[href], textarea", found = []) => {
  for (const e of root.querySelectorAll("*")) {
    if (e.matches(which)) found.push(e)
    if (e.shadowRoot) all(e.shadowRoot, which, found)
  }
  return found
}
const words = e => (e?.innerText ?? "").replace(/\s+/g, " ").trim()
const name = e => e.getAttribute("aria-label") || words(e.labels?.[0]) || words(e) || e.placeholder || ""
const deep = selector => {
  for (const host of [document, ...[...document.querySelectorAll("*")].map(e => e.shadowRoot).filter(Boolean)]) {
    const found = host.querySelectorAll(selector)
    if (found.length) return [...found]
  }
  return []
}
window.walk = {
  acts: [],
  candidates() {
    this.found = all(document).filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && e.getAttribute("role") !== "combobox")
    return this.found.map(e => [name(e), e.tagName === "INPUT" ? e.type : e.tagName.toLowerCase(), !!e.closest("[data-testid=stTopNavLink]"), !!e.getRootNode().host])
  },
  focused() {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at ? [name(at), at.tagName === "INPUT" ? at.type : at.tagName.toLowerCase()] : ["", ""]
  },
  pickable(r) {
    const found = all(document, "select, input[type=number], [role=slider], input[role=combobox]").filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !e.closest("[class*=st-key-report-], [class*=st-key-upload]") && !/Search|Exclude another|Reason/.test(name(e)))
    if (!found.length) return null
    const e = found[Math.floor(r * found.length)]
    e.focus()
    return [e.getAttribute("role") ?? e.type, name(e)]
  },
  spot(i) {
    const e = this.found?.[i]
    if (!e?.isConnected) return null
    const on = e.matches("input[type=radio], input[type=checkbox]") && e.closest("label") || e
    on.scrollIntoView({ block: "nearest" })
    const box = on.getBoundingClientRect()
    return box.width && box.height ? [box.x + box.width / 2, box.y + box.height / 2] : null
  },
  values() {
    return all(document).filter(e => e.tagName === "INPUT" && e.checkVisibility({ visibilityProperty: true })).map(e => [name(e), e.type, e.value, e.checked])
  },
  shown() {
    const found = {}, times = {}
    const note = (e, what, value) => {
      let at = e, key = "", folded = false
      for (; at; at = at.parentElement ?? at.getRootNode().host) {
        key ||= [...at.classList].find(c => c.startsWith("st-key-")) ?? ""
        folded ||= at.matches("details, [data-testid=stPopoverBody]")
      }
      const of = `${key} ${what}`, n = times[of] = (times[of] ?? 0) + 1
      found[`${of} ${n}`] = [value, folded]
    }
    for (const e of all(document, "button, input, select, textarea, tr, [role=slider], [data-testid=stMultiSelect], [data-testid=stMetric]")) {
      if (!e.checkVisibility({ visibilityProperty: true })) continue
      const draft = e.matches(".verdict input.reason") && !deep(".verdict button[aria-pressed=true]").length
      if (draft || /^Exclude another|^Search|^Dismiss/.test(name(e)) || e.closest("[data-testid=stDataFrame], [data-testid=stFileUploader], [data-testid=stToast]")) continue
      const kind = e.dataset.testid && e.tagName === "DIV" ? e.dataset.testid : e.getAttribute("role") ?? (e.tagName === "INPUT" ? e.type : e.tagName.toLowerCase())
      if (e.matches("input[type=radio], input[type=checkbox]")) note(e, `${kind} ${name(e)}`, e.checked)
      else if (e.matches("input, select, textarea")) note(e, `${kind} ${name(e)}`, e.value)
      else if (e.matches("button")) note(e, `${kind} ${name(e)}`, [e.getAttribute("aria-pressed") ?? e.getAttribute("aria-checked"), e.disabled])
      else if (kind === "tr") note(e, `row ${e.textContent.replace(/\s+/g, " ").trim()}`, "")  // in whatever order a person chose
      else note(e, kind, e.getAttribute("aria-valuenow") ?? words(e))
    }
    return found
  },
  review() {
    const switches = deep(".card table.levels input[role=switch]").map(e => [name(e).replace(/^Exclude /, ""), e.checked])
    const chips = deep(".bench tbody tr").map(e => [e.querySelector("button").dataset.t, e.querySelector(".chip").textContent.replace("–", "")])
    const single = / at /.test(words(deep(".verdict h2")[0]))
    const given = single ? deep(".verdict button[data-v]").find(e => e.getAttribute("aria-pressed") === "true")?.dataset.v ?? "" : null
    return [words(deep(".card h2")[0]), switches.filter(([of]) => of !== "missing values"), chips, given, deep(".verdict input.reason")[0]?.value ?? ""]
  },
}
const context = () => ({
  page: location.pathname,
  card: words(deep(".card h2")[0]),
  verdict: words(deep(".verdict h2")[0]),
  why: deep(".verdict input.reason")[0]?.value ?? "",
})
addEventListener("input", e => {
  const f = e.composedPath()[0]
  window.walk.acts.push({ kind: f.type ?? f.tagName, name: name(f), value: f.value, checked: !!f.checked, ...context() })
}, true)
addEventListener("click", e => {
  const b = e.composedPath().find(x => x.matches?.("button, summary, a[href]"))
  if (b) window.walk.acts.push({ kind: "press", name: name(b), value: b.dataset.v ?? "", checked: false, ...context() })
}, true)
})()
"""
"""Lists what can be used, and notes what was: the page before the app, so that a slip of the hand is known as one."""


def labelled(folder: Path, columns: int) -> None:
    """Write a survey as SPSS has it, with labels and codes that are no answer: an original and two syntheses."""
    random_ = np.random.default_rng(columns)
    wide = [int(random_.integers(2, 7)) for _ in range(columns)]
    levels = {
        f"q{i + 1}": {float(k): f"Answer {k}" for k in range(1, n + 1)} | {-9.0: "Refused"} for i, n in enumerate(wide)
    }
    for seed, name in enumerate(("original", "synthetic_1", "synthetic_2")):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({
            name: rng.choice([*of], 700, p=[*np.array([0.97] * len([*of][:-1])) / (len(of) - 1), 0.03])
            for name, of in levels.items()
        })  # fmt: skip
        frame["q3"] = frame["q2"] % 3 + 1  # one key tells it
        for of in ("q1", "q4"):
            frame[of] = np.where(rng.random(700) < 0.9, 1.0, frame[of])  # one answer carries it
        pyreadstat.write_sav(
            frame, str(folder / f"{name}.sav"), variable_value_labels=levels,
            column_labels={of: f"Question {of[1:]}" for of in levels}, missing_ranges={of: [-9.0] for of in levels},
        )  # fmt: skip


@dataclass
class Model:
    """What is meant by what was pressed and typed since the review was saved last.

    Attributes
    ----------
    roles, texts
        By column, and by label of a field, what it is to be.
    levels
        By target and level, whether it is to be excluded.
    verdicts
        By target, the verdict and its reason; an empty one is taken back.
    of_pages
        The pages on which something else was pressed.
    anything
        Whether something was pressed that may change many things at once, such as Undo.
    """

    roles: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    levels: dict[tuple[str, str], bool] = field(default_factory=dict)
    verdicts: dict[str, tuple[str, str]] = field(default_factory=dict)
    of_pages: set[str] = field(default_factory=set)
    anything: bool = False

    def take(self, act: dict[str, Any]) -> None:
        """Take one act that the page noted."""
        name, kind = act["name"], act["kind"]
        judged = re.match(r"^Your verdict on (.+) at ", act["verdict"])
        if kind == "radio" and (said := re.match(r"^(.+): (key|target|left out)(, suggested.*)?$", name)):
            self.roles[said[1]] = said[2]
        elif kind == "checkbox" and act["card"] and re.match("Exclude (?!missing|all of)", name) and "," not in name:
            self.levels[act["card"].split(" ")[0], name.removeprefix("Exclude ")] = act["checked"]
        elif name == "Reason for the verdict":
            if judged and judged[1] in self.verdicts and self.verdicts[judged[1]][0]:
                self.verdicts[judged[1]] = (self.verdicts[judged[1]][0], act["value"])
            self.of_pages.add("review")
        elif kind == "text":
            self.texts["Officer" if name.startswith("Your name, recorded") else name] = act["value"]
        elif kind == "press" and act["value"] and judged:
            self.verdicts[judged[1]] = (act["value"], act["why"])
        elif kind == "press" and name == "Take it back" and judged:
            self.verdicts[judged[1]] = ("", "")
        elif kind != "press" or not re.match("Save|Menu", name):
            self.anything |= bool(re.search("Undo|suggestions|Mend all|Confirm|ticked|Exclude all|Exclude these", name))
            self.anything |= "ticked" in act["verdict"] and bool(act["value"])
            self.of_pages.add(act["page"].rpartition("/")[2] or "start")

    def lost(self, review: Review) -> list[str]:
        """Return what was meant and is not in a saved review."""
        if self.anything:
            return []
        missed = [
            f"{name} is {role_of(review, name)}, meant as {role}"
            for name, role in self.roles.items()
            if role_of(review, name) != role
        ]
        for label, text in self.texts.items():
            held = text_of(review, label)
            if held is not None and held.strip() != text.strip():
                missed.append(f"{label!r} is {held!r}, typed as {text!r}")
        for (target, level), out in self.levels.items():
            if role_of(review, target) == "target" and (level in review.exclusions.levels_of(target)) != out:
                missed.append(f"{level!r} of {target} is {'not ' * out}excluded")
        for target, (verdict, reason) in self.verdicts.items():
            given = next((v for v in review.verdicts if v.target == target), None)
            found = ("", "") if given is None else (given.verdict, given.reason)
            if role_of(review, target) == "target" and found != (verdict, reason.strip() if verdict else ""):
                missed.append(f"verdict on {target} is {found}, meant as {(verdict, reason)}")
        return missed

    def unmeant(self, before: Review, after: Review) -> list[str]:
        """Return what differs between two saved reviews though nothing that was done asks for it."""
        if self.anything:
            return []
        columns = {c for r in (before, after) for c in (*r.keys, *(r.targets or ()))}
        found = [
            f"{name} became {role_of(after, name)}"
            for name in columns - self.roles.keys()
            if role_of(before, name) != role_of(after, name) and "start" not in self.of_pages
        ]
        one, other = before.verdicts, after.verdicts
        changed = {v.target for v in one if v not in other} | {v.target for v in other if v not in one}
        if not self.roles and "review" not in self.of_pages:
            found += [f"the verdict on {name} changed" for name in changed - self.verdicts.keys()]
        out = {t: {*before.exclusions.levels_of(t)} ^ {*after.exclusions.levels_of(t)} for t in columns}
        if not self.roles and "review" not in self.of_pages:
            found += [
                f"{level!r} of {t} changed"
                for t, levels in out.items()
                for level in levels
                if (t, level) not in self.levels
            ]
        for part, of in (
            ("about", "report"),
            ("assumptions", "start"),
            ("limits", ""),
            ("columns", "start"),
            ("chains", "safeguards"),
        ):
            same = getattr(before, part) == getattr(after, part)
            if not same and not self.texts and not {of, "report", "analyses", "start", "compare"} & self.of_pages:
                found.append(f"{part} changed")
        return found


def role_of(review: Review, column: str) -> str:
    """Return what a column is in a saved review."""
    if column in review.keys:
        return "key"
    return "target" if review.targets is None or column in review.targets else "left out"


def text_of(review: Review, label: str) -> str | None:
    """Return what a review holds of what was typed in a field; None where no field of that name is known."""
    if label.startswith("Why these keys could be known"):
        return review.knows.reason
    if said := re.match(r"^(.+): known because", label):
        return review.reasons.get(said[1], "")
    if label.startswith("Reason: "):
        by_label = {name.replace(" = ", " "): text for name, text in review.reasons.items()}
        return by_label.get(label.removeprefix("Reason: "), "")
    if label in ABOUT or label in review.about:
        return review.about.get(label, "")
    return None


class Walk:
    """One visitor who acts at random, and what is known of what they meant."""

    def __init__(self, browser: Browser, address: str, data: str | int, folder: Path, seed: int) -> None:
        self.random, self.folder, self.data = random.Random(seed), folder, data
        self.tab = driving.Visitor(browser, address, width=1366, height=900)
        self.page = self.tab.page
        self.page.add_init_script(WATCH)
        self.files: list[Any] = []
        self.page.on("download", lambda file: self.files.append(file))
        self.did: list[str] = []
        self.wrong: list[str] = []
        self.counted: Counter[str] = Counter()
        self.taken = 0
        self.rough = False
        self.model = Model()
        self.tab.open()
        self.open()
        self.first = self.last = self.saved()

    def open(self) -> None:
        """Open the data, and choose four keys where none are chosen."""
        if self.data == "survey":
            self.tab.press("Open the demonstration survey")
        else:
            labelled(self.folder, int(self.data))
            self.tab.upload("Original data", self.folder / "original.sav")
            self.tab.upload("Synthetic data", *sorted(self.folder.glob("synthetic*")))
            self.tab.press("Compare these files").page.get_by_role("heading", name="Files read").wait_for()
            self.tab.go("Keys").keys("q1", "q2", "q5", "q6")
        self.page.wait_for_timeout(500)
        self.tab.settle()

    # ---- what is done ----

    def step(self) -> None:
        """Do one thing at random, and wait 0 to 700 ms."""
        acts = (self.go, self.press, self.press, self.press, self.type, self.type, self.by_keys, self.review_row)
        if self.rough:
            acts += (self.undo, self.undo, self.back, self.reload, self.pick, self.pick, self.pick)
        act = self.random.choice(acts)
        act()
        self.page.wait_for_timeout(self.random.choice(PAUSES))

    def may(self, name: str) -> bool:
        """Return whether a walk presses something of that name."""
        return not NOT_TOUCHED.search(name) or (self.rough and bool(ROUGHLY.search(name)))

    def candidates(self, *kinds: str) -> list[tuple[int, str, str]]:
        every = self.page.evaluate("walk.candidates()")
        return [
            (i, name, kind)
            for i, (name, kind, leads, _) in enumerate(every)
            if name and kind in kinds and not leads and self.may(name)
        ]

    def at(self, place: int) -> bool:
        """Press the mouse where something stands that was listed; whether it was in sight."""
        spot = self.page.evaluate("i => walk.spot(i)", place)
        if spot is None:
            return False
        self.page.mouse.move(*spot)
        self.page.mouse.down()
        self.page.wait_for_timeout(self.random.choice((0, 0, 60, 120)))
        self.page.mouse.up()
        return True

    def note(self, what: str) -> None:
        self.did.append(what)
        self.counted[what.partition(" ")[0]] += 1

    def go(self) -> None:
        name = self.random.choice((*SCREENS, "Keys", "Review", "Review"))
        link = self.tab.link(name)
        if link.count() and (box := link.first.bounding_box()):
            self.note(f"page {name}")
            self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def press(self) -> None:
        found = self.candidates("radio", "checkbox", "button", "summary")
        chosen = [each for each in found if each[2] in ("radio", "checkbox")]
        if found:
            place, name, kind = self.random.choice(chosen if chosen and self.random.random() < 0.7 else found)
            if self.at(place):
                self.note(f"press {kind} {name[:50]}")

    def undo(self) -> None:
        """Take changes back, or make them again, by keys that are held down."""
        keys = self.random.choice(("Alt+z", "Alt+z", "Alt+Shift+Z"))
        for _ in range(self.random.choice((1, 1, 2, 5))):
            self.page.keyboard.press(keys)
            self.page.wait_for_timeout(self.random.choice((0, 33, 33, 200)))
        self.note(f"undo {keys}")

    def back(self) -> None:
        """Go back or forward as a browser does, within the app."""
        way = self.random.choice(("Back", "Back", "Forward"))
        self.note(f"history {way}")
        self.page.evaluate(f"navigation.canGo{way} && history.{way.lower()}()")

    def reload(self) -> None:
        """Load the page again, whatever runs."""
        self.heed()
        self.note("reload")
        self.page.reload()
        self.page.get_by_role("heading", level=1).wait_for()
        self.taken = 0
        self.page.wait_for_timeout(self.random.choice(PAUSES))
        self.tab.complaints.clear()  # the front end looks for the server below the page's path first, and is told 404

    def pick(self) -> None:
        """Choose another value of a list, a number or a slider, by keys."""
        found = self.page.evaluate("r => walk.pickable(r)", self.random.random())
        if found is None:
            return
        kind, name = found
        for _ in range(self.random.choice((1, 1, 2, 3))):
            self.page.keyboard.press(self.random.choice(("ArrowDown", "ArrowDown", "ArrowUp")))
        if kind != "slider":
            self.page.keyboard.press("Enter")
        self.note(f"pick {kind} {name[:50]}")

    def type(self) -> None:
        found = self.candidates("text", "number")
        if not found:
            return
        place, name, kind = self.random.choice(found)
        if kind == "number" or name.endswith((": groups", ": no answer")):
            return  # numbers have bounds of their own, of which a message tells
        if not self.at(place):
            return
        if (focused := self.page.evaluate("walk.focused()")) != [name, kind]:
            self.counted["slipped"] += 1
            if focused[1] != "text" or NOT_TOUCHED.search(focused[0]):
                return
        text = f"why {self.random.randrange(10**6)}"
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text, delay=self.random.choice((0, 8, 30)))
        then = self.random.choice(("", "", "Enter", "Tab"))
        if then:
            self.page.keyboard.press(then)
        self.note(f"type {text!r} {then} in {name[:50]}")

    def by_keys(self) -> None:
        """Go on by Tab, and use what has the focus."""
        for _ in range(self.random.randrange(1, 5)):
            self.page.keyboard.press("Tab")
        name, kind = self.page.evaluate("walk.focused()")
        if not name or not self.may(name) or kind == "a":
            return
        ways = {
            "radio": ("ArrowLeft", "ArrowRight", "ArrowLeft"), "checkbox": ("Space",), "button": ("Enter", "Space"),
            "summary": ("Enter",),
        }  # fmt: skip
        if kind in ways:
            key = self.random.choice(ways[kind])
            self.page.keyboard.press(key)
            self.note(f"key {key} at {kind} {name[:50]}")

    def review_row(self) -> None:
        """Look at another target, where all of them stand."""
        rows = self.page.locator(".bench tbody button[data-t]")
        if n := rows.count():
            with suppress(Exception):  # the page went meanwhile
                rows.nth(self.random.randrange(n)).click(timeout=1000)
                self.note("row of a target")

    # ---- what must hold ----

    def heed(self) -> None:
        """Take what the page noted since."""
        acts = self.page.evaluate("walk.acts")
        for act in acts[self.taken :]:
            self.model.take(act)
        self.taken = len(acts)

    def saved(self) -> Review:
        """Press Save at once, and return what the file holds."""
        before = len(self.files)
        if self.page.get_by_role("dialog").count():  # it lies over the bar
            self.page.keyboard.press("Escape")
        for _ in range(3):
            button = self.page.locator(".st-key-status_bar-save button").first
            with suppress(Exception):  # drawn anew meanwhile
                # On a long page the bar is out of the window, or below the navigation.
                button.evaluate("button => button.scrollIntoView({ block: 'center' })")
                if box := button.bounding_box():
                    self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            for _ in range(200):
                self.page.wait_for_timeout(50)
                if len(self.files) > before:
                    self.held = self.files[-1].path()
                    return Review.load(self.held)
            self.counted["Save asked again"] += 1
            self.tab.settle()
        raise AssertionError("Save hands out no file")

    def check(self) -> None:
        """Save, and hold the file against what was done, and against the screen."""
        if self.random.random() < 0.5:
            self.tab.settle()
        now = self.saved()
        self.heed()
        self.model.anything |= self.rough
        self.found("lost", self.model.lost(now))
        self.found("unmeant", self.model.unmeant(self.last, now))
        self.tab.settle()
        self.found("on the screen", self.on_screen(now))
        self.found("error", self.errors())
        if self.rough or self.random.random() < 0.5:
            self.found("drawn anew", self.drawn_anew())
        self.last, self.model = now, Model()
        self.rough = self.random.random() < 0.4
        self.counted["checks"] += 1

    def shown(self) -> dict[str, list[Any]]:
        """Return what every widget, table row and figure on the page shows, once that stands still."""
        before: dict[str, list[Any]] = {}
        for _ in range(40):
            now: dict[str, list[Any]] = self.tab.settle().page.evaluate("walk.shown()")
            if now == before:
                break
            before = now
            self.page.wait_for_timeout(500)
        return before

    def drawn_anew(self) -> list[str]:
        """Load the page again, and return what it then shows otherwise: the server draws all as the review has it."""
        before = self.shown()
        self.heed()
        self.page.reload()
        self.page.get_by_role("heading", level=1).wait_for()
        self.taken = 0
        after = self.shown()
        self.tab.complaints.clear()  # as after a reload by hand
        self.counted["widgets and rows"] += len(before)
        wrong = []
        for name in sorted({*before, *after}):
            if name.startswith("st-key-status_bar-judged"):
                continue  # where no figure is needed it stands once there are some for another page
            was, now = before.get(name), after.get(name)
            if was is None or now is None:
                if not (was or now or ["", False])[1]:  # a fold is closed after a reload
                    wrong.append(f"{name}: shown {was}, drawn anew {now}")
            elif was[0] != now[0]:
                wrong.append(f"{name}: shown {was[0]}, drawn anew {now[0]}")
        return wrong

    def found(self, kind: str, sentences: list[str]) -> None:
        if sentences:
            where = self.page.url.rpartition("/")[2] or "start"
            said = self.page.locator("[data-testid=stAlert]").all_inner_texts()
            self.wrong.append(f"{kind} on {where}: {'; '.join(sentences)}. After {self.did[-14:]}. Said: {said}")

    def errors(self) -> list[str]:
        shown = self.page.locator(
            "[data-testid=stException], [data-testid=stAlertContentError]:not(.st-key-safe-asked *)"
        ).all_inner_texts()
        shown = [said for said in shown if "cannot be done any more" not in said]  # a safeguard of other keys
        complaints, self.tab.complaints[:] = list(self.tab.complaints), []
        return [*shown, *complaints, *self.tab.elsewhere]

    def on_screen(self, review: Review) -> list[str]:
        """Return what the screen shows otherwise than the file has it."""
        wrong = []
        for name, kind, value, checked in self.page.evaluate("walk.values()"):
            if kind == "radio" and checked and (said := re.match(r"^(.+): (key|target|left out)", name)):
                if role_of(review, said[1]) != said[2]:
                    wrong.append(f"{said[1]} is shown as {said[2]}, saved as {role_of(review, said[1])}")
            elif kind == "text" and (held := text_of(review, name)) is not None and held.strip() != value.strip():
                wrong.append(f"{name!r} shows {value!r}, saved as {held!r}")
        verdicts = {v.target: v for v in review.verdicts}
        card, switches, chips, given, why = self.page.evaluate("walk.review()")
        target = card.split(" ")[0]
        if card and role_of(review, target) == "target":
            out = review.exclusions.levels_of(target)
            wrong += [f"{name} is shown as {on}" for name, on in switches if (name in out) != on]
            held = verdicts.get(target)
            if given is not None and (held.verdict if held else "") != given:
                wrong.append(f"the verdict on {target} is shown as {given!r}, saved as {held}")
            if held and given and held.reason != why:
                wrong.append(f"the reason for the verdict on {target} is shown as {why!r}, saved as {held.reason!r}")
        wrong += [f"{t} is shown as judged {chip!r}" for t, chip in chips if bool(chip) != (t in verdicts)]
        return wrong

    def end(self) -> None:
        """Hold preview, report and figures of the page against those of the file, and go back to the beginning."""
        self.tab.settle()
        self.tab.go("Report")
        if self.last.keys and self.page.get_by_role("button", name="Report as HTML").count():
            self.against_the_file()
        back, pressed = self.page.locator(".st-key-review-undo button"), 0
        while not back.first.is_disabled():
            for _ in range(self.random.choice((1, 1, 4))):  # held down
                self.page.keyboard.press("Alt+z")
                self.page.wait_for_timeout(33)
                pressed += 1
            self.tab.settle()
        now = self.saved()
        self.tab.settle()
        parts = ("targets", "groups", "exclusions", "verdicts", "columns", "thresholds", "tau")
        if pressed >= REMEMBERED:
            self.counted["too many changes to go back"] += 1
        elif self.data == "survey":
            self.found(
                "Undo", [f"{part} is another" for part in parts if getattr(now, part) != getattr(self.first, part)]
            )
            self.found("Undo", [f"keys {now.keys}"] * (now.keys != self.first.keys))
            self.counted["back to the beginning"] += 1
        else:
            self.found("Undo", [f"keys {now.keys}"] * bool(now.keys))
            self.counted["back to the beginning"] += 1
        for name in ("Keys", "Safeguards", "Review"):
            self.tab.go(name)
            self.found("drawn anew", self.drawn_anew())
        self.tab.close()

    def against_the_file(self) -> None:
        review = self.saved()
        self.tab.settle()
        files = None if self.data == "survey" else self.folder
        opened = open_review(review, files)
        look = Look("", dt.date.today().isoformat())
        wrong = []
        if opened.judged.stopped() is None:
            image = self.page.locator("img[src^='data:image/png']").first.get_attribute("src") or ""
            wrong += ["the preview"] * (base64.b64decode(image.partition(",")[2]) != assembled.page_1(opened, look))
        with self.page.expect_download(timeout=driving.PATIENCE) as waiting:
            self.page.get_by_role("button", name="Report as HTML").click()
        got = waiting.value.path().read_bytes()
        made = report(opened, "html", look)
        if got != made:
            at = next((i for i, (a, b) in enumerate(zip(got, made, strict=False)) if a != b), 0)
            wrong.append(f"the report: {got[at - 80 : at + 80]!r}, of the file {made[at - 80 : at + 80]!r}")
        place = self.folder / "review.json"
        place.write_bytes(Path(self.held).read_bytes())
        data = ["--data", self.folder] if files else []
        done = disclosure("run", place, *data, "--json", "-", "--quiet")
        if done.exit_code:
            wrong.append(f"disclosure run: {done.stderr}")
        elif opened.judged.stopped() is None:
            self.tab.go("Review")
            self.page.locator(".bench select[data-f=measure]").select_option("DiSCO")
            self.tab.settle()
            there = {
                row["target"]: row
                for row in json.loads(done.stdout)["tables"]["summary"]
                if "DiSCO" in row["comparison"]
            }
            for target, original, synthetic in self.tab.rows():
                row = there.get(target)
                if row is not None and (
                    abs(row["original"] - original) > 0.06 or abs(row["synthetic"] - synthetic) > 0.06
                ):
                    wrong.append(f"{target}: {original}, {synthetic} on the page, {row} in the command")
                self.counted["figures"] += 2
        self.found("another than of the file", wrong)


def walk(browser: Browser, address: str, seed: int, acts: int) -> Walk:
    """Walk once."""
    from playwright.sync_api import Error

    with tempfile.TemporaryDirectory() as folder:
        one = Walk(browser, address, DATA[(seed - 1) % 3], Path(folder), seed)
        for i in range(acts):
            try:
                one.step()
            except Error:  # what was listed went meanwhile
                one.counted["gone meanwhile"] += 1
            if i % 12 == 11:
                one.check()
        one.end()
    return one


def main() -> None:
    """Walk as often as is asked."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("seeds", type=int, nargs="+")
    asked.add_argument("--acts", type=int, default=120)
    asked.add_argument("--load", action="store_true", help="four others change something on the same server meanwhile")
    given = asked.parse_args()
    from playwright.sync_api import sync_playwright

    wrong = 0
    with driving.serving() as address, sync_playwright() as playwright:
        browser = driving.launch(playwright)
        others = None
        if given.load:
            from benchmarks.clicks import Others

            others = Others(int(address.rpartition(":")[2]))
        for seed in given.seeds:
            one = walk(browser, address, seed, given.acts)
            wrong += len(one.wrong)
            print(f"seed {seed}, {one.data}: {dict(one.counted)}; {len(one.wrong)} wrong", flush=True)
            for each in one.wrong:
                print(f"  {each}", flush=True)
        if others is not None:
            others.on = False
        browser.close()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
