"""Every number and name in a sentence said of a figure is counted again, in dictionaries, from the records alone.

Read are the figures in words, the page Review, the report's sections that hold figures, what a result says of itself in
a notebook, and what the command line prints. Each text has one known shape, or the test fails: nothing is passed over.
"""

# Inside: what the terminal prints and the bench shows is read as text.

import io
import re
from collections import Counter
from contextlib import redirect_stdout
from copy import copy
from dataclasses import replace
from fractions import Fraction
from math import floor, prod
from statistics import stdev

import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from disclosure_core import KeySet, Limit, Limits, start_tables
from disclosure_core.cli.printed import print_beside_a_guess, print_figures
from disclosure_core.report import attributes, exclusions, flags, identity, page1
from disclosure_core.results.catalogue import every
from disclosure_core.review.assumptions import QUESTIONS
from pages.review import bench
from tests.pages.conftest import App
from tests.reference.counts import LIMITS, Counts, acting, asked, there
from tests.reference.counts import left_out as some_left_out
from tests.reference.counts import tables as some_tables
from tests.reports import Look, assemble

pytestmark = pytest.mark.slow

NOTHING = {"levels": set(), "targets": set(), "keys": set(), "pairs": set(), "limit": None}
BINS = (1, 2, 3, 6, 11)
COLUMNS = ("k1", "k2", "k3", "t", "u")


@st.composite
def studies(draw):
    """Return records, one to three key sets' worth of keys, targets and syntheses, and what is left out."""
    original, (copied, other) = draw(some_tables())
    turned = [{**a, "t": b["t"], "u": b["u"]} for a, b in zip(original, reversed(original), strict=True)]
    syntheses = draw(st.permutations([copied, other, turned]))[: draw(st.integers(1, 3))]
    some = st.lists(st.sampled_from(["k1", "k2", "k3"]), min_size=1, max_size=3, unique=True)
    sets = {"a": tuple(draw(some))} | ({"b": tuple(draw(some))} if draw(st.booleans()) else {})
    targets = tuple(sorted(draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3, unique=True))))
    assume(set(targets) - set(sets["a"]))
    out, known = draw(some_left_out()), {key for keys in sets.values() for key in keys}
    out |= {"keys": out["keys"] & known, "pairs": {p for p in out["pairs"] if p[1] in known}}
    assume(there(original, syntheses, out))
    limit = draw(st.sampled_from([Limit(), Limit(20, 3), Limit(33.3)]))
    return original, syntheses, sets, targets, out, draw(st.booleans()), limit


def opened_of(study):
    original, syntheses, sets, targets, out, reasoned, limit = study
    frames = [pd.DataFrame(side).replace("Missing", None) for side in (original, *syntheses)]
    opened = start_tables(frames[0], frames[1:])
    base = replace(
        opened.review, intruders=tuple(KeySet(name, keys) for name, keys in sets.items()), intruder="a",
        targets=targets, thresholds=LIMITS, exclusions=asked(out), limits=Limits(limit),
    )  # fmt: skip
    reasons = dict.fromkeys(base.exclusions.names(), "it is known") if reasoned else {}
    return opened.with_review(replace(base, reasons=reasons))


# ---- the count -------------------------------------------------------------------------------------------------------


def told(c: Counts, measure: str) -> Fraction:
    """Return the records that a measure counts, of one target and synthesis."""
    certain = {cell[:-1] for cell, n in c.s.items() if n == c.s_q[cell[:-1]]}
    right = {cell for cell in c.d if c.s[cell] and c.s[cell] == c.s_q[cell[:-1]]}
    sure = {cell for cell, n in c.d.items() if n == c.d_q[cell[:-1]]}
    among = {
        "original": set(c.d), "iS": {cell for cell in c.d if cell[:-1] in c.s_q},
        "DiS": {cell for cell in c.d if cell[:-1] in certain}, "DiSCO": right, "DiSDiO": right & sure, "Dorig": sure,
    }  # fmt: skip
    if measure in among:
        return Fraction(sum(n for cell, n in c.d1.items() if cell in among[measure]))
    if measure == "CAPd":
        return sum((Fraction(n * n, c.d1_q[cell[:-1]]) for cell, n in c.d1.items()), Fraction())
    if measure == "DCAPd":
        return sum(
            (Fraction(n * c.s1[cell], c.s1_q[cell[:-1]]) for cell, n in c.d1.items() if cell in c.s1), Fraction()
        )
    assert measure in ("any pd", "any ps")  # τ = 0: shares of the full tables
    side, of_keys = (c.d, c.d_q) if measure == "any pd" else (c.s, c.s_q)
    return sum((Fraction(n * side[x], of_keys[x[:-1]]) for x, n in c.d1.items() if side[x]), Fraction())


class Known:
    """What somebody with these keys learns, with something left out: a table of counts a target and synthesis."""

    def __init__(self, study, keys, out):
        original, self.syntheses, _, targets, _, _, _ = study
        self.original, self.keys, self.out = original, keys, acting(out, keys)
        self.n, self.m = len(original), len(self.syntheses)
        self.of = {
            t: [Counts(original, side, keys, t, self.out) for side in self.syntheses] for t in targets if t not in keys
        }

    def mean(self, target, measure):
        """Return how many records, the mean over the syntheses."""
        return sum(told(c, measure) for c in self.of[target]) / self.m

    def percent(self, target, measure):
        return 100 * self.mean(target, measure) / self.n

    def each(self, target, measure):
        return [100 * told(c, measure) / self.n for c in self.of[target]]

    def identity(self, keys=None):
        """Return UiO, UiS, UiOiS and repU, %, a row a synthesis."""
        keys, rows = keys or self.keys, []
        for side in self.syntheses:
            d, s = (Counter(tuple(r[k] for k in keys) for r in people) for people in (self.original, side))
            counted = {
                q
                for q in {*d, *s}
                if not any(k in self.out["keys"] and v == "Missing" for k, v in zip(keys, q, strict=True))
            }
            alone = {q for q in counted if d[q] == 1}
            numbers = (
                len(alone), sum(s[q] == 1 for q in counted), sum(s[q] > 0 for q in alone), sum(s[q] == 1 for q in alone)
            )  # fmt: skip
            over = (self.n, len(side), self.n, self.n)
            rows.append([Fraction(100 * a, b) for a, b in zip(numbers, over, strict=True)])
        return rows

    def unique(self, name, keys=None):
        return sum(row[("UiO", "UiS", "UiOiS", "repU").index(name)] for row in self.identity(keys)) / self.m

    def levels(self, target):
        """Return the levels that the 1-way check flags, each with the syntheses that flag it, from 1, and its counts."""
        return self._flagged(c.one_way() for c in self.of[target])

    def pairs(self, target):
        """Return the pairs that the 2-way check flags, each with the counts in the syntheses that flag it."""
        return self._flagged(c.two_way() for c in self.of[target])

    def taken(self, target, pair):
        """Return how many records excluding a pair takes from DiSCO, mean over the syntheses."""
        key, level, answer = pair
        at = self.keys.index(key)
        cells = (item for c in self.of[target] for item in c.disco().items())
        return Fraction(sum(n for cell, n in cells if (cell[at], cell[-1]) == (level, answer)), self.m)

    def share_of(self, target, level):
        """Return the share of all original records that have a level of a target."""
        d = self.of[target][0].d
        return Fraction(sum(n for cell, n in d.items() if cell[-1] == level), self.n)

    def _flagged(self, by_synthesis):
        found = {}
        for i, flagged in enumerate(by_synthesis, 1):
            for what, counts in flagged.items():
                found.setdefault(what, {})[i] = counts
        return found

    def flag(self, target):
        one, two = bool(self.levels(target)), bool(self.pairs(target))
        return {(0, 0): "", (1, 0): "1-way", (0, 1): "2-way", (1, 1): "1- and 2-way"}[one, two]

    def words(self, target):
        """Return what raises the flags, as a set of words."""

        def of(n):
            return "" if n == self.m else f" ({n} of {self.m})"

        found = {f"{level}{of(len(where))}" for level, where in self.levels(target).items()}
        pairs = self.pairs(target)
        raising = len({i for where in pairs.values() for i in where})
        return found | ({f"{len(pairs)} pair{'s' * (len(pairs) > 1)}{of(raising)}"} if pairs else set())


class World:
    """A study for its first key set, after exclusions and with nothing; and the other key set, where there is one."""

    def __init__(self, study):
        self.study = study
        self.original, self.syntheses, self.sets, self.targets, self.out, self.reasoned, self.limit = study
        self.now, self.first = (Known(study, self.sets["a"], out) for out in (self.out, NOTHING))
        self.other = Known(study, self.sets["b"], self.out) if "b" in self.sets else None
        self.n, self.m = len(self.original), len(self.syntheses)
        self.has_limits = self.limit != Limit()
        self.page = ""  # which target a page shows
        judged = self.out if self.reasoned else NOTHING
        self.judged = {name: Known(study, keys, judged) for name, keys in self.sets.items()}
        self.full = {name: Known(study, keys, NOTHING) for name, keys in self.sets.items()}

    def left_out(self, known=None, target=None):
        """Return the names of what moves the figures of some keys and one target, or any."""
        known = known or self.now
        of = [target] if target else list(known.of)
        acts = known.out if known.out is not NOTHING else NOTHING
        names = [f"{t} = {v}" for t, v in acts["levels"] if t in of]
        names += [f"{t} missing" for t in acts["targets"] if t in of]
        names += [f"{k} = {a}, {t} = {b}" for t, k, a, b in acts["pairs"] if t in of]
        names += ["missing keys"] if acts["keys"] else []
        return [*names, *(["denominators"] if acts["limit"] is not None else [])]

    def elsewhere(self, target):
        """Return what the other intruder learns of it, where that is more; None else."""
        if self.other is None or target not in self.other.of:
            return None
        more = self.other.percent(target, "DiSCO")
        return more if more > self.now.percent(target, "DiSCO") else None


