"""What a holdout adds to a report: people outside the data beside the members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from disclosure_core.conclusions.difference import by_sentence
from disclosure_core.figures import members_outside
from disclosure_core.holdout.baseline import MEASURES, PARTS, AttributeBaseline
from disclosure_core.holdout.decision import CONTEXT, Limit, Limits
from disclosure_core.holdout.differences import INTERVAL, MEAN
from disclosure_core.report import redaction
from disclosure_core.report.pieces import MOST_NAMES, table
from disclosure_core.report.source import Block, Report, Section, set_apart
from disclosure_core.review.about import SET_APART
from disclosure_core.rounding import NOTHING, fixed, plain

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.holdout.identity_baseline import IdentityBaseline

HEADING = "People outside the data"

_HEAD = ("Target", "Members", "Non-members", "Difference", "95 % interval", "SD", "R")


def section(source: Report, attributes: AttributeBaseline, identity: IdentityBaseline, limits: Limits) -> Section:
    """Return the part on members and non-members.

    A shareable report has DiSCO alone. The difference, its interval and the result would give back what rounding hides,
    and one member moves repU of all people outside with the same keys.

    Source
    ------
    Expert consensus, recommendations 2 and 8 to 10.
    """
    n, outside = attributes.n_training, attributes.n_holdout
    members = "Members" if source.shareable else f"{n:,} members"  # not beside their sum
    others = "non-members" if source.shareable else f"{outside:,} non-members"
    said = [
        f"{members} (the training records) and {others} (the holdout), the same look-up for both. What is right of people "
        "outside the data is general knowledge.",
        *_of_the_file(source),
        *_noted(source, attributes),
    ]
    if source.shareable:
        blocks = [_rounded(source, attributes), Block("list", items=tuple(said))]
        return Section(HEADING, tuple(blocks), covers=frozenset({9}))
    blocks = [
        Block("list", items=tuple(said)),
        *_in_short(attributes, identity, limits.of("DiSCO")),
        Block("list", items=tuple(dict.fromkeys(s for m in MEASURES for s in limit_sentences(m, limits.of(m))))),
    ]
    more = [block for m in MEASURES for block in _measure(attributes, m, limits.of(m))]
    more += [
        table(
            "repU of members, and of people outside who would have been unique among them, in %; means over the syntheses. "
            "A screening figure, which no limit judges.",
            ("", *_HEAD[1:]),
            [("repU", *_cells(identity.summary().iloc[0]))],
        ),
        *_by_synthesis(attributes, identity),
        Block("note", items=(INTERVAL,)),
    ]
    return Section(HEADING, tuple(blocks), covers=frozenset({9}), more=tuple(more))


def _noted(source: Report, attributes: AttributeBaseline) -> list[str]:
    """Say what of the holdout may change what the figures mean; shares of it are exact, and stay in the office."""
    if source.shareable:
        return [redaction.DOUBTED]
    said = dict.fromkeys((*attributes.doubts, *(note.text for note in source.remarks.outside if note.warning)))
    return redaction.notes(source, said)


def _of_the_file(source: Report) -> list[str]:
    """Say which file the holdout is; its fingerprint is as confidential as the original's."""
    file = source.holdout
    if file is None:
        return []
    if source.shareable:
        return [f"The holdout: {file.name}; its fingerprint is {redaction.WITHHELD}."]
    print_ = (
        f"fingerprint {file.sha256}"
        if file.sha256
        else "no fingerprint, because it came with the program or from Python"
    )
    how = set_apart(source.opened) or source.about.get(SET_APART, "").strip() or "how it was set apart is not stated"
    return [f"The holdout: {file.name}, {file.rows:,} records, {print_}; {how}."]


