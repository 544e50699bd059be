"""Membership in a report: the questions, what they allow, F beside guessing, and the curve by number of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.counting.measures import over_syntheses
from disclosure_core.figures import membership_keys
from disclosure_core.holdout import threat_model as threat_model_of
from disclosure_core.holdout.decision import Limit, decide_membership
from disclosure_core.holdout.fscores import INTERVAL
from disclosure_core.holdout.membership_figures import ANY_SYNTHESIS, Membership
from disclosure_core.report.outside import limit_sentences
from disclosure_core.report.pieces import span, table
from disclosure_core.report.source import MEMBERSHIP, Block, Report, Section
from disclosure_core.rounding import NOTHING, score

if TYPE_CHECKING:
    from disclosure_core.holdout.threat_model import ThreatModel

WORDS = (
    "Somebody says “this person was in the data” where the person's keys occur in the synthetic data. Precision: of those "
    "said to be in the data, the share that are; recall: of those in the data, the share found.",
    "F_β = (1 + β²)·precision·recall / (β²·precision + recall). β weighs recall against precision: 0.5 for somebody who wants "
    "to be right, 2 for somebody who wants to miss nobody, 1 between. Where nobody can be assumed, the largest F_rel counts.",
    "F of guessing (F_naive) = (1 + β²)·t / (β²·t + 1), for guessing it of everybody; t = n / N is the share of the "
    "population that is in the data. F_rel = (F − F_naive) / (1 − F_naive): 0 for a mere guess, 1 for certainty, below 0 worse "
    "than a guess.",
)
"""What the figures mean (consensus.md 2.4), to be printed with them."""


def questions(threat_model: ThreatModel, n_records: int | None = None) -> Block:
    """Return the questions that come before any figure, with the office's answers."""
    m = threat_model
    size = "not stated" if m.population_size is None else f"{m.population_size:,} people"
    whole = "the whole original: training data and holdout"
    made_of = "the training data alone" if m.training_alone else whole
    if m.training_alone is None:
        made_of = "not answered" if n_records is None else f"not answered; figures are of {whole}"
    n = "" if n_records is None else f", {n_records:,} records"
    return table(
        "The questions before any figure of membership (R5), and the office's answers",
        ("Question", "Answer"),
        [
            (threat_model_of.POPULATION, m.population.strip() or "not stated"),
            (
                threat_model_of.SIZE,
                f"{size}; {m.source.strip() or 'no source named'}",
            ),
            (threat_model_of.MADE_OF, f"{made_of}{n}"),
            (threat_model_of.SAME_POPULATION, _answer(m.same_population)),
            (threat_model_of.NEWS, _answer(m.news)),
            (threat_model_of.RANDOM_SAMPLE, _answer(m.random_sample)),
            (threat_model_of.AFTER, "not answered" if m.motive is None else str(m.motive)),
        ],
        texts=2,
    )


def _answer(value: bool | None) -> str:
    return "not answered" if value is None else "yes" if value else "no"


def refused(why: str, threat_model: ThreatModel) -> Section:
    """Return the section where there is no figure: the reason that the page gives; the answers stand in the appendix."""
    return Section(MEMBERSHIP, (Block("text", f"Not evaluated. {why}"),), more=(questions(threat_model),))


def withheld(source: Report, *, searched: bool) -> Section:
    """Return the section of a shareable report: no figure, whatever was found, and the answers in the appendix."""
    said = WITHHELD if searched else "Not evaluated."
    return Section(
        MEMBERSHIP,
        (Block("text", said),),
        frozenset({8} if searched else ()),
        more=(questions(source.review.threat_model),),
    )


WITHHELD = (
    "Whether membership is evaluated, and its figures, stand in the internal version: by how much one person moves them is "
    "not proved."
)


