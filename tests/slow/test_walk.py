"""A random walk over the pages: whatever was clicked before, each page says what a fresh computation gives.

After each step the review is saved, opened again from its files, and what the page shows is held against the results of
that. Every few steps the page is drawn anew over the opened review, by a visitor who did nothing before, and has to be
the same to the last word; and so do the report and every table that leaves.

By hand, for an hour: WALK_STEPS=3000 WALK_SEED=7 .venv/bin/python -m pytest -q -n 0 -m 'slow or not slow' tests/slow/test_walk.py
"""

# Inside: a figure in short on the bench, and the choice of τ among measures.

import json
import os
import random
import re
from dataclasses import replace
from functools import cached_property

import pytest
import streamlit as st

from disclosure_core import DisclosureError, NotEvaluated, at_risk, demo, open_review, replicated_uniques
from disclosure_core.counting.checks import by_level
from disclosure_core.results import FewerRecords
from disclosure_core.review.verified import kept as kept_again
from pages.review.bench import short
from pages.shared.looked_at import AT_TAU
from tests.core.test_review_value import FILES, figures
from tests.pages.conftest import App
from tests.reports import Look, assemble, blocks
from tests.saved import from_json, to_json
from tests.written import fixed, percent, rounded

pytestmark = pytest.mark.slow

STEPS = int(os.environ.get("WALK_STEPS", "45"))
SEEDS = [int(os.environ["WALK_SEED"])] if "WALK_SEED" in os.environ else [1, 2]
DRAWN_ANEW = 4
"""The page is drawn by a fresh visitor every so many steps, and the report read every three times so many."""

PAGES = ("data", "keys", "review", "records", "safeguards", "analyses", "compare", "report")
KINDS = ("toggle", "checkbox", "radio", "selectbox", "multiselect", "number_input", "text_input", "slider", "button")
NOT_PRESSED = {"close", "data.open_saved", "upload.compare", "baseline.use", "data.use", "report.use"}
"""What is pressed by a step of its own, or draws what a saved review does not hold."""

OPENED = ("review.flags", "review.everything", "review.every", "review.targets", "review.add")
VIEWS = ("Steps", "Figures", "Claims", "Where", "τ", "Near", "Scenarios")
TEXTS = ("", "a neighbour", "seen by everybody", "10 % | *of* [all]", "ß‮ x")


def survey() -> dict[str, bytes]:
    """Return files of the demonstration survey, small enough to be read at every step."""
    original, synthesis = demo.original().head(300), demo.syntheses()[0].head(280)
    columns = ["sex", "age", "region", "marital", "abroad", "income"]
    frames = {"people.csv": original, "made.csv": synthesis, "outside.csv": demo.holdout().head(150)}
    return {name: frame[columns].to_csv(index=False).encode() for name, frame in frames.items()}


ALL_FILES = FILES | survey()
SETS = ((("original.csv", "one.csv", "two.csv"), "holdout.csv", ";"), (("people.csv", "made.csv"), "outside.csv", ","))


def raw(widget, label):
    """Return the option behind a label; None where this walk does not know it."""
    candidates = [
        label,
        label.replace("\\", ""),
        label.lower(),
        label.partition(" · ")[0],
        label.partition(" (the worst")[0],
    ]
    candidates += [AT_TAU] if label.startswith("τ") else []
    candidates += {"DCAPd": ["DCAP"]}.get(label, [])
    candidates += [float(label)] if re.fullmatch(r"[\d.]+", label) else []
    if (widget.key or "").startswith("records.known."):
        candidates = [widget.options.index(label)]
    for candidate in candidates:
        try:
            if str(widget.format_func(candidate)) == label:
                return candidate
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            continue
    return None


