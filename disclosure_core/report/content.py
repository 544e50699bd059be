"""What a report says, as plain blocks in their order; no renderer decides about a figure."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from disclosure_core.assessment import assess
from disclosure_core.figures import describe
from disclosure_core.settings import Exclusions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from disclosure_core.assessment import Assessment, TargetRisk
    from disclosure_core.study import Study

ABOUT = (
    "Decision to be taken",
    "File that will be released",
    "Generator, version, seed",
    "Differential privacy",
    "Population, its size, and the source of that",
    "Adversary and what moves them",
)
"""What a panel asks of a release that no figure can tell (consensus checklist, items 1 to 4)."""

MOST_PAIRS, MOST_STEPS, MOST_CELLS, MOST_RECORDS = 15, 5, 8, 6
"""Pairs, targets of concern, cells a target and records a cell that a report lists."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was assessed: its role ("Original", "Synthesis 1" …), name, records and SHA-256."""

    role: str
    name: str
    rows: int
    sha256: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ReportInput:
    """What a report is made from.

    Attributes
    ----------
    study, assessment
        The data and the figures.
    files
        What was assessed.
    title, author, date
        As they are to stand on the report; the date is given, never looked up.
    about
        What the office says of the release, by the labels of `ABOUT`; what is not said is printed as "not stated".
    reasons
        Reasons for keys and exclusions, by name: a key's name, or a target's.
    scenarios
        Other assessments to set side by side, by name.
    not_evaluated
        What was not evaluated, and what would be needed.
    cells
        Whether an internal report lists the largest cells that DiSCO counts, and the records in them.
    shareable
        Without counts and shares that rest on fewer than `smallest` records.
    smallest
        The smallest count that a shareable report shows.
    level_names
        Whether levels are named; otherwise they are "level 1", "level 2" …
    """

    study: Study
    assessment: Assessment
    files: Sequence[FileRead]
    title: str = "Disclosure report"
    author: str = ""
    date: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    scenarios: Sequence[tuple[str, Assessment]] = ()
    not_evaluated: Sequence[tuple[str, str]] = (
        ("Holdout baseline", "without people who were not in the data, a leak cannot be told from general knowledge"),
        (
            "Membership",
            "whether somebody was in the data at all was not looked at; it needs a holdout and the population's size",
        ),
        ("Subsets of the keys", "fewer keys can give more away, and only this set was looked at"),
    )
    cells: bool = False
    shareable: bool = False
    smallest: int = 10
    level_names: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One piece of a report.

    Attributes
    ----------
    kind
        "heading", "text", "list", "table", "figure" or "signoff".
    text
        The heading, paragraph or caption.
    items
        The points of a list, or the lines of a sign-off.
    columns, rows
        Of a table: headers, and cells as text.
    figures
        Of a table: which columns hold figures and stand to the right.
    plot
        Of a figure: its description.
    """

    kind: Literal["heading", "text", "list", "table", "figure", "signoff"]
    text: str = ""
    items: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    figures: frozenset[int] = frozenset()
    plot: Any = None


def blocks(given: ReportInput) -> tuple[Block, ...]:
    """Return the report's blocks, top to bottom.

    Source
    ------
    The order follows the checklist of the expert consensus (Patterns, 2025): scope, adversary, keys, preparation,
    figures, diagnostics, thresholds, what was not evaluated, sign-off.
    """
    return (
        *_scope(given),
        *_asked(given),
        *_identity(given),
        *_attributes(given),
        *_flags(given),
        *_exclusions(given),
        *_scenarios(given),
        *_steps(given),
        *_cells(given),
        *_limits(given),
        *_definitions(),
        *_reconciled(given),
        *_signoff(),
    )


def _heading(text: str) -> Block:
    return Block("heading", text)


def _table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> Block:
    """Return a table whose first `texts` columns are text and whose others are figures."""
    return Block(
        "table",
        caption,
        columns=tuple(columns),
        rows=tuple(tuple(row) for row in rows),
        figures=frozenset(range(texts, len(columns))),
    )


def _share(given: ReportInput, percent: float, whole: int) -> str:
    """Return a share as text; in a shareable report not where it rests on few records."""
    if percent != percent:
        return "–"
    records = percent * whole / 100
    if given.shareable and 0 < round(records, 6) < given.smallest:
        return f"< {100 * given.smallest / whole:.2f}"
    return f"{percent:.2f}"


def _count(given: ReportInput, n: float) -> str:
    if given.shareable and 0 < n < given.smallest:
        return f"< {given.smallest}"
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


def _level(given: ReportInput, column: str, level: str) -> str:
    if given.level_names:
        return level
    keys_and_targets = [k for k in given.assessment.keys.keys if k.name == column]
    keys_and_targets += [r.counted[0].cells.column for n, r in given.assessment.targets.items() if n == column]
    return f"level {keys_and_targets[0].code_of(level) + 1}"


def _scope(given: ReportInput) -> list[Block]:
    from importlib.metadata import version

    rows = [(f.role, f.name, f"{f.rows:,}", f.sha256[:16]) for f in given.files]
    said = [f"Made with disclosure {version('disclosure')} on Python {platform.python_version()}."]
    if given.shareable:
        said.append(
            f"Shareable version: counts and shares that rest on fewer than {given.smallest} records are not shown."
        )
    else:
        said.append("Internal version: it holds small counts; do not pass it on outside the office.")
    said += [note.text for note in given.study.notes if note.warning]
    return [
        _heading("What was assessed"),
        Block("text", "The figures say how vulnerable the synthetic data are, not how likely an attack is or what harm it "
              "would do. The measures assume full synthesis, and one record a person."),
        Block("table", "Files, records, and the first digits of their SHA-256 fingerprints. All records were used.",
              columns=("Role", "File", "Records", "Fingerprint"), rows=tuple(rows), figures=frozenset({2})),
        Block("table", "What the office says of the release", columns=("", ""),
              rows=tuple((label, given.about.get(label, "").strip() or "not stated") for label in ABOUT)),
        Block("list", items=tuple(said)),
    ]  # fmt: skip


def _asked(given: ReportInput) -> list[Block]:
    settings, found = given.assessment.settings, given.assessment
    rows = [
        (key.name, f"{key.n_levels:,}", given.reasons.get(key.name, "no reason was given")) for key in found.keys.keys
    ]
    groups = [f"{name} in {n} groups" for name, n in settings.groups]
    codes = [f"{name}: {', '.join(f'{v:.15g}' for v in values)}" for name, values in given.study.missing_codes.items()]
    one, two = settings.thresholds.one_way, settings.thresholds.two_way
    return [
        _heading("What an outsider is taken to know"),
        Block("table", "Keys, and why", columns=("Key", "Levels", "Reason"), rows=tuple(rows), figures=frozenset({1})),
        Block("list", items=(
            f"Targets: {', '.join(found.targets)}.",
            f"Numeric columns grouped: {'; '.join(groups) or 'none, every value is a level'}.",
            f"Missing codes: {'; '.join(codes) or 'none'}. An empty cell is a level of its own, of keys and targets.",
            f"A 1-way flag is raised above {one[0]:g} records and {one[1]:g} % of the disclosive records; a 2-way flag for "
            f"cells above {two[0]:g} records and pairs above {two[1]:g} %.",
            *(note.text for note in found.notes),
        )),
        Block("text", "The result holds for these keys. Fewer or other keys can be worse."),
    ]  # fmt: skip


def _identity(given: ReportInput) -> list[Block]:
    figures = given.assessment.identity
    n_d, n_s = given.assessment.n_original, given.assessment.n_synthetic

    def row(name: str, values: pd.Series[float], size: int) -> tuple[str, ...]:
        return (name, *(_share(given, float(values[m]), size if m == "UiS" else n_d) for m in figures.columns))

    rows = [row(f"Synthesis {i}", values, n_s[i - 1]) for i, values in figures.iterrows()]  # type: ignore[operator]
    if len(rows) > 1:
        rows.append(row("Mean", figures.mean(), n_s[0]))
    return [
        _heading("Identity"),
        Block("text", "repU is a screening figure: it counts coincidences on the chosen keys. A replicated unique may be a "
              "chance hit, need not be unique in the population, and need not reveal anything true."),
        _table("UiO, UiOiS and repU in % of the original records, UiS in % of the synthetic records. Lower is safer.",
               ("", *figures.columns), rows),
    ]  # fmt: skip


def _attributes(given: ReportInput) -> list[Block]:
    found = given.assessment
    plot = describe.arrows(found)
    n = found.n_original
    summary = found.summary().iloc[::-1]
    rows = [
        (
            r["target"],
            _share(given, r["original"], n),
            _share(given, r["synthetic"], n),
            f"{_share(given, r['min'], n)} to {_share(given, r['max'], n)}",
            r["flag"] or "none",
        )
        for r in summary.to_dict("records")
    ]
    return [
        _heading("Attributes"),
        Block("figure", f"{plot.original} and {plot.synthetic} by target, {plot.unit}. An arrow leads from what the original "
              "gives away to what the synthetic data do. Lower is safer.", plot=plot),
        _table("Dorig: records whose keys have one target level in the original. DiSCO: records whose keys have one target "
               "level in the synthetic data, and the right one. In % of the original records; smallest to largest synthesis.",
               ("Target", "Dorig", "DiSCO", "Range of DiSCO", "Flags"), rows),
    ]  # fmt: skip


def _flags(given: ReportInput) -> list[Block]:
    one, two = [], []
    for name, risk in given.assessment.targets.items():
        raised = [c for c in risk.one_way if c is not None]
        if raised:
            c = raised[0]
            one.append((name, _level(given, name, c.level), f"{len(raised)} of {len(risk.one_way)}",
                        _count(given, c.n_disclosive_level), f"{c.pct_disclosive:.2f}", f"{c.pct_level:.2f}"))  # fmt: skip
        pairs: dict[tuple[str, str, str], list[dict[Any, Any]]] = {}
        for frame in risk.two_way:
            for r in frame.to_dict("records"):
                pairs.setdefault((r["key"], r["key_level"], r["target_level"]), []).append(r)
        for (key, level, target_level), rows in pairs.items():
            most = max(r["npairs"] for r in rows)
            two.append((most, (name, f"{key} {_level(given, key, level)}", _level(given, name, target_level),
                               f"{len(rows)} of {len(risk.two_way)}", _count(given, most), f"{rows[0]['pct']:.2f}")))  # fmt: skip
    two.sort(key=lambda pair: -pair[0])
    more = f" The {MOST_PAIRS} with most records, of {len(two)}." if len(two) > MOST_PAIRS else ""
    found = [
        _heading("What was flagged"),
        Block("text", "A flag says that part of an apparent disclosure may be common knowledge: an answer that nearly everybody "
              "gives (1-way), or a key level that tells the answer by itself (2-way). It is a question, not a verdict."),
    ]  # fmt: skip
    if one:
        found.append(
            _table("1-way: the level that carries the disclosure (first synthesis that raises the flag); its records, their share "
                   "of all disclosive records, and the level's share of all original records.",
                   ("Target", "Level", "Syntheses", "Records", "% of disclosive", "% of original"), one, texts=3))  # fmt: skip
    if two:
        found.append(
            _table(f"2-way: pairs of a key level and a target level, with the syntheses that show it, the most disclosive "
                   f"records in one, and the share of the key level's original records that have the target level.{more}",
                   ("Target", "Key level", "Target level", "Syntheses", "Records", "Share %"), [r for _, r in two[:MOST_PAIRS]], texts=3))  # fmt: skip
    if not one and not two:
        found.append(Block("text", "No check raised a flag."))
    return found


def _exclusions(given: ReportInput) -> list[Block]:
    found, out = given.assessment, given.assessment.settings.exclusions
    if out == Exclusions():
        return [_heading("What was left out"), Block("text", "Nothing was left out of the figures.")]
    before = assess(given.study, replace(found.settings, exclusions=Exclusions()), found.tables)
    said, rows = [], []
    if out.missing_keys:
        said.append(
            f"Missing values of {', '.join(sorted(out.missing_keys))}, for every target. {_why(given, 'missing keys')}"
        )
    if out.denominator_limit is not None:
        said.append(
            f"Cells of more than {out.denominator_limit} records, for every target. {_why(given, 'denominators')}"
        )
    for name, risk in found.targets.items():
        levels, pairs = out.levels_of(name), out.pairs_of(name)
        parts = [f"level {_level(given, name, level)}" for level in levels]
        parts += ["missing values"] * (name in out.missing_targets)
        parts += [
            f"{p.key} {_level(given, p.key, p.key_level)} with {_level(given, name, p.target_level)}" for p in pairs
        ]
        if parts:
            said.append(f"{name}: {'; '.join(parts)}. {_why(given, name)}")
        taken = pd.DataFrame([f.loc["DiSCO"] for f in risk.exclusions]).mean()
        if taken.drop("remaining").sum():
            n = found.n_original
            rows.append((name, _share(given, float(before.targets[name].figures("DiSCO").mean()), n),
                         _share(given, float(risk.figures("DiSCO").mean()), n),
                         *(_count(given, float(x)) for x in taken)))  # fmt: skip
    columns = (
        "Target",
        "DiSCO before",
        "DiSCO after",
        "target level",
        "missing target",
        "missing key",
        "pair",
        "limit",
        "remaining",
    )
    return [
        _heading("What was left out"),
        Block("text", "An exclusion changes the figure, never the data: what is disclosive is decided on the full data, and the "
              "percentages stay those of all original records."),
        Block("list", items=tuple(said)),
        _table("DiSCO in % before and after, and the records that each kind of exclusion took from it, in the order they apply "
               "(means over the syntheses).", columns, rows),
    ]  # fmt: skip


def _why(given: ReportInput, name: str) -> str:
    reason = given.reasons.get(name)
    return f"Reason: {reason}" if reason else "No reason was given."


def _scenarios(given: ReportInput) -> list[Block]:
    found = given.assessment
    nothing = assess(given.study, replace(found.settings, exclusions=Exclusions()), found.tables)
    columns = [("Nothing left out", nothing), *given.scenarios]
    if found.settings.exclusions != Exclusions():
        columns.append(("As set", found))
    if len(columns) < 2:
        return []
    n = found.n_original
    order = nothing.summary()["target"].tolist()[::-1]
    tables = {label: a.summary().set_index("target") for label, a in columns}
    rows = [
        (
            name,
            *(
                f"{_share(given, t.loc[name, 'original'], n)} / {_share(given, t.loc[name, 'synthetic'], n)}"
                for t in tables.values()
            ),
        )
        for name in order
    ]
    return [
        _heading("Scenarios side by side"),
        _table("Dorig / DiSCO, % of the original records.", ("Target", *tables), rows),
    ]


def _steps(given: ReportInput) -> list[Block]:
    found, n = given.assessment, given.assessment.n_original
    names = found.summary()["target"].tolist()[::-1][:MOST_STEPS]

    def row(name: str, risk: TargetRisk) -> tuple[str, ...]:
        figures = [float(risk.figures(m).mean()) for m in ("iS", "DiS", "DiSCO", "DiSDiO")]
        return (name, *(f"{_share(given, x, n)} ({_count(given, round(x * n / 100))})" for x in figures))

    return [
        _heading("The steps of an intruder"),
        Block("text", f"Of {n:,} original records, how many are left after each step, for the targets with most to learn."),
        _table("% of the original records, and records: keys found in the synthetic data (iS), one answer only (DiS), the right "
               "answer (DiSCO), also disclosive in the original (DiSDiO). Means over the syntheses, after exclusions.",
               ("Target", "iS", "DiS", "DiSCO", "DiSDiO"), [row(name, found.targets[name]) for name in names]),
    ]  # fmt: skip


def _cells(given: ReportInput) -> list[Block]:
    """List the largest cells of the targets of concern, and the original's records in them: for the office only."""
    if given.shareable or not given.cells:
        return []
    found = [
        _heading("The cells behind the figures"),
        Block(
            "text",
            "For the targets with most to learn, the largest cells that DiSCO counts in the first synthesis. Records are "
            "numbered as in the original file, from 1.",
        ),
    ]
    for name in given.assessment.summary()["target"].tolist()[::-1][:MOST_STEPS]:
        counted = given.assessment.targets[name].counted[0]
        cells, keys = counted.cells, given.assessment.keys
        held = np.flatnonzero(cells.disclosive_synthetic & (counted.d > 0))
        largest = held[np.argsort(-counted.d[held], kind="stable")][:MOST_CELLS]
        rows = []
        for at in largest.tolist():
            q, t = int(cells.q[at]), int(cells.target[at])
            levels = ", ".join(
                _level(given, k.name, k.label(int(c[q]))) for k, c in zip(keys.keys, keys.levels, strict=True)
            )
            records = np.flatnonzero((keys.original == q) & (cells.column.original == t))
            listed = ", ".join(str(r + 1) for r in records[:MOST_RECORDS].tolist())
            more = " …" if records.size > MOST_RECORDS else ""
            rows.append(
                (
                    levels,
                    _level(given, name, cells.column.label(t)),
                    f"{counted.d[at]:,}",
                    f"{cells.s[at]:,}",
                    listed + more,
                )
            )
        if rows:
            columns = ("Keys", name, "Original", "Synthetic", "Records of the original")
            caption = f"{name}: original and synthetic records in each cell."
            found.append(Block("table", caption, columns=columns, rows=tuple(rows), figures=frozenset({2, 3})))
    return found


