"""The scripts of our tables, each in an empty page without a server: what is shown is drawn, what is done is told once."""

import itertools
import random
import re
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import partial

import pytest

from tests.browser.driving import ROOT
from tests.pages.conftest import App

pytestmark = pytest.mark.slow

PARTS = ROOT / "assets/parts"
HERE = "http://parts.test"
EMPTY = "<!doctype html><body><div data-testid=stApp data-test-script-state=notRunning><div id=root></div></div>"
MOUNT = """async ({name, data}) => {
    const part = (await import(`/${name}.js`)).default;
    window.told ??= [];
    window.root ??= document.getElementById('root');
    const setStateValue = (what, value) => told.push(JSON.parse(JSON.stringify(value)));
    part({data, parentElement: root, setStateValue});
}"""


class Stage:
    """A page that holds one part, as Streamlit mounts it, and what the part tells."""

    def __init__(self, browser):
        self.page = browser.new_context(viewport={"width": 1200, "height": 1500}).new_page()
        self.page.set_default_timeout(20_000)
        self.complaints = []
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.route(f"{HERE}/**", self._file)
        self.page.clock.install(time=0)
        self.page.goto(f"{HERE}/")
        self.page.clock.pause_at(3600)

    def _file(self, route):
        name = route.request.url.removeprefix(f"{HERE}/")
        if name and not (PARTS / name).exists():
            route.fulfill(status=404)
            return
        kind = {"js": "text/javascript", "css": "text/css"}.get(name.rpartition(".")[2], "text/html")
        route.fulfill(body=(PARTS / name).read_bytes() if name else EMPTY, content_type=kind)

    def mount(self, name, shows, heard=0, of="review"):
        """Draw a part anew: what the server shows now, and the number of what it has heard of this page."""
        self.name, self.shows = name, shows
        page = self.told()[-1]["page"] if heard else ""
        data = {"key": "part", "of": of, "heard": {"page": page, "n": heard}, "shows": shows}
        self.page.evaluate(MOUNT, {"name": name, "data": data})
        if not self.page.evaluate("document.querySelector('style') !== null"):
            self.page.add_style_tag(content=(PARTS / f"{name}.css").read_text(encoding="utf-8"))
        return self

    def told(self):
        return self.page.evaluate("window.told ?? []")

    def new(self):
        """Return the acts that were done since the last look, each without its number."""
        acts = {act["n"]: act for message in self.told() for act in message["acts"]}
        assert list(acts) == list(range(1, len(acts) + 1)), "each act has the next number"
        since = getattr(self, "seen", 0)
        self.seen = len(acts)
        return [{k: v for k, v in act.items() if k != "n"} for n, act in acts.items() if n > since]

    def all(self, selector, what="e.textContent"):
        return self.page.locator(selector).evaluate_all(f"all => all.map(e => {what})")

    def focus(self):
        return self.page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
        )


@pytest.fixture(scope="module")
def real():
    """What the pages show of the demonstration survey, by part: with a level, a pair and a verdict that wait."""

    def gathered():
        app = App().demo("marital")
        found = dict(app.parts())
        found |= app.page("keys").parts()
        found |= app.page("review").parts()
        return {key: told["shows"] for key, (_, told) in found.items()}

    with ThreadPoolExecutor(1) as alone:  # not beside the loop of the browser
        return alone.submit(gathered).result()


@pytest.fixture
def stage(browser, real):
    made = Stage(browser)
    yield made
    made.page.context.close()
    assert made.complaints == []


ACTS = """async ({data}) => {
    const { acts } = await import('/acts.js');
    window.told ??= []; window.drawn ??= 0;
    window.line = acts({data, setStateValue: (what, value) => told.push(JSON.parse(JSON.stringify(value)))}, () => { window.drawn++ });
    return line.waiting.map(act => act.n);
}"""


@pytest.mark.parametrize("seed", range(12))
def test_acts_are_told_until_they_are_heard_each_with_its_number_and_again_ever_more_seldom(stage, seed):
    page, chance = stage.page, random.Random(seed)
    n = tries = drawn = 0
    waiting, expected, due, pause, of, busy, whose = [], [], None, 3000, "a", False, ""
    now = 0

    def tell():
        nonlocal tries
        tries += 1
        expected.append((of, tries, waiting[:200]))

    def mounted(heard):
        nonlocal due, pause
        found = page.evaluate(ACTS, {"data": {"key": "k", "of": of, "heard": heard}})
        assert found == waiting
        pause, due = 3000, now + 3000 if waiting else None

    mounted({"page": "", "n": 0})
    for _ in range(25):
        step = chance.choice(["act", "act", "many", "heard", "other page", "other data", "busy", *["time"] * 4])
        if step in ("act", "many"):
            times = 1 if step == "act" else 250
            for _ in range(times):
                n += 1
                waiting.append(n)
                drawn += 1
                tell()
            page.evaluate("times => { for (let i = 0; i < times; i++) line.act({what: 'it'}) }", times)
            pause, due = 3000, now + 3000
        elif step == "heard":
            to = chance.randint(0, n)
            waiting = [each for each in waiting if each > to] if whose else waiting
            mounted({"page": whose, "n": to})
        elif step == "other page":
            mounted({"page": "z" * 20, "n": 10**6})
        elif step == "other data":
            of, n, tries, waiting = of + "b", 0, 0, []
            mounted({"page": "", "n": 0})
        elif step == "busy":
            busy = not busy
            page.evaluate(
                "s => { document.querySelector('[data-testid=stApp]').dataset.testScriptState = s }",
                "running" if busy else "notRunning",
            )
        else:
            over = chance.choice([1000, 2999, 3000, 6001, 20000])
            page.clock.run_for(over)
            now += over
            while due is not None and due <= now:
                if not busy:
                    tell()
                pause *= 2
                due += pause
        told = page.evaluate(
            "(window.told ?? []).splice(0).map(m => [m.page, m.of, m.tries, m.acts.map(act => act.n)])"
        )
        assert [tuple(message[1:]) for message in told] == expected, step
        expected.clear()
        assert len({whose, *(message[0] for message in told)} - {""}) <= 1
        whose = told[-1][0] if told else whose
        assert page.evaluate("drawn") == drawn
    assert not whose or re.fullmatch("[0-9a-z]{16,64}", whose)