class Walk(App):
    """A visitor who does anything, and whoever reads what they see."""

    def __init__(self, seed: int) -> None:
        self.random, self.done, self.name = random.Random(seed), [], "data"
        super().__init__()

    # ---- what can be done ----

    @property
    def session(self):
        return self.at.session_state["session"]

    @property
    def opened(self):
        return self.session.opened

    def step(self) -> None:
        self.__dict__.pop("fresh", None)
        if self.opened is not None:
            self.session.bringing_holdout = False  # a dialog has to be closed before the page behind it can be touched
        widgets = [w for w in self.widgets() if not w.proto.disabled]
        if self.opened is None:
            act = self.bring
        elif not widgets or self.random.random() < 0.22:
            act = self.random.choice(
                [*[self.go] * 6, self.reload, self.bring, self.outside, self.save_and_use, self.close]
            )
        elif self.name == "review" and self.random.random() < 0.2:
            act = self.look
        elif self.name in ("data", "keys") and self.random.random() < 0.5:
            act = self.in_a_table
        else:
            act = lambda: self.touch(self.random.choice(widgets))  # noqa: E731
        act()
        self.sound()

    def widgets(self):
        found = [w for kind in KINDS for w in getattr(self.at, kind) if w.key]
        return [w for w in found if w.key not in NOT_PRESSED and not w.key.startswith(("upload.", "larger"))]

    def did(self, what: str) -> None:
        self.done.append(what)

    def go(self) -> None:
        name = self.random.choice(PAGES)
        self.did(f"page {name}")
        self.open_page(name)

    def open_page(self, name: str) -> None:
        self.name = name
        self.at.switch_page(f"{name}/page.py").run()

    def reload(self) -> None:
        """What the session holds comes back, and what a widget held that keeps its value."""
        self.did("reload")
        self.at = drawn(self.session, self.name, kept(self.at))

    def look(self) -> None:
        name = self.random.choice([*OPENED, "review.view"])
        value = self.random.choice(VIEWS) if name == "review.view" else self.random.random() < 0.6
        self.did(f"{name} is {value}")
        self.at.session_state[name] = value
        self.at.run()

    def in_a_table(self) -> None:
        """Act in a table of columns, or answer what is asked."""
        rng, columns = self.random, list(self.opened.study().columns)
        acts = {
            "keys.roles": {
                "role": ("key", "target", "left out"), "groups": ("", "2", "7", "20 groups", "many"), "because": TEXTS,
            },
            "data.columns": {"holds": ("", "category", "number", "date"), "codes": ("", "-8", "-8, 99", "none")},
        }  # fmt: skip
        asked = (
            [("answer", e["name"], o["value"]) for e in self.box().values() for o in e["options"]]
            if self.name == "data"
            else []
        )
        asked += [("back", name, "") for name in self.box("decided")] if self.name == "data" else []
        if asked and rng.random() < 0.5:
            did, name, value = rng.choice(asked)
            table, act = "data.answers", {"do": did, "name": name, "value": value}
        else:
            table = "keys.roles" if self.name == "keys" else "data.columns"
            did = rng.choice(list(acts[table]))
            act = {"do": did, "column": rng.choice(columns), "value": rng.choice(acts[table][did])}
        self.did(f"{table}: {act}")
        self.act(table, act)

    def unfold(self, key: str) -> None:
        """Open what is drawn only then."""
        self.at.session_state[key] = True
        self.at.run()

    def bring(self) -> None:
        self.open_page("data")
        which = self.random.randrange(1 + 2 * len(SETS))
        if which == 0:
            self.did("the demonstration survey")
            self.at.button(key="data.demo").click().run()
        else:
            (original, *rest), _, delimiter = SETS[which % len(SETS)]
            self.did(f"{original} and {len(rest)} more")
            self.unfold("upload.options")
            self.at.selectbox(key="upload.delimiter").set_value("semicolon" if delimiter == ";" else "comma").run()
            self.at.file_uploader(key="upload.original").set_value((original, ALL_FILES[original], "")).run()
            self.at.file_uploader(key="upload.synthetic").set_value([(n, ALL_FILES[n], "") for n in rest]).run()
            self.at.button(key="upload.compare").click().run()
        if any(b.key == "replace.open" for b in self.at.button):
            self.at.button(key="replace.open").click().run()

    def outside(self) -> None:
        """Bring people who were not synthesised."""
        self.session.analysis = "uniques-outside"
        self.open_page("analyses")
        if not any(b.key == "baseline.bring" for b in self.at.button):
            return
        self.did("a holdout")
        self.click("baseline.bring")
        if self.opened.review.source == "demonstration":
            self.click("baseline.demo")
        else:
            name = next(outside for files, outside, _ in SETS if files[0] == self.opened.review.original.name)
            self.at.file_uploader(key="baseline.holdout").set_value((name, ALL_FILES[name], "")).run()
            self.click("baseline.use")

    def save_and_use(self) -> None:
        """Take the review up again that was saved just now."""
        self.open_page("data")
        self.did("the saved review is used")
        self.unfold("data.saved")
        self.at.file_uploader(key="data.settings").set_value(("r.json", to_json(self.opened.review).encode(), "")).run()
        self.click("data.use")
        self.at.file_uploader(key="data.settings").set_value(None).run()

    def close(self) -> None:
        if "close" in self.hands() and self.random.random() < 0.3:
            self.did("close and forget")
            self.ask("close")
            self.at = drawn(None, "data", {})
            self.name = "data"

    def touch(self, widget) -> None:
        """Change one widget's value, or press it."""
        rng, now = self.random, None
        if widget.type == "button":
            self.did(f"press {widget.key}")
            widget.click().run()
            self.arrive()
            return
        if widget.type in ("toggle", "checkbox"):
            now = not widget.value
        elif widget.type in ("radio", "selectbox"):
            options = [found for label in widget.options if (found := raw(widget, label)) is not None]
            if not options:
                return
            now = rng.choice(options)
        elif widget.type == "multiselect":
            now = sorted(rng.sample(widget.options, rng.randint(0, min(4, len(widget.options)))))
            if any(raw(widget, label) != label for label in now):
                return
        elif widget.type == "number_input":
            low, high = widget.min or 0, min(widget.max or 100, 100)
            whole = isinstance(widget.value, int) or float(widget.step).is_integer()
            now = rng.randint(int(low), max(int(high), int(low))) if whole else round(rng.uniform(low, high), 2)
        elif widget.type == "slider":
            now = rng.choice([widget.min, widget.max, (widget.min + widget.max) / 2])
        else:
            now = rng.choice(TEXTS)
        self.did(f"{widget.key} = {now!r}")
        widget.set_value(now).run()
        self.arrive()

    def arrive(self) -> None:
        """Take note of the page that is shown: a button may have led to another."""
        titles = {t.value.lower() for t in self.at.title}
        here = next((name for name in PAGES if name in titles), self.name)
        if here != self.name:
            self.name = here
            self.at.switch_page(f"{here}/page.py")  # without it AppTest goes back at the next run

    # ---- what must be so ----

    @cached_property
    def fresh(self):
        """The review as a saved file, opened again from its files."""
        found = open_review(from_json(to_json(self.opened.review)), ALL_FILES)
        assert found.review == self.opened.review, "what is asked does not fit the data, and nothing was said"
        assert found.differences == ()
        return found

    def check(self) -> None:
        """Hold the figures on the page against those of the review opened again."""
        if self.opened is None:
            return
        page = f"read_{self.name}"
        if not hasattr(self, page) or not (self.opened.review.keys or self.name == "data"):
            return
        if self.opened.review.targets != () or self.name == "data":
            getattr(self, page)()
        else:
            assert "target" in self.said()  # what is missing is said, and where it is chosen

    def said(self) -> str:
        return self.text().replace("\\", "")

    def read_data(self) -> None:
        overview = self.fresh.study().overview()
        shown = {row["name"]: row["cells"] for row in self.part("data.columns")["rows"]}
        assert list(shown) == overview["column"].tolist()
        for name, levels, missing in overview[["column", "levels_original", "missing_original"]].to_numpy():
            assert (shown[name]["levels"] or {"pair": ["0"]})["pair"][0] == f"{levels:,}"
            assert (shown[name]["missing"] or {"sort": 0})["sort"] == missing

    def read_keys(self) -> None:
        identity, metrics = self.fresh.assessment().identity, self.metrics()
        for name in ("UiO", "repU"):
            assert metrics[name] == f"{fixed(identity[name].mean())} %", name
        growth = self.fresh.growth()
        shown = self.frame("UiOiS")
        assert shown["key"].tolist() == list(self.opened.review.keys) == growth["key"].tolist()
        assert [fixed(v) for v in shown["repU"]] == [fixed(v) for v in growth["repU"]]

    def read_review(self) -> None:
        s, fresh, said = self.session, self.fresh, self.said()
        before, now = fresh.before(), fresh.assessment()
        rows = {row.target: row for row in fresh.queue("DiSCO" if s.measure == AT_TAU else s.measure, self.tau()).rows}
        bench, card = self.part("review.bench"), self.part("review.card")
        assert [row["target"] for row in bench["rows"]] == list(rows)
        for shown in bench["rows"]:
            row = rows[shown["target"]]
            assert shown["synthetic"][0] == rounded(row.synthetic, 3), row.target
            assert shown["original"][0] == rounded(row.original, 3), row.target
            assert shown["gain"] == short(row.beyond.gain), row.target
        target = card["target"]
        full, risk, judged = (each.targets[target] for each in (before, now, fresh.judged.assessment()))
        flags = by_level(risk.one_way)
        assert {row["level"] for row in card["one_way"]["rows"] if row["flagged"]} == set(flags)
        assert ("1-way flag: no level has more than" in said) == (not flags)
        for row in card["one_way"]["rows"]:
            checks = (by_level(full.one_way) | flags).get(row["level"])
            if checks:
                check = next(iter(checks.values()))
                assert row["words"].startswith(
                    f"{check.n_disclosive_level:,} of {check.n_disclosive:,} disclosive records"
                )
                assert ("many would guess it" in row["words"]) == check.guessable
        pairs = [
            len({tuple(r) for f in r_.two_way for r in f[["key", "key_level", "target_level"]].to_numpy()})
            for r_ in (full, risk)
        ]
        said_of_pairs = f"{pairs[0]:,} pair{'s' * (pairs[0] != 1)} flagged (2-way)" if pairs[0] else "no 2-way flag"
        assert card["pairs"]["head"].startswith(said_of_pairs)
        if s.synthesis is not None:
            risk, judged = risk.only(s.synthesis), judged.only(s.synthesis)
        figure, preview = (each.figures("DiSCO").mean() for each in (judged, risk))
        assert card["bar"]["figure"] == percent(short(figure))
        assert card["bar"]["preview"] == (
            None if preview == figure else [rounded(preview, 3), f"Preview {percent(short(preview))}"]
        )

    def tau(self):
        return self.opened.review.tau if self.session.measure == AT_TAU else None

    def read_records(self) -> None:
        said, now = self.said(), self.fresh.assessment()
        if told := re.search(r"\*\*([\d,]+)\*\*(?: of ([\d,]+))? records at risk, of ([\d,]+)", said):
            target = self.at.selectbox(key="review.target").value
            found = at_risk(now.targets[target].counted[self.session.synthesis or 0])
            assert int(told[3].replace(",", "")) == now.n_original
            assert int((told[2] or told[1]).replace(",", "")) == len(found)
            assert int(told[1].replace(",", "")) == len(found.where(self.session.narrowed))
        if told := re.search(r"\*\*([\d,]+)\*\* replicated uniques: repU ([\d.]+) %", said):
            i = self.session.synthesis or 0
            found = replicated_uniques(now.tables, i, now.settings.exclusions.missing_keys)
            assert (int(told[1].replace(",", "")), told[2]) == (len(found), fixed(now.identity["repU"].iloc[i]))

    def read_baseline(self) -> None:
        outside = self.fresh.judged.attribute_baseline()  # what is excluded without a reason counts there
        keys, metrics = self.fresh.identity_baseline(), self.metrics()
        if isinstance(outside, NotEvaluated) or isinstance(keys, NotEvaluated):
            assert "repU of members" not in metrics
            return
        if "repU of members" in metrics:
            row = keys.summary().iloc[0]
            assert metrics["repU of members"] == f"{fixed(row['members'])} %"
            assert metrics["People outside"] == f"{fixed(row['non_members'])} %"
            assert metrics["Difference"] == f"{fixed(row['difference'], sign=True)} points"
        for shown in (d.value.set_index("target") for d in self.at.dataframe if "baseCAPd" in d.value.columns):
            measure = self.at.radio(key="compare.measure").value
            core = outside.summary(measure, self.fresh.review.limits.of(measure)).set_index("target")
            assert set(shown.index) == set(core.index)
            for name in ("members", "non_members", "difference", "low", "high", "R"):
                assert [fixed(v) for v in shown[name]] == [fixed(v) for v in core.loc[shown.index, name]], name
            assert shown["result"].tolist() == core.loc[shown.index, "result"].tolist()

    def read_compare(self) -> None:
        self.read_baseline()

    def drawn_anew(self) -> None:
        """The page as a visitor sees it who opens the saved review and did nothing before."""
        if self.opened is None:
            return
        s, fresh = self.session, self.fresh
        self.at.run()  # what a change said is said once
        self.sound()
        if self.name == "report":  # elsewhere it would count what nobody asked for
            self.catch_up()
        if s.opened.usefulness_is_kept():
            fresh.usefulness()
        if s.opened.is_compared():
            fresh.comparison()
        if s.opened.finished_subsets(attributes=False) is not None:
            fresh.subsets(attributes=False)
        if (
            s.opened.is_counted()
        ):  # the status bar counts nothing for its own sake; last, since what is counted makes room
            fresh.assessment()
        other = drawn(
            replace(s, opened=fresh, narrowed=dict(s.narrowed), type_reasons=None),
            self.name,
            kept(self.at),
        )
        mine, theirs = seen(self.at), seen(other)
        unlike = [pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1]]
        assert not unlike, f"shown, and what a fresh visitor sees: {unlike[0]}"
        assert len(mine) == len(theirs)

    def catch_up(self) -> None:
        """Count for the fresh review what somebody asked for, and what then stands on Report and in the report."""
        if FewerRecords.kept(self.opened.printed) is not None:  # the papers' exhibits drew them
            FewerRecords.of(self.fresh.printed)
        if kept_again(self.opened) is not None:
            self.fresh.verify()

    def leaves(self) -> None:
        """The report and every table, beside those of the review opened again."""
        if self.opened is None or not self.opened.review.keys:
            return
        self.catch_up()
        for look in (Look(), Look(shareable=True, smallest=5)):
            mine, theirs = (
                [(b.text, b.items, b.columns, b.rows) for b in told(o, look)] for o in (self.opened, self.fresh)
            )
            assert mine == theirs
        assert figures(self.opened) == figures(self.fresh)


