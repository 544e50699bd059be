"""A dozen states of a review: PDF and HTML are read back, every figure is the core's, every sentence fits the state."""

# Inside: what is open, and which exclusions have a reason, is held against the report.

import base64
import io
import math
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser

import ibis
import pyarrow as pa
import pypdf
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    KeySet,
    Limit,
    Limits,
    Motive,
    Pair,
    RemoveReplicated,
    RoundTo,
    TableStudy,
    ThreatModel,
    demo,
    open_review,
    start_demonstration,
    start_engine,
)
from disclosure_core.comparison.candidates import USEFUL
from disclosure_core.conclusions.difference import Saying
from disclosure_core.holdout.differences import MEAN
from disclosure_core.report import render
from disclosure_core.report.completeness import gathered
from disclosure_core.review.reasons import with_reason
from disclosure_core.review.verdicts import judged
from tests.reports import Look, answer, assemble, report, still_open, ungrouped
from tests.written import fixed, score

pytestmark = pytest.mark.slow

KEYS = ("sex", "age", "employment")
LIMITS = Limits(
    Limit(10, 2, "our board", "as in 2024"), Limit(30, 4, "our board"), Limit(relative=0.2, owner="our board")
)
WIDE = Limits(Limit(99, 99), Limit(99, 99), Limit(relative=0.9))
OUT = Exclusions(
    target_levels={"abroad": ["No"], "marital": ["Widowed"]},
    missing_targets={"income"},
    pairs={"education": [Pair("age", "16", "Primary")]},
)
ANSWERED = ThreatModel("adults", 1_000_000, "register", True, True, True, Motive.RECOGNITION)
OUTSIDE = Holdout("demonstration")
BOTH = frozenset({"membership", "subsets"})
ALL = {"abroad": "x is known", "marital": "y is known", "income": "refused", "education": "school age"}

STATES = {
    "as it comes": {},
    "a holdout and no limits": {"holdout": OUTSIDE},
    "limits": {"holdout": OUTSIDE, "limits": LIMITS},
    "limits without a holdout": {"limits": LIMITS},
    "left out for reasons": {"holdout": OUTSIDE, "limits": LIMITS, "exclusions": OUT, "reasons": ALL},
    "left out without": {"holdout": OUTSIDE, "limits": LIMITS, "exclusions": OUT, "reasons": {"abroad": "x is known"}},
    "everything left out": {"holdout": OUTSIDE, "limits": LIMITS, "targets": ("sex2",), "everything": True},
    "membership refused": {"holdout": OUTSIDE, "limits": LIMITS, "threat_model": replace(ANSWERED, news=False)},
    "all searched": {"holdout": OUTSIDE, "limits": LIMITS, "threat_model": ANSWERED, "searched": BOTH},
    "all within": {"holdout": OUTSIDE, "limits": WIDE, "threat_model": ANSWERED, "searched": BOTH},
    "two key sets": {"holdout": OUTSIDE, "limits": LIMITS, "intruders": (KeySet("a", KEYS), KeySet("b", ("region",))), "intruder": "b"},
    "a verdict against the figure": {"holdout": OUTSIDE, "limits": Limits(Limit(1, 0)), "targets": ("marital", "settlement"), "intruders": (KeySet("an intruder", (*KEYS, "region")),), "given": ("settlement", "acceptable")},
    "a share in a field of %": {"holdout": OUTSIDE, "limits": Limits(Limit(0.6, 0.2))},
    "numbers as they are": {"holdout": OUTSIDE, "limits": LIMITS, "groups": {}, "targets": ("income", "bmi")},
    "another set": {"limits": LIMITS, "synthesis_set": "overfitted", "searched": frozenset({"comparison"})},
    "safeguards taken": {"steps": (RoundTo("income", 1000), RemoveReplicated()), "searched": frozenset({"comparison"})},
    "in an engine": {"engine": True, "exclusions": OUT, "reasons": ALL},
    "differential privacy": {"about": {"Differential privacy": "ε = 3", "Decision to be taken": "release?", "Note": "second round"}},
}  # fmt: skip