def natural(text):
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text) if part]


@pytest.mark.parametrize("seed", range(8))
def test_rows_stand_in_the_order_that_a_head_asks_for_and_what_has_no_value_comes_last(stage, seed):
    chance = random.Random(seed)
    pool = [None, "", *(["a2", "a10", "b", "a1"] if seed % 2 else [-3, 0, 2.5, 10, 9])]
    rows = [chance.choice(pool) for _ in range(chance.randint(0, 14))]
    places = stage.page.evaluate(
        """async (rows) => { const { arranged } = await import('/table.js');
        return [null, ['x', false], ['x', true]].map(order => arranged({order}, rows, (row, by) => by === 'x' ? row : 'wrong')); }""",
        rows,
    )
    some = [i for i, v in enumerate(rows) if v not in (None, "")]
    none = [i for i in range(len(rows)) if i not in some]
    key = (lambda i: natural(rows[i])) if seed % 2 else (lambda i: rows[i])
    assert places == [
        list(range(len(rows))),
        sorted(some, key=key) + none,
        sorted(some, key=key, reverse=True) + none,  # equal ones stay in their order
    ]


def test_heads_ask_for_an_order_then_for_the_other_then_for_none_and_are_one_stop_of_tab(stage):
    page = stage.page
    page.evaluate(
        """async () => { const { sorting, figure } = await import('/table.js'); const { el } = await import('/elements.js');
        window.figure = figure; window.kept = {}; window.times = 0;
        const th = (by, down) => el('th', {'data-sorts': by, 'data-down': down}, by ?? 'none', el('button', {}, 'in it'));
        const row = el('tr', {}, th('name'), th(undefined), th('size', true), th('kind'));
        root.append(el('table', {}, row)); sorting(() => kept, row, () => { times++ }); }"""
    )
    heads = page.locator("th.sorts")
    assert heads.evaluate_all("all => all.map(e => e.dataset.sorts)") == ["name", "size", "kind"]

    def look():
        return page.evaluate("[kept.order ?? null, times]"), stage.all("th", "e.getAttribute('aria-sort')")

    assert look() == ([None, 0], ["none", None, "none", "none"])
    for i, (name, orders) in enumerate((("name", (False, True)), ("size", (True, False)), ("kind", (False, True)))):
        for j, down in enumerate(orders):
            heads.nth(i).click(position={"x": 2, "y": 2})
            (order, times), said = look()
            assert (order, times) == ([name, down], 1 + j + 3 * i)
            assert [s for s in said if s not in (None, "none")] == ["descending" if down else "ascending"]
            assert said[[0, 2, 3][i]] == ("descending" if down else "ascending")
        heads.nth(i).click(position={"x": 2, "y": 2})
        assert look() == ([None, 3 + 3 * i], ["none", None, "none", "none"])
    heads.first.locator("button").click()
    assert look()[0] == [None, 9], "a button in a head sorts nothing"
    assert stage.all("th.sorts", "e.tabIndex") == [0, -1, -1]
    heads.first.focus()
    for key, at, tabs in (("ArrowLeft", "name", 0), ("ArrowRight", "size", 1), ("ArrowRight", "kind", 2),
                          ("ArrowRight", "kind", 2), ("ArrowLeft", "size", 1)):  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.sorts") == at
        assert stage.all("th.sorts", "e.tabIndex") == [0 if i == tabs else -1 for i in range(3)]
    page.keyboard.press("Enter")
    assert look()[0] == [["size", True], 10]
    page.keyboard.press("Space")
    assert look()[0] == [["size", False], 11]
    assert page.evaluate(
        "[figure('1,234.5'), figure('\\u22123.2'), Number.isNaN(figure(null)), Number.isNaN(figure('–'))]"
    ) == [
        1234.5,
        -3.2,
        True,
        True,
    ]


def straight(stage, selector, axis):
    """Return what turns a place of a figure into a value, by the axis that is printed."""
    ticks = [
        (float(x), float(words.split(" ")[0]))
        for x, words in zip(stage.all(f"{selector} text", "e.getAttribute('x')"), axis, strict=True)
    ]
    (x1, v1), (x2, v2) = ticks[0], ticks[-1]
    assert all(abs(x - (x1 + (v - v1) * (x2 - x1) / (v2 - v1))) < 0.01 for x, v in ticks)
    return lambda x: v1 + (float(x) - x1) * (v2 - v1) / (x2 - x1)


def places(marks, value, tag, kind):
    return [value(m["x"]) for m in marks if (m["tag"], m["kind"]) == (tag, kind)]


def diamonds(marks, value, kind, size=6):
    left = [re.match(r"M([\d.e-]+),", m["d"])[1] for m in marks if (m["tag"], m["kind"]) == ("path", kind)]
    return [value(float(x) + size) for x in left]


def check_close(by, seen, *figures):
    assert seen == [pytest.approx(figure, abs=by) for figure in figures]


