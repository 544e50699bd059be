"""Reviews drawn at random, and each again of an original that differs in one record: no count may tell which it was.

Drawn are names that sort first, in the middle and last for what few people have, keys, own breaks, exclusions with and
without reasons, several sets, people outside (also doubted or refused), safeguards tried and adopted, every search,
further analyses, key sets, scenarios, missing codes, labels, values that do not meet, and how the report is to be.

`python -m tests.slow.neighbours 0 400` tries the seeds from 0 to 399, and prints each with what it compared; exit status
1 where a byte differs.
"""

# Inside: everything that leaves, and steps of measures, without a file of each.

from __future__ import annotations

import itertools
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from disclosure_core import (
    Chain,
    DisclosureError,
    Exclusions,
    KeySet,
    Limit,
    Limits,
    Motive,
    NotEvaluated,
    Pair,
    Scenario,
    Settings,
    Sought,
    ThreatModel,
    read_holdout,
    search_subsets,
    start_tables,
)
from disclosure_core.counting.registry import SHAREABLE, STEPS, WHOLE_CELLS
from disclosure_core.data.codebook import read_codebook
from disclosure_core.export.tables import to_excel
from disclosure_core.protection import steps
from disclosure_core.report import redaction
from disclosure_core.report.assembled import page_1
from disclosure_core.results import RESULTS
from disclosure_core.review.codebooks import with_codebook
from disclosure_core.review.parts import Analysis
from disclosure_core.review.safer import adopted_files
from tests.core.test_shareable import EASY, NEVER, said
from tests.reports import Look, assemble, evaluated, report, tables

KEYS, TARGETS = ("ka", "kb", "age"), ("ta", "tb", "pay")
FIRST_OR_LAST = ("aaa", "mmm", "zzz")
CODE = -9
FEW = 20
"""Records at the head of the original, among which those with rare levels are."""

STEPS_TRIED = (
    steps.RemoveReplicated(), steps.RemoveUniques(), steps.Cap("age", None, 23), steps.Breaks("age", (22, 24)),
    steps.RoundTo("pay", 5), steps.BlankClaims("tb"), steps.RemoveClaims("ta"), steps.AddLabel("made", "SYNTHETIC"),
)  # fmt: skip
SEARCHES = ("membership", "subsets", "comparison", "strongest", "least")


@dataclass(frozen=True)
class Drawn:
    """What a review is made of, but for the original: the same for neighbours."""

    rare: str
    limit: int
    look: Look
    sets: dict
    outside: pd.DataFrame | None
    asked: Settings
    reasons: dict
    chain: tuple
    adopted: bool
    review: dict
    labelled: bool


def people(rng, n, rare, limit):
    """Return people of whom a few have a level with a rare name in each column."""
    frame = pd.DataFrame({
        "ka": rng.choice(["mabel", "molly", "myra"], n, p=[0.5, 0.3, 0.2]), "kb": rng.choice(["m1", "m2", None], n, p=[0.5, 0.4, 0.1]),
        "ta": rng.choice(["mayhem", "motto", "music"], n, p=[0.6, 0.3, 0.1]), "tb": rng.choice(["mine", "more", None], n, p=[0.6, 0.3, 0.1]),
        "age": rng.integers(20, 26, n), "pay": rng.choice([10, 11, 15, 20, CODE], n, p=[0.3, 0.2, 0.2, 0.2, 0.1]),
    })  # fmt: skip
    for name in ("ka", "kb", "ta", "tb"):
        few = int(rng.choice([0, 1, 2, limit - 1, limit, limit + 1]))
        frame.loc[rng.choice(FEW, few, replace=False), name] = f"{rare}{name}"
    return frame


