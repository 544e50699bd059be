"""What may be said of members beside people outside: the only place that words it (measures.md 10).

A sentence stands where the figures carry it, and no other does. *Leaked* is nobody's word but M's: that people's own
answers are in the synthetic data is said where people with the same keys show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import above, beside_limit, fixed

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.holdout.baseline import AttributeBaseline


class Saying(StrEnum):
    """What can be concluded of one target."""

    MORE = "members-more"
    FEWER = "members-fewer"
    NO_DIFFERENCE_SHOWN = "no-difference-shown"
    KEYS_MORE_OFTEN = "keys-more-often"
    RIGHT_MORE_OFTEN = "right-more-often"
    RIGHT_LESS_OFTEN = "right-less-often"
    NO_PARTS = "parts-not-evaluated"
    OWN_ANSWER = "own-answer"
    NOT_SHOWN = "own-answer-not-shown"
    NOT_EVALUATED = "own-answer-not-evaluated"
    OTHER_PEOPLE = "other-population"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may stand, and what it says."""

    saying: Saying
    text: str


def sentences(found: AttributeBaseline, target: str, measure: str = "DiSCO") -> tuple[Sentence, ...]:
    """Return the sentences that may stand of one target, the difference first, the same keys last.

    Parameters
    ----------
    found
        Members and people outside.
    target
        Its name.
    measure
        "DiSCO", or "DCAP", whose parts are two and of which nothing is said of own answers.

    Raises
    ------
    DisclosureError
        When the target is not there.

    Source
    ------
    measures.md 10.
    """
    rows = found.summary(measure)
    if target not in set(rows["target"]):
        raise DisclosureError(f"There is no baseline of {target!r}; choose one of {', '.join(rows['target'])}.")
    row: Any = rows[rows["target"] == target].iloc[0]
    if found.by_lot is not None:
        return (Sentence(Saying.OTHER_PEOPLE, f"{found.by_lot.why} No part of it is shown."),)
    made = [_difference(row), *_parts(found, target, measure)]
    return (*made, _same_keys(found, target)) if measure == "DiSCO" else tuple(made)


def interval(low: float, high: float) -> str:
    """Return an interval of percentage points as it stands in brackets; an end that is not 0 is not written as 0."""
    return f"{beside_limit(low, 0.0, 1)} to {beside_limit(high, 0.0, 1)}"


def _difference(row: Any) -> Sentence:
    points, both = fixed(abs(row["difference"]), 1), interval(row["low"], row["high"])
    if above(row["low"], 0):
        return Sentence(
            Saying.MORE,
            f"{points} percentage points more than for people outside ({both}): taking part made correct disclosure "
            "more frequent.",
        )
    if above(0, row["high"]):
        return Sentence(
            Saying.FEWER,
            f"{points} percentage points fewer than for people outside ({interval(-row['high'], -row['low'])}).",
        )
    return Sentence(
        Saying.NO_DIFFERENCE_SHOWN,
        f"No difference from people outside is shown ({fixed(row['difference'], 1)} percentage points, {both}).",
    )


def _parts(found: AttributeBaseline, target: str, measure: str) -> list[Sentence]:
    rows = found.parts[(found.parts["target"] == target) & (found.parts["measure"] == measure)]
    said = []
    if found.same_keys.loc[found.same_keys["target"] == target, "keys_sign"].iloc[0] > 0:
        said.append(Sentence(Saying.KEYS_MORE_OFTEN, "Members’ keys occur in the synthetic data more often."))
    if not len(rows):
        none = "The parts of the difference are not evaluated: one side has no claim."
        return [*said, Sentence(Saying.NO_PARTS, none)]
    right: Any = rows.iloc[-1]
    if right["sign"]:
        more, which = ("more", Saying.RIGHT_MORE_OFTEN) if right["sign"] > 0 else ("less", Saying.RIGHT_LESS_OFTEN)
        said.append(
            Sentence(
                which,
                f"Claims about members are right {more} often; members and people outside have different keys.",
            )
        )
    return said