def test_every_mark_of_the_bench_stands_at_its_figure_on_the_axis(stage, real):
    shows = deepcopy(real["review.bench"])
    first, second, third, *_ = shows["rows"]
    end = shows["axis"]["end"]
    first |= {
        "before": [end / 2, end / 4],
        "preview": [end / 3, "x"],
        "range": [end / 8, end / 2],
        "above": True,
        "outside": [end / 5, "5"],
    }
    second |= {"before": [end / 2, second["original"][0]], "range": [end / 8, end / 8], "outside": [end / 2, "half"]}
    shows |= {"limit": {"at": end / 2, "words": "limit"}, "outside": True}
    shows["own"] = {"start": -10.0, "end": 30.0}
    third["own"] = {"at": [12.0, 4.0, 20.0], "shown": True, "short": "12", "words": "12 points more"}
    second["own"] = {"at": None, "short": "none", "words": "no claim"}
    stage.mount("bench", shows)
    value = straight(stage, ".axis", stage.all(".axis text"))
    marks = stage.page.evaluate(
        """() => [...document.querySelectorAll('.bench tbody tr')].map(tr => [...tr.querySelectorAll('td.fig svg > *')].map(e =>
            ({tag: e.tagName, kind: e.getAttribute('class'), x: e.getAttribute('x') ?? e.getAttribute('x1') ?? e.getAttribute('cx'),
              x2: e.getAttribute('x2'), width: e.getAttribute('width'), d: e.getAttribute('d'), words: e.textContent})))"""
    )
    for row, found in zip(shows["rows"], marks, strict=True):
        at, diamond = partial(places, found, value), partial(diamonds, found, value)
        close = partial(check_close, end / 5000)
        (syn, syn_words), (org, org_words), (low, high) = row["synthetic"], row["original"], row["range"]
        close(at("circle", "org"), org)
        close(diamond("syn above" if row["above"] else "syn"), syn)
        links = [m for m in found if m["kind"] == "link"]
        close([value(m[x]) for m in links for x in ("x", "x2")], syn, org)
        spans = [m for m in found if m["kind"] == "range"]
        close(
            [value(m["x"]) for m in spans] + [value(float(m["x"]) + float(m["width"])) for m in spans],
            *([low, high] if high > low else []),
        )
        close(diamond("hollow", 5), *([row["before"][0]] if row["before"] else []))
        close(at("circle", "org thin"), *([row["before"][1]] if row["before"] and row["before"][1] != org else []))
        close(diamond("preview"), *([row["preview"][0]] if row["preview"] else []))
        close(at("line", "outside"), *([row["outside"][0]] if row["outside"] else []))
        close(at("line", "limit"), shows["limit"]["at"])
        moved = [value(m[x]) for m in found if m["kind"] == "moved" for x in ("x", "x2")]
        close(
            moved,
            *([syn, row["before"][0]] if row["before"] else []),
            *([row["preview"][0], syn] if row["preview"] else []),
        )
        words = {m["words"] for m in found if m["tag"] == "text"}
        assert {org_words, f"▲ {syn_words}" if row["above"] else syn_words} <= words
        assert [value(m["x"]) for m in found if m["kind"] in ("grid", "zero")] == [
            pytest.approx(t, abs=end / 5000) for t in shows["axis"]["ticks"]
        ]
        assert [m["kind"] for m in found if m["kind"] in ("grid", "zero")] == [
            "grid" if t else "zero" for t in shows["axis"]["ticks"]
        ]
    own = stage.page.evaluate(
        "[...document.querySelectorAll('td.own svg')].map(s => [...s.children].map(e => [e.getAttribute('class'), e.getAttribute('x1'), e.getAttribute('x2'), e.textContent]))"
    )
    assert [e[3] for e in own[0] if e[0] == "mut"] == ["none"]
    (zero, _), (a, b) = next(e[1:3] for e in own[1] if e[0] == "zero"), next(e[1:3] for e in own[1] if e[0] == "shown")
    assert (float(b) - float(a)) / (float(b) - float(zero)) == pytest.approx(16 / 20)
    assert stage.all("td.own", "e.title") == [r["own"]["words"] if r["own"] else "" for r in shows["rows"]]
    for selector, name in (
        (".gain:not(th)", "gain"),
        (".flag", "flag"),
        (".elsewhere", "elsewhere"),
        (".chip", "verdict"),
    ):
        assert stage.all(f"tbody {selector}") == [row[name] for row in shows["rows"]]


def test_what_is_done_on_the_bench_is_told_and_shown_before_the_server_answers(stage, real):
    shows = deepcopy(real["review.bench"])
    targets = [row["target"] for row in shows["rows"]]
    page, role = stage.mount("bench", shows).page, stage.page.get_by_role
    assert stage.all("tr.chosen button") == [r["name"] for r in shows["rows"] if r["target"] == shows["chosen"]]
    page.locator("tbody tr").nth(4).locator("td.gain").click()
    assert stage.new() == [{"open": targets[4]}]
    assert stage.all("tbody tr", "e.classList.contains('chosen')") == [i == 4 for i in range(len(targets))]
    assert stage.all("tbody tr button", "[e.tabIndex, e.getAttribute('aria-current')]") == [
        [0, "true"] if i == 4 else [-1, None] for i in range(len(targets))
    ]
    page.locator("tbody tr").nth(4).locator("td.gain").click()
    assert stage.new() == [], "what is open is not opened again"
    page.locator("tbody tr input").nth(1).click()
    every = page.locator("input.all")
    assert stage.new() == [{"tick": [targets[1]], "on": True}]
    assert every.evaluate("e => [e.checked, e.indeterminate]") == [False, True]
    every.click()
    assert stage.new() == [{"tick": targets, "on": True}]
    assert every.evaluate("e => [e.checked, e.indeterminate]") == [True, False]
    page.locator("tbody tr input").nth(2).click()
    assert stage.new() == [{"tick": [targets[2]], "on": False}]
    assert stage.all("tbody input", "e.checked") == [i != 2 for i in range(len(targets))]
    for name, label in (("measures", "Measure"), ("orders", "Order of the targets")):
        value = shows[name][-1][0]
        role("combobox", name=label).select_option(value)
        assert stage.new() == [{name[:-1]: value}]
        assert role("combobox", name=label).input_value() == value
    page.locator("tbody tr button").nth(4).focus()
    for key, to in (("ArrowDown", 5), ("ArrowDown", 6), ("ArrowUp", 5)):
        page.keyboard.press(key)
        assert stage.focus() == shows["rows"][to]["name"]
    page.clock.run_for(240)
    assert stage.new() == []
    page.clock.run_for(20)
    assert stage.new() == [{"open": targets[5]}]  # once, and where it came to stand
    stage.mount("bench", shows | {"chosen": targets[0], "ticked": [targets[3]]}, heard=stage.seen)
    assert stage.all("tbody input", "e.checked") == [i == 3 for i in range(len(targets))]
    assert stage.all("tbody tr", "e.classList.contains('chosen')") == [i == 0 for i in range(len(targets))]