def _limits(given: ReportInput) -> list[Block]:
    return [
        _heading("What was not evaluated, and what to bear in mind"),
        Block("list", items=(
            *(f"{what} was not evaluated: {why}." for what, why in given.not_evaluated),
            "High values can mean that the data are useful, not that they leak.",
            "Vulnerability, not risk: how likely an attack is, access controls and harm are outside these figures.",
            "Group harm and ethics, contracts and the recipients are for the panel to judge.",
        )),
    ]  # fmt: skip


DEFINITIONS = (
    ("UiO", "original records alone with their keys", "original records"),
    ("UiS", "synthetic records alone with their keys", "synthetic records"),
    ("UiOiS", "original records alone with their keys, which occur in the synthetic data", "original records"),
    ("repU", "original records alone with their keys, which one synthetic record has", "original records"),
    ("Dorig", "original records whose keys have one target level in the original", "original records"),
    ("iS", "original records whose keys occur in the synthetic data", "original records"),
    ("DiS", "original records whose keys have one target level in the synthetic data", "original records"),
    ("DiSCO", "… and it is the record's own", "original records"),
    ("DiSDiO", "… and the keys have one target level in the original, too", "original records"),
)


def _definitions() -> list[Block]:
    return [
        _heading("Definitions"),
        Block("table", "Every measure is a percentage, and lower is safer. Sources: G. M. Raab, B. Nowok, C. Dibben, Practical "
              "privacy metrics for synthetic data (2026), sections 3 to 5 and appendix; L. Pilgram et al., consensus privacy "
              "metrics framework, Patterns (2025).",
              columns=("Measure", "Numerator", "Denominator"), rows=DEFINITIONS),
    ]  # fmt: skip