def _same_keys(found: AttributeBaseline, target: str) -> Sentence:
    row: Any = found.same_keys[found.same_keys["target"] == target].iloc[0]
    if row["why"]:
        return Sentence(Saying.NOT_EVALUATED, f"{row['why']} Look at unique keys and copied records.")
    compared, both = fixed(row["compared"], 0), interval(row["low"], row["high"])
    if row["leaked"]:
        return Sentence(
            Saying.OWN_ANSWER,
            f"Among people with the same keys ({compared} % of members), members are disclosed correctly "
            f"{fixed(row['points'], 1)} percentage points more often ({both}): their own answers are in the "
            "synthetic data.",
        )
    return Sentence(
        Saying.NOT_SHOWN,
        f"That members’ own answers are in the synthetic data is not shown: at most {fixed(max(row['high'], 0.0), 1)} "
        f"percentage points among the {compared} % of members compared.",
    )


def by_sentence(found: AttributeBaseline, measure: str = "DiSCO") -> dict[str, list[str]]:
    """Return each sentence that may stand beside a table of the figures, and the targets that it is true of.

    What such a table says itself (more, fewer, no difference is shown) is left out.
    """
    said: dict[str, list[str]] = {}
    for target in map(str, found.summary(measure)["target"].iloc[::-1]):
        for each in sentences(found, target, measure):
            if each.saying not in (Saying.MORE, Saying.FEWER, Saying.NO_DIFFERENCE_SHOWN):
                said.setdefault(each.text, []).append(target)
    return said


def leaked(found: AttributeBaseline, target: str) -> bool | None:
    """Return whether own answers are shown to be in the synthetic data; None where that is not evaluated."""
    if found.by_lot is not None:
        return None
    row: Any = found.same_keys[found.same_keys["target"] == target].iloc[0]
    return None if row["why"] else bool(row["leaked"])


def table(found: AttributeBaseline) -> pd.DataFrame:
    """Return a row a target and measure, with the parts and M beside the difference and what may be said of them.

    Returns
    -------
    DataFrame
        target and measure; members, non_members, difference, low and high; the points of each part and its interval,
        NaN where not evaluated; for DiSCO gain over chance and κ of both sides, M with its interval, and compared; and
        conclusions, the sentences.
    """
    import pandas as pd

    rows = []
    for measure in ("DiSCO", "DCAP"):
        for row in found.summary(measure).to_dict("records"):
            target = str(row["target"])
            kept = {name: row[name] for name in ("target", "members", "non_members", "difference", "low", "high")}
            kept["measure"] = measure
            of_target = found.parts[(found.parts["target"] == target) & (found.parts["measure"] == measure)]
            for part in of_target.to_dict("records"):
                name = str(part["part"]).replace(" ", "_")
                kept |= {name: part["points"], f"{name}_low": part["low"], f"{name}_high": part["high"]}
            if measure == "DiSCO":
                context = found.context[found.context["target"] == target].iloc[0]
                kept |= {name: context[name] for name in ("gain", "gain_outside", "kappa", "kappa_outside")}
            same = found.same_keys[found.same_keys["target"] == target]
            if measure == "DiSCO" and len(same):
                of_same = same.iloc[0].to_dict()
                if of_same["why"]:  # a figure that is not evaluated is nobody's to read
                    of_same |= {"points": float("nan"), "low": float("nan"), "high": float("nan"), "leaked": None}
                kept |= {"M" if n == "points" else f"M_{n}": of_same[n] for n in ("points", "low", "high", "leaked")}
                kept |= {n: of_same[n] for n in ("compared", "compared_unique", "informative")}
            kept["conclusions"] = " ".join(s.text for s in sentences(found, target, measure))
            rows.append(kept)
    made = pd.DataFrame(rows)
    if "M_leaked" in made:  # yes, no or neither: never a figure without an answer, also where nothing is evaluated
        made["M_leaked"] = made["M_leaked"].astype(object).where(made["M_leaked"].notna(), None)
    return made