def section(result: Membership, limit: Limit) -> Section:
    """Return the part on membership of an internal report: F, F of guessing and F relative to guessing, always together.

    Source
    ------
    Expert consensus, recommendations 1, 2 and 5 to 7.
    """
    rows = [
        (
            f"{r['beta']:g}",
            three(r["F_naive"]),
            three(r["F"]),
            three(r["F_rel"]),
            ", ".join(r["worst_keys"]),
            three(r["worst_F"]),
            three(r["worst_F_rel"]),
        )
        for r in result.summary().to_dict("records")
    ]
    blocks = [
        Block("text", "Could somebody tell that a person was in the original at all?"),
        table(
            "F scores, means over the syntheses, for all keys and for the subset of the keys with the largest F_rel; lower is "
            "safer.",
            ("β", "F_naive", "F, all keys", "F_rel, all keys", "Worst keys", "F, worst", "F_rel, worst"),
            rows,
        ),
    ]
    more = [questions(result.threat_model, result.n_records), *_exact(result), Block("list", items=WORDS)]
    blocks += [*_decisive(result, limit), Block("list", items=tuple(result.notes))]
    covers = frozenset({8} | ({7} if result.coverage.whole else set()))
    return Section(
        MEMBERSHIP, tuple(block for block in blocks if block.kind != "list" or block.items), covers, tuple(more)
    )


def three(value: float) -> str:
    """Return a score with three digits, or more: t is often small, and so is F."""
    return score(value, 3) if value == value else NOTHING


def _decisive(result: Membership, limit: Limit) -> list[Block]:
    """Return the figure that counts, beside its limit."""
    decisive: Any = result.decisive()
    beta = float(decisive["beta"])
    honest = result.honest_worst(beta)
    at_least = "" if result.complete else "at least "
    return [
        Block(
            "text",
            f"The figure that counts: β = {beta:g}, F_rel {at_least}{three(decisive['worst_F_rel'])} for the worst subset of the "
            f"keys{result.coverage.of_those} ({', '.join(decisive['worst_keys'])}), {three(decisive['F_rel'])} for all keys: "
            f"{decide_membership(float(decisive['worst_F_rel']), limit, complete=result.complete)}. The worst of many can look worse than it is: chosen on "
            f"one half of the people, {', '.join(honest.keys)} has {three(honest.picked)}; measured on the other half, "
            f"{three(honest.read)}.",
        ),
        Block("list", items=limit_sentences("F_rel", limit)),
    ]


def _exact(result: Membership) -> list[Block]:
    """Return F_rel by the number of keys, and of each synthesis."""
    decisive: Any = result.decisive()
    beta = float(decisive["beta"])
    plot = membership_keys.describe(result.curve(beta, "F_rel"), "F_rel")
    each = result.all_keys((beta,))
    rows = [
        (
            "Any of them" if r["synthesis"] == ANY_SYNTHESIS else f"Synthesis {r['synthesis']}",
            three(r["precision"]),
            three(r["recall"]),
            three(r["F"]),
            three(r["F_rel"]),
            span(three(r["F_rel_low"]), three(r["F_rel_high"])),
            three(r["advantage"]),
        )
        for r in each.to_dict("records")
    ]
    alone = each[each["synthesis"] != ANY_SYNTHESIS]
    if len(alone) > 1:
        over = over_syntheses(alone[["precision", "recall", "F", "F_rel", "advantage"]].to_numpy(dtype=float), axis=0)
        for label, name in (("Mean", "mean"), ("SD", "sd")):
            precision, recall, f, f_rel, advantage = (three(float(v)) for v in over[name])
            rows.append((label, precision, recall, f, f_rel, NOTHING, advantage))
    return [
        Block(
            "figure",
            f"F_rel by the number of keys that are known, β = {beta:g}: the mean over the subsets of so many, and "
            "their range.",
            plot=plot,
        ),
        table(
            f"All keys, β = {beta:g}, each synthesis; F_rel with its 95 % interval; a − b: of members less of non-members, the "
            "share whose keys occur.",
            ("", "Precision", "Recall", "F", "F_rel", "95 % interval", "a − b"),
            rows,
        ),
        Block("note", items=(INTERVAL,)),
    ]