def _reconciled(given: ReportInput) -> list[Block]:
    found = given.assessment
    rows = []
    for name, risk in found.targets.items():
        a, c = risk.attribute.mean(), risk.caps.mean()
        rows.append((name, _number(c["TCAPi"]), _number(c["TCAP"]), _count(given, a["max_denom"]), _count(given, a["max_claim"]),
                     _share(given, risk.identity["UiO"].mean(), found.n_original),
                     _share(given, found.identity["UiO"].mean(), found.n_original)))  # fmt: skip
    return [
        _heading("Appendix: reconciliation with R's synthpop"),
        Block("list", items=(
            "What synthpop 1.9-3 prints as TCAP is TCAPi here; TCAP is the definition of the paper's Table 1.",
            "Its max_denom counts original records; max_claim counts the synthetic records that a claim rests on.",
            "Its UiO and repU of a target move with the target's exclusions; the headline figures are those of the keys.",
            "For a numeric target that is not grouped, without missing values, and with a value absent from the synthetic data, "
            "its DiSCO, DiSDiO and DCAP compare cells of different values and can be far too low; the figures here do not.",
            "Its list method for several syntheses, exclusions given to multi.disclosure, usekeysNA as a vector, and levels with "
            "a vertical bar can give other figures; here each option is bound to a column's name.",
        )),
        _table("Where both are defined: R's figure and ours, means over the syntheses.",
               ("Target", "TCAP in R", "TCAP here", "max_denom", "max_claim", "UiO in R", "UiO here"), rows),
    ]  # fmt: skip


def _number(x: float) -> str:
    return "–" if x != x else f"{x:.2f}"


def _signoff() -> list[Block]:
    return [
        _heading("Sign-off"),
        Block(
            "signoff",
            items=("Decision (release, change, refuse)", "Conditions", "Name and office", "Date and signature"),
        ),
    ]