# ---- reading ---------------------------------------------------------------------------------------------------------

NUMBER = r"(?:−?\d[\d,]*(?:\.\d+)?|–)"


def written(value, digits):
    """Return a fraction as a person writes it, half away from zero."""
    whole = floor(abs(value) * 10**digits + Fraction(1, 2))
    text = f"{whole // 10**digits:,}" + (f".{whole % 10**digits:0{digits}d}" if digits else "")
    return ("−" if value < 0 and whole else "") + text


def same(text, value):
    """Hold a number, written with as many digits as it has, against what was counted."""
    assert re.fullmatch(NUMBER, text), text
    assert text == written(Fraction(value), len(text.partition(".")[2])), (text, float(value))


def lift_is(text, value):
    """Hold a lift against what was counted; one that is not 1 is not written like it."""
    same(text, value)
    assert (Fraction(text.replace(",", "")) == 1) == (value == 1)


def fitting(shape, text):
    """Return the parts of a text of this shape, in which ‹n› stands for a number and ‹w› for a name; None if it is another."""
    return re.fullmatch(shape.replace("‹n›", f"({NUMBER})").replace("‹w›", r"(\w+)"), text)


def read(text, shapes, world):
    """Check a text by the one shape that it has."""
    found = [(check, match.groups()) for shape, check in shapes if (match := fitting(shape, text))]
    assert len(found) == 1, f"{len(found)} known shapes for: {text}"
    found[0][0](world, *found[0][1])


def known(*_):
    """Check nothing: the shape is a sentence without number or name."""


def one_or(n, what):
    return f"one {what}" if n == 1 else f"{n} {what}s"


# ---- figures in words ------------------------------------------------------------------------------------------------


def without(world, target):
    """Return what is left out of one target alone, as a figure names it."""
    out = world.now.out
    levels, pairs = sorted(v for t, v in out["levels"] if t == target), [p for p in out["pairs"] if p[0] == target]
    parts = [f"‘{v}’" for v in levels] + (["missing"] if target in out["targets"] else [])
    return ", ".join([*parts, *([f"{len(pairs)} pair{'s' * (len(pairs) > 1)}"] if pairs else [])])


def arrows(original, synthetic):
    def check(world, n, of, high, o1, s1, low, o2, s2, flagged, out):
        assert n == one_or(len(world.now.of), "target")
        same(of, world.n)
        figures = {t: world.now.percent(t, synthetic) for t in world.now.of}
        assert figures[high] == max(figures.values())
        assert (low is None) == (len(figures) == 1)
        assert low is None or figures[low] == min(figures.values())
        for name, a, b in ((high, o1, s1), (low, o2, s2)):
            if name:
                same(a, world.now.percent(name, original))
                same(b, figures[name])
        named = set() if flagged == "no 1-way or 2-way flag" else set(flagged.removeprefix("flagged: ").split(", "))
        assert named == {f"{t} · {flag}" for t in figures if (flag := world.now.flag(t))}
        said = dict(part.split(" without ") for part in out.split("; ")[1:])
        assert said == {t: words for t in figures if (words := without(world, t))}

    shape = (
        rf"{original} and {synthetic} for (one target|\d+ targets), % of ‹n› original records\. Highest: ‹w›, {original} ‹n›, "
        rf"{synthetic} ‹n›(?:; lowest: ‹w›, {original} ‹n›, {synthetic} ‹n›)?; (no 1-way or 2-way flag|flagged: .*?)((?:; \w+ without [^;]+)*)\."
    )
    return shape, check


def grown(world, n, u1, u2, r1, r2, of):
    first, keys = world.sets["a"][:1], world.sets["a"]
    assert int(n) == len(keys) > 1
    for text, name, some in ((u1, "UiO", first), (u2, "UiO", keys), (r1, "repU", first), (r2, "repU", keys)):
        same(text, world.now.unique(name, some))
    same(of, world.n)


def alone(world, key, unique, replicated, of):
    assert (key,) == world.sets["a"]
    same(unique, world.now.unique("UiO"))
    same(replicated, world.now.unique("repU"))
    same(of, world.n)


STEPS = {
    "All people in the original": "original", "iS: keys found in the synthetic data": "iS", "DiS: and one answer only": "DiS",
    "DiSCO: and the answer is right": "DiSCO", "DiSDiO: and disclosive in the original": "DiSDiO",
    "Dorig, to compare: the original itself": "Dorig",
}  # fmt: skip


def stepped(world, target, mean, of, again, rows):
    assert target == again
    assert bool(mean) == (world.m > 1)
    same(of, world.n)
    found = [fitting(r"(.+): ‹n›(?: \(nothing excluded ‹n›\))?", row).groups() for row in rows.split("; ")]
    assert [STEPS[label] for label, _, _ in found] == list(STEPS.values())
    both = [(world.now.mean(target, s), world.first.mean(target, s)) for s in STEPS.values()]
    for (_, left, whole), (a, b) in zip(found, both, strict=True):
        same(left, a)
        assert (whole is not None) == any(x != y for x, y in both)
        if whole is not None:
            same(whole, b)


def sizes(side):
    def check(world, target, mean, of, again, rows, limit):
        assert target == again
        assert bool(mean) == (world.m > 1)
        same(of, world.n)
        found = Counter()
        for c in world.first.of[target]:
            for cell, n in c.disco().items():
                held = (c.d if side == "original" else c.s)[cell]
                found[max(b for b in BINS if held >= b)] += n
        said = [fitting(r"(.+): ‹n›", row).groups() for row in rows.split("; ")]
        assert [label for label, _ in said] == ["1", "2", "3–5", "6–10", "> 10"]
        for (_, text), start in zip(said, BINS, strict=True):
            same(text, Fraction(found[start], world.m))
        asked_for = world.out["limit"] if side == "original" else None
        assert (limit is None) == (asked_for is None)
        assert limit is None or int(limit) == asked_for

    what = {
        "original": "Denominators: original records in the same cell",
        "synthetic": "Claims: synthetic records that say so",
    }
    shape = rf"{what[side]}, ‹w›, (mean )?records that DiSCO counts, of ‹n›, target ‹w›\. (.+?)\.(?: A line marks the limit of ‹n›\.)?"
    return shape, check


def carried(world, few, target, mean, of, again, rows):
    assert target == again
    assert bool(mean) == (world.m > 1)
    same(of, world.n)
    found = Counter()
    for c in world.now.of[target]:
        for cell, n in c.disco().items():
            for name, level in zip((*c.keys, target), cell, strict=True):
                found[name, level] += n
    said = {tuple(a.split(" = ")): text for a, text in (fitting(r"(.+): ‹n›", r).groups() for r in rows.split("; "))}
    assert len(said) == min(12, len(found))
    assert (few == "The 12 levels that carry most of") == (len(found) > 12)
    assert sorted((found[at] for at in said), reverse=True) == [n for _, n in found.most_common(12)]
    for at, text in said.items():
        same(text, Fraction(found[at], world.m))


def claimed(world, target, of, again, *ends):
    assert (again or target) == target
    same(of, world.n)
    for text, measure in zip(ends, ("any pd", "Dorig", "any ps", "DiSCO"), strict=True):
        same(text, world.now.percent(target, measure))


CURVE = "original, (?:CAPd )?to Dorig from ‹n› to ‹n›, synthetic, (?:DCAPd )?to DiSCO from ‹n› to ‹n›"


def all_claimed(world, of, rows):
    found = [fitting(rf"‹w›: {CURVE}", row).groups() for row in rows.split("; ")]
    assert sorted(target for target, *_ in found) == sorted(world.now.of)
    for target, *ends in found:
        claimed(world, target, of, None, *ends)


def shared(world, low, high, o1, o2, mean, s1, s2):
    assert bool(mean) == (world.m > 1)
    files = [Counter(tuple(r[k] for k in world.sets["a"]) for r in side) for side in (world.original, *world.syntheses)]
    sizes_ = {n for file in files for n in file.values()}
    same(low, min(sizes_))
    same(high, max(sizes_))
    for end, original, synthetic in ((min(sizes_), o1, s1), (max(sizes_), o2, s2)):
        upto = [Fraction(100 * sum(n for n in file.values() if n <= end), file.total()) for file in files]
        same(original, upto[0])
        same(synthetic, sum(upto[1:]) / world.m)


def useful(world, name, n, rows):
    assert name == "synthetic data"
    found = {}
    for i, a in enumerate(COLUMNS):
        for b in COLUMNS[i:]:
            each = []
            for side in world.syntheses:
                d, s = (Counter((r[a], r[b]) for r in people) for people in (world.original, side))
                c, cells = Fraction(len(side), len(side) + world.n), {*d, *s}
                apart = sum((s[x] - Fraction(d[x] * len(side), world.n)) ** 2 / (c * (s[x] + d[x])) for x in cells)
                each += [apart / (len(cells) - 1)] if len(cells) > 1 else []
            if each:
                found[a if a == b else f"{a} by {b}"] = sum(each) / len(each)
    same(n, len(found))
    said = dict(fitting(r"(.+) ‹n›", row).groups() for row in rows.split("; "))
    largest = sorted(found.values(), reverse=True)[:5]
    found |= {" by ".join(reversed(at.split(" by "))): value for at, value in found.items()}  # the poorer column first
    assert len({frozenset(at.split(" by ")) for at in said}) == len(said)
    assert sorted((found[at] for at in said), reverse=True) == largest
    for at, text in said.items():
        same(text, found[at])