def test_one_of_many_targets_is_found_by_typing_and_ticks_are_of_those_in_sight(stage, real):
    shows = deepcopy(real["review.bench"])
    row = shows["rows"][0]
    shows["rows"] = [
        row | {"target": f"t{i}", "name": f"t{i}", "title": f"t{i}: Label {'odd' if i % 2 else 'even'}"}
        for i in range(13)
    ]
    shows |= {"chosen": "t0", "ticked": []}
    page = stage.mount("bench", shows).page
    find = page.get_by_role("searchbox", name="Find a target")
    find.fill(" LABEL odd")
    assert stage.all("tbody tr:not([hidden]) button") == [f"t{i}" for i in range(1, 13, 2)]
    page.locator("input.all").click()
    assert stage.new() == [{"tick": [f"t{i}" for i in range(1, 13, 2)], "on": True}]
    find.press("ArrowDown")
    assert stage.focus() == "t1"
    find.press("Enter")
    assert stage.new() == [{"open": "t1"}]
    stage.mount("bench", shows | {"rows": shows["rows"][:12]})
    assert find.count() == 0
    assert len(stage.all("tbody tr:not([hidden])")) == 12


WORDS = """() => [...document.querySelectorAll('svg')].map(s => [...s.querySelectorAll('text')].map(e =>
    [e.textContent, ...[e.getBoundingClientRect()].flatMap(b => [b.left + 1, b.top + 3, b.right - 1, b.bottom - 3])]))"""
"""The words of each figure, with the edges of their letters."""


def overlaps(texts):
    return [
        (one[0], other[0])
        for one, other in itertools.combinations(texts, 2)
        if one[1] < other[3] and other[1] < one[3] and one[2] < other[4] and other[2] < one[4]
    ]


@pytest.mark.parametrize("exclusions", ["none", "judged"])
def test_no_figure_of_a_row_stands_on_another(stage, real, exclusions):
    """Of a target whose figures an exclusion took from wide to near 0, too."""
    shows = deepcopy(real["review.bench"])
    end, row = shows["axis"]["end"], shows["rows"][0]
    shows["rows"] = []
    for i, (syn, more) in enumerate(itertools.product((0.01, 0.05, 0.3, 0.8), (0, 0.01, 0.03, 0.06, 0.15))):
        org, of = syn + more, {"synthetic": end * syn, "original": end * (syn + more)}
        figures = {name: [figure, f"{figure:.1f}"] for name, figure in of.items()}
        before = [min(end, f + end / 3) for f in of.values()] if exclusions == "judged" else None
        shows["rows"].append(
            row
            | figures
            | {"target": f"t{i}", "before": before, "range": [0.0, 0.0], "outside": [end * org / 2, "9.9"]}
        )
    stage.mount("bench", shows)
    figures = stage.page.evaluate(WORDS)
    assert len([f for f in figures if f]) >= 20
    assert [found for texts in figures if (found := overlaps(texts))] == []


def test_a_strip_names_each_of_its_marks_and_no_name_stands_on_another(stage, real):
    shows = deepcopy(real["review.card"])
    for chance, right in itertools.product((0.0, 46.3, 74.9, 78.0, 100.0), (0.0, 22.0, 47.0, 78.3, 99.0, 100.0)):
        marks = {"chance": chance, "best": 80.5, "right": right}
        shows["guess"]["marks"] = {name: [at, f"{at}", f"{name} {at}"] for name, at in marks.items()}
        stage.mount("card", shows)
        (texts,) = [f for f in stage.page.evaluate(WORDS) if any("chance" in t[0] for t in f)] or [[]]
        assert {f"{name} {at}" for name, at in marks.items()} <= {t[0] for t in texts}
        assert overlaps(texts) == []


@pytest.mark.parametrize("keys", [100.0, 99.0, 90.0, 40.0])
@pytest.mark.parametrize("one", [1.0, 40.0, 100.0])
def test_a_number_of_the_bar_stands_on_the_ground_of_its_ink(stage, real, keys, one):
    """Where all keys are found, the number of all people stood in the ink of the empty band on the pale one."""
    shows, one = deepcopy(real["review.card"]), min(one, keys)
    steps = [
        ["people", 100.0, "4000"],
        ["keys found", keys, "3999"],
        ["one answer only", one, "77"],
        ["right", 0.5, "1"],
    ]
    shows["bar"]["steps"] = steps
    stage.mount("card", shows)
    end = dict(stage.all("[data-p=bar] rect", "[e.getAttribute('class'), e.getBoundingClientRect().right]"))
    texts = stage.all(
        "[data-p=bar] text",
        "[e.textContent, [e.getAttribute('class'), e.getBoundingClientRect().left, e.getBoundingClientRect().right]]",
    )
    numbers = {words: at for words, at in texts if words.isdigit()}
    for ink, left, right in numbers.values():
        assert right <= end["b1"] if ink == "dk" else left >= end["b1"]
    outermost = max(n for n, share, _ in zip(range(3), (100.0, keys, one), steps, strict=False) if share == 100)
    if keys != 99:  # which leaves no room
        assert steps[outermost][2] in numbers
    assert " = ".join(step[0] for step in reversed(steps[: outermost + 1])) in dict(texts)


def test_a_long_answer_is_cut_inside_its_strip_and_its_figure_never(stage, real):
    shows = deepcopy(real["review.card"])
    marks = {
        "chance": "chance 33.3",
        "best": f"everybody “{'A LONG Answer 长 ' * 9}” 41.7",
        "right": "claims right 9.9",
    }
    shows["guess"]["marks"] = {
        name: [at, f"{at}", words] for (name, words), at in zip(marks.items(), (3, 4, 9), strict=True)
    }
    for width in (1200, 390):
        stage.page.set_viewport_size({"width": width, "height": 1500})
        stage.mount("card", shows)
        edges = stage.all(
            "[data-p=strip] text.out-t",
            "[e.textContent, e.getBoundingClientRect().left - e.ownerSVGElement.getBoundingClientRect().left,"
            " e.ownerSVGElement.getBoundingClientRect().right - e.getBoundingClientRect().right]",
        )
        assert all(min(left, right) >= -1 for _, left, right in edges), edges
        assert any(words.startswith("everybody “A LONG") and words.endswith("” 41.7") for words, *_ in edges)