def _in_short(attributes: AttributeBaseline, identity: IdentityBaseline, limit: Limit) -> list[Block]:
    """Return the figure of DiSCO, its table with what people with the same keys tell, and what may be concluded."""
    plot = members_outside.describe(attributes, "DiSCO", limit)
    same = {str(r["target"]): r for r in attributes.same_keys.to_dict("records")} if attributes.by_lot is None else {}
    rows = []
    for r in attributes.summary("DiSCO", limit).iloc[::-1].to_dict("records"):
        name = str(r["target"])
        compared = [_same_keys_cell(same[name]) if name in same else NOT_EVALUATED] if same else []
        rows.append((name, *_figures(r), *compared, str(r["result"])))
    row: Any = identity.summary().iloc[0]
    rows.append(("repU, screening", *_figures(row), *([NOTHING] if same else []), "none"))
    columns = (*_HEAD[:4], "95 % interval", *(["Same keys"] if same else []), "Result")
    return [
        Block("figure", plot.caption, plot=plot),
        table(
            "DiSCO of each target and repU, % of the members and of the non-members; differences in points, with 95 % "
            f"intervals; means over the syntheses. Lower is safer.{_compared(attributes) if same else ''}",
            columns,
            rows,
            result=True,
        ),
        _concluded(attributes, "DiSCO", MOST_SAID),
        Block("note", items=(INTERVAL, "The appendix has DCAP, the parts of each difference, and each synthesis.")),
    ]


def _figures(r: Any) -> tuple[str, ...]:
    return _cells(r)[:4]


def _same_keys_cell(same: Any) -> str:
    return NOT_EVALUATED if same["why"] else _with_interval(same)


def _compared(attributes: AttributeBaseline) -> str:
    """Say what the column of the same keys compares, and how many it can compare."""
    same = attributes.same_keys.iloc[0]
    unique = (
        "" if same["compared_unique"] is None else f", {fixed(same['compared_unique'], 1)} % of those with unique keys"
    )
    return (
        f" Same keys: members less people outside who have the same keys, for {fixed(same['compared'], 1)} % of members"
        f"{unique}. It alone can show that members' own answers are in the synthetic data."
    )


MOST_SAID = 8
"""Sentences that the report prints of people outside; its appendix has all."""


def _concluded(attributes: AttributeBaseline, measure: str, most: int | None = None) -> Block:
    """Return each sentence once, with the targets that it is true of; so many of them, and how many more."""
    every = attributes.summary(measure)["target"].nunique()
    said = [f"{_all_or(names, every)}: {text}" for text, names in by_sentence(attributes, measure).items()]
    if most is not None and len(said) > most:
        said = [*said[: most - 1], f"{len(said) - most + 1} more such sentences: the appendix."]
    return Block("list", items=tuple(said))


def _many(attributes: AttributeBaseline) -> bool:
    return len(by_sentence(attributes, "DiSCO")) > MOST_SAID


def _all_or(names: Sequence[str], every: int) -> str:
    """Return names as a list; of many that are all there are, how many."""
    return f"All {every} targets" if len(names) == every > MOST_NAMES else ", ".join(names)


def _measure(attributes: AttributeBaseline, measure: str, limit: Limit) -> list[Block]:
    """Return all of one measure that the appendix holds; the figure and conclusions of DiSCO stand in the report."""
    summary = attributes.summary(measure, limit)
    rows = [(str(r["target"]), *_cells(r), str(r["result"])) for r in summary.iloc[::-1].to_dict("records")]
    plot = members_outside.describe(attributes, measure, limit)
    return [
        *([] if measure == "DiSCO" else [Block("figure", plot.caption, plot=plot)]),
        table(
            f"{measure} of each target, % of the members and of the non-members; the difference in points; means over the "
            "syntheses, and the SD of the difference over them. Lower is safer.",
            (*_HEAD, "Result"),
            rows,
            result=True,
        ),
        *_made_of(attributes, measure),
        *(_beside_chance(attributes) if measure == "DiSCO" else []),
        *([_concluded(attributes, measure)] if measure != "DiSCO" or _many(attributes) else []),
    ]


def _beside_chance(attributes: AttributeBaseline) -> Iterable[Block]:
    """Yield gain over chance and κ of both sides: honest inference has a gain, too."""
    figures = ["gain", "gain_outside", "kappa", "kappa_outside"]
    rows = attributes.context.sort_values("gain", ascending=False, kind="stable")
    if len(rows):
        yield table(
            "Claims beside chance: gain over chance in percentage points of all members, and of all people outside, and κ of "
            "the people with a claim on each side; means over the syntheses. A gain is no evidence of leaking: honest "
            "inference has it, too.",
            ("Target", "Gain, members", "Gain, outside", "κ, members", "κ, outside"),
            [(str(r["target"]), *(fixed(r[name]) for name in figures)) for r in rows.to_dict("records")],
        )