def rows_of_bench(world, shown):
    """Check the table of all targets on Review: every figure in it, what is flagged, and who learns more."""
    assert sorted(row["target"] for row in shown["rows"]) == sorted(world.now.of)
    assert fitting(r"Dorig and DiSCO by target, % of ‹n› original records(?:, means over the syntheses)?; .+", shown["caption"])[1] == written(Fraction(world.n), 0)  # fmt: skip
    for row in shown["rows"]:
        target = row["target"]
        said = fitting(
            r"DiSCO ‹n› %(?:, before exclusions ‹n› %)?, Dorig ‹n› %(, exceeds the office's first limit)?", row["words"]
        )
        assert said, row["words"]
        synthetic, before, original, over = said.groups()
        for text, mark in ((synthetic, row["synthetic"]), (original, row["original"])):
            assert text == mark[1]
        same(original, world.now.percent(target, "Dorig"))
        same(synthetic, world.now.percent(target, "DiSCO"))
        was, now = ([k.percent(target, m) for m in ("Dorig", "DiSCO")] for k in (world.first, world.now))
        assert (before is not None) == (was != now) == (row["before"] is not None)
        if before is not None:
            same(before, was[1])
        limit = world.limit.absolute
        high = limit is not None and world.now.percent(target, "DiSCO") > Fraction(str(limit))
        assert (bool(over), row["above"]) == (high, high)
        same(row["gain"], gain(world.now, target))
        flag_said(world, target, row["flag"])
        more = world.elsewhere(target)
        assert bool(row["elsewhere"]) == (more is not None), (row["elsewhere"], more)
        if more is not None:
            same(fitting("b: ‹n› %", row["elsewhere"])[1], more)


def flag_said(world, target, text):
    """Check what a target is flagged for before exclusions, how much of it is excluded, and what no longer flags it."""
    first, now = world.first.words(target), world.now.words(target)
    n = len(set(world.left_out(target=target)) - {"missing keys", "denominators"})
    said = re.split("[,;] ", re.sub("[“”]", "", text.removeprefix("⚑ ")))
    expected = first | ({f"{n} excluded"} if n else set()) | ({"no flag now"} if first and not now else set())
    assert text.startswith("⚑ ") == bool(first)
    assert {re.sub("^[12]-way: ", "", each) for each in said} - {""} == expected


def claims_about(known, target):
    """Return the claims of each synthesis about one target: said, own level and people; what exclusions leave."""
    found = []
    for c in known.of[target]:
        said = {cell[:-1]: cell[-1] for cell, n in c.s.items() if n == c.s_q[cell[:-1]]}
        found.append([(said[cell[:-1]], cell[-1], n) for cell, n in c.d1.items() if cell[:-1] in said])
    return found


def gain(known, target):
    """Return the gain over chance, %, by dealing every claim to every person who has one; 0 without a claim."""
    more = Fraction()
    for claims in filter(None, claims_about(known, target)):
        k = sum(n for *_, n in claims)
        more += sum(n for said, own, n in claims if said == own)
        more -= Fraction(sum(n * o for said, _, n in claims for _, own, o in claims if said == own), k)
    return 100 * more / (known.n * known.m)


CLAIMS = (
    r"(?P<e>Before exclusions, for|For) people with a claim, (?:the claim is right for (?P<a>[\d.]+) %; naming “(?P<al>\w+)” for all of "
    r"them is right less often, for (?P<ag>[\d.]+) %|naming “(?P<bl>\w+)” for all of them is right more often \((?P<bg>[\d.]+) %\) "
    r"than the claims \((?P<b>[\d.]+) %\)|the claims and naming “(?P<cl>\w+)” for all of them are right equally often "
    r"\((?P<c>[\d.]+) %\))\."
)
NO_CLAIM = "There is no claim about anybody: nothing is disclosed at this threshold."


def beside_a_guess(world, target, text, known=None):
    """Check what is said of the claims about one target, nothing excluded."""
    claims = [claim for each in claims_about(known or world.first, target) for claim in each]
    if not claims:
        assert text == NO_CLAIM
        return
    said = re.fullmatch(CLAIMS, text)
    assert said, text
    k, right = sum(n for *_, n in claims), sum(n for told_, own, n in claims if told_ == own)
    true = Counter()
    for _, own, n in claims:
        true[own] += n
    best = max(true.values())
    which = "a" if right > best else "b" if right < best else "c"
    same(said[which], Fraction(100 * right, k))
    assert true[said[f"{which}l"]] == best
    if which != "c":
        same(said[f"{which}g"], Fraction(100 * best, k))


def guess_of(world, text):
    """Check the sentence by whichever target and intruder fits: those of the sentence before."""
    top = max(most_of(world, t, "DiSCO")[0] for t in targets_of(world))
    tried = []
    for t in targets_of(world):
        most, whose = most_of(world, t, "DiSCO")
        for name in whose if most == top else ():
            try:
                return beside_a_guess(world, t, text, world.full[name])
            except AssertionError as error:
                tried.append(error)
    raise tried[0]


def nothing_flagged(world, now):
    """Nothing is flagged of the target looked at: never was, or is no longer."""
    assert not world.now.words(world.page)
    assert bool(now) == bool(world.first.words(world.page))


def progress(world, text):
    assert text == f"0 of {len(world.now.of)} judged"


def without_each_key(world, n, text):
    """repU, and UiO in brackets, with all keys and with all but one: the key without which repU falls most first."""
    same(n, world.n)
    said = re.findall(rf"(all keys|without \w+): ({NUMBER})(?: %)? \(UiO ({NUMBER})\)", text)
    keys = world.sets["a"]
    subsets = {f"without {key}": tuple(k for k in keys if k != key) for key in keys} if len(keys) > 1 else {}
    subsets = {"all keys": keys} | subsets
    assert [name for name, *_ in said][:1] == ["all keys"]
    assert sorted(name for name, *_ in said) == sorted(subsets), text
    for name, repU, UiO in said:
        same(repU, world.now.unique("repU", subsets[name]))
        same(UiO, world.now.unique("UiO", subsets[name]))


def in_each_scenario(world, target, n, again, text):
    """DiSCO, and Dorig in brackets, with nothing excluded and with what is, where something is."""
    same(n, world.n)
    assert again == target
    said = re.findall(rf"With (nothing|what is) excluded: ({NUMBER})(?: %)? \(Dorig ({NUMBER})\)", text)
    known_of = {"nothing": world.first} | ({"what is": world.now} if world.left_out() else {})
    assert [which for which, *_ in said] == list(known_of), text
    for which, disco, dorig in said:
        same(disco, known_of[which].percent(target, "DiSCO"))
        same(dorig, known_of[which].percent(target, "Dorig"))


TITLE = "The steps of an intruder who looks for ‹w›"
FIGURES = (
    (r"Identity disclosure with all keys, and without each, % of ‹n› original records\. (.+)", without_each_key),
    arrows("Dorig", "DiSCO"), arrows("Dorig", "DiSDiO"), arrows("CAPd", "DCAPd"),
    (r"As (\d+) keys are added one at a time, UiO from ‹n› to ‹n›, repU from ‹n› to ‹n›, % of ‹n› original records\.", grown),
    (r"‹w› is the only key: UiO ‹n›, repU ‹n›, % of ‹n› original records\.", alone),
    (rf"{TITLE}, (mean )?records of ‹n› in the original, target ‹w›\. (.+)\.", stepped),
    sizes("original"), sizes("synthetic"),
    (r"(Levels that carry|The 12 levels that carry most of) the disclosure of ‹w›, (mean )?records that DiSCO counts, of ‹n›, target ‹w›\. (.+)\.", carried),
    (rf"What claims at least τ sure tell of ‹w›, % of ‹n› original records, target ‹w›; how sure a claim must be, τ from 0 to 1\. {CURVE}\.", claimed),
    (r"What claims at least τ sure tell of each target, % of ‹n› original records; how sure a claim must be, τ from 0 to 1\. (.+)\.", all_claimed),
    (r"Records that share their keys with few others, % of the records of each file; at most so many records with the same keys from ‹n› to ‹n›\. "
     r"original from ‹n› to ‹n›, synthetic(, mean)? from ‹n› to ‹n›\.", shared),
    (r"DiSCO of ‹w› in each scenario, % of ‹n› original records, target ‹w›\. (.+)\.", in_each_scenario),
    (r"Usefulness of every table of two columns: (.+): S_pMSE of ‹n› tables\. The largest: (.+)\.", useful),
)  # fmt: skip


def as_judged(world):
    """Return the world in which only that is left out which has a reason: figures for print and the report tell of it."""
    judged = copy(world)
    judged.asked, judged.out = world.out, world.out if world.reasoned else NOTHING
    judged.now, judged.other = world.judged["a"], world.judged.get("b")
    return judged


def figures_in_words(world, opened):
    for _, _, plot in every(opened, of_targets=True):
        read(plot.sentence, FIGURES, as_judged(world))
    shown = opened.queue()
    out = opened.review.settings.exclusions
    rows_of_bench(world, bench.shows(shown, shown.rows[0].target, None, out, {}, (), "DiSCO", {}, "gain"))


# ---- what is printed, and what a result says of itself --------------------------------------------------------------


def printed(world, opened):
    kept = io.StringIO()
    with redirect_stdout(kept):
        print_figures(opened.assessment(), opened.review.keys, "DiSCO")
        print_beside_a_guess(opened.assessment())
    first, _, second, head, _, *rest = kept.getvalue().strip().split("\n")
    n, m, keys = fitting(r"‹n› original records, (\d+) synthes[ie]s; keys: (.+)", first).groups()
    same(n, world.n)
    assert (int(m), tuple(keys.split(", "))) == (world.m, world.sets["a"])
    assert fitting(r"Identity, % of the ‹n› original records \(UiS: of the synthetic\); lower is safer", second)[1] == n
    assert head.split() == ["UiO", "UiS", "UiOiS", "repU"]
    for i, row in enumerate(world.now.identity(), 1):
        number, *texts = rest[i - 1].split()
        assert int(number) == i
        for text, value in zip(texts, row, strict=True):
            same(text, value)
    gap, third, head, *rows = rest[world.m :]
    means = ", means over the syntheses" if world.m > 1 else ""
    assert (gap, third) == ("", f"Attributes, % of the {n} original records{means}; lower is safer")
    several = ["min", "max"] if world.m > 1 else []
    assert head.split() == ["target", "Dorig", "DiSCO", *several, "flag"]
    at = rows.index("")
    printed_beside_a_guess(world, rows[at + 1 :])
    rows = rows[:at]
    assert sorted(row.split()[0] for row in rows) == sorted(world.now.of)
    for row in rows:
        target, *texts = row.split(maxsplit=3 + len(several))
        each = world.now.each(target, "DiSCO")
        values = [world.now.percent(target, "Dorig"), world.now.percent(target, "DiSCO"), min(each), max(each)]
        for text, value in zip(texts[: 2 + len(several)], values, strict=False):
            same(text, value)
        assert "".join(texts[2 + len(several) :]) == world.now.flag(target)


