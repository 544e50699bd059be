"""What a report says, as plain blocks in their order; no renderer decides about a figure."""

from __future__ import annotations

import platform
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from disclosure_core.assessment import assess, identity_by_keys
from disclosure_core.figures import describe
from disclosure_core.report import reconcile, shown
from disclosure_core.report.given import ABOUT, Block
from disclosure_core.report.words import CAVEATS, CHECKLIST, DEFINITIONS, OF, SOURCES
from disclosure_core.settings import Exclusions, Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from disclosure_core.assessment import Assessment, TargetRisk
    from disclosure_core.report.given import ReportInput
    from disclosure_core.settings import Settings

MOST_PAIRS, MOST_STEPS, MOST_CELLS, MOST_RECORDS = 15, 5, 8, 6
"""Pairs, targets of concern, cells a target and records a cell that a report lists."""

MOST_NAMES, MOST_ALONE, MOST_SCENARIOS = 12, 40, 5
"""Names in a sentence, exclusions whose own effect is computed, and scenarios side by side in one table."""

LINES = 46
"""Lines of labels that a figure on one page has room for; a longer one is continued."""


def blocks(given: ReportInput) -> tuple[Block, ...]:
    """Return the report's blocks, top to bottom.

    Source
    ------
    The order follows the checklist of the expert consensus (Patterns, 2025): scope, adversary, keys, preparation,
    figures, diagnostics, thresholds, what was not evaluated, sign-off.
    """
    found = given.assessment
    before = assess(given.study, replace(found.settings, exclusions=Exclusions()), found.tables, found)
    return (
        *_short(given, before),
        *_scope(given),
        *_asked(given),
        *_identity(given),
        *_attributes(given),
        *_flags(given, before),
        *_exclusions(given, before),
        *_scenarios(given),
        *_steps(given),
        *_cells(given),
        *(block for s in given.sections for block in (_heading(s.heading), *s.blocks)),
        *_limits(given),
        *_definitions(),
        *_signoff(),
        *reconcile.blocks(given),
        *_checklist(given),
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


def _short(given: ReportInput, before: Assessment) -> list[Block]:
    """Say on the first lines what a panel has to know; no verdict."""
    found, n = given.assessment, given.assessment.n_original
    m = len(found.n_synthetic)
    summary = found.summary().iloc[::-1]
    top = summary.iloc[0]
    unique, again = (shown.share(given, float(found.identity[name].mean()), n) for name in ("UiO", "repU"))
    original, synthetic = (shown.share(given, float(top[name]), n) for name in ("original", "synthetic"))
    who = "1 synthesis" if m == 1 else f"{m} syntheses (means over them)"
    said = [
        f"{n:,} original records, {who}, {len(found.keys.keys)} keys, {len(found.targets)} targets.",
        f"Identity: {unique} % of the people are alone with their keys in the original (UiO); {again} % are also met by exactly "
        "one synthetic record (repU, a screening figure).",
        f"Attributes: most can be learnt of {top['target']}: {synthetic} % of the people (DiSCO), against {original} % from the "
        "original itself (Dorig).",
        _flagged(before, found),
        "Nothing was left out of the figures."
        if found.settings.exclusions == Exclusions()
        else "Something was left out of these figures; what, why and with what effect stands below.",
    ]
    if given.not_evaluated:
        missing = ", ".join(what[:1].lower() + what[1:] for what, _ in given.not_evaluated)
        said.append(f"Not evaluated: {missing}. That is no pass.")
    return [_heading("In short"), Block("list", items=tuple(said))]


def _flagged(before: Assessment, found: Assessment) -> str:
    """Say which targets the checks flag: before anything was left out, and with what is left out."""
    at_first, now = _raising(before), _raising(found)
    if found.settings.exclusions == Exclusions():
        return f"Flagged, perhaps common knowledge: {_names(now)}." if now else "No check raised a flag."
    still = f"With what is left out: {_names(now)}." if now else "With what is left out, no check raises a flag."
    if not at_first:
        return f"Before anything was left out, no check raised a flag. {still}"
    return f"Flagged before anything was left out, perhaps common knowledge: {_names(at_first)}. {still}"


def _raising(found: Assessment) -> list[str]:
    """Return the targets that raise a flag, the largest DiSCO first."""
    rows = found.summary().iloc[::-1]
    return rows.loc[rows["flag"] != "", "target"].tolist()


def _scope(given: ReportInput) -> list[Block]:
    from importlib.metadata import version

    rows = [(f.role, f.name, f"{f.rows:,}", _fingerprint(f.sha256)) for f in given.files]
    said = [f"Made with disclosure {version('disclosure')} on Python {platform.python_version()}."]
    if given.shareable:
        said.append(
            f"Shareable version: counts and shares that rest on fewer than {given.smallest} records are not shown; all "
            f"others are rounded to multiples of {given.smallest} records, so that differences tell nothing either."
        )
    else:
        said.append("Internal version: it holds small counts; do not pass it on outside the office.")
    said += [shown.note(given, note.text) for note in given.study.notes if note.warning]
    said += given.notes
    return [
        _heading("What was assessed"),
        Block("text", "The figures say how vulnerable the synthetic data are, not how likely an attack is or what harm it "
              "would do. The measures assume full synthesis, and one record a person."),
        Block("table", "Files, records, and their SHA-256 fingerprints. All records were used.",
              columns=("Role", "File", "Records", "Fingerprint"), rows=tuple(rows), figures=frozenset({2})),
        Block("table", "What the office says of the release", columns=("Question", "Answer"),
              rows=tuple((label, given.about.get(label, "").strip() or "not stated") for label in ABOUT)),
        Block("list", items=tuple(said)),
    ]  # fmt: skip


def _fingerprint(sha256: str) -> str:
    """Return a fingerprint in groups of sixteen, so that it can be read and broken into lines."""
    return " ".join(sha256[i : i + 16] for i in range(0, len(sha256), 16))


def _asked(given: ReportInput) -> list[Block]:
    settings, found = given.assessment.settings, given.assessment
    rows = [
        (key.name, f"{key.n_levels:,}", given.reasons.get(key.name, "").strip() or "no reason was given")
        for key in found.keys.keys
    ]
    groups = [f"{name} in {n} groups" for name, n in settings.groups]
    codes = [
        f"{name}: {', '.join(f'{v:.15g}' for v in values) if given.level_names else f'{len(values)} named'}"
        for name, values in given.study.missing_codes.items()
    ]
    one, two = settings.thresholds.one_way, settings.thresholds.two_way
    return [
        _heading("What an outsider is taken to know"),
        Block("table", "Keys, and why", columns=("Key", "Levels", "Reason"), rows=tuple(rows), figures=frozenset({1})),
        Block("list", items=(
            f"Targets: {_names(found.targets)}.",
            f"Numeric columns grouped: {'; '.join(groups) or 'none, every value is a level'}.",
            f"Missing codes: {'; '.join(codes) or 'none'}. An empty cell is a level of its own, of keys and targets.",
            "Matching: a synthetic record matches where all keys are equal; without a match nothing is learnt.",
            f"A 1-way flag is raised above {one[0]:g} records and {one[1]:g} % of the disclosive records; a 2-way flag for "
            f"cells above {two[0]:g} records and pairs above {two[1]:g} %.",
            *(shown.note(given, note.text) for note in found.notes),
        )),
    ]  # fmt: skip


def _names(names: Iterable[str]) -> str:
    """Return names as a list in a sentence; many only as their number."""
    names = list(names)
    listed = ", ".join(f"“{name}”" if "," in name else name for name in names[:MOST_NAMES])
    return listed if len(names) <= MOST_NAMES else f"{len(names)} columns, each a row of the section on attributes"


def _identity(given: ReportInput) -> list[Block]:
    found = given.assessment
    figures, n_d, n_s = found.identity, found.n_original, found.n_synthetic

    def row(name: str, values: pd.Series[float], size: int) -> tuple[str, ...]:
        return (name, *(shown.share(given, float(values[m]), size if m == "UiS" else n_d) for m in figures.columns))

    rows = [row(f"Synthesis {i}", values, n_s[i - 1]) for i, values in figures.iterrows()]  # type: ignore[operator]
    if len(rows) > 1:
        rows.append(row("Mean", figures.mean(), n_s[0]))
    figure = []
    if len(found.keys.keys) > 1:
        plot = shown.growth(given, describe.growth(identity_by_keys(given.study, found.settings), n_d))
        caption = f"UiO and repU as the keys are added one at a time, in the order of the data, {plot.unit}. {_of('UiO', 'repU')}"
        figure.append(Block("figure", caption, plot=plot))
    return [
        _heading("Identity"),
        Block("text", "repU, replicated uniques, is a screening figure: it counts coincidences on the chosen keys, and is no "
              "probability of being recognised."),
        *figure,
        _table(f"UiO, UiOiS and repU in % of the {n_d:,} original records, UiS in % of the synthetic records. Lower is safer.",
               ("", *figures.columns), rows),
    ]  # fmt: skip


def _attributes(given: ReportInput) -> list[Block]:
    found = given.assessment
    plot = shown.arrows(given, describe.arrows(found))
    n = found.n_original
    summary = found.summary().iloc[::-1]
    rows = [
        (
            r["target"],
            shown.share(given, r["original"], n),
            shown.share(given, r["synthetic"], n),
            f"{shown.share(given, r['min'], n)} to {shown.share(given, r['max'], n)}",
            r["flag"] or "none",
        )
        for r in summary.to_dict("records")
    ]
    return [
        _heading("Attributes"),
        *_parts(given, plot),
        _table(f"{_of('Dorig', 'DiSCO')} In % of the {n:,} original records; means over the syntheses, and the range.",
               ("Target", "Dorig", "DiSCO", "Range of DiSCO", "Flags"), rows),
    ]  # fmt: skip


def _of(*measures: str) -> str:
    """Return the numerators of measures, for a caption that has said of what."""
    return "; ".join(OF[m] for m in measures) + "."


def _parts(given: ReportInput, plot: describe.ArrowPlot) -> list[Block]:
    """Return the figure, on as many pages as it needs."""
    parts: list[list[describe.ArrowRow]] = [[]]
    lines = 0
    for row in plot.rows:
        lines += 1 + len(row.label) // 36
        if lines > LINES:
            parts.append([])
            lines = 1 + len(row.label) // 36
        parts[-1].append(row)
    said = (
        f"{plot.original} (ring) and {plot.synthetic} (diamond) by target, {plot.unit}; lower is safer. "
        f"{_of(plot.original, plot.synthetic)} The arrow shows what synthesis took away."
    )
    if given.shareable:
        said += f" Marks stand at multiples of {given.smallest} records."
    figures = []
    for i, rows in enumerate(parts, 1):
        which = f" Part {i} of {len(parts)}, with an axis of its own." if len(parts) > 1 else ""
        figures.append(Block("figure", said + which, plot=replace(plot, rows=tuple(rows))))
    return figures


def _flags(given: ReportInput, before: Assessment) -> list[Block]:
    one, two = [], []
    limit = given.assessment.settings.thresholds.two_way[1]
    for name, risk in before.targets.items():
        raised = [c for c in risk.one_way if c is not None]
        if raised:
            c = raised[0]
            one.append((name, shown.level(given, name, c.level), f"{len(raised)} of {len(risk.one_way)}",
                        shown.count_of(given, c.n_disclosive_level, c.n_disclosive),
                        shown.ratio(given, c.pct_disclosive, c.n_disclosive_level),
                        shown.ratio(given, c.pct_level, c.n_level)))  # fmt: skip
        pairs: dict[tuple[str, str, str], list[dict[Any, Any]]] = {}
        for frame in risk.two_way:
            for r in frame.to_dict("records"):
                pairs.setdefault((r["key"], r["key_level"], r["target_level"]), []).append(r)
        for (key, level, target_level), rows in pairs.items():
            most = max(r["npairs"] for r in rows)
            two.append((most, (name, f"{key} {shown.level(given, key, level)}", shown.level(given, name, target_level),
                               f"{len(rows)} of {len(risk.two_way)}", shown.count(given, most),
                               f"> {limit:g}" if given.shareable else f"{rows[0]['pct']:.2f}")))  # fmt: skip
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
    elif given.assessment.settings.exclusions != Exclusions():
        still = _raising(given.assessment)
        so = f"still raise a flag for {_names(still)}" if still else "raise no flag any more"
        found.append(
            Block(
                "text", f"This is what the checks found before anything was left out. With what is left out, they {so}."
            )
        )
    return found


def _exclusions(given: ReportInput, before: Assessment) -> list[Block]:
    found, out = given.assessment, given.assessment.settings.exclusions
    if out == Exclusions():
        return [_heading("What was left out"), Block("text", "Nothing was left out of the figures.")]
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
        said += _each(given, before, name)
        taken = pd.DataFrame([f.loc["DiSCO"] for f in risk.exclusions]).mean()
        if taken.drop("remaining").sum():
            n = found.n_original
            rows.append((name, shown.share(given, float(before.targets[name].figures("DiSCO").mean()), n),
                         shown.share(given, float(risk.figures("DiSCO").mean()), n),
                         *(shown.count(given, float(x)) for x in taken)))  # fmt: skip
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


def _each(given: ReportInput, before: Assessment, name: str) -> Iterable[str]:
    """Yield a sentence for each exclusion of a target: what, why, and what it would do alone."""
    found, out = given.assessment, given.assessment.settings.exclusions
    n = found.n_original
    single: list[tuple[str, Exclusions]] = [
        ("level " * given.level_names + shown.level(given, name, v), Exclusions(target_levels={name: (v,)}))
        for v in out.levels_of(name)
    ]
    if name in out.missing_targets:
        single.append(("missing values", Exclusions(missing_targets=frozenset({name}))))
    for p in out.pairs_of(name):
        what = f"{p.key} {shown.level(given, p.key, p.key_level)} with {shown.level(given, name, p.target_level)}"
        single.append((what, Exclusions(pairs={name: (Pair(p.key, p.key_level, p.target_level),)})))
    for i, (what, exclusion) in enumerate(single):
        (reason,) = exclusion.names_of(name)
        said = f"{name}: {what}. {_why(given, reason, name)}"
        if i < MOST_ALONE:
            after = assess(given.study, replace(found.settings, exclusions=exclusion), found.tables, before)
            first, then = (
                shown.share(given, float(a.targets[name].figures("DiSCO").mean()), n) for a in (before, after)
            )
            said += (
                f" Alone, it takes DiSCO from {first} to {then} %." if first != then else " Alone, it takes nothing."
            )
        yield said


def _why(given: ReportInput, *names: str) -> str:
    """Return the reason under the first of `names` that has one."""
    reason = next((given.reasons[n].strip() for n in names if given.reasons.get(n, "").strip()), "")
    if not reason:
        return "No reason was given."
    return f"Reason: {reason}" if reason[-1] in ".!?" else f"Reason: {reason}."


def _scenarios(given: ReportInput) -> list[Block]:
    found = given.assessment
    nothing = assess(given.study, replace(found.settings, exclusions=Exclusions()), found.tables)
    columns = [("Nothing left out", nothing), *given.scenarios]
    if found.settings.exclusions != Exclusions():
        columns.append(("As set", found))
    if len(columns) < 2:
        return []
    order = nothing.summary()["target"].tolist()[::-1]
    order += [name for _, a in columns for name in a.targets if name not in order]
    order = list(dict.fromkeys(order))
    made = [
        _heading("Scenarios side by side"),
        Block("list", items=tuple(f"{label}: {_left_out(a.settings)}" for label, a in columns[1:])),
    ]
    for i in range(0, len(columns), MOST_SCENARIOS):
        some = [(label, a, a.summary().set_index("target")) for label, a in columns[i : i + MOST_SCENARIOS]]
        rows = [
            ("Keys: UiO / repU", *(
                f"{shown.share(given, a.identity['UiO'].mean(), a.n_original)} / "
                f"{shown.share(given, a.identity['repU'].mean(), a.n_original)}" for _, a, _ in some
            )),
            *((name, *(_both(given, a, t, name) for _, a, t in some)) for name in order),
        ]  # fmt: skip
        caption = "Dorig / DiSCO, % of the original records, means over the syntheses; lower is safer."
        made.append(_table(caption, ("Target", *(label for label, _, _ in some)), rows))
    return made


def _both(given: ReportInput, a: Assessment, table: pd.DataFrame, name: str) -> str:
    if name not in a.targets:
        return "not a target"
    first, then = (shown.share(given, float(table["original"][name]), a.n_original), float(table["synthetic"][name]))
    return f"{first} / {shown.share(given, then, a.n_original)}"


def _left_out(settings: Settings) -> str:
    """Return what a scenario leaves out, in a few words."""
    out = settings.exclusions
    said = [f"level{'s' * (len(v) > 1)} of {name}" for name, v in out.target_levels]
    said += [f"missing {name}" for name in sorted(out.missing_targets)]
    said += [f"missing {name} (key)" for name in sorted(out.missing_keys)]
    said += [f"{len(pairs)} pair{'s' * (len(pairs) > 1)} of {name}" for name, pairs in out.pairs]
    if out.denominator_limit is not None:
        said.append(f"denominators above {out.denominator_limit}")
    left_out = "; ".join(said) or "nothing"
    return f"without {left_out}." if said else "nothing is left out."


def _steps(given: ReportInput) -> list[Block]:
    found, n = given.assessment, given.assessment.n_original
    names = found.summary()["target"].tolist()[::-1][:MOST_STEPS]

    def row(name: str, risk: TargetRisk) -> tuple[str, ...]:
        figures = [float(risk.figures(m).mean()) for m in ("iS", "DiS", "DiSCO", "DiSDiO")]
        return (name, *(f"{shown.share(given, x, n)} ({shown.count(given, round(x * n / 100))})" for x in figures))

    keys = ", ".join(key.name for key in found.keys.keys)
    return [
        _heading("The steps of an intruder"),
        Block("text", f"What somebody would do who knows a person's {keys}; and, for the targets with most to learn, how many of "
              f"the {n:,} people of the original are left after each step."),
        Block("list", items=(
            "First, look for synthetic records with the same keys (iS: there are some).",
            "Second, see whether all of them have one target level (DiS: they do), and take it for the person's own.",
            "Third, be right about it (DiSCO). Nobody tells the intruder: among those of DiS the share that is right is TCAP.",
            "DiSDiO are those of DiSCO whose keys would give them away in the original itself, too.",
        )),
        _table("% of the original records, and records in brackets; means over the syntheses, after exclusions; lower is safer.",
               ("Target", "iS", "DiS", "DiSCO", "DiSDiO"), [row(name, found.targets[name]) for name in names]),
    ]  # fmt: skip


def _cells(given: ReportInput) -> list[Block]:
    """List the largest cells of the targets of concern, and the original's records in them: for the office only."""
    if given.shareable or not given.cells or not given.study.holds_records:
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
                shown.level(given, k.name, k.label(int(c[q]))) for k, c in zip(keys.keys, keys.levels, strict=True)
            )
            records = np.flatnonzero((keys.original == q) & (cells.column.original == t))
            listed = ", ".join(str(r + 1) for r in records[:MOST_RECORDS].tolist())
            more = " …" if records.size > MOST_RECORDS else ""
            rows.append(
                (
                    levels,
                    shown.level(given, name, cells.column.label(t)),
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
            *(f"{what} was not evaluated: {why.rstrip('.')}." for what, why in given.not_evaluated),
            *CAVEATS,
        )),
    ]  # fmt: skip


