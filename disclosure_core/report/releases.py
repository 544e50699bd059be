"""What changes with what is released: several syntheses together, surer claims, fewer records; and classes of the keys.

For an internal report alone: the counts of neighbouring tables subtract. A shareable one has a sentence of rounded counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.report import redaction
from disclosure_core.report.pieces import heading, table
from disclosure_core.review.combined import combined
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity import anonymity, threshold

if TYPE_CHECKING:
    from disclosure_core.report.source import Block, Report

MOST_SYNTHESES = 8
"""Syntheses that stand beside each other in one table; the workbook has all."""

MOST_LEVELS = 3
"""Target levels in a class (l) of which the report has a column."""

SHARES = (10, 20, 50, 100)
"""Parts of a synthesis, in %, that the report shows of those drawn."""


# ---- page 1 and the annex --------------------------------------------------------------------------------------------


def in_short(source: Report) -> list[tuple[str, str]]:
    """Return the line of page 1 on several syntheses released together; nothing where one is."""
    if source.stopped:
        return []
    found = combined(source.printed)
    if isinstance(found, NotEvaluated):
        return []
    keys = found.identity
    said = f"repU is {_tenth(keys['any'])} % in at least one of them, {_tenth(keys['alone'])} % in one on average"
    if len(found.attributes):
        most = found.attributes.iloc[-1]
        said += (
            f"; {most['target']} is right in at least one for {_tenth(most['any'])} % of people, in one on average for "
            f"{_tenth(most['alone'])} %: upper bounds, because an intruder cannot know which is right"
        )
    return [("Released together" if found.stated else "If all are released", f"{found.which}: {said}")]


def shared_in_short(source: Report) -> list[str]:
    """Return the same for a shareable report: of rounded counts, and repU alone."""
    found = combined(source.printed)
    if isinstance(found, NotEvaluated):
        return []
    any_of = redaction.share(source, found.identity["any"], source.assessment.n_original)
    if found.stated:
        return [f"{found.which} are released together: repU is {any_of} % in at least one of them."]
    return [f"If {found.which[0].lower()}{found.which[1:]} are released: repU is {any_of} % in at least one of them."]


def _tenth(value: float) -> str:
    return fixed(value, 1)


def of_classes(source: Report) -> list[str]:
    """Return the sentence on who shares keys with how many (k-anonymity) in the original; nothing in a shareable report."""
    if source.shareable:
        return []
    row = _profile(source).under(anonymity.K).iloc[0]
    if not row["records"]:
        return [f"Every record of the original shares its keys with {int(row['smallest']) - 1:,} others or more."]
    return [
        f"{int(row['records']):,} original records ({_tenth(row['share'])} %) share their keys with fewer than "
        f"{anonymity.K - 1} others; the smallest class has {int(row['smallest']):,} "
        f"record{'s' * (int(row['smallest']) != 1)}. Uniqueness in the data is not uniqueness in the population."
    ]


def _profile(source: Report) -> anonymity.Profile:
    found = source.assessment
    return anonymity.profile(found.tables.study, found.settings, found.keys)


# ---- the appendix ----------------------------------------------------------------------------------------------------


def blocks(source: Report) -> list[Block]:
    """Return what the appendix holds of it; a shareable one nothing."""
    if source.shareable:
        return []
    return [*_together(source), *_each(source), *_sure(source), *_classes(source), *_sizes(source)]


def _together(source: Report) -> list[Block]:
    found = combined(source.printed)
    if isinstance(found, NotEvaluated):
        return []
    keys = found.identity
    columns = ("alone", "every", "pooled", "any")
    rows = [("repU, the keys alone", fixed(keys["UiO"]), *(fixed(keys[c]) for c in columns))]
    rows += [
        (str(r["target"]), fixed(r["Dorig"]), *(fixed(r[c]) for c in columns))
        for r in found.attributes.iloc[::-1].to_dict("records")
    ]
    caption = (
        f"{found.which} together, % of {redaction.size_with_article(source, source.assessment.n_original)} original records: repU "
        "(original: UiO), and DiSCO of each target (original: Dorig). One alone: each by itself, the mean. In each: by every synthesis. In "
        "one file: by all put into one file, where none contradicts. In any: by at least one; an intruder cannot tell which "
        "is right, so this is the most there is to learn."
    )
    heads = ("Figure", "Original", "One alone", "In each", "In one file", "In any")
    return [heading("Syntheses released together"), table(caption, heads, rows)]


def _each(source: Report) -> list[Block]:
    """Return mean, SD and each synthesis of DiSCO by target, and of repU (R2 of the consensus); nothing of one synthesis."""
    found, m = source.assessment, len(source.assessment.n_synthetic)
    if m < 2:
        return []
    numbers = range(min(m, MOST_SYNTHESES))
    repU, summary = found.identity["repU"], found.summary().iloc[::-1]
    rows = [("repU, the keys alone", fixed(repU.mean()), fixed(repU.std()), *(fixed(repU.iloc[i]) for i in numbers))]
    for r in summary.to_dict("records"):
        each = found.targets[str(r["target"])].figures("DiSCO")
        rows.append((str(r["target"]), fixed(r["synthetic"]), fixed(r["sd"]), *(fixed(each[i]) for i in numbers)))
    more = f" The first {MOST_SYNTHESES} of {m} syntheses; the workbook has all." if m > MOST_SYNTHESES else ""
    caption = (
        "repU, and DiSCO of each target: mean and standard deviation over the syntheses, and each synthesis, % of the "
        f"original records.{more}"
    )
    return [heading("Each synthesis"), table(caption, ("Figure", "Mean", "SD", *(str(i + 1) for i in numbers)), rows)]


def _sure(source: Report) -> list[Block]:
    """Return right claims by how sure they must be; nothing where no figure moves with it."""
    found, taus = source.assessment, threshold.SHOWN[::-1]
    curves = threshold.curves(found, taus)
    by = {str(name): rows.set_index("tau") for name, rows in curves.groupby("target", sort=False)}
    rows = [
        (name, *(fixed(by[name]["synthetic"][tau]) for tau in taus), fixed(by[name]["original"][min(taus)]))
        for name in map(str, found.summary()["target"].iloc[::-1])
    ]
    if all(len(set(row[1:-1])) == 1 for row in rows):
        return []
    caption = (
        "Right claims by the least probability τ of a claim, % of the original records: DiSCO counts those that are "
        f"certain (τ = 1). Beside them, the original's own at τ = {min(taus):g}."
    )
    heads = ("Target", *(f"τ = {tau:g}" for tau in taus), f"Original, {min(taus):g}")
    return [heading("How sure a claim must be"), table(caption, heads, rows)]


def _classes(source: Report) -> list[Block]:
    """Return records in small classes by file (k-anonymity), and target levels in the original's classes (l-diversity)."""
    found = source.assessment
    under = _profile(source).under(anonymity.K)
    files = [
        (
            "Original" if r["file"] == anonymity.ORIGINAL else f"Synthesis {r['file']}",
            f"{r['smallest']:,}",
            f"{r['classes']:,}",
            f"{r['records']:,}",
            fixed(r["share"]),
        )
        for r in under.head(MOST_SYNTHESES + 1).to_dict("records")
    ]
    levels = anonymity.of_the_original(found)
    upto = {str(name): rows.set_index("levels")["upto"] for name, rows in levels.groupby("target", sort=False)}
    rows = []
    for name in map(str, found.summary()["target"].iloc[::-1]):
        smallest = int(upto[name].index.min())
        at = [upto[name][upto[name].index <= n] for n in range(1, MOST_LEVELS + 1)]
        rows.append((name, f"{smallest:,}", *(fixed(v.iloc[-1] if len(v) else 0.0) for v in at)))
    return [
        heading("Records that share their keys"),
        table(
            f"k-anonymity: records that fewer than {anonymity.K - 1} others share their keys with, in classes of fewer than "
            f"{anonymity.K} records, with nothing excluded.",
            ("File", "Smallest class", f"Classes under {anonymity.K}", "Records in them", "% of the file"),
            files,
        ),
        table(
            "l-diversity of the original: the fewest target levels in a class of records with the same keys (l), and % of the "
            "records in classes of so many levels or fewer, with nothing excluded; one level is Dorig.",
            ("Target", "l", "One level", "Two or fewer", "Three or fewer"),
            rows,
        ),
    ]


def _sizes(source: Report) -> list[Block]:
    """Return repU and DiSCO by the part of a synthesis that is released, where such parts were drawn."""
    opened = source.printed
    every = opened.finished_sizes()
    drawn = {name: found for name in source.assessment.targets if (found := every or opened.finished_draws(name))}
    if not drawn:
        return []
    first = next(iter(drawn.values())).identity
    shares = [s for s in SHARES if s in set(first["share"])]
    of_keys = first[first["measure"] == "repU"].set_index("share")["mean"]
    rows = [("repU, the keys alone", *(fixed(of_keys[s]) for s in shares))]
    for name, found in drawn.items():
        bands = found.attribute
        of = bands[(bands["target"] == name) & (bands["measure"] == "DiSCO")].set_index("share")["mean"]
        rows.append((name, *(fixed(of[s]) for s in shares)))
    caption = (
        "repU, and DiSCO of the targets drawn, by the part of a synthesis that is released: means over random draws, % of the "
        "original records. DiSCO may rise first: a smaller cell is more likely to hold one level only."
    )
    return [heading("Fewer records released"), table(caption, ("Figure", *(f"{s} %" for s in shares)), rows)]