def printed_beside_a_guess(world, lines):
    """Check the rows, the largest gain over chance first; its shares with nothing excluded."""
    head, *rows = lines[3:]
    names = ["target", "gain over chance", "κ", "beyond", "claims", "right", "best guess", "chance"]
    assert re.split(r"  +", head.strip()) == names
    gains = {t: gain(world.now, t) for t in world.now.of}
    listed = [row.split() for row in rows]
    assert [gains[row[0]] for row in listed] == sorted(gains.values(), reverse=True)
    assert sorted(row[0] for row in listed) == sorted(world.now.of)
    for target, *texts in listed:
        claims = [claim for each in claims_about(world.first, target) for claim in each]
        k, right = sum(n for *_, n in claims), sum(n for said, own, n in claims if said == own)
        own = Counter()
        for _, level, n in claims:
            own[level] += n
        first = gain(world.first, target)
        shares = [Fraction(100 * k, world.n * world.m)]
        shares += [None] * 3 if not k else [
            Fraction(100 * right, k), Fraction(100 * max(own.values()), k),
            Fraction(100 * right, k) - first * world.n * world.m / k,
        ]  # fmt: skip
        for text, value in zip([texts[0], *texts[3:]], [gains[target], *shares], strict=True):
            assert text == "–" if value is None else same(text, value) is None


def in_a_notebook(world, opened):
    one, two, three = repr(opened.assessment()).split("\n")
    n, m, keys = fitting(r"Assessment: ‹n› original records, (\d+) synthes[ie]s; keys: (.+)", one).groups()
    same(n, world.n)
    assert (int(m), set(keys.split(", "))) == (world.m, set(world.sets["a"]))
    for text, name in zip(
        fitting(r"UiO ‹n› %, repU ‹n› % of the original records", two).groups(), ("UiO", "repU"), strict=True
    ):
        same(text, world.now.unique(name))
    for part in three.removeprefix("DiSCO: ").split(", "):
        target, text = fitting(r"‹w› ‹n› %", part).groups()
        same(text, world.now.percent(target, "DiSCO"))


# ---- the report ------------------------------------------------------------------------------------------------------


def most_of(world, target, measure):
    """Return the largest figure that any key set has, and the key sets that have it."""
    found = {name: k.percent(target, measure) for name, k in world.judged.items() if target in k.of}
    return max(found.values()), {name for name, x in found.items() if x == max(found.values())}


def targets_of(world):
    return sorted({t for k in world.judged.values() for t in k.of})


def commonest(world, target):
    return Counter(r[target] for r in world.original).most_common()


def read_off(world, members, target, keys):
    most, whose = most_of(world, target, "DiSCO")
    assert most == max(most_of(world, t, "DiSCO")[0] for t in targets_of(world))
    same(members, most)
    assert set(re.split(", | and ", keys)) in [set(world.sets[name]) for name in whose]


def guessed(world, level, right):
    """The target is the one of the sentence before: one of those with the largest figure."""
    top = max(most_of(world, t, "DiSCO")[0] for t in targets_of(world))
    most = [t for t in targets_of(world) if most_of(world, t, "DiSCO")[0] == top]
    fits = [(level, n) for t in most for v, n in commonest(world, t) if v == level and n == commonest(world, t)[0][1]]
    assert fits, level
    assert right in {written(Fraction(100 * n, world.n), 1) for _, n in fits}


def without_verdict(world, n, intruder, names):
    learning = [name for name, known_ in world.judged.items() if known_.of]
    assert bool(intruder) == (len(learning) > 1)
    of = list(world.judged[intruder or learning[0]].of)
    assert int(n) == len(of)
    named = set(re.split(", | and ", names))
    assert named == set(of) if len(of) < 5 else len(named & set(of)) == 3


def unjudged(world, n, names):
    every_ = {f"DiSCO of {t}" for t in targets_of(world)}  # what alone has a limit
    assert int(n or 1) == len(every_)
    named(names, every_, 4)


def unlimited(world):
    assert not world.has_limits


def limited(world):
    assert world.has_limits


def not_shown(world, names, members):
    unlimited(world)
    every_ = set(targets_of(world))
    named(names, every_, 5)
    most = max((most_of(world, t, "DCAPd")[0] for t in every_), default=0)
    same(members, most)


def named(text, every_, most):
    """Check names in a sentence, many of them counted."""
    more = re.search(r" and (\d+) more$", text)
    parts = re.split(", | and ", text.removesuffix(more[0]) if more else text)
    assert set(parts) <= every_
    assert len(set(parts)) == len(parts)
    assert len(parts) + int(more[1] if more else 0) == len(every_)
    assert bool(more) == (len(every_) > most)


def excused(world, n, names):
    """Check what has no reason: of all that moves a figure of any key set."""
    found = {name for keys in world.sets.values() for name in world.left_out(Known(world.study, keys, world.asked))}
    assert not world.reasoned
    assert int(n) == len(found)
    more = re.search(r" and (\d+) more\.$", names)
    assert all(name in names for name in found) or (
        more and sum(name in names for name in found) + int(more[1]) == len(found)
    )


def key_sets(world, whose):
    if whose is None:
        assert len(world.sets) == 1
        return
    rows, others = {(m, t) for m in ("DiSCO", "DCAP") for t in targets_of(world)}, []
    for part in whose.split("; "):
        name, keys, of = fitting(r"‹w› \((.+?)\) of (.+)", part).groups()
        assert tuple(keys.split(", ")) == world.sets[name]
        if of in ("all rows", "all others"):
            others.append(name)
            continue
        for row in re.split(", | and ", of):
            measure, target = row.split(" of ")
            rows.remove((measure, target))
            assert name in most_of(world, target, {"DiSCO": "DiSCO", "DCAP": "DCAPd"}[measure])[1]
    (name,) = others
    for measure, target in rows:
        assert name in most_of(world, target, {"DiSCO": "DiSCO", "DCAP": "DCAPd"}[measure])[1]


def measured_on(world, n, m):
    same(n, world.n)
    assert m == ("one synthesis" if world.m == 1 else f"means over {world.m} syntheses")


def flags_before_and_now(world, first, now):
    assert set(first.split(", ")) == {t for t in world.now.of if world.first.flag(t)}
    flags_now(world, now)


def flags_now(world, now):
    assert set(now.split(", ") if now else ()) == {t for t in world.now.of if world.now.flag(t)}


def nobody_flagged(world):
    assert not any(world.first.flag(t) or world.now.flag(t) for t in world.now.of)
    assert not world.left_out()


def flagged_alone(world, names):
    assert not world.left_out()
    flags_now(world, names)


def none_at_first(world, now):
    assert not any(world.first.flag(t) for t in world.now.of)
    assert world.left_out()
    flags_now(world, now)


def in_short(world, n, who, keys, targets):
    same(n, world.n)
    assert who == ("1 synthesis" if world.m == 1 else f"{world.m} syntheses (means over them)")
    assert keys == f"{len(world.sets['a'])} key{'s' * (len(world.sets['a']) > 1)}"
    assert targets == f"{len(world.now.of)} target{'s' * (len(world.now.of) > 1)}"


def alone_and_met(world, unique, again):
    same(unique, world.now.unique("UiO"))
    same(again, world.now.unique("repU"))


def most_learnt(world, target, synthetic, original):
    assert world.now.percent(target, "DiSCO") == max(world.now.percent(t, "DiSCO") for t in world.now.of)
    same(synthetic, world.now.percent(target, "DiSCO"))
    same(original, world.now.percent(target, "Dorig"))


def missing_keys(world, names, _why):
    assert set(names.split(", ")) == world.now.out["keys"]


def cells_of_more(world, n, _why):
    assert int(n) == world.out["limit"]


def left_out_alone(world, target, what, _why, first, then, little):
    out = dict(NOTHING)
    if level := fitting("level ‹w›", what):
        out["levels"] = {(target, level[1])}
    elif pair := fitting("‹w› ‹w› with ‹w›", what):
        out["pairs"] = {(target, *pair.groups())}
    else:
        assert what == "missing values"
        out["targets"] = {target}
    assert all(found <= world.now.out[kind] for kind, found in out.items() if found)
    left = Known(world.study, world.sets["a"], out)
    was, now = (k.percent(target, "DiSCO") for k in (world.first, left))
    if first:
        same(first, was)
        same(then, now)
        assert was != now
    elif little:
        same(little, was)
        assert was != now
        assert written(was, 2) == written(now, 2)
    else:
        assert was == now


def rows_of(world, side):
    return [tuple(row[name] for name in world.original[0]) for row in side]


def copied(world):
    """Return of each synthesis its records that equal an original one, and the % that would by chance, by lists of rows."""
    original = rows_of(world, world.original)
    of_level = [Counter(row[j] for row in original) for j in range(len(original[0]))]
    for side in world.syntheses:
        rows = rows_of(world, side)
        products = [prod(Fraction(of_level[j][v], world.n) for j, v in enumerate(row)) for row in set(rows)]
        yield sum(row in original for row in rows), 100 * sum(products)


def alike(world):
    """Return how many original records equal another."""
    return sum(world.original.count(row) > 1 for row in world.original)


