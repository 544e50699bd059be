"""What a command prints of an assessment: figures, claims beside a guess, people outside, and what is still open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from disclosure_core.data.naming import named
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.rounding import NOTHING, fixed
from disclosure_core.rounding import printable as plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from disclosure_core.comparison.frontier import LeastSafeguard
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.review.opened import Opened


def as_text(frame: pd.DataFrame, digits: int = 2) -> str:
    """Return a table as a terminal shows it, so many digits after the point."""
    shown = frame.rename(columns=lambda name: plain(str(name)))
    for name in shown.columns:
        if shown[name].dtype.kind not in "ifub":
            shown[name] = [plain(str(value)) for value in shown[name].tolist()]
    return shown.to_string(index=False, float_format=lambda value: fixed(value, digits))


def of_identity(n_original: int) -> str:
    """Return what stands above the figures of identity."""
    return f"Identity, % of the {n_original:,} original records (UiS: of the synthetic); lower is safer"


def print_figures(result: Assessment, keys: Sequence[str], measure: str) -> None:
    """Print the identity figures, and a row a target."""
    m = len(result.n_synthetic)
    of = f"% of the {result.n_original:,} original records"
    files = f"{result.n_original:,} original records, {m} synthes{'e' if m > 1 else 'i'}s"
    click.echo(f"\n{files}; keys: {plain(', '.join(keys))}\n")
    click.echo(of_identity(result.n_original))
    click.echo(result.identity.to_string(float_format=fixed))
    click.echo(f"\nAttributes, {of}{', means over the syntheses' * (m > 1)}; lower is safer")
    click.echo(summary_as_text(result, measure))


def print_copies(opened: Opened) -> None:
    """Print how many whole records of the syntheses are the original's."""
    found = opened.copies()
    if isinstance(found, NotEvaluated):
        click.echo(f"\nWhole records: not evaluated. {found.why} {found.needs}")
    else:
        click.echo(f"\n{found.sentence}")


def print_described(opened: Opened) -> None:
    """Print what the files say that keys and targets hold, and what of them counts as missing."""
    described = opened.introduced()
    if not described:
        return
    labels = {each.name: each.label for each in described}
    click.echo("\nKeys and targets, as the files describe them")
    for each in described:
        missing = f"; counts as missing: {', '.join(each.missing)}" if each.missing else ""
        click.echo(plain(f"{named(each.name, labels)} ({each.role}){missing}"))


def summary_as_text(result: Assessment, measure: str) -> str:
    """Return a row a target as it is printed, what is disclosed most first."""
    from disclosure_core.counting.registry import COMPARED

    original, synthetic = COMPARED[measure]
    summary = result.summary(measure).iloc[::-1].rename(columns={"original": original, "synthetic": synthetic})
    shown = summary[["target", original, synthetic, *(["min", "max"] if len(result.n_synthetic) > 1 else []), "flag"]]
    shown = shown.assign(target=[plain(name) for name in shown["target"]])
    return shown.to_string(index=False, float_format=fixed)


def print_beside_a_guess(result: Assessment) -> None:
    """Print what the claims that DiSCO counts are worth beside a guess, the largest gain over chance first."""
    from disclosure_core.conclusions.guess import head, in_order

    rows = [{"target": plain(name)} | {h: fixed(v) for h, v in head(found).items()} for name, found in in_order(result)]
    click.echo(
        "\nBeside a guess, of the people with a claim. Gain over chance, and beyond the commonest answer: % of the"
    )
    click.echo(
        "original records, as set. Claims: % of the original records; right, best guess and chance: % of the claims,"
    )
    click.echo("nothing excluded")
    print_rows(rows)