def drawn(seed):
    """Return the original of a seed, and what its review is made of."""
    rng = np.random.default_rng(seed)

    def some(*of, at_least=0):
        return tuple(each for each in of if rng.random() < 0.5) or of[:at_least]

    rare, limit, n = FIRST_OR_LAST[seed % 3], int(rng.integers(5, 11)), int(rng.integers(80, 140))
    original = people(rng, n, rare, limit)
    m = [int(rng.integers(1, 4)), *([int(rng.integers(1, 3))] if rng.random() < 0.5 else [])]
    made = [original.sample(n, replace=True, random_state=rng, ignore_index=True) for _ in range(sum(m))]
    for each in made:  # every level is in every file, so that values meet
        each.iloc[:FEW] = original.iloc[:FEW]
    sets = {"A": made[: m[0]], **({"B": made[m[0] :]} if len(m) > 1 else {})}
    kind = rng.choice(["none", "none", "people", "people", "doubted", "refused"])
    outside = None if kind == "none" else people(rng, 80, rare, limit)
    if kind == "doubted":
        outside.iloc[12:20] = original.iloc[12:20]
    elif kind == "refused":
        outside = original.iloc[:70].reset_index(drop=True)
    if rng.random() < 0.15:
        sets["A"] = [each.assign(tb=each["tb"].map(lambda v: v and f"{v}!")) for each in sets["A"]]
    keys, targets = some(*KEYS, at_least=1), some(*TARGETS, at_least=1)
    excluded = Exclusions() if rng.random() < 0.4 else Exclusions(
        target_levels={t: some(f"{rare}{t}", original[t].dropna().iloc[30]) for t in targets if t != "pay"},
        missing_targets=set(some(*targets)), missing_keys=set(some(*keys)),
        pairs={t: (Pair(keys[0], f"{rare}{keys[0]}", "more"), Pair(keys[0], "mabel", "mine")) for t in targets
               if t == "tb" and keys[0] == "ka"},
    )  # fmt: skip
    groups = {name: (0, 12, 22, 90) for name in some("age", "pay") if name in (*keys, *targets)}
    asked = Settings(
        keys=keys, targets=targets, groups=groups, exclusions=excluded, thresholds=EASY if rng.random() < 0.5 else NEVER
    )
    reasons = dict.fromkeys((*KEYS, *TARGETS, "missing keys"), "it is known") if rng.random() < 0.8 else {}
    chain = some(*STEPS_TRIED)[:3] if rng.random() < 0.6 else ()
    chain += (
        (steps.Recode("ta", "other", (f"{rare}ta", "music")),)
        if chain and rng.random() < 0.3 and not excluded.levels_of("ta")
        else ()
    )
    asks = ThreatModel("adults", 100_000, "register", *([True] * 3), Motive.RECOGNITION)
    review = {
        "searched": frozenset(some(*SEARCHES)), "threat_model": asks if rng.random() < 0.7 else ThreatModel(),
        "limits": Limits(Limit(20, 3, "the office", "our rule"), Limit(30, 5), Limit(relative=0.2)) if rng.random() < 0.5 else Limits(),
        "sought": Sought(("repU<=1",), remove=30.0), "analyses": {kind.short: Analysis(in_report=True) for kind in RESULTS},
        "scenarios": (Scenario("without", excluded),), "about": {"Note": "a note"}, "tau": 0.7 if rng.random() < 0.3 else None,
        "released": {"A": (1,)} if rng.random() < 0.3 else {},
    }  # fmt: skip
    look = Look(
        shareable=True,
        smallest=limit,
        level_names=bool(rng.random() < 0.7),
        dorig=bool(rng.random() < 0.2),
        date="2026-01-02",
    )
    adopted = bool(chain) and rng.random() < 0.5
    return original, Drawn(
        rare, limit, look, sets, outside, asked, reasons, chain, adopted, review, bool(rng.random() < 0.5)
    )


def review_of(original, of):
    """Return a review of an original in which everything is asked that was drawn.

    Raises
    ------
    DisclosureError
        When what was drawn does not fit: a safeguard that changes nothing, an exclusion that no set has.
    """
    opened = start_tables(original, of.sets)
    if of.outside is not None:
        opened = opened.with_holdout(*read_holdout("outside.csv", of.outside.to_csv(index=False).encode()))
    review = replace(opened.review.with_settings(of.asked), reasons=of.reasons, **of.review)
    review = replace(review, intruders=(*review.intruders, KeySet("neighbours", of.asked.keys[:1], "they see it")))
    review = replace(review, columns=replace(review.columns, missing_codes={"pay": (str(CODE),)}))
    if of.chain:
        review = replace(review, chains=(Chain("tried", of.chain),), chain="tried")
    opened = opened.with_review(review)
    if of.labelled:
        rows = f"column,label,value,missing\nta,What they like,,\nka,Of {of.rare}ka and others,,\npay,,{CODE},yes\n"
        opened = opened.with_review(with_codebook(opened, read_codebook(rows.encode(), "codes.csv")))
    return opened.adopt() if of.adopted else opened