def whole_records(world, one, many, columns, expected, n, twins):
    """Check how many records equal an original record."""
    found, chance = zip(*copied(world), strict=True)
    of = [Fraction(100 * k, len(side)) for k, side in zip(found, world.syntheses, strict=True)]
    assert (one is None) == (world.m > 1)
    if one is not None:
        copies, records, percent = fitting(r"‹n› of the ‹n› synthetic records \(‹n› %\)", one).groups()
        same(copies, found[0])
        same(records, len(world.syntheses[0]))
        same(percent, of[0])
    else:
        mean, m, low, high = fitting(
            r"‹n› % of the synthetic records \(mean of ‹n› syntheses, ‹n› to ‹n›\)", many
        ).groups()
        for text, value in ((mean, sum(of) / len(of)), (m, world.m), (low, min(of)), (high, max(of))):
            same(text, value)
    same(columns, len(world.original[0]))
    same(expected, sum(chance) / len(chance))
    same(n, world.n)
    same(twins, alike(world))


def each_without_verdict(world, text):
    """One sentence of each intruder who can learn something."""
    said = re.findall(r"0 of (\d+) judged(?: for (\w))?; no verdict on (.+?)\.", text)
    learning = [name for name, known_ in world.judged.items() if known_.of]
    assert [intruder or learning[0] for _, intruder, _ in said] == learning
    for n, intruder, names in said:
        of = set(world.judged[intruder or learning[0]].of)
        assert (int(n), bool(intruder)) == (len(of), len(world.sets) > 1)
        named = set(re.split(", | and ", names))
        assert named == of if len(of) < 5 else len(named & of) == 3


def keys_without_why(world, text):
    """Nobody gave a reason for a key: each set of keys is named, with all of its keys."""
    said = re.findall(r"No reason is given for (.+?) as keys of (\w)\.", text)
    assert {name: set(re.split(", | and ", keys)) for keys, name in said} == {n: set(k) for n, k in world.sets.items()}


def each_without_a_reason(world, text):
    """What is excluded without a reason is named, one by one."""
    said = re.findall(r"No reason is given for excluding (.+?): it is in no judged figure\.", text)
    found = {name for keys in world.sets.values() for name in world.left_out(Known(world.study, keys, world.asked))}
    assert not world.reasoned
    assert sorted(said) == sorted(found)


def no_limit(world):
    assert world.limit.absolute is None
    assert world.limit.relative is None


def half_a_limit(world, of_members):
    given, lacks = (world.limit.relative, world.limit.absolute)[:: 1 if of_members else -1]
    assert (lacks, given is None) == (None, False)


def whose_limit_is_asked(world, nobody, _):
    assert None not in (world.limit.absolute, world.limit.relative)
    assert bool(nobody) == (not world.limit.owner.strip())
    assert nobody or not world.limit.reason.strip()


def asked_of_the_release(world, m, _):
    """Of several syntheses it is asked which is released."""
    assert bool(m) == (world.m > 1)
    if m:
        nobody_said(world, m)


def limit_is_drawn(world, dashed):
    """The first limit is drawn where one is set."""
    assert bool(dashed) == (world.limit.absolute is not None)


def released_files(world, one_of):
    """Of several files nobody said which is released; one is the one."""
    assert bool(one_of) == (world.m > 1)


TEXTS = (
    (r"Whole records: (?:([0-9,]+ of the .+)|(.+ % of the synthetic .+)) equal an original record in all ‹n› columns; ‹n› % would "
     r"if the columns were independent\. Of the ‹n› original records ‹n› equals? another\.", whole_records),
    (r"‹n› people in the data \(members\) and nobody outside; (one synthesis|means over \d+ syntheses)", measured_on),
    (r"Someone who knows (.+?) would infer “‹w›” correctly for ‹n› % of people in the data\. No holdout was given, so this cannot "
     r"be compared with people outside the data\.", lambda w, keys, target, members: read_off(w, members, target, keys)),
    (r"Guessing “‹w›” is right for ‹n› % of people\. (.+)",
     lambda w, level, right, text: (guessed(w, level, right), guess_of(w, text))),
    (r"‹w›: ((?:For|Before exclusions, for) people with a claim, .+|There is no claim about anybody.+)", beside_a_guess),
    (r"For the people with a claim: .+", known), (r"Rare disclosures, which no percentage .+", known),
    (r"Beyond, of ‹w›: Not given: .+", known),
    (r"No figure was judged: (?:all (\d+) are|the one is) not evaluated \((.+)\); not evaluated is not a pass\.", unjudged),
    (r"No limits are set, so no figure is above or within them\. A verdict is the officer's own, and no result\.", unlimited),
    (r"None are set: say which figures would be too much, and whose limits these are\.", unlimited),
    (r"Not shown here: DCAP of (.+); members at most ‹n› %\.", not_shown),
    (r"DiSCO of every target stands in the annex, every figure in the workbook\.", known),
    (r"(not stated; one or more of )?tables", released_files),
    (r"Ring: .+?\(members\)(; hollow before exclusions)?\.( Dashed: the office's first limit\.)?",
     lambda w, hollow, dashed: (hollow_where_moved(w, hollow), limit_is_drawn(w, dashed))),
    (r"DiSCO: all synthetic records with a person's keys .+", known),
    (r"Above: members above the first limit and the difference above the second\.", lambda w: limited(w)),
    (r"(?:Each row is that of the key set with the worst result, .+, of the one that discloses most: (.+)\.)?", key_sets),
    (r"(\d+) exclusions? (?:has|have) no reason and (?:is|are) counted in here: (.+)", excused),
    (r"(0 of \d+ judged.*; no verdict on .+\.)", each_without_verdict),
    (r"(No reason is given for (?!excluding).+ as keys of \w\.)", keys_without_why),
    (r"(No reason is given for excluding .+: it is in no judged figure\.)", each_without_a_reason),
    (r"No people outside are given, so a leak cannot be told from general knowledge\.", known),
    (r"No limit of DiSCO is set\.", no_limit), (r"The limit of DiSCO in (?:(% of members)|percentage points above people outside) is not set\.", half_a_limit),
    (r"(?:(Nobody is named as setting)|(No reason is given for)) the limits of DiSCO\.", whose_limit_is_asked),
    (r"(?:Nobody said which of the (\d+) syntheses is released; their mean is judged\. )?(Not stated: .+)", asked_of_the_release),
    (r"Nobody said which of the (\d+) syntheses is released; their mean alone is judged\.", lambda w, m: nobody_said(w, m)),
    (r"There is no holdout, so a leak cannot be distinguished .+", known),
    (r"The questions about the intruder are not answered: .+", known),
    (r"Not answered: .+", known), (r"not stated", known),
    (r"Sign-off(?: · (\d+) open points?: see Open points)?", known),
    (r"((?:\w: )?\w+(?:, \w+)*(?: and \w+)?; .+)", lambda w, text: keys_and_why(w, text)), (r"((?:DiSCO|DCAP|F_rel) [\d–]\S* and .+)", lambda w, text: whose_limits(w, text)),
    (r"A flag says that part of an apparent disclosure .+", known),
    (r"No 1-way or 2-way flag was raised; that is not a pass\.", lambda w: nobody_flagged_before(w)),
    (r"This is what the checks found before exclusions\. After them, they raise no 1-way or 2-way flag\.",
     lambda w: flags_now(w, "")),
    (r"This is what the checks found before exclusions\. After them, they still raise a flag for (.+)\.", flags_now),
    (r"1-way: the level that carries the disclosure .+", known), (r"2-way: pairs of a key level and a target level.+", known),
    (r"An exclusion changes the figure, never the data: .+", known),
    (r"Nothing is excluded\.", lambda w: nothing_left_out(w)),
    (r"(\d+) exclusions? (?:has|have) no reason; the judged figures do without (?:it|them): (.+)\.", lambda w, n, names: without_a_reason(w, n, names)),
    (r"DiSCO in %, means over the syntheses\. Limits judge the second\.", known),
    (r"Missing values of (.+), for every target\. (.+)", missing_keys),
    (r"Cells of more than (\d+) records, for every target\. (.+)", cells_of_more),
    (r"‹w›: (level \w+|missing values|\w+ \w+ with \w+)\. (No reason was given|Reason: it is known)\. Alone, it takes (?:DiSCO from ‹n› to ‹n› %|less than "
     r"0\.01 % of the people from DiSCO, ‹n› %|nothing from DiSCO)\.", left_out_alone),
    (r"DiSCO in % before and after, and the records .+", known),
    (r"DiSCO with nothing excluded → after exclusions with a reason; limits judge the second\.", lambda w: limited(w)),
    (r"DiSCO with nothing excluded → after exclusions with a reason\.", unlimited),
    (r"repU, replicated uniques, is a screening figure.+", known),
    (r"All (\d+) syntheses: repU is ‹n› % in at least one of them, ‹n› % in one on average; ‹w› is right in at least one for ‹n› % "
     r"of people, in one on average for ‹n› %: upper bounds, because an intruder cannot know which is right",
     lambda w, *parts: released_together(w, *parts)),
    (r"For reasons in the annex: (DiSCO of .+? %|no DiSCO changes by a tenth of a percentage point)\."
     r"(?: No disclosive record of (.+) is left: 0\.0 % follows from the exclusions\.)?",
     lambda w, *parts: excluded_in_short(w, *parts)),
    (r"If all (\d+) syntheses are released: repU is ‹n› % in at least one of them\.",
     lambda w, m, n: repU_together(w, m, n)),
    (r"‹n› original records \(‹n› %\) share their keys with fewer than 4 others; the smallest class has ‹n› records?\.",
     lambda w, *parts: small_classes(w, *parts)),
    (r"Every record of the original shares its keys with ‹n› others or more\.", lambda w, n: no_small_class(w, n)),
    (r"UiO and repU as the keys are added one at a time, in the order chosen, % of ‹n› original records\..+", lambda w, n: same(n, w.n)),
    (r"UiO, UiOiS and repU in % of the ‹n› original records, UiS in % of the synthetic records\. Lower is safer\.", lambda w, n: same(n, w.n)),
    (r"Dorig: original records whose keys .+ In % of the ‹n› original records; means over the syntheses(, and the range)?\. Gain over chance: .+",
     lambda w, n, reach: (same(n, w.n), ranged(w, reach))),
    (r"Dorig of the original \(ring\) and DiSCO of the synthetic data \(diamond(.*?)\) by target, % of ‹n› original records; lower is safer\.(.*)",
     lambda w, marks, n, rest: captioned(w, marks, n, rest)),
    (r"‹n› original records, (.+), (\d+ keys?), (\d+ targets?)\.", in_short),
    (r"Identity: ‹n› % of the people are alone with their keys in the original \(UiO\); ‹n› % are also met by exactly one synthetic "
     r"record \(repU, a screening figure\)\.", alone_and_met),
    (r"Attributes: most can be learnt of ‹w›: ‹n› % of the people \(DiSCO\), against ‹n› % from the original itself \(Dorig\)\.", most_learnt),
    (r"Flagged, perhaps common knowledge: (.+)\.", flagged_alone),
    (r"No 1-way or 2-way flag; that is not a pass\.", nobody_flagged),
    (r"Before exclusions, no 1-way or 2-way flag\. After exclusions(?:: (.+)|, no 1-way or 2-way flag; that is not a pass)\.", none_at_first),
    (r"Flagged before exclusions, perhaps common knowledge: (.+?)\. After exclusions(?:: (.+)|, no 1-way or 2-way flag; that is not a pass)\.", flags_before_and_now),
    (r"These figures have exclusions; .+", lambda w: something_left_out(w)),
    (r"Not evaluated: .+", known),
    (r"Whether the figures are within the office's limits stands in the internal version\.", known),
    (r"What the checks flag stands in the internal version: a flag follows from counts that are not shown here\.", known),
)  # fmt: skip