def test_bars_strips_and_lifts_of_the_card_are_as_long_as_their_figures(stage, real):
    shows = deepcopy(real["review.card"])
    right = 30.0
    shares = {"people": 100.0, "keys found": 80.0, "one answer only": 55.0, "right": right}
    shows["bar"]["steps"] = [[words, share, f"{10 * share:.0f}"] for words, share in shares.items()]
    shows["bar"] |= {"preview": [right / 2, "Preview"], "also": [right / 3, "a few"]}
    marks = {
        "chance": [20.0, "20", "chance 20"],
        "best": [45.0, "45", "everybody 45"],
        "right": [70.0, "70", "right 70"],
    }
    shows["guess"]["marks"] = marks
    stage.mount("card", shows)
    rects = {
        kind: (float(x), float(w))
        for kind, x, w in stage.all(
            "[data-p=bar] rect", "[e.getAttribute('class'), e.getAttribute('x'), e.getAttribute('width')]"
        )
        if x
    }
    left, whole = rects["b0"]
    for i, (_, share, _) in enumerate(shows["bar"]["steps"][1:], 1):
        assert rects[f"b{i}"] == (left, pytest.approx(whole * share / 100))
    assert rects["hatched"] == (pytest.approx(left + whole * right / 200), pytest.approx(whole * right / 200))
    (also,) = stage.all("[data-p=bar] line.also", "+e.getAttribute('x1')")
    assert also == pytest.approx(left + whole * right / 300)
    said = stage.all("[data-p=bar] text")
    assert {f"right: DiSCO {shows['bar']['moved'] or shows['bar']['figure']}"} <= set(said)
    assert {"people", "keys found", "one answer only"} <= set(said), "there is room for each"
    assert {"1000", "800", "550", "300"} <= set(said)
    strip = stage.all(
        "[data-p=strip] svg > *",
        "[e.tagName, e.getAttribute('class'), e.getAttribute('x1'), e.getAttribute('d'), e.textContent]",
    )
    ticks = [float(x) for tag, kind, x, _, _ in strip if (tag, kind) == ("line", "outside")]
    (at,) = [float(re.match(r"M([\d.]+)", d)[1]) + 6 for tag, kind, _, d, _ in strip if tag == "path"]
    chance, best, mine = (marks[name][0] for name in ("chance", "best", "right"))
    assert (at - ticks[0]) / (ticks[1] - ticks[0]) == pytest.approx((mine - chance) / (best - chance), abs=1e-3)
    assert {marks["right"][2], marks["best"][2]} <= {words for *_, words in strip}
    for row, cell in zip(
        shows["pairs"]["rows"],
        stage.all(
            "tr[data-x^=r] td.lift",
            "[...e.querySelectorAll('svg > *')].map(c => [c.getAttribute('class'), c.getAttribute('x1') ?? c.getAttribute('x') ?? c.getAttribute('cx'), c.getAttribute('width')])",
        ),
        strict=True,
    ):
        if "pct" not in row:
            assert cell == []
            continue
        by = {kind: (float(x), float(w or 0)) for kind, x, w in cell}
        (x0, w0) = by["track"]
        assert by["dot"][0] == pytest.approx(x0 + w0 * row["pct"][0] / 100)
        assert by["outside"][0] == by["lifted"][0] == pytest.approx(x0 + w0 * row["base"][0] / 100)


def test_what_is_done_on_the_card_is_told_and_shown_before_the_server_answers(stage, real):
    shows = deepcopy(real["review.card"])
    page, role = stage.mount("card", shows).page, stage.page.get_by_role
    me = {"target": shows["target"]}
    assert stage.all("[data-p=head1], [data-p=head2]") == [shows["one_way"]["head"], shows["pairs"]["head"]]
    row = shows["pairs"]["rows"][1]
    tick = page.locator("tr[data-x=r1] input[type=checkbox]")
    tick.click()
    assert stage.new() == [me | {"pairs": [row["id"]], "on": True}]
    assert page.locator("tr[data-x=r1]").get_attribute("class") == "on"
    assert stage.focus().startswith("Reason: "), "what is excluded asks why at once"
    page.keyboard.type("everybody knows")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert stage.new() == [me | {"why": row["exclusion"], "text": "everybody knows"}], "told once"
    every = page.locator("input.all[data-k=r]")
    assert every.evaluate("e => [e.checked, e.indeterminate]") == [False, True]
    every.click()
    assert stage.new() == [me | {"pairs": [r["id"] for r in shows["pairs"]["rows"]], "on": True}]
    assert every.evaluate("e => [e.checked, e.indeterminate]") == [True, False]
    tick.click()
    assert stage.new() == [me | {"pairs": [row["id"]], "on": False}]
    hidden = stage.all("tr[data-x^=r] .why input", "[getComputedStyle(e).visibility, e.tabIndex]")
    assert hidden == [["hidden", -1] if i == 1 else ["visible", 0] for i in range(len(hidden))]
    page.locator("tr[data-x=r1] button.look").click()
    assert stage.new() == [me | {"records": {row["id"][0]: row["id"][1], shows["target"]: row["id"][2]}}]
    role("button", name="the records →").click()
    assert stage.new() == [me | {"records": {}}]
    role("combobox", name="Synthesis").select_option("2")
    role("combobox", name="Synthesis").select_option("mean")
    assert stage.new() == [me | {"synthesis": 2}, me | {"synthesis": "mean"}]
    if shows["pairs"]["more"]:
        page.locator("[data-p=more]").click()
        assert stage.new() == [me | {"more": True}]
    other = shows["one_way"]["others"][0]
    field = role("combobox", name="Exclude another level")
    field.fill(other["label"])
    field.press("Enter")
    assert stage.new() == [me | {"level": other["level"], "on": True}]
    assert field.input_value() == ""