def _made_of(attributes: AttributeBaseline, measure: str) -> list[Block]:
    """Return what the differences are made of, where a synthesis repeats: nothing of figures by lot."""
    if attributes.by_lot is not None:
        return []
    targets = [str(t) for t in attributes.summary(measure)["target"].iloc[::-1]]
    parts = attributes.parts[attributes.parts["measure"] == measure]
    names = PARTS[measure]
    rows = []
    for target in targets:
        found = {r["part"]: r for r in parts[parts["target"] == target].to_dict("records")}
        rows.append((target, *(_with_interval(found[n]) if n in found else NOT_EVALUATED for n in names)))
    return [
        table(
            f"What the difference in {measure} is made of, percentage points with 95 % intervals. The parts add up to it, and "
            "compare different people.",
            ("Target", *(n.capitalize() for n in names)),
            rows,
        )
    ]


NOT_EVALUATED = "not evaluated"


def _with_interval(row: Any) -> str:
    return f"{fixed(row['points'], sign=True)} ({fixed(row['low'], sign=True)} to {fixed(row['high'], sign=True)})"


def limit_sentences(measure: str, limit: Limit) -> tuple[str, ...]:
    """Return what is said of the limits of one measure: values, owner, reason, and what of the context moved them."""
    if limit.absolute is None and limit.relative is None:
        return (f"The office set no limit of {measure}, so nothing is judged: not evaluated is not a pass.",)
    owner = limit.owner.strip() or "nobody is named as setting them"
    if measure == "F_rel":
        said = f"F_rel is above where it is more than {plain(limit.relative or 0)} ({owner})."
    elif limit.absolute is None or limit.relative is None:
        missing = "absolute" if limit.absolute is None else "relative"
        said = f"The {missing} limit of {measure} is not set, so nothing is judged: not evaluated is not a pass."
    else:
        points = f"{plain(limit.relative)} percentage point{'s' * (limit.relative != 1)}"
        said = (
            f"{measure} is above where it is more than {plain(limit.absolute)} % of members, and more than {points} above "
            f"non-members ({owner})."
        )
    reason = limit.reason.strip().rstrip(".") or "no reason was given"
    context = [
        f"{d.question} {limit.context[d.name].strip()}" for d in CONTEXT if limit.context.get(d.name, "").strip()
    ]
    return (said, f"Why these limits: {reason}. {' '.join(context) or 'Their context is not stated.'}")


def _cells(r: Any) -> tuple[str, ...]:
    return (
        fixed(r["members"]),
        fixed(r["non_members"]),
        fixed(r["difference"], sign=True),
        f"{fixed(r['low'], sign=True)} to {fixed(r['high'], sign=True)}"
        + (" (holds 0)" if r["low"] <= 0 <= r["high"] else ""),
        fixed(r["sd"]) if r["sd"] == r["sd"] else NOTHING,
        fixed(r["R"]),
    )


def _by_synthesis(attributes: AttributeBaseline, identity: IdentityBaseline) -> list[Block]:
    """Return members and non-members of each synthesis, where there are several."""
    frames: list[tuple[str, pd.DataFrame]] = [
        (f"{measure} of {target}", rows)
        for measure in MEASURES
        for target, rows in attributes.figures[attributes.figures["measure"] == measure].groupby("target", sort=False)
    ]
    frames.append(("repU", identity.figures))
    numbers = [int(i) for i in identity.figures["synthesis"] if i != MEAN]
    if len(numbers) < 2:
        return []
    rows = [(name, *(_pair(frame, i) for i in numbers)) for name, frame in frames]
    return [
        table(
            "Each synthesis: members / non-members, %.",
            ("", *(f"Synthesis {i}" for i in numbers)),
            rows,
        )
    ]


def _pair(frame: pd.DataFrame, synthesis: int) -> str:
    row = frame[frame["synthesis"] == synthesis].iloc[0]
    return f"{fixed(row['members'])} / {fixed(row['non_members'])}"


def _rounded(source: Report, attributes: AttributeBaseline) -> Block:
    rows = sorted(attributes.summary("DiSCO").to_dict("records"), key=lambda r: str(r["target"]).casefold())
    return table(
        "DiSCO of each target, in % of the members and of the non-members; means over the syntheses. Lower is safer.",
        _HEAD[:3],
        [
            (
                str(r["target"]),
                redaction.share(source, r["members"], attributes.n_training),
                redaction.share(source, r["non_members"], attributes.n_holdout),
            )
            for r in rows
        ],
    )