def print_people_outside(opened: Opened) -> None:
    """Print members beside people outside, what the difference is made of, and the sentences that may stand."""
    from disclosure_core.conclusions.difference import by_sentence, table
    from disclosure_core.holdout.baseline import PARTS

    if opened.review.holdout is None:
        return
    try:
        found = opened.attribute_baseline()
    except DisclosureError as error:
        found = NotEvaluated(str(error), "")
    if isinstance(found, NotEvaluated):
        click.echo(plain(f"\nPeople outside: not evaluated. {found.why} {found.needs}".rstrip()))
        return
    click.echo(
        f"\nDiSCO of {found.n_training:,} members and {found.n_holdout:,} people outside, %; the difference, in\n"
        "percentage points with 95 % intervals; its parts, which compare different people; and the same keys:\n"
        "members less people outside who have the same keys"
    )
    every = table(found)
    every = every[every["measure"] == "DiSCO"].iloc[::-1]
    parts = [part.replace(" ", "_") for part in PARTS["DiSCO"]]
    named_ = {
        "difference": ("difference", "low", "high"),
        **{n: (n, f"{n}_low", f"{n}_high") for n in parts},
        "same keys": ("M", "M_low", "M_high"),
    }
    rows = []
    for row in every.to_dict("records"):
        shown = {
            "target": plain(str(row["target"])),
            "members": fixed(row["members"]),
            "outside": fixed(row["non_members"]),
        }
        for name, (points, low, high) in named_.items():
            given = row.get(points)
            shown[name.replace("_", " ")] = (
                NOTHING
                if given is None or given != given
                else f"{fixed(given, sign=True)} ({fixed(row[low], sign=True)} to {fixed(row[high], sign=True)})"
            )
        rows.append(shown)
    print_rows(rows)
    for text, targets in by_sentence(found, "DiSCO").items():
        click.echo(plain(f"{', '.join(targets)}: {text}"))
    for doubt in found.doubts:
        click.echo(plain(doubt))


def print_frontier(found: LeastSafeguard) -> None:
    """Print the chains that no other beats, and what each loses."""
    click.echo("\nThe frontier: each chain discloses less than those above it, and loses more detail, %")
    click.echo(as_text(found.tables()["least_safeguard"]))


def print_least(opened: Opened) -> None:
    """Print the least safeguard where the review searched for it: what was sought, the answer and the frontier."""
    from disclosure_core.review import least

    found = least.reported(opened)
    if isinstance(found, NotEvaluated):
        click.echo(f"\nLeast safeguard: not evaluated. {plain(found.why)}")
    elif found is not None:
        click.echo(f"\nLeast safeguard. {plain(found.asked)}")
        for said in (found.sentence, found.promise, *found.notes):
            click.echo(plain(said))
        print_frontier(found)


def print_limits(opened: Opened) -> None:
    """Print the office's limits, whose they are and why, and where the figures stand; nothing where it set none."""
    from disclosure_core.holdout.decision import LIMITED
    from disclosure_core.report.answer import answer
    from disclosure_core.report.outside import limit_sentences

    limits = {measure: opened.review.limits.of(measure) for measure in LIMITED}
    there = [name for name, limit in limits.items() if limit.absolute is not None or limit.relative is not None]
    if there:
        click.echo(f"\nLimits: {plain(answer(opened).headline)}")
        for name in there:
            click.echo(plain(f"{name}. {' '.join(limit_sentences(name, limits[name]))}"))


def print_open(opened: Opened, *, every: bool) -> None:
    """Print how much is still open before a report is signed; `every` of it, by the page that answers it, if asked."""
    from disclosure_core.report.completeness import still_open

    found = still_open(opened)
    more = "" if every else " (--open lists them)"
    click.echo(f"\nStill open: {len(found)}{more}" if found else "\nNothing is open.")
    for each in found if every else ():
        click.echo(plain(f"  {each.page}: {each.what}"))


def print_rows(rows: Sequence[dict[str, str]]) -> None:
    """Print rows of texts beneath their names, in columns."""
    widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]}
    for row in ({name: name for name in widths}, *rows):
        click.echo("  ".join(row[name].rjust(width) for name, width in widths.items()))