def test_a_switch_of_a_level_is_told_and_a_reason_that_waits_can_be_confirmed(stage, real):
    shows = deepcopy(real["review.card"])
    level = {
        "level": "X",
        "label": "Exclude X",
        "on": True,
        "flagged": True,
        "words": "5 of 9",
        "exclusion": "t = X",
        "reason": "known",
        "asks": "Reason of 2024.",
    }
    shows["one_way"]["rows"] = [
        level,
        level
        | {
            "level": "Y",
            "label": "Exclude Y",
            "on": False,
            "flagged": False,
            "exclusion": "t = Y",
            "reason": "",
            "asks": "",
        },
    ]
    shows["missing"] = level | {
        "label": "Exclude missing values",
        "on": False,
        "asks": "",
        "reason": "",
        "exclusion": "t missing",
    }
    role = stage.mount("card", shows).page.get_by_role
    me = {"target": shows["target"]}
    assert stage.all("table.levels input[role=switch]", "e.checked") == [True, False, False]
    assert stage.all("table.levels .flag") == ["⚑ ", "", "⚑ "]
    assert stage.all("table.levels .confirm", "e.hidden") == [False, True, True]
    role("button", name="Confirm").click()
    assert stage.new() == [me | {"confirm": "t = X"}]
    role("switch", name="Exclude Y").click()
    assert stage.focus() == "Reason: t Y"
    role("switch", name="Exclude missing values").click()
    assert stage.focus() == "Reason: t missing"
    role("switch", name="Exclude X").click()
    assert stage.new() == [me | {"level": "Y", "on": True}, me | {"missing": True}, me | {"level": "X", "on": False}]
    assert stage.all("table.levels input[role=switch]", "e.checked") == [False, True, True]
    role("switch", name="Exclude X").click()
    assert stage.focus() == "Exclude X", "a reason that is there is not asked for again"


def test_what_was_handed_on_and_taken_back_goes_from_a_field_that_has_the_focus(stage, real):
    """Undo by its key leaves the focus where it is; what is being typed stays."""
    shows = deepcopy(real["review.verdict"]) | {"given": "acceptable", "reason": "", "officer": ""}
    page = stage.mount("verdict", shows).page
    for name in ("reason", "officer"):
        field = page.locator(f"[data-p={name}]")
        field.click()
        page.keyboard.type("handed on")
        page.keyboard.press("Enter")
        assert stage.new()[-1].items() >= {("why" if name == "reason" else name, "handed on")}
        stage.mount("verdict", shows | {name: "handed on"}, heard=stage.seen)
        assert field.input_value() == "handed on"
        stage.mount("verdict", shows, heard=stage.seen)
        assert field.input_value() == "", "taken back"
        page.keyboard.type("begun")
        stage.mount("verdict", shows | {name: "handed on"}, heard=stage.seen)
        assert field.input_value() == "begun"
        page.keyboard.press("Enter")
        stage.new()


def test_a_verdict_is_told_with_its_reason_and_a_draft_stays_with_its_target(stage, real):
    shows = deepcopy(real["review.verdict"]) | {
        "given": "",
        "reason": "",
        "confirm": None,
        "back": False,
        "officer": "",
    }
    page, role = stage.mount("verdict", shows).page, stage.page.get_by_role
    reason, officer = page.locator("[data-p=reason]"), page.locator("[data-p=officer]")
    me = {"targets": shows["targets"]}
    reason.fill("a draft")
    reason.press("Enter")
    assert stage.new() == [], "a reason without a verdict is nobody's yet"
    stage.mount("verdict", shows | {"targets": ["another"]})
    assert reason.input_value() == ""
    stage.mount("verdict", shows)
    assert reason.input_value() == "a draft"
    for value, words in shows["verdicts"]:
        reason.fill(f"why {value}")
        role("button", name=words, exact=True).click()
        done = me | {"verdict": value, "reason": f"why {value}"}
        assert stage.new()[-1] == done
        assert stage.all("button[data-v]", "[e.dataset.v, e.getAttribute('aria-pressed')]") == [
            [v, str(v == value).lower()] for v, _ in shows["verdicts"]
        ]
    seen = stage.seen
    given = shows | {
        "given": shows["verdicts"][0][0],
        "reason": "said",
        "back": True,
        "confirm": {"words": "Confirm at 1 %", "targets": ["x", "y"]},
    }
    stage.mount("verdict", given, heard=seen)
    assert reason.input_value() == "said"
    reason.focus()
    reason.press("End")
    page.keyboard.type(" again")
    stage.mount("verdict", given, heard=seen)
    assert (reason.input_value(), stage.new()) == ("said again", []), "what is typed stays while the server answers"
    stage.mount("verdict", shows | {"targets": ["another"]}, heard=seen)
    assert stage.new() == [me | {"why": "said again"}], "it goes with the target that it was typed for"
    assert reason.input_value() == ""
    stage.mount("verdict", given, heard=stage.seen)
    reason.fill("better")
    reason.press("Enter")
    reason.press("Tab")
    assert {**me, "why": "better"} in stage.new()
    role("button", name="Confirm at 1 %").click()
    role("button", name="Take it back").click()
    officer.fill("N. N.")
    officer.press("Enter")
    officer.press("Tab")
    assert stage.new() == [{"targets": ["x", "y"], "confirm": True}, me | {"back": True}, me | {"officer": "N. N."}]
    assert stage.all("button[data-v]", "e.getAttribute('aria-pressed')") == ["false"] * len(shows["verdicts"])
    stage.mount("verdict", shows, heard=stage.seen)
    assert [page.locator(f"[data-p={name}]").is_hidden() for name in ("confirm", "back")] == [True, True]
    assert stage.all("[data-p=heading], [data-p=note]") == [shows["heading"], shows["note"]]