def ranged(world, reach):
    assert bool(reach) == (world.m > 1)


def keys_and_why(world, text):
    """Check page 1's keys: of each key set, with nobody's reason."""
    told = []
    for name, keys in world.sets.items():
        listed = ", ".join(keys[:-1]) + f" and {keys[-1]}" if len(keys) > 1 else keys[0]
        told.append(f"{f'{name}: ' if len(world.sets) > 1 else ''}{listed}; no reason was given")
    assert text == ". ".join(told)


def whose_limits(world, text):
    assert world.has_limits
    parts = ["–" if v is None else f"{v:g}" for v in (world.limit.absolute, world.limit.relative)]
    assert text == f"DiSCO {' and '.join(parts)} (nobody is named as setting them: no reason was given)"


def nobody_said(world, m):
    assert int(m) == world.m > 1


def repU_together(world, m, n):
    assert int(m) == world.m > 1
    keys, missing = world.sets["a"], world.now.out["keys"]
    d, *each = (
        Counter(tuple(r[k] for k in keys) for r in people) for people in (world.original, *world.syntheses)
    )  # fmt: skip
    alone = [
        q for q, records in d.items()
        if records == 1 and not any(k in missing and v == "Missing" for k, v in zip(keys, q, strict=True))
    ]  # fmt: skip
    same(n, Fraction(100 * sum(any(s[q] == 1 for s in each) for q in alone), world.n))


def released_together(world, m, of_keys, alone, target, of_any, one):
    repU_together(world, m, of_keys)
    same(alone, world.now.unique("repU"))
    found = {}
    for name, counts in world.now.of.items():
        right = {
            cell for c in counts for cell in c.d if c.s[cell] and c.s[cell] == c.s_q[cell[:-1]]
        }  # fmt: skip
        found[name] = Fraction(100 * sum(n for cell, n in counts[0].d1.items() if cell in right), world.n)
    assert found[target] == max(found.values())
    same(of_any, found[target])
    same(one, world.now.percent(target, "DiSCO"))


def excluded_in_short(world, said, emptied):
    def of(target, measure):
        _, whose = most_of(world, target, "DiSCO")
        return [tuple(k[name].percent(target, measure) for k in (world.full, world.judged)) for name in whose]

    for target, *shown in re.findall(r"(\w+) ([\d.]+) → ([\d.]+) %", said):
        assert any([written(was, 1), written(now, 1)] == shown for was, now in of(target, "DiSCO")), said
        assert shown[0] != shown[1]
    if "changes by a tenth" in said:
        assert not re.search(r"\d", said)
    for target in re.findall(r"\w+", (emptied or "").replace(" and ", ", ")):
        assert any(was > 0 == now for was, now in of(target, "DiSCO"))
        assert any(now == 0 for _, now in of(target, "Dorig"))


def classes(world):
    return list(Counter(tuple(r[k] for k in world.sets["a"]) for r in world.original).values())


def small_classes(world, records, share, smallest):
    small = [n for n in classes(world) if n < 5]
    same(records, sum(small))
    same(share, Fraction(100 * sum(small), world.n))
    same(smallest, min(small))


def no_small_class(world, n):
    assert min(classes(world)) >= 5
    same(n, min(classes(world)) - 1)


def without_a_reason(world, n, names):
    assert not world.reasoned
    found = world.left_out(Known(world.study, world.sets["a"], world.asked))
    assert int(n) == len(found)
    assert len(names.split("; ")) == len(found)
    assert all(name in names for name in found)


def row_without_a_reason(world, row):
    target, *texts = row
    every = Known(world.study, world.sets["a"], world.asked)
    assert world.left_out(every, target)
    for text, found in zip(texts, (world.first, world.now, every), strict=True):
        same(text, found.percent(target, "DiSCO"))


def nothing_left_out(world):
    assert not world.left_out()


def something_left_out(world):
    assert world.left_out()


def nobody_flagged_before(world):
    assert not any(world.first.flag(t) for t in world.now.of)


def hollow_where_moved(world, hollow):
    moved = world.reasoned and any(
        world.left_out(Known(world.study, keys, world.out), t)
        for keys in world.sets.values() for t in targets_of(world) if t not in keys
    )  # fmt: skip
    assert not hollow or moved


def captioned(world, marks, n, rest):
    same(n, world.n)
    each = [world.now.each(t, "DiSCO") for t in world.now.of]
    wanted = f", mean of {world.m} syntheses" if world.m > 1 else ""
    assert marks == wanted + ("; shaded: smallest to largest" if any(min(x) < max(x) for x in each) else "")
    assert ("A flag asks" in rest) == any(world.now.flag(t) for t in world.now.of)
    named_ = re.search(r"Excluded: (.+?)\.( Hollow|$)", rest)
    out = world.now.out
    keys = {f"missing values of the key {k}" for k in out["keys"]}
    cells = {f"cells of more than {out['limit']} original records"} if out["limit"] is not None else set()
    wanted = {n for n in world.left_out() if n not in ("missing keys", "denominators")} | keys | cells
    assert set(named_[1].split("; ") if named_ else ()) == wanted
    moved = [[k.percent(t, m) for m in ("Dorig", "DiSCO")] for t in world.now.of for k in (world.first, world.now)]
    assert ("Hollow marks" in rest) == any(a != b for a, b in zip(moved[::2], moved[1::2], strict=True))


def row_of_page_1(world, row):
    name, members, *others, majority, last = row
    if world.has_limits:
        *others, majority, limits, result = row[2:]
    if name == "repU, screening":
        same(members, world.now.unique("repU"))
        return
    if name == "Membership, F_rel":
        assert row[1:3] == ("–", "–")
        return
    measure, target, flag = re.fullmatch(r"(DiSCO|DCAP) of (\w+)(?: · (.+))?", name).groups()
    most, whose = most_of(world, target, {"DiSCO": "DiSCO", "DCAP": "DCAPd"}[measure])
    same(members, most)
    assert (flag or "") in {world.judged[n].flag(target) for n in whose}
    same(majority, Fraction(100 * commonest(world, target)[0][1], world.n))
    assert not others, "there is nobody outside here"
    if not world.has_limits:
        assert last == "–", "there is no verdict here"
        return
    parts = ["–" if v is None else f"{v:g}" for v in (world.limit.absolute, world.limit.relative)]
    assert limits == ("not set" if measure == "DCAP" or parts == ["–", "–"] else " and ".join(parts))
    assert result == "not evaluated"


def row_before_and_after(world, row):
    target, what, *arrows_ = row
    if world.has_limits:
        assert arrows_.pop() == "not evaluated → not evaluated"
    _, whose = most_of(world, target, "DiSCO")
    fits = []
    for name in whose:
        wanted = []
        for measure in ("Dorig", "DiSCO"):
            was, now = (k[name].percent(target, measure) for k in (world.full, world.judged))
            wanted.append(f"{written(was, 1)} → {written(now, 1)}")
        names = {f"{n} (it is known)" for n in world.left_out(world.judged[name], target)}
        fits.append((wanted == arrows_[:2]) and set(what.split("; ")) == names)
    assert any(fits), row
    assert arrows_[2:] == ["–", "–"]


def row_of_flags(world, row):
    found = world.first.levels(row[0]) if len(row) == 6 and row[1] in world.first.levels(row[0]) else None
    if found is not None:
        where = found[row[1]]
        _, every_, n, of_all, _ = where[min(where)]
        assert row[2] == f"{len(where)} of {world.m}"
        for text, value in zip(row[3:], (n, Fraction(100 * n, every_), Fraction(100 * of_all, world.n)), strict=True):
            same(text, value)
        return
    target, key, level, in_, records, share, of_all, lift = row
    at = (*key.split(" "), level)
    where = world.first.pairs(target)[at]
    assert in_ == f"{len(where)} of {world.m}"
    same(records, world.first.taken(target, at))
    _, both, with_level = next(iter(where.values()))
    everybody = world.first.share_of(target, level)
    for text, value in zip((share, of_all), (Fraction(100 * both, with_level), 100 * everybody), strict=True):
        same(text, value)
    lift_is(lift, Fraction(both, with_level) / everybody)