def _definitions() -> list[Block]:
    return [
        _heading("Definitions"),
        Block("table", "Every measure is a percentage: numerator over denominator.",
              columns=("Measure", "Numerator", "Denominator", "Reads", "Source"), rows=DEFINITIONS),
        Block("list", items=SOURCES),
    ]  # fmt: skip


def _checklist(given: ReportInput) -> list[Block]:
    """Return the consensus' checklist: where each item stands, or that it does not."""
    about = {label: bool(given.about.get(label, "").strip()) for label in ABOUT}
    missing = "not stated"
    assessed, asked = "What was assessed", "What an outsider is taken to know"
    where = {
        1: assessed,
        2: assessed if about[ABOUT[0]] and about[ABOUT[1]] else missing,
        3: assessed if about[ABOUT[4]] else missing,
        4: assessed if about[ABOUT[5]] else missing,
        5: asked,
        6: asked,
        9: "Attributes; not against people outside the data",
        10: assessed,
        11: "Identity, Attributes, What was flagged",
        12: "Thresholds of the checks only; no limit of risk is set",
        13: "for the panel: no verdict is computed",
        14: "Sign-off",
    }
    for section in given.sections:
        where |= dict.fromkeys(section.covers, section.heading)
    rows = [(str(i), what, where.get(i, "not evaluated")) for i, what in CHECKLIST]
    return [
        _heading("Appendix: the checklist of the expert consensus"),
        Block("table", "The consensus' release checklist [3], in our words, and where this report answers it. An item that was "
              "not evaluated is no pass.", columns=("Item", "What", "Where"), rows=tuple(rows), figures=frozenset({0})),
    ]  # fmt: skip


def _signoff() -> list[Block]:
    return [
        _heading("Sign-off"),
        Block(
            "signoff",
            items=("Decision (release, change, refuse)", "Conditions", "Name and office", "Date and signature"),
        ),
    ]