def told(opened, look):
    try:
        return blocks(assemble(opened, look))
    except DisclosureError as error:
        return [type("Said", (), {"text": str(error), "items": (), "columns": (), "rows": ()})]


def kept(at) -> dict:
    """Return what widgets hold that a reload brings back: all but what was pressed or brought."""
    pressed = {w.key for kind in ("button", "file_uploader") for w in getattr(at, kind)}
    state = at.session_state.to_dict()
    return {
        k: v for k, v in state.items()
        if k != "session" and k not in pressed and isinstance(v, str | int | float | bool | list | tuple | None)
        and not k.startswith(("formula.", "report.get", "upload.", "keys.search", "review.table"))
    }  # fmt: skip


def drawn(session, name: str, values: dict):
    """Return a new tab on a page, of a visitor who has this session."""
    app = App()
    if session is not None:
        app.at.session_state["session"] = session
    for key, value in values.items():
        app.at.session_state[key] = value
    app.at.switch_page(f"{name}/page.py").run()
    return app.sound().at


def inside(block):
    """Give all that a page holds, but the files that were brought: a fresh visitor brought none."""
    for child in block.children.values():
        if getattr(child, "label", "") not in ("Open other data", "A review saved before"):
            yield child
            if hasattr(child, "children"):
                yield from inside(child)