def row_of_what_was_taken(world, row):
    target, was, now, *taken = row
    same(was, world.first.percent(target, "DiSCO"))
    same(now, world.now.percent(target, "DiSCO"))
    kinds, out = Counter(), world.now.out
    for c in world.first.of[target]:
        for cell, n in c.disco().items():
            known_ = dict(zip(c.keys, cell, strict=False))
            of_pair = any(t == target and known_.get(k) == a and cell[-1] == b for t, k, a, b in out["pairs"])
            kind = next((i for i, takes in enumerate((
                (target, cell[-1]) in out["levels"], cell[-1] == "Missing" and target in out["targets"],
                any(known_.get(k) == "Missing" for k in out["keys"]), of_pair, out["limit"] is not None and n > out["limit"],
            )) if takes), 5)  # fmt: skip
            kinds[kind] += n
    for i, text in enumerate(taken):
        same(text, Fraction(kinds[i], world.m))


def row_of_identity(world, row):
    name, *texts = row
    each = world.now.identity()
    i = fitting(r"Synthesis (\d+)", name)
    over = {
        "Mean": lambda column: sum(column) / world.m, "Smallest": min, "Largest": max,
        "SD": lambda column: stdev(map(float, column)),
    }  # fmt: skip
    values = each[int(i[1]) - 1] if i else [over[name](column) for column in zip(*each, strict=True)]
    for text, value in zip(texts, values, strict=True):
        same(text, value)


def row_of_attributes(world, row):
    target, original, synthetic, *reach, of_chance, _kappa, _beyond, flag = row  # κ and beyond: in the rows of the page
    again = gain(world.now, target)
    assert (of_chance == "–") == (again is None)
    if again is not None:
        same(of_chance, again)
    assert len(reach) == (world.m > 1)
    same(original, world.now.percent(target, "Dorig"))
    same(synthetic, world.now.percent(target, "DiSCO"))
    each = world.now.each(target, "DiSCO")
    ends = [x for r in reach for x in r.split(" to ")]
    if len(ends) == 1:  # both ends are written alike, and once
        same(ends[0], min(each))
        same(ends[0], max(each))
    else:
        for text, value in zip(ends, (min(each), max(each)) if reach else (), strict=True):
            same(text, value)
    assert flag == (world.now.flag(target) or "none")


ROWS = {
    "Measure and target": row_of_page_1, "Target / What, and why": row_before_and_after, "Target / Level": row_of_flags,
    "Target / Key level": row_of_flags, "Target / DiSCO before": row_of_what_was_taken, "": row_of_identity,
    "Target / Dorig": row_of_attributes, "Target / With nothing excluded": row_without_a_reason,
}  # fmt: skip


def report(world, opened):
    given_, before = assemble(opened, Look()), opened.before()
    world = as_judged(world)
    sections = [
        page1.blocks(given_), page1.beyond(given_), flags.blocks(given_, before), exclusions.blocks(given_, before), identity.blocks(given_),
        attributes.blocks(given_, before), page1._short(given_), identity.more(given_), flags.more(given_, before),
    ]  # fmt: skip
    for block in (block for section in sections for block in section):
        if block.kind == "heading":
            continue
        if block.kind == "answer":
            n = len(targets_of(world)) * (1 if world.has_limits else 2) + (not world.has_limits)  # of DiSCO alone
            assert block.text == ("Not everything was evaluated" if world.has_limits else "Measured, not judged")
            assert block.rows == (
                (("0", "above"), (str(n), "not evaluated"), ("0", "within"))
                if world.has_limits
                else ((str(n), "measured"), ("0", "verdicts recorded"), ("0", "of them a leak"))
            )
        elif block.text:
            read(block.text, TEXTS, world)
        for text in block.items if block.kind != "signoff" else ():
            read(text, TEXTS, world)
        if block.kind == "table":
            first, second, *_ = block.columns
            name = first if first in ROWS else f"{first} / {second}"
            for row in block.rows:
                ROWS[name](world, row)
        elif block.kind == "facts":
            for _, text in block.rows:
                read(text, TEXTS, world)
        if block.plot is not None:
            read(block.plot.sentence, FIGURES, world)


# ---- the page Review -------------------------------------------------------------------------------------------------


def keys_badge(world, words):
    keys = world.sets["a"]
    assert words in (" · ".join(keys), f"{len(keys)} key{'s' * (len(keys) > 1)}")


def left_out_badge(world, n, missing):
    found = world.left_out()
    assert (int(n), int(missing or 0)) == (len(found), 0 if world.reasoned else len(found))


def by_verdict(world, names):
    assert set(names.split(", ")) == set(world.now.of)  # nobody gave one here


HEADS = "data|keys|verdicts|exclusions|people outside|membership|limits|release"
"""What open questions are of, in the list of the status bar."""


def open_listed(world, text):
    """As many are listed as are said to be open, of the data exactly those that nobody answered."""
    heads = {head: int(n or 1) for head, n in re.findall(rf"- \*\*({HEADS})(?: \((\d+)\))?\*\*: ", text)}
    assert (sum(heads.values()), heads["data"]) == (world.open_said, world.open_of_data)
    assert heads.get("exclusions", 0) == (0 if world.reasoned else len(world.left_out()))


def exclusions_listed(world, text):
    items = re.findall(r"- \*\*.+?\*\*: (.+?)(?= - \*\*|$)", text)
    assert len(items) == len(world.left_out())
    assert all((why == "no reason yet") is not world.reasoned for why in items)


def axis(world, n, means):
    same(n, world.n)
    assert bool(means) == (world.m > 1)


def judges(world, figure, n):
    assert not world.reasoned
    same(figure, world.first.percent(world.page, "DiSCO"))
    assert int(n) == len(world.left_out(target=world.page))


def signs(world, over, limit, bars):
    assert bool(bars) == (world.m > 1)
    high = [
        t
        for t in world.now.of
        if world.limit.absolute is not None and world.now.percent(t, "DiSCO") > Fraction(str(world.limit.absolute))
    ]
    assert bool(over) == bool(high)


def level_flagged(world, before, in_, of, level, carries, every_, share, first, of_all, so):
    now, was = (k.levels(world.page) for k in (world.now, world.first))
    where = now.get(level) or was[level]
    assert bool(before) == (level not in now)
    assert (in_ is None) == (world.m == 1)
    if in_ is not None:
        assert (int(in_), int(of), int(first)) == (len(where), world.m, min(where))
    _, total, n, with_level, most = where[min(where)]
    same(carries, n)
    same(every_, total)
    same(share, Fraction(100 * n, total))
    same(of_all, Fraction(100 * with_level, world.n))
    half = 2 * with_level == world.n
    assert so == (
        "many would guess it" if most else f"for {'half of the' if half else 'most'} people it would be a wrong guess"
    )


def none_flagged(world, so, fewest, share):
    assert (so != "No") == bool(world.left_out(target=world.page))
    assert (float(fewest), float(share)) == LIMITS.one_way
    assert not world.now.levels(world.page)


def pairs_flagged(world, words):
    was, now = (k.pairs(world.page) for k in (world.first, world.now))
    wanted = f"{len(was)} pair{'s' * (len(was) != 1)} flagged" if was else "no 2-way flag"
    if was and len(now) != len(was):
        wanted += f" before, {len(now) or 'none'} now"
    assert words == wanted


def no_pair(world, so, fewest, share):
    assert (so != "None") == bool(world.left_out(target=world.page))
    assert (float(fewest), float(share)) == LIMITS.two_way
    assert not world.now.pairs(world.page)


def meaning(world, raised, m, of, some, n):
    pairs, listed = world.now.pairs(world.page), world.first.pairs(world.page)
    assert pairs
    assert (raised is None) == (of is None) == (world.m == 1)
    if raised is not None:
        assert (int(raised), int(m), int(of)) == (
            len({i for where in pairs.values() for i in where}), world.m, world.m
        )  # fmt: skip
    together = 0
    for (_, _, answer), where in listed.items():
        _, both, with_level = next(iter(where.values()))
        together += Fraction(both, with_level) > world.now.share_of(world.page, answer)
    assert (int(some or 0), int(n or len(listed))) == (together, len(listed))


def covered(world, n, verb):
    gone = {v for t, v in world.now.out["levels"] if t == world.page}
    named_ = {(k, a, b) for t, k, a, b in world.now.out["pairs"] if t == world.page}
    found = [p for p in world.first.pairs(world.page) if p[2] in gone and p not in named_]
    same(n, len(found))
    assert verb == ("names" if len(found) == 1 else "name")


def pair_row(world, mark, key, level, answer, n, share, of, of_all, lift):
    pairs, at = world.first.pairs(world.page), (key, level, answer)
    assert bool(mark) == (at in world.now.pairs(world.page))
    left = (world.page, *at) in world.now.out["pairs"]
    assert (n is None) == (left or at not in pairs)
    if n is not None:
        same(n, world.now.taken(world.page, at))
        _, both, with_level = next(iter(pairs[at].values()))
        everybody = world.now.share_of(world.page, answer)
        same(share, Fraction(100 * both, with_level))
        same(of, with_level)
        same(of_all, 100 * everybody)
        lift_is(lift, Fraction(both, with_level) / everybody)


def switch(world, mark, level):
    flagged = {*world.first.levels(world.page), *world.now.levels(world.page)}
    assert bool(mark) == (level in world.now.levels(world.page))
    assert level in flagged or (world.page, level) in world.now.out["levels"]


def copies(world):
    """Return what a warning says of each synthesis of the original's size: the columns that repeat it, None for all."""
    found, everyone = {}, [record for side in (world.original, *world.syntheses) for record in side]
    for i, records in enumerate(world.syntheses):
        side = "The synthetic data" if world.m == 1 else f"Synthesis {i + 1}"
        if len(records) != world.n:
            continue
        varied = [c for c in world.original[0] if len({r[c] for r in everyone} - {"Missing"}) > 1]
        same_as = [c for c in varied if all(a[c] == b[c] for a, b in zip(world.original, records, strict=True))]
        if same_as:
            found[side] = None if len(same_as) == len(varied) else ", ".join(map(repr, same_as))
    return found


