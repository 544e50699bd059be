"""What a holdout adds to a report: people outside the data beside the members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.conclusions.difference import by_sentence
from disclosure_core.figures import members_outside
from disclosure_core.holdout.baseline import INTERVAL, MEAN, MEASURES, PARTS
from disclosure_core.holdout.decision import CONTEXT
from disclosure_core.report import redaction
from disclosure_core.report.pieces import table
from disclosure_core.report.source import SET_APART, Block, Section
from disclosure_core.rounding import NOTHING, fixed, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from disclosure_core.holdout.baseline import AttributeBaseline, IdentityBaseline
    from disclosure_core.holdout.decision import Limit, Limits
    from disclosure_core.report.source import ReportInput

HEADING = "People outside the data"

_HEAD = ("Target", "Members", "Non-members", "Difference", "95 % interval", "SD", "R")


def section(source: ReportInput, attributes: AttributeBaseline, identity: IdentityBaseline, limits: Limits) -> Section:
    """Return the part on members and non-members.

    A shareable report leaves out DCAP, the difference, its interval and the result: they would give back what rounding
    hides.

    Source
    ------
    Expert consensus, recommendations 2 and 8 to 10.
    """
    n, outside = attributes.n_training, attributes.n_holdout
    said = [
        f"{redaction.size(source, n)} members (the training records) and {redaction.size(source, outside)} non-members (the holdout), the same look-up for both. What "
        "is right of people outside the data is general knowledge.",
        *_of_the_file(source),
        *_noted(source, attributes),
    ]
    if source.shareable:
        blocks = [_rounded(source, attributes, identity), Block("list", items=tuple(said))]
        return Section(HEADING, tuple(blocks), covers=frozenset({9}))
    blocks = [Block("list", items=tuple(said))]
    for measure in MEASURES:
        blocks += _measure(attributes, measure, limits.of(measure))
    row: Any = identity.summary().iloc[0]
    blocks += [
        table(
            "repU of members, and of people outside who would have been unique among them, in %; means over the syntheses. "
            "A screening figure, which no limit judges.",
            ("", *_HEAD[1:]),
            [("repU", *_cells(row))],
        ),
        *_each(attributes, identity),
        Block("note", items=(INTERVAL,)),
    ]
    return Section(HEADING, tuple(blocks), covers=frozenset({9}))


def _noted(source: ReportInput, attributes: AttributeBaseline) -> list[str]:
    """Say what of the holdout may change what the figures mean; shares of it are exact, and stay in the office."""
    if source.shareable:
        return [redaction.DOUBTED] if attributes.doubts else []
    outside = () if source.remarks is None else source.remarks.outside
    said = dict.fromkeys((*attributes.doubts, *(note.text for note in outside if note.warning)))
    return redaction.notes(source, said)


def _of_the_file(source: ReportInput) -> list[str]:
    """Say which file the holdout is; its fingerprint is as confidential as the original's."""
    file = source.holdout
    if file is None:
        return []
    if source.shareable:
        return [f"The holdout: {file.name}; its fingerprint is {redaction.WITHHELD}."]
    print_ = (
        f"fingerprint {file.sha256}" if file.sha256 else "no fingerprint, for it came with the program or from Python"
    )
    how = source.set_apart or source.about.get(SET_APART, "").strip() or "how it was set apart is not stated"
    return [f"The holdout: {file.name}, {file.rows:,} records, {print_}; {how}."]


def _measure(attributes: AttributeBaseline, measure: str, limit: Limit) -> list[Block]:
    summary = attributes.summary(measure, limit)
    plot = members_outside.describe(attributes, measure, limit)
    rows = [(str(r["target"]), *_cells(r), str(r["result"])) for r in summary.iloc[::-1].to_dict("records")]
    return [
        Block("figure", plot.caption, plot=plot),
        Block(
            "table",
            f"{measure} of each target, % of the members and of the non-members; the difference in points; means over the "
            "syntheses, and the SD of the difference over them. Lower is safer.",
            columns=(*_HEAD, "Result"),
            rows=tuple(rows),
            figures=frozenset(range(1, len(_HEAD))),
            result=len(_HEAD),
        ),
        Block("list", items=limit_sentences(measure, limit)),
        *_made_of(attributes, measure),
        *(_beside_chance(attributes) if measure == "DiSCO" else []),
    ]