def seen(at) -> list[tuple]:
    """Return all that a page shows, in its order: texts, figures, tables, widgets with their values."""
    found = []
    for element in inside(at.main):
        kind = element.type
        if kind == "dataframe":
            found.append((kind, element.value.to_csv()))
        elif kind == "plotly_chart":
            found.append((kind, element.proto.spec))
        elif kind == "metric":
            found.append((kind, element.label, element.value, element.delta))
        elif kind == "bidi_component" and not element.proto.bytes:  # a table of ours
            found.append((kind, json.dumps(json.loads(element.proto.json)["shows"], sort_keys=True)))
        elif kind == "bidi_component":  # a button of ours
            head = json.loads(element.proto.bytes.partition(b"\n")[0])
            found.append((kind, head["label"], head["unsaved"], head["disabled"]))
        elif kind in ("button", "file_uploader"):
            found.append((kind, getattr(element, "label", "")))
        elif kind in KINDS:
            options = tuple(getattr(element, "options", ()))
            found.append((kind, element.label, options, repr(element.value), element.proto.disabled))
        elif kind in ("markdown", "caption", "title", "header", "subheader", "info", "warning", "error", "success"):
            found.append((kind, element.value))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_every_page_says_what_a_fresh_computation_gives(seed):
    st.cache_data.clear()  # every app of this process has one session id
    st.cache_resource.clear()
    walk = Walk(seed)
    try:
        for i in range(STEPS):
            walk.step()
            walk.check()
            if i % DRAWN_ANEW == DRAWN_ANEW - 1:
                walk.drawn_anew()
            if i % (3 * DRAWN_ANEW) == 0:
                walk.leaves()
    except Exception as error:
        error.add_note(f"Seed {seed}, step {len(walk.done)}, on {walk.name}, after: {'; '.join(walk.done[-25:])}")
        raise