def neighbours(original, rng, most):
    """Yield originals with one record less, one more, one changed and one more with a text where numbers are.

    The first are of rare levels, the others of any.
    """
    for at in itertools.islice(
        itertools.chain(rng.permutation(FEW)[:2], rng.permutation(np.arange(FEW, len(original)))), most
    ):
        yield original.drop(index=at).reset_index(drop=True)
        yield pd.concat([original, original.iloc[[at]]], ignore_index=True)
        changed, name = original.copy(), str(rng.choice(original.columns))
        changed.loc[at, name] = original.loc[int(rng.integers(len(original))), name]
        if not changed.equals(original):
            yield changed
        text = original.iloc[[at]].assign(**{("age", "pay")[at % 2]: "unknown"})
        yield pd.concat([original, text], ignore_index=True)


# ---- whether they are in the same ranges, counted here again ----------------------------------------------------------


def in_range(n, of, limit):
    """Return the range of a count: 0 to the limit, and so on, and the last before the whole."""
    n = round(float(n), 6)
    if of - n < limit + of % limit:
        return "nearly all"
    return max(0, int(np.ceil(n / limit - 1e-9)) - 1)


def ranges(opened, of):
    """Return the ranges of all counts that a report may print, decide of or name something for, and what it may tell.

    It may tell which values meet, and whether people outside are evaluated (docs/threats.md).
    """
    n = opened.data.original.frame.shape[0]
    if opened.judged.stopped():
        return n // of.limit, told(opened)
    printed = opened.printed
    found = [in_range(v, whole, of.limit) for v, whole in figures(opened, of)]
    outside = [
        isinstance(evaluated(each), NotEvaluated) for each in (printed.attribute_baseline, printed.identity_baseline)
    ]
    return n // of.limit, found, told(opened), outside, named(opened, of)


def told(opened):
    """Return what is no count: which values meet, and the syntheses, which safeguards change with the original."""
    judged, files = opened.judged, [file.sha256 for file in adopted_files(opened) or ()]
    sizes = [opened.study(name).n_synthetic for name in opened.set_names]
    stopped = judged.stopped()
    uis = [] if stopped else opened.printed.assessment().identity["UiS"].tolist()
    return str(stopped and stopped.why), sorted(judged.not_met()), files, sizes, uis


def counts(opened, of):
    """Yield every count, and of how many: of each set, key set and subset of the keys, of members and of others."""
    allowed = {*SHAREABLE, *(("Dorig", "DiSDiO") if of.look.dorig else ())}
    for each in (opened, *(opened.of_intruder(keys.name) for keys in opened.review.intruders)):
        if each.stopped():
            continue
        for name in opened.set_names:
            result = each.assessment(None, name)
            n = result.n_original
            yield from ((result.identity[m].mean() * n / 100, n) for m in ("UiO", "UiOiS", "repU"))
            for risk in result.targets.values():
                yield from (
                    (risk.figures(m).mean() * n / 100, n)
                    for m in dict.fromkeys((*STEPS, "CAPd", "DCAP", "TCAP", "baseCAPd", *WHOLE_CELLS))
                    if m in allowed
                )
    result = opened.assessment()
    n, smallest = result.n_original, min(result.n_synthetic)
    yield result.identity["UiS"].mean() * smallest / 100, smallest
    of_subsets = search_subsets(opened.study(), result.settings)
    yield from ((v * n / 100, n) for m in ("UiO", "UiOiS", "repU") for v in of_subsets.identity[m])
    yield from ((v * n / 100, n) for v in of_subsets.attribute["DiSCO"])
    outside = evaluated(opened.attribute_baseline)
    if not isinstance(outside, NotEvaluated):
        rows = outside.figures[outside.figures["measure"] == "DiSCO"]
        for side, n_side in (("members", outside.n_training), ("non_members", outside.n_holdout)):
            yield from ((v * n_side / 100, n_side) for v in rows[side].dropna())


def named(opened, of):
    """Return what may be named: each level, code and pair that more than the limit have."""
    original = opened.data.original.frame
    often = {c: sorted(map(str, (k := original[c].value_counts())[k > of.limit].index)) for c in original}
    out = opened.review.exclusions
    both = {
        (p.key, p.key_level, t, p.target_level): ((original[p.key].astype(str) == p.key_level) & (original[t] == p.target_level)).sum() > of.limit
        for t, pairs in out.pairs for p in pairs
    }  # fmt: skip
    columns = opened.study().columns
    levels = {
        c: {columns[c].label(i) for i, k in enumerate(columns[c].counts[0]) if k > of.limit} for c in columns
    }  # that a level is there at all is a count, too, and not among what may be told
    return often, both, levels