def opened_in(state):
    state = dict(state)
    base = start_demonstration().review
    targets = ("abroad", "marital", "education", "income")
    if state.pop("everything", False):
        state |= {
            "targets": ("abroad",), "reasons": {"abroad": "all of it"},
            "exclusions": Exclusions(target_levels={"abroad": ["No", "Yes"]}, missing_targets={"abroad"}),
        }  # fmt: skip
    steps, engine, given = state.pop("steps", ()), state.pop("engine", False), state.pop("given", None)
    asked = {"intruders": (KeySet("an intruder", KEYS),), "targets": targets, "groups": base.groups} | state
    if engine:
        there = start_engine(in_duckdb(), "a table of ours")
        return there.with_review(replace(there.review, columns=base.columns, **asked))
    opened = open_review(replace(base, **asked).with_steps(steps))
    return opened if given is None else opened.with_review(judged(opened, [given[0]], given[1]))


@cache
def in_duckdb():
    """The survey where an engine holds it."""
    frames = (demo.original(), *demo.syntheses())
    plain = (f.astype(dict.fromkeys(f.select_dtypes("category"), str)) for f in frames)
    tables = [ibis.memtable(pa.Table.from_pandas(f, preserve_index=False)) for f in plain]
    return TableStudy(tables[0], tables[1:], missing_codes=demo.MISSING_CODES)