def test_each_question_is_answered_once_counted_down_and_taken_back(stage, real):
    shows = deepcopy(real["data.answers"])
    option = {"value": "mend", "text": "Mend: it", "dashed": True}
    entry = {
        "name": "a",
        "question": "A?",
        "detail": "why",
        "options": [option, {"value": "no", "text": "No", "dashed": False}],
        "table": [["DiSCO", "1.0", "2.0"]],
        "warns": False,
    }
    plain = entry | {
        "name": "b",
        "question": "B?",
        "detail": "",
        "options": [{"value": "yes", "text": "Yes", "dashed": False}],
        "table": [],
    }
    decided = [
        plain | {"name": "c", "question": "C", "options": []},
        plain | {"name": "d", "question": "D", "options": [], "warns": True},
    ]
    shows |= {"title": "To answer", "entries": [entry, plain], "notes": [], "decided": decided, "n_dashed": 1}
    page, role = stage.mount("answers", shows).page, stage.page.get_by_role
    assert stage.all("h2") == ["To answer: 2"]
    assert stage.all(".asked li", "e.querySelectorAll('td').length") == [2, 0]
    assert stage.all(".decided li > span") == ["✓ C", "⚠ D"]
    role("button", name="No", exact=True).click()
    assert stage.new() == [{"do": "answer", "name": "a", "value": "no"}]
    assert stage.all("h2") == ["To answer: 1"]
    assert stage.all(".asked li", "e.className") == ["given", ""]
    assert stage.all(".asked button:not(.all)", "e.getAttribute('aria-pressed')") == ["false", "true", "false"]
    assert stage.focus() == "No", "the focus stays at what was pressed"
    role("button", name="Mend: it").click()
    assert stage.new() == [], "a question is answered once"
    role("button", name="Mend all: 1").click()
    role("button", name="Mend all: 1").click()
    role("button", name="Take back: C").click()
    role("button", name="Take back: C").click()
    assert stage.new() == [{"do": "mend all"}, {"do": "back", "name": "c"}]
    assert stage.all(".decided li", "e.className.trim()") == ["given", "warns"]
    stage.mount("answers", shows | {"entries": [], "notes": [plain], "decided": [], "n_dashed": 0}, heard=stage.seen)
    assert stage.all("h2") == ["To answer: 0"]
    assert page.get_by_text("Nothing is left to answer.").is_visible()
    assert [page.locator(each).first.is_hidden() for each in (".asked", "button.all", "p.mut")] == [False, True, True]
    stage.mount("answers", shows | {"entries": [], "notes": [], "decided": [], "n_dashed": 0}, heard=stage.seen)
    assert page.locator(".asked").is_hidden()


def test_a_role_is_told_when_it_is_chosen_and_by_keys_when_one_stops_or_leaves(stage, real):
    shows = deepcopy(real["keys.roles"])
    page = stage.mount("columns", shows).page
    names = [row["name"] for row in shows["rows"]]
    roles = {row["name"]: row["cells"]["role"]["value"] for row in shows["rows"]}
    checked = dict(stage.all("input[type=radio]:checked", "[e.closest('tr').querySelector('b').textContent, e.value]"))
    assert checked == {row["shown"]: roles[row["name"]] for row in shows["rows"]}
    for head in (head for head in shows["heads"] if head["kind"] != "choice"):
        kinds = [each for each in (head["kind"], "wide" if head.get("wide") else "", head["id"]) if each]
        assert stage.all(
            f"tbody td.{head['id']}, thead th.{head['id']}", "e.className.replace('sorts', '').trim()"
        ) == [" ".join(kinds)] * (len(names) + 1)
    counts = page.locator(".counts")
    n = {value: list(roles.values()).count(value) for value in ("key", "target", "left out")}
    said = {"key": "keys", "target": "targets", "left out": "left out"}
    assert counts.inner_text() == " · ".join(f"{n[value]} {words}" for value, words in said.items() if n[value])
    name = next(each for each in names if roles[each] == "target")
    row = page.locator("tbody tr").nth(names.index(name))
    row.locator("input[value=key]").click()
    assert stage.new() == [{"do": "role", "column": name, "value": "key"}]
    assert counts.inner_text().startswith(f"{n['key'] + 1} keys · {n['target'] - 1} targets")
    page.keyboard.press("ArrowRight")
    page.clock.run_for(340)
    assert stage.new() == []
    page.keyboard.press("ArrowRight")
    page.clock.run_for(340)
    assert stage.new() == []
    page.clock.run_for(20)
    assert stage.new() == [{"do": "role", "column": name, "value": "left out"}]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    assert stage.new() == [{"do": "role", "column": name, "value": "target"}], "who goes on has chosen"
    page.clock.run_for(1000)
    assert stage.new() == []


def test_what_is_typed_in_a_table_of_columns_is_told_when_it_is_left_and_not_after_escape(stage, real):
    shows = deepcopy(real["keys.roles"])
    shows["rows"][0]["cells"]["role"] |= {
        "hint": "key" if shows["rows"][0]["cells"]["role"]["value"] != "key" else "target",
        "why": "as it is a name",
    }
    shows["offer"] = {"act": "suggested", "text": "Take all suggestions", "n": 1234}
    page = stage.mount("columns", shows).page
    where = next(row for row in shows["rows"] if row["cells"]["groups"])
    field = page.get_by_role("textbox", name=f"{where['whole']}: groups")
    assert field.input_value() == where["cells"]["groups"]["value"]
    field.fill("7")
    stage.mount("columns", shows)
    assert field.input_value() == "7", "what is typed stays while the server answers"
    field.press("Escape")
    assert (field.input_value(), stage.new()) == (where["cells"]["groups"]["value"], [])
    field.fill("8")
    field.press("Enter")
    assert stage.new() == [{"do": "groups", "column": where["name"], "value": "8"}]
    assert field.input_value() == "8", "shown as done"
    field.fill("9")
    stage.mount("columns", shows | {"caption": "anew"})
    field = page.get_by_role("textbox", name=f"{where['whole']}: groups")
    assert field.input_value() == "9", "also where the table is drawn anew"
    offer = page.get_by_role("button", name="Take all suggestions: 1,234")
    offer.click()
    assert {"do": "suggested"} in stage.new()
    assert stage.all("input.hint", "e.title") == ["as it is a name"]
    stage.mount("columns", shows | {"offer": None}, heard=stage.seen)
    assert page.locator(".offer").is_hidden()
    find = page.get_by_role("searchbox", name="Find a column")
    assert find.is_hidden() == (len(shows["rows"]) <= 12)
    if not find.is_hidden():
        find.fill(f" {where['whole'].upper()}")
        seen = stage.all("tbody tr:not([hidden]) b")
        assert where["shown"] in seen
        assert page.locator(".counts").inner_text().endswith(f"{len(seen)} found")
        find.fill("no such name")
        assert page.get_by_text("No column has such a name or label.").is_visible()