# ---- what is printed, and by how much one record moves it -------------------------------------------------------------


def everything(opened, of, formats=("html", "pdf")):
    """Return the bytes of report, appendix, their tables' workbook and the page's preview; or why there is none."""
    try:
        made = [report(opened, form, replace(of.look, appendix=a)) for form in formats for a in (False, True)]
        return (*made, to_excel(tables(opened, of.look)), page_1(opened, of.look) if "pdf" in formats else b"")
    except DisclosureError as error:
        return (str(error),)


class Refused(str):
    """Why there is no report: the officer alone reads it."""


def words(opened, of):
    """Return all that the renderers are given; or why there is none."""
    try:
        return said(assemble(opened, of.look))
    except DisclosureError as error:
        return Refused(error)


@contextmanager
def heard():
    """Note every count that is rounded for a report, with of how many, by what is asked of `redaction`."""
    found, usual = [], {name: getattr(redaction, name) for name in ("share", "count", "drawn_share")}

    def noting(name):
        def noted(source, value, of):
            if source.shareable and value == value:
                found.append((value if name == "count" else value * of / 100, of))
            return usual[name](source, value, of)

        return noted

    try:
        for name in usual:
            setattr(redaction, name, noting(name))
        yield found
    finally:
        for name, function in usual.items():
            setattr(redaction, name, function)


@dataclass
class Tried:
    """What was compared of a seed."""

    neighbours: int = 0
    alike: int = 0
    same: int = 0
    largest: float = 0.0
    counts: int = 0
    faults: tuple = ()


def tried(seed, most=3, *, in_full=0):
    """Return what was compared of a seed: `most` records of which each gives four neighbours.

    Parameters
    ----------
    in_full
        So many of those in the same ranges are compared in every format, to the byte; of the others all that the
        renderers are given.
    """
    original, of = drawn(seed)
    found = Tried()
    try:
        here = review_of(original, of)
        with heard() as shown:
            text = words(here, of)
        within, counted = ranges(here, of), figures(here, of)
    except DisclosureError:  # what was drawn does not fit
        return found
    known = {(round(n, 6), whole) for n, whole in counted}
    unknown = [(n, whole) for n, whole in shown if (round(n, 6), whole) not in known and n % of.limit > 1e-9]
    found.faults += tuple((seed, "shown, and not among what is counted here", each) for each in unknown)
    rng = np.random.default_rng(seed)
    for other in neighbours(original, rng, most):
        with suppress(DisclosureError):
            there = review_of(other, of)
            found.neighbours += 1
            text_there = words(there, of)
            if isinstance(text_there, Refused) or isinstance(text, Refused):
                continue
            now = figures(there, of)
            if len(other) != len(original) and len(now) == len(counted) and told(there) == told(here):
                found.counts += len(now)
                moved = [abs(a - b) for (a, _), (b, _) in zip(counted, now, strict=True)]
                found.largest = max([found.largest, *moved])
            if ranges(there, of) != within:
                continue
            found.alike += 1
            if text_there != text:
                found.faults += ((seed, "words", difference(text, text_there)),)
            elif found.same < in_full:
                made = zip(everything(here, of), everything(there, of), strict=True)
                found.faults += tuple((seed, i, "bytes") for i, (a, b) in enumerate(made) if a != b)
                found.same += 1
    if found.largest > 1 + 1e-6 and not of.look.dorig:
        found.faults += ((seed, "a figure moves by more than one record", found.largest),)
    return found


def figures(opened, of):
    """Return every count that a report may show, and of how many, in one order; nothing where values do not meet."""
    return [] if opened.judged.stopped() else [(float(n), whole) for n, whole in counts(opened.printed, of)]


def difference(a, b):
    """Return where two texts part."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"{a[max(0, at - 150) : at + 80]!r} | {b[max(0, at - 20) : at + 80]!r}"


def main(first=0, last=400):
    """Try seeds, print each, and return 1 where one told which record it was."""
    faults = []
    for seed in range(first, last):
        found = tried(seed, 3, in_full=1)
        print(f"seed {seed}: {found.neighbours} neighbours, {found.alike} alike, {found.same} to the byte, "
              f"{found.counts} counts, largest change {found.largest:.3f}", *found.faults, flush=True)  # fmt: skip
        faults += found.faults
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