def _beside_chance(attributes: AttributeBaseline) -> Iterable[Block]:
    """Yield gain over chance and κ of both sides, where there is any claim: honest inference has a gain, too."""
    figures = ["gain", "gain_outside", "kappa", "kappa_outside"]
    rows = attributes.context.dropna(subset=figures, how="all").sort_values(
        "gain", ascending=False, na_position="last", kind="stable"
    )
    if len(rows):
        yield table(
            "Claims beside chance: gain over chance in percentage points of all members, and of all people outside, and κ of "
            "the people with a claim on each side; means over the syntheses. A gain is no evidence of leaking: honest "
            "inference has it, too.",
            ("Target", "Gain, members", "Gain, outside", "κ, members", "κ, outside"),
            [(str(r["target"]), *(fixed(r[name]) for name in figures)) for r in rows.to_dict("records")],
        )


def _made_of(attributes: AttributeBaseline, measure: str) -> list[Block]:
    """Return what the differences are made of, what people with the same keys tell, and what may be concluded."""
    targets = [str(t) for t in attributes.summary(measure)["target"].iloc[::-1]]
    said = by_sentence(attributes, measure)
    concluded = Block("list", items=tuple(f"{', '.join(names)}: {text}" for text, names in said.items()))
    if attributes.by_lot is not None:
        return [concluded]
    parts = attributes.parts[attributes.parts["measure"] == measure]
    names = PARTS[measure]
    rows = []
    for target in targets:
        found = {r["part"]: r for r in parts[parts["target"] == target].to_dict("records")}
        row = [target, *(_with_interval(found[n]) if n in found else NOT_EVALUATED for n in names)]
        if measure == "DiSCO":
            same: Any = attributes.same_keys[attributes.same_keys["target"] == target].iloc[0]
            row.append(NOT_EVALUATED if same["why"] else _with_interval(same))
        rows.append(tuple(row))
    compared = ""
    if measure == "DiSCO" and len(attributes.same_keys):
        same = attributes.same_keys.iloc[0]
        unique = (
            ""
            if same["compared_unique"] is None
            else f", {fixed(same['compared_unique'], 1)} % of those with unique keys"
        )
        compared = (
            f" The last column compares members with people outside who have the same keys: {fixed(same['compared'], 1)} % "
            f"of members{unique}. It alone can show that members' own answers are in the synthetic data."
        )
    return [
        table(
            f"What the difference in {measure} is made of, percentage points with 95 % intervals. The parts add up to it, and "
            f"compare different people.{compared}",
            ("Target", *(n.capitalize() for n in names), *(("Same keys",) if measure == "DiSCO" else ())),
            rows,
        ),
        concluded,
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
        said = f"Above means: F_rel of more than {plain(limit.relative or 0)} ({owner})."
    elif limit.absolute is None or limit.relative is None:
        missing = "absolute" if limit.absolute is None else "relative"
        said = f"The {missing} limit of {measure} is not set, so nothing is judged: not evaluated is not a pass."
    else:
        said = (
            f"Above means: more than {plain(limit.absolute)} % of members, and more than {plain(limit.relative)} points above "
            f"non-members ({owner})."
        )
    reason = limit.reason.strip().rstrip(".") or "no reason was given"
    context = [
        f"{d.question} {limit.context[d.name].strip()}" for d in CONTEXT if limit.context.get(d.name, "").strip()
    ]
    return (said, f"Why these limits: {reason}. {' '.join(context) or 'Nothing is said of their context.'}")


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


def _each(attributes: AttributeBaseline, identity: IdentityBaseline) -> list[Block]:
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
    rows = [
        (name, *(_pair(frame, i) for i in numbers)) for name, frame in frames
    ]  # fmt: skip
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


def _rounded(source: ReportInput, attributes: AttributeBaseline, identity: IdentityBaseline) -> Block:
    rows = sorted(attributes.summary("DiSCO").to_dict("records"), key=lambda r: str(r["target"]).casefold())
    rows += identity.summary().assign(target="repU, the keys alone").to_dict("records")
    return table(
        "DiSCO of each target, and repU, in % of the members and of the non-members; means over the syntheses. Lower is "
        "safer.",
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