def test_the_table_on_data_shows_both_sides_and_what_a_column_is_read_as(stage, real):
    shows = deepcopy(real["data.columns"])
    rows = shows["rows"]
    rows[0]["cells"]["holds"] = {
        "value": "number",
        "options": [["", "as in the file"], ["number", "number"]],
        "why": "all are digits",
    }
    rows[0]["cells"] = {**rows[0]["cells"]}
    rows[0]["cells"]["holds"]["kind"] = "select"
    page = stage.mount("columns", shows).page
    widths = stage.all("td.bars", "[...e.querySelectorAll('i')].map(i => i.style.width)")
    assert [[float(w.removesuffix("%")) for w in each] for each in widths] == [
        [pytest.approx(s, abs=1e-3) for s in row["cells"]["bars"]["shares"]] for row in rows
    ]
    levels = [row["cells"]["levels"]["pair"] if row["cells"]["levels"] else ["", ""] for row in rows]
    assert stage.all("td.levels") == [a if a == b or b == "" else f"{a} / {b}" for a, b in levels]
    choose = page.locator("tbody select").first
    assert (choose.input_value(), choose.get_attribute("title")) == ("number", "all are digits")
    choose.select_option("")
    assert stage.new() == [{"do": "holds", "column": rows[0]["name"], "value": ""}]
    assert choose.input_value() == ""
    page.locator("th[data-sorts=levels]").click()
    values = [row["cells"]["levels"]["sort"] if row["cells"]["levels"] else None for row in rows]
    order = sorted((i for i, v in enumerate(values) if v is not None), key=values.__getitem__)
    order += [i for i, v in enumerate(values) if v is None]
    assert stage.all("tbody b") == [rows[i]["shown"] for i in order]


def test_elements_are_made_of_text_alone_and_the_page_is_dark_where_its_colour_is(stage):
    found = stage.page.evaluate(
        """async () => { const { el, svg, isDark } = await import('/elements.js');
        const made = el('p', {a: true, b: false, c: null, d: 0, e: '&'}, '<b>', null, false, el('i'), 7);
        const dark = colour => { root.style.setProperty('--st-background-color', colour); return isDark(root); };
        return [made.outerHTML, svg('g').namespaceURI, ['#ffffff', '#0e1117', '#828282', '#7e7e7e', '#00ff00', '#ff0000', '#0000ff', 'white'].map(dark)]; }"""
    )
    assert found[0] == '<p a="" d="0" e="&amp;">&lt;b&gt;<i></i>7</p>'
    assert found[1] == "http://www.w3.org/2000/svg"
    assert found[2] == [False, True, False, True, False, True, True, False]


def test_rows_are_copied_and_handed_out_in_the_order_and_with_the_heads_that_stand(stage):
    page = stage.page
    page.evaluate(
        """async () => { const { menu } = await import('/table.js');
        URL.createObjectURL = blob => { blob.arrayBuffer().then(bytes => { window.handed = [...new Uint8Array(bytes)] }); return 'data:,x'; };
        document.execCommand = what => { window.copied = [what, document.querySelector('textarea').value]; return window.allowed; };
        window.places = [2, 0];
        const lines = name => ['head', 'zero', 'one', 'two'].map(line => `${name} ${line}`);
        root.append(menu(() => [{file: 'it.csv', csv: lines('csv'), tsv: lines('tsv')}, window.places]), document.createElement('input')); }"""
    )
    summary, status = page.locator("summary"), page.locator("[role=status]")
    summary.click()
    page.evaluate("window.allowed = true")
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied: 2 rows, confidential.").wait_for()
    assert page.evaluate("window.copied") == ["copy", "tsv head\ntsv two\ntsv zero\n"]
    assert page.locator("textarea").count() == 0
    assert stage.focus() == "Copy"
    page.evaluate("window.allowed = false; window.places = [1]")
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("does not let the page copy").wait_for()
    page.get_by_role("button", name="Download CSV").click()
    assert status.inner_text() == "it.csv: 1 row."
    page.wait_for_function("window.handed")
    assert bytes(page.evaluate("window.handed")).decode() == "\ufeffcsv head\ncsv one\n"
    page.keyboard.press("Escape")
    assert page.locator("details").get_attribute("open") is None
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    for leave in (lambda: page.mouse.click(600, 900), lambda: page.locator("input").focus()):
        page.keyboard.press("Enter")
        summary.focus()
        if page.locator("details").get_attribute("open") is None:
            summary.click()
        page.locator("details[open]").wait_for()
        leave()
        page.locator("details:not([open])").wait_for(state="attached")
    page.wait_for_function("document.querySelector('[role=status]').textContent === ''")


def test_a_button_that_two_pages_draw_for_a_moment_asks_from_where_it_stays(stage):
    page = stage.page
    for where in ("comes", "left"):  # the page that is left is drawn once more
        page.evaluate(
            """async where => {
                const part = (await import('/hand.js')).default;
                window.told ??= [];
                const parentElement = document.body.appendChild(document.createElement('div'));
                parentElement.id = where;
                const head = { key: 'save', of: 'review', label: 'Save', doing: 'Saving …' };
                const data = new TextEncoder().encode(`${JSON.stringify(head)}\n`);
                part({data, parentElement, setStateValue: (what, value) => told.push([where, value.n])});
            }""",
            where,
        )
    page.evaluate("document.getElementById('left').remove()")
    page.locator("#comes button").click()
    page.clock.run_for(1000)
    assert stage.told() == [["comes", 1]]
    assert page.locator("#comes .words").text_content() == "Saving …"
