"""The finding of a view in one sentence, and what stands beneath it: decided here, worded nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from disclosure_core.rounding import compare, fixed

if TYPE_CHECKING:
    from disclosure_core.holdout.baseline import AttributeBaseline

FEW = 3
"""Targets that a headline names; of more it names the first of them."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A finding.

    Attributes
    ----------
    text
        One sentence, without a full stop.
    beneath
        What qualifies it, sentences; empty where nothing does.
    """

    text: str
    beneath: str = ""


@dataclass(frozen=True, slots=True)
class SetBesideFirst:
    """How one set of syntheses stands beside the first one, where their intervals tell them apart.

    Attributes
    ----------
    name
        Of the set.
    more, less
        Targets of which it discloses more, and less, by intervals over syntheses that hold no 0.
    n
        Targets compared.
    useful
        1 where it is more useful by such an interval, −1 where less, 0 where neither is shown.
    intervals
        Whether there are intervals at all: both sets have several syntheses, and one of them varies.
    """

    name: str
    more: int
    less: int
    n: int
    useful: int = 0
    intervals: bool = True


def of_people_outside(found: AttributeBaseline, measure: str = "DiSCO") -> Headline:
    """Return what the comparison with people outside shows, all targets judged together.

    Parameters
    ----------
    found
        Members and people outside.
    measure
        "DiSCO", or "DCAP", of which nothing is said of own answers.

    Source
    ------
    measures.md 10: own answers are said of M alone, after Holm's correction; else at most so much among those compared.
    """
    effect: Any = found.summary(measure).merge(found.effect[found.effect["measure"] == measure], on="target")
    if not len(effect):
        return Headline("No target is compared with people outside")
    if found.by_lot is not None:
        return Headline("Nothing is concluded of members’ own answers", f"{found.by_lot.why} {_largest(effect)}")
    taking_part = _taking_part(effect)
    if measure != "DiSCO":
        return Headline(taking_part, "Members’ own answers are looked for by DiSCO.")
    same: Any = found.same_keys
    evaluated = same[same["why"] == ""].sort_values("points", ascending=False, kind="stable")
    n = len(evaluated)
    if not n:
        why = same["why"].iloc[0]
        return Headline(
            "Whether members’ own answers are in the synthetic data is not evaluated", f"{why} {taking_part}."
        )
    own = evaluated.loc[evaluated["leaked"], "target"].tolist()
    beneath = [] if n == len(same) else [f"Not evaluated for {len(same) - n} of {_targets(len(same))}."]
    which = " evaluated" * (n < len(same))
    if own:
        text = f"Members’ own answers are in the synthetic data for {_how_many_of(len(own), n)}{which}{_named(own, n)}"
        top = effect.sort_values("difference", ascending=False, kind="stable").iloc[0]
        if top["shown"] and top["difference"] > 0 and top["target"] in set(evaluated["target"]) - set(own):
            beneath.append(
                f"{top['target']} has the largest effect of taking part ({fixed(top['difference'], 1, sign=True)} "
                "percentage points), and own answers are not shown for it."
            )
        return Headline(text, " ".join(beneath))
    most = evaluated.sort_values("high", ascending=False, kind="stable").iloc[0]
    points = f"{fixed(max(most['high'], 0.0), 1)} percentage points" + (f" ({most['target']})" if n > 1 else "")
    beneath.insert(0, f"At most {points}, among the {fixed(most['compared'], 0)} % of members compared.")
    text = f"Members’ own answers are not shown to be in the synthetic data for {_none_of(n)}{which}"
    return Headline(text, " ".join([*beneath, f"{taking_part}."]))


def of_methods(first: str, others: Sequence[SetBesideFirst]) -> Headline:
    """Return how the sets stand beside the first one: which disclose more or less, and what that costs.

    Parameters
    ----------
    first
        The set that the others are compared with.
    others
        In their order.

    Source
    ------
    measures.md 15: two sets are told apart only where they vary over syntheses and the interval excludes 0.
    """
    if not others:
        return Headline(f"No other set is compared with {first}")
    told = [text for text in map(_of_set, others) if text]
    mute = [each.name for each in others if not each.intervals]
    unlike = [each.name for each in others if each.intervals and not _of_set(each)]
    beneath = []
    if mute:
        beneath.append(f"Whether {_listed(mute)} {_are(mute)} different by more than chance cannot be told.")
    if told:
        if unlike:
            beneath.append(f"{_listed(unlike)} {_are(unlike)} not told apart from {first}.")
        return Headline(f"Beside {first}: {'; '.join(told)}", " ".join(beneath))
    if mute and not unlike:
        return Headline(f"No interval tells {_listed(mute)} apart from {first}", " ".join(beneath))
    return Headline(f"{_listed(unlike)} {_are(unlike)} not told apart from {first}", " ".join(beneath))


def of_safeguards(
    changes: Sequence[tuple[str, float, float]],
    repu: tuple[float, float],
    own: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None),
) -> Headline:
    """Return what safeguards do: to how many targets, and whether own answers are shown still.

    Parameters
    ----------
    changes
        By target DiSCO before and after, %, the largest before first.
    repu
        Before and after, %.
    own
        The targets of which members' own answers are shown, before and after; None where that is not evaluated.
    """
    if not changes:
        return Headline("No target is left to compare")
    n, moves = len(changes), [compare(after, before) for _, before, after in changes]
    falls, rises = moves.count(-1), [name for (name, _, _), move in zip(changes, moves, strict=True) if move > 0]
    text = f"DiSCO falls for {_how_many_of(falls, n)}" if falls else "DiSCO falls for no target"
    if rises:
        text += f" and rises for {_some(rises)}"
    if own[1] is not None:
        new = [name for name in own[1] if own[0] is not None and name not in own[0]]
        still = [name for name in own[1] if name not in new]
        said = [f"own answers are still shown for {_some(still)}"] if still else []
        said += (
            [f"newly shown for {_some(new)}" if said else f"own answers are newly shown for {_some(new)}"]
            if new
            else []
        )
        text += f"; {', '.join(said) or 'own answers are not shown for any'}"
    name, before, after = changes[0]
    return Headline(text, f"{name} {_to(before, after)}, repU {_to(*repu)}.")


def _to(before: float, after: float) -> str:
    if compare(before, after) == 0:
        return f"stays at {fixed(after, 1)} %"
    return f"from {fixed(before, 1)} to {fixed(after, 1)} %"


def _some(names: Sequence[str]) -> str:
    """Return names, those that no longer fit a headline as a number."""
    return _listed(names) if len(names) <= FEW else f"{len(names):,} targets"


def _of_set(each: SetBesideFirst) -> str:
    """Return what is shown of one set; empty where nothing is."""
    if not each.intervals:
        return ""
    parts = [
        f"discloses {word} of {'all ' if k == each.n > 1 else ''}{k if k == each.n else f'{k} of {each.n}'} "
        f"target{'s' * (each.n > 1)}"
        for word, k in (("more", each.more), ("less", each.less))
        if k
    ]
    useful = {1: "is more useful", -1: "is less useful"}.get(each.useful, "")
    if not parts:
        return f"{each.name} {useful}" if useful else ""
    useful = useful or ("is not shown to be more useful" if each.more else "is not shown to be less useful")
    return f"{each.name} {', '.join(parts)} and {useful}"


def _taking_part(effect: Any) -> str:
    """Return how many differences are shown, all targets judged together."""
    shown = effect[effect["shown"]]
    more = int((shown["difference"] > 0).sum())
    fewer = len(shown) - more
    n = len(effect)
    if not len(shown):
        return "No target is shown to differ from people outside"
    parts = [f"more frequent for {_how_many_of(more, n)}"] if more else []
    parts += [f"less frequent for {_how_many_of(fewer, n)}"] if fewer else []
    return f"Taking part made correct disclosure {' and '.join(parts)}"


def _largest(effect: Any) -> str:
    top = effect.sort_values("difference", ascending=False, kind="stable").iloc[0]
    return (
        f"The largest difference from people outside is {fixed(top['difference'], 1, sign=True)} percentage points "
        f"({top['target']})."
    )


def _named(names: Sequence[str], n: int) -> str:
    """Return which targets are meant, the first of them where they are many; nothing where all are."""
    if len(names) == n > 1:
        return ""
    return f": {', '.join(names)}" if len(names) <= FEW else f", {', '.join(names[:FEW])} first"


def _how_many_of(k: int, n: int) -> str:
    return _targets(n) if k == n == 1 else f"all {_targets(n)}" if k == n else f"{k:,} of {_targets(n)}"


def _none_of(n: int) -> str:
    return "the one target" if n == 1 else f"any of {_targets(n)}"


def _targets(n: int) -> str:
    return f"{n:,} target{'s' * (n != 1)}"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