class Read(HTMLParser):
    """The text of a page, and its tables: caption, and rows of cells."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tables, self.figures, self._cell, self._into = [], [], [], None, ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            svg = base64.b64decode(dict(attrs)["src"].partition(",")[2]).decode()
            # Letters are outlines, each text named in a comment before its own.
            self.figures.append([unescape(told) for told in re.findall(r"<!-- (.+?) -->", svg)])
        elif tag == "table":
            self.tables.append(["", []])
        elif tag == "tr":
            self.tables[-1][1].append([])
        elif tag in ("th", "td", "caption"):
            self._into, self._cell = tag, []

    def handle_endtag(self, tag):
        if tag in ("th", "td") and self._cell is not None:
            self.tables[-1][1][-1].append("".join(self._cell))
            self._cell = None
        elif tag == "caption":
            self.tables[-1][0] = "".join(self._cell)
            self._cell = None

    def handle_data(self, data):
        self.text.append(data)
        if self._cell is not None:
            self._cell.append(data)

    def table(self, *columns):
        """Return the rows of the first table whose header begins so; None where there is none."""
        return next((rows[1:] for _, rows in self.tables if tuple(rows[0][: len(columns)]) == columns), None)


def squeezed(text):
    return re.sub(r"\s", "", text)


@pytest.fixture(scope="module", params=STATES, ids=str)
def state(request):
    opened = opened_in(STATES[request.param])
    look = Look(title="Read back", date="2026-11-22")
    looks = (look, replace(look, appendix=True))
    sources = [(assemble(opened, each), each.appendix) for each in looks]  # once for both forms
    html = Read("".join(render.to_html(source, of_appendix=appendix) for source, appendix in sources))
    words, fills = [], []
    for source, appendix in sources:
        pdf = render.to_pdf(source, of_appendix=appendix)
        said, full = zip(*map(read, pypdf.PdfReader(io.BytesIO(pdf)).pages), strict=True)
        words += said
        fills += full[:-1]
    return opened, html, squeezed(" ".join(words)), " ".join(" ".join(html.text).split()), fills


def read(page):
    """The text of a page of a PDF, and how much of its height between the margins it fills."""
    margin, lowest = 18 * 72 / 25.4, []

    def seen(text, cm, tm, _font, _size):
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        if text.strip() and y > margin:  # the footer stands in the margin
            lowest.append(y)

    text, height = page.extract_text(visitor_text=seen), float(page.mediabox.height)
    return text, (height - margin - min(lowest)) / (height - 2 * margin)


def test_no_page_but_the_last_ends_a_third_empty(state):
    *_, fills = state
    assert all(fill > 2 / 3 for fill in fills), fills


def tenth(x):
    return fixed(x, 1).replace("-", "−")


def apart(x):
    """An end of an interval, with as many digits as it takes to tell it from 0."""
    text = next((text for digits in range(1, 9) if float(text := f"{x:.{digits}f}")), "0.0")
    return text.replace("-", "−")


def test_page_1_has_the_figures_of_the_core(state):
    opened, html, pdf, *_ = state
    found = answer(opened)
    review = opened.review
    kept = with_reason(review.exclusions, review.reasons)
    now = {k.name: opened.with_review(replace(review, intruder=k.name, exclusions=kept)) for k in review.intruders}
    rows = html.table("Measure and target")
    for row in rows:
        measure, _, rest = row[0].partition(" of ")
        if measure not in ("DiSCO", "DCAP"):
            continue
        target = rest.partition(" · ")[0]
        decided = next(r for r in found.rows if (r.measure, r.target) == (measure, target))
        asking = now[decided.intruder]
        risk = asking.assessment().targets[target]
        members = risk.figures({"DiSCO": "DiSCO", "DCAP": "DCAPd"}[measure]).mean()
        cells = row[2:]
        assert float(cells[0].replace("−", "-")) == pytest.approx(members, abs=0.0501)
        if squeezed(row[0] + "".join(cells[:3])) not in pdf:  # a page of the PDF has room for fewer, and says so
            assert squeezed(f"Not shown here: {measure} of") in pdf
        if review.holdout is None:  # no column of people outside: what everybody would guess comes next
            assert cells[1] == tenth(100 * asking.study().columns[target].counts[0].max() / found.n_members)
            if found.has_limits:
                assert cells[3].startswith("not evaluated")
            else:
                verdict = decided.verdict and decided.verdict.verdict
                assert cells[2] == (verdict or "–") + (", to confirm" if decided.confirm else "")
            continue
        core = (
            asking.attribute_baseline()
            .figures.query(
                "measure == @measure and target == @target and synthesis == @MEAN",
                local_dict={"measure": measure, "target": target, "MEAN": MEAN},
            )
            .iloc[0]
        )
        assert cells[1] == tenth(core["non_members"])
        assert (
            cells[2] == tenth(core["difference"]) or abs(float(cells[2].replace("−", "-")) - core["difference"]) < 0.05
        )
        holds = core["low"] <= 0 <= core["high"]
        assert cells[3] == f"{apart(core['low'])} to {apart(core['high'])}" + (", holds 0" if holds else "")
        if not found.has_limits:
            verdict = decided.verdict and decided.verdict.verdict
            assert cells[5] == (verdict or "–") + (", to confirm" if decided.confirm else "")
            assert len(cells) == 6
            continue
        limit = review.limits.of(measure)
        column = asking.study().columns[target]
        there = {column.label(code) for code in column.counts[0].nonzero()[0]}
        if limit.absolute is None or limit.relative is None or there <= {*kept.levels_of(target), "Missing"}:
            expected = "not evaluated"
        else:
            expected = "above" if members > limit.absolute and core["difference"] > limit.relative else "within"
        assert cells[6].startswith(expected)
    results = [row[-1] for row in rows]
    for outcome in ("above", "not evaluated", "within"):
        if any(r.startswith(outcome) for r in results):
            assert found.of(next(o for o in found.outcomes.values() if str(o) == outcome))


def test_the_tables_have_the_figures_of_the_core(state):
    opened, html, pdf, *_ = state
    result = opened.judged.assessment()
    of_targets = result.summary().set_index("target")
    rows = html.table("Target", "Dorig", "DiSCO")
    assert {row[0] for row in rows} == set(of_targets.index)
    for row in rows:
        core = of_targets.loc[row[0]]
        assert row[1:3] == [fixed(core["original"]), fixed(core["synthetic"])]
        assert squeezed("".join(row[:3])) in pdf
    mean = html.table("", "UiO")[0]
    assert mean[1:] == [fixed(v) for v in result.identity.mean()]
    outside = [(caption, rows) for caption, rows in html.tables if rows[0][:3] == ["Target", "Members", "Non-members"]]
    assert bool(outside) == (opened.review.holdout is not None)
    for (caption, rows), measure in zip(outside, ("DiSCO", "DiSCO", "DCAP"), strict=bool(outside)):
        assert caption.startswith(measure)
        core = opened.judged.attribute_baseline().summary(measure, opened.review.limits.of(measure)).set_index("target")
        for row in rows[1:]:
            if row[0] == "repU, screening":
                continue
            c = core.loc[row[0]]
            assert row[1:4] == [fixed(c["members"]), fixed(c["non_members"]), fixed(c["difference"], sign=True)]
            assert "SD" not in rows[0] or row[5] == fixed(c["sd"])
            assert row[-1] == c["result"]
            assert squeezed("".join(row[:4])) in pdf
    scores = html.table("β", "F_naive")
    searched = opened.finished_membership()
    assert (scores is None) == (searched is None)
    if searched is not None:
        assert [row[6] for row in scores] == [score(v, 3) for v in searched.summary()["worst_F_rel"]]
    worst = html.table("Measure", "Worst subset")
    assert (worst is not None) == ("subsets" in opened.review.searched)
    if worst is not None:
        for row in worst:
            measure, _, target = row[0].partition(" of ")
            core = opened.subsets().worst("DiSCO", target) if target else opened.subsets().worst("repU", None)
            assert row[2:] == [fixed(core.figure), fixed(core.all_keys)], measure


def moved(opened):
    """Targets whose Dorig or DiSCO an exclusion moved, with both before."""
    now, before = (each.summary().set_index("target") for each in (opened.judged.assessment(), opened.before()))
    pairs = {name: tuple(before.loc[name, ["original", "synthetic"]]) for name in before.index}
    return {n: p for n, p in pairs.items() if p != pytest.approx(tuple(now.loc[n, ["original", "synthetic"]]))}


def test_the_figure_has_the_figures_of_the_core_before_and_after(state):
    opened, html, pdf, *_ = state
    (words,) = [words for words in html.figures if "DiSCO (synthetic)" in words]
    summary, was = opened.judged.assessment().summary(), moved(opened)
    expected = Counter(tenth(v) for v in (*summary["original"], *summary["synthetic"]))
    expected += Counter(tenth(v) for pair in was.values() for v in pair)
    written = Counter(word for word in words if re.fullmatch(r"−?\d+\.\d", word))
    assert not expected - written
    scale = sorted(map(float, (written - expected).elements()))  # of a scale whose steps are below 1 %
    assert scale == pytest.approx([i * max(scale) / (len(scale) - 1) for i in range(len(scale))])
    assert set(summary["target"]) <= set(words)
    named = sorted(word for word in words if word.startswith("without"))
    out = opened.judged.review.settings.exclusions
    assert len(named) == sum(out.of(name) != Exclusions() for name in summary["target"])
    for name in summary["target"]:
        assert all(squeezed(f"{left}") in pdf for left in out.names_of(name))


def test_sets_and_safeguards_have_the_figures_of_the_core(state):
    opened, html, pdf, *_ = state
    rows = html.table("Set", "repU %")
    assert (rows is None) == ("comparison" not in opened.review.searched)
    if rows is None:
        return
    candidates = opened.comparison().candidates
    assert [row[0] for row in rows] == [each.name for each in candidates]
    assert any(each.chain for each in candidates) == bool(opened.review.steps)
    for row, each in zip(rows, candidates, strict=True):
        mine = opened.after_safeguards() if each.chain else opened.assessment(None, each.name)
        assert row[1] == fixed(mine.identity["repU"].mean())
        assert row[3] == fixed(each.figures[USEFUL, ""].mean())
        assert squeezed("".join(row)) in pdf


def test_every_sentence_speaks_of_its_state(state):
    opened, _, pdf, text, _ = state
    review, found = opened.review, answer(opened)
    for sentence in (
        found.headline,
        *found.sentences,
        *(what for _, what in found.notes),
        *(what for _, what in gathered(still_open(opened))),
    ):
        assert " ".join(sentence.split()) in text
        assert squeezed(sentence) in pdf
    disco = [r for r in found.rows if r.measure == "DiSCO"]
    own = opened.judged.attribute_baseline().same_keys if review.holdout else None
    same = [row for row in (() if own is None else own.itertuples()) if not row.why]
    leaks = [bool(row.leaked) for row in same] + [
        any(s.saying is Saying.OWN_ANSWER for s in r.conclusions) for r in disco
    ]
    out = review.settings.exclusions
    limits = review.limits
    refused = review.threat_model.refusal()
    searched = "membership" in review.searched and refused is None and review.holdout is not None
    so = {
        "their own answers are in the synthetic data.": any(leaks),
        "own answers are in the synthetic data is not shown: at most": not all(bool(row.leaked) for row in same)
        or any(s.saying is Saying.NOT_SHOWN for r in disco for s in r.conclusions),  # of another key set
        "so this cannot be compared with people outside the data.": review.holdout is None,
        "Nothing is excluded.": out == Exclusions(),
        "Excluded for a reason: before and after": any(r.before is not None for r in disco),
        "No reason is given for excluding": bool(found.without_reason),
        "The office set no limit of DiSCO": review.holdout is not None and limits.disco.absolute is None,
        "our board": "our board" in (limits.disco.owner, limits.dcap.owner),
        "as in 2024": limits.disco.reason == "as in 2024",
        "figures are within the office's limits": {str(o) for o in found.outcomes.values()} == {"within"},
        "Measured, not judged": not found.has_limits,
        "No limits are set, so no figure is above or within them.": not found.has_limits,
        "; not evaluated is not a pass.": found.has_limits and {"not evaluated"} <= {str(o) for o in found.outcomes.values()} <= {"not evaluated", "within"},
        "yet the figure is above its limits": any(v.verdict == "acceptable" for v in review.verdicts),
        "meant?": limits.disco.absolute == 0.6,
        "Holdout baseline: not evaluated": review.holdout is None,
        "Subsets of the keys: not evaluated": "subsets" not in review.searched,
        "The figure that counts: β": searched,
        "membership is no disclosure here": review.threat_model.news is False,
        "ε is no measure of disclosure": bool(review.about.get("Differential privacy")),
        "second round": review.about.get("Note") == "second round",
        "No similarity score": True,
        "Hollow marks on a dotted line: with nothing excluded.": bool(moved(opened)),
        "one of 3 sets of syntheses": len(opened.data.sets) > 1,
        "are in no figure, unless it is said to be after them": bool(opened.review.steps),
        "Each row is that of the key set with the worst result": len(review.intruders) > 1,
    }  # fmt: skip
    words = text.replace("it alone can show that answers leaked", "").replace("whether answers leaked was not", "")
    assert "leaked" not in words
    for sentence, expected in so.items():
        assert (" ".join(sentence.split()) in text) == expected, sentence
        assert (squeezed(sentence) in pdf) == expected, sentence


def up(percent, n=5000, smallest=10):
    """A share as a shareable report writes it, from its count rounded up."""
    count = round(percent * n / 100, 6)
    if count > n - smallest:
        return "nearly all"
    records = max(math.ceil(count / smallest), 1) * smallest
    return ("≤ " if records == smallest else "") + fixed(100 * records / n)


@pytest.mark.parametrize("name", ["all searched", "left out without", "another set", "in an engine"])
def test_a_shareable_report_has_rounded_figures_and_judges_nothing(name):
    opened = ungrouped(opened_in(STATES[name]))
    look = Look(title="Shared", shareable=True)
    html = Read(report(opened, "html", look).decode())
    text = " ".join(html.text)
    pages = pypdf.PdfReader(io.BytesIO(report(opened, "pdf", look))).pages
    pdf = squeezed(" ".join(page.extract_text() for page in pages))
    found = opened.judged.assessment()
    core = found.summary().set_index("target")
    rows = html.table("Target", "CAPd", "DiSCO")
    assert [row[0] for row in rows] == sorted(core.index)
    for row in rows:
        assert row[1:3] == [up(found.targets[row[0]].figures("CAPd").mean()), up(core.loc[row[0], "synthetic"])]
        assert squeezed("".join(row[:3])) in pdf
    (mean,) = html.table("", "UiO")
    identity = opened.assessment().identity.mean()
    assert mean[1:] == [up(identity[name]) for name in ("UiO", "UiS", "UiOiS", "repU")]
    (words,) = [words for words in html.figures if "DiSCO (synthetic)" in words]
    assert not [word for word in words if word == "before" or word.startswith("without")]
    assert "Hollow marks" not in text
    assert html.table("Measure and target") is None
    assert "Whether the figures are within the office's limits stands in the internal version." in text
    assert not [row for _, rows in html.tables for row in rows if row[-1] in ("above", "within")]
    assert "leaked" not in text