def how_many_open(world, n):
    """Nobody answered anything: what the data ask, a reason for the keys, verdicts, a limit, and the release."""
    twins = sum(a == b for i, a in enumerate(world.syntheses) for b in world.syntheses[:i])
    of_data = len(QUESTIONS) + len(copies(world)) + twins + released(world)
    assert int(n) >= of_data + 4
    world.open_said, world.open_of_data = int(n), of_data


def original_records(world, k, of, side, columns, n, twins):
    i = 0 if side == "the synthetic data" else int(side.split()[-1]) - 1
    same(k, list(copied(world))[i][0])
    same(of, len(world.syntheses[i]))
    same(columns, len(world.original[0]))
    assert (n is None) == (not alike(world))
    if n is not None:
        same(n, world.n)
        same(twins, alike(world))


def in_another_order(world, n, side):
    i = 0 if side == "the synthetic data" else int(side.split()[-1]) - 1
    same(n, world.n)
    assert Counter(rows_of(world, world.syntheses[i])) == Counter(rows_of(world, world.original))


def released(world):
    """Return of how many syntheses it is asked whether original records are in them (measures.md 17)."""
    found = 0
    for side, (k, chance) in zip(world.syntheses, copied(world), strict=True):
        original = rows_of(world, world.original)
        shuffled = len(set(original)) >= 8 and Counter(rows_of(world, side)) == Counter(original)
        more = Fraction(100 * k, len(side)) > max(4 * chance, Fraction(400 * (alike(world) + 3), world.n), 5)
        found += side != world.original and (shuffled or more)
    return found


def repeated(world, side, columns):
    assert copies(world)[side] == columns


def same_syntheses(world, i, j):
    assert world.syntheses[int(i) - 1] == world.syntheses[int(j) - 1]


def listed_questions(world, text):
    for question in text.removeprefix("- ").split(" - "):
        if re.search(r"\d", question):
            read(question, PAGE, world)


def more_pairs(world, n, more):
    rest = len(world.first.pairs(world.page)) - 8
    assert (n is None) == (int(more.replace(",", "")) <= 12)
    assert int(more.replace(",", "")) <= max(rest, 1) + 8


def of_those_counted(world, records, share, counted, low, high):
    measure, target = world.metric, world.page
    left = sum(sum(c.d1.values()) for c in world.now.of[target]) / Fraction(world.m)
    same(records, world.now.mean(target, measure))
    same(counted, left)
    same(share, 100 * world.now.mean(target, measure) / left)
    each = world.now.each(target, measure)
    assert (low is not None) == (written(min(each), 2) != written(max(each), 2))
    if low is not None:
        same(low, min(each))
        same(high, max(each))


def none_counted(world, low):
    assert low is None
    assert not any(c.d1 for c in world.now.of[world.page])


PAGE = (
    (r":gray-badge\[:material/key: (.+)\]", keys_badge),
    (r"(?::orange\[)?(\d+) excluded \((?:(\d+) without reason|with reasons)\)\]?", left_out_badge),
    (r":gray-badge\[nothing excluded\]", lambda w: nothing_left_out(w)),
    (r"‹n› of the ‹n› records of (the synthetic data|synthesis \d+) equal an original record in all ‹n› columns\. "
     r"(?:No original record equals another|Of the ‹n› original records ‹n› equals? another)\. Were original records released\?",
     original_records),
    (r"All ‹n› records of (the synthetic data|synthesis \d+) are those of the original, in another order: was a file given twice\?",
     in_another_order),
    (r"(?::gray-badge\[)?(\d+ of \d+ judged)\]?", progress),
    (r"(\d+) open", how_many_open),
    (r"(- (?!\*\*).+)", listed_questions),
    (r"(The synthetic data|Synthesis \d+) and the original are the same, record by record: was a file given twice\?()",
     lambda w, side, _: repeated(w, side, None)),
    (r"(The synthetic data|Synthesis \d+) repeats (.+) of the original record by record: the measures assume that every "
     r"value is synthetic\.", repeated),
    (r"Syntheses (\d+) and (\d+) are the same: was a file given twice\?", same_syntheses),
    (r"- \*\*No verdict\*\*: (.+)", by_verdict),
    (rf"(- \*\*(?:{HEADS})(?: \(\d+\))?\*\*: .+)", open_listed),
    (rf"(- \*\*(?!No verdict|(?:{HEADS})(?: \(\d+\))?\*\*: ).+)", exclusions_listed),
    (r"○ Dorig → ◆ DiSCO, % of ‹n› original records(, means over the syntheses)?\.", axis),
    (r"⚑ A 1-way or 2-way flag, and for what; ✓ a verdict is given; \? it is to be confirmed (▲ Exceeds the office's first limit, ‹n› %; a result is above only where .+?, too )?(Bar behind ◆: .+? )?Hollow: before exclusions .+", signs),
    (r":material/info: no 1-way or 2-way flag( now)?", nothing_flagged),
    (r":material/info: A verdict judges ‹n› %: (\d+) exclusions? (?:has|have) no reason", judges),
    (r"\*\*1-way\*\* · levels of the target", known),
    (r"Flagged( before)?(?: in (\d+) of (\d+) syntheses)?: the level \*\*‹w›\*\* carries ‹n› of ‹n› disclosive records \(‹n› %\)(?: in "
     r"synthesis (\d+))?\. ‹n› % of all original records have this level, so (.+) without the synthetic data\.", level_flagged),
    (r"(After exclusions, no|No) 1-way flag: no level has more than ‹n› records? and more than ‹n› % of those that "
     r"DiSCO counts\.", none_flagged),
    (r"\*\*2-way\*\* · pairs with a key · (.+)", pairs_flagged),
    (r"(After exclusions, none|None) stands in a cell of more than ‹n› disclosive records? and has more than ‹n› % of the people with its "
     r"key level\.", no_pair),
    (r"Pairs flagged(?: in (\d+) of (\d+) syntheses)?\. Exclude those that anyone would expect\. At each: .+ takes now(?:, the mean over (\d+) "
     r"syntheses)?; .+ large\. (?:None belongs|(\d+) of (\d+) belongs?) together in the original: lift above 1\.", meaning),
    (r"‹n› of them (names?) a level that is excluded already\.", covered),
    (r"(⚑ )?(k\d) ‹w› → ‹w›(?: · ‹n› records?, ‹n› % of ‹n›; of all ‹n› %, lift ‹n›)?", pair_row),
    (r"(⚑ )?Exclude ‹w›", switch),
    (r"Show (?:(12) of )?‹n› more pairs?", more_pairs),
    (r"0 records; the exclusions leave no record of this target to count(; .+)?", none_counted),
    (r"‹n› records; ‹n› % of the ‹n› counted(?:; syntheses ‹n› to ‹n› %)?", of_those_counted),
)  # fmt: skip
ASKED = ("Reason: ", "Undo", "Level of ")
"""How labels of fields begin, which say nothing."""


def page(world, opened):
    app = App()
    app.hold(opened).page("review")
    world.page = app.session.target
    rows_of_bench(world, app.part("review.bench"))
    for element in walked(app.at.main):
        if element.type == "metric":
            world.metric = element.label
            same(element.value.removesuffix(" %"), world.now.percent(world.page, element.label))
            was, now = (k.percent(world.page, element.label) for k in (world.first, world.now))
            moved = fitting(r"([+−]?)‹n› points", element.delta) if element.delta != "unchanged" else None
            assert (moved is None) == (was == now)
            if moved is not None:
                same(moved[2], abs(now - was))
                assert moved[1] == ("" if written(now - was, 2).strip("−") == "0.00" else "+" if now > was else "−")
            continue
        if element.type == "plotly_chart":
            read(element.proto.alt, FIGURES, world)
        opener = element.proto.popover.label if element.type == "popover" else None
        for text in (opener, getattr(element, "label", None), getattr(element, "value", None)):
            if not isinstance(text, str) or text.startswith(ASKED):
                continue
            plain = re.sub(r"\s+", " ", re.sub(r"\\(?=\W)", "", text))
            if (
                re.search(r"\d|excluded|exclusion|flagged|^(⚑ )?Exclude (?!another)", plain)
                and plain not in COLUMNS
                and plain not in CONSTANT
            ):
                read(plain, PAGE, world)


CONSTANT = {"Exclude missing values", "Exclude missing values of keys", "Everything flagged …"}


def walked(block):
    for child in block.children.values():
        yield child
        if hasattr(child, "children"):
            yield from walked(child)


# ---- the tests -------------------------------------------------------------------------------------------------------

FEW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def with_reasons(study):
    """Return a study whose exclusions have a reason: without one, figures on the bench stay as they are."""
    return *study[:5], True, study[6]


def check(study, *media):
    world, opened = World(study), opened_of(study)
    for medium in media:
        medium(world, opened)


@FEW
@given(studies())
def test_every_number_in_a_sentence_is_counted_again(study):
    check(study, printed, in_a_notebook, report)
    check(with_reasons(study), figures_in_words)


@settings(FEW, max_examples=4)
@given(studies())
def test_every_number_on_the_page_review_is_counted_again(study):
    check(with_reasons(study), page)


@pytest.mark.slow
@MANY
@given(studies())
def test_every_number_in_many_sentences_is_counted_again(study):
    check(study, printed, in_a_notebook, report)
    check(with_reasons(study), figures_in_words, page)


def test_a_sentence_of_no_known_shape_is_not_passed_over():
    with pytest.raises(AssertionError, match="0 known shapes"):
        read("Of 12 people, 3 are known.", (*FIGURES, *TEXTS, *PAGE), None)
