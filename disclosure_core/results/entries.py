"""The figures that a review can give, an `Entry` each: its name, how it is described, and when there is none.

All are of the judged figures: after exclusions for a reason, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from disclosure_core.counting.registry import COMPARED
from disclosure_core.counting.settings import Exclusions
from disclosure_core.errors import NotEvaluated, evaluated
from disclosure_core.figures import (
    all_but_one,
    contributions,
    denominators,
    dorig_disco,
    each_key,
    fewer_records,
    frontier,
    identity_by_size,
    keys_added,
    measures_by_size,
    members_outside,
    membership_keys,
    number_of_keys,
    risk_utility,
    sets_by_target,
    steps,
    strongest,
)
from disclosure_core.holdout.baseline import MEASURES
from disclosure_core.holdout.partition import NO_HOLDOUT
from disclosure_core.results import RESULTS, FewerRecords
from disclosure_core.results.declared import NOT_RUN, Drawn
from disclosure_core.review import least as of_least
from disclosure_core.sensitivity import release_size
from disclosure_core.sensitivity.strongest_intruder import MEASURES as MEASURES_OF_SEARCH
from disclosure_core.sensitivity.strongest_intruder import OF_KEYS

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.figures.plot import Plot
    from disclosure_core.results import Kind
    from disclosure_core.review.opened import Opened


_NOT_SEARCHED = NotEvaluated(
    "The subsets of the keys were not searched.", "Search them: on the Keys page, or with Opened.subsets()."
)
_NO_STRONGEST = NotEvaluated(
    "The strongest intruder was not searched for.", "Search: on the page Analyses, or with Opened.strongest_intruder()."
)
_NO_SUCH_FIGURE = NotEvaluated("This figure was not searched for.", "The notes of the search say why.")
_NO_LEAST = NotEvaluated(
    "The least safeguard was not searched for.", "Search: on the Safeguards page, or with disclosure protect --aim."
)
_NO_TAU = NotEvaluated("No threshold τ is chosen.", "Choose one on the Review page, or set the review's tau.")
_NO_MEMBERSHIP = NotEvaluated("Membership was not evaluated.", "Search for it on the page Analyses.")
_ONE_SET = NotEvaluated(
    "There is one set of syntheses, and no safeguard is tried.",
    "Bring several sets on the Data page, or try safeguards.",
)
_NOTHING_GIVEN_AWAY = NotEvaluated(
    "DiSCO counts no record of this target.", "Choose another target; nothing is to be done about this one here."
)
_NOTHING_DRAWN = NotEvaluated("There is nothing to draw.", "Take its tables.")
_NOT_DRAWN = NotEvaluated(
    "No smaller release was drawn.", "Ask for them on the page Analyses, or with FewerRecords.of(opened)."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One figure of the catalogue.

    Attributes
    ----------
    name
        What it is called in Python, on the command line and in the name of its file.
    title
        What a list of figures calls it.
    make
        Returns its description from an opened review and, where it is of one target, the target's name; or says why it
        cannot be evaluated.
    of_a_target
        Whether it is of one target.
    lacking
        Says, without computing a figure, why there is none; None where there is one.
    """

    name: str
    title: str
    make: Callable[[Opened, str], Plot | NotEvaluated]
    of_a_target: bool = False
    lacking: Callable[[Opened], NotEvaluated | None] = lambda _: None


def _compared(measure: str) -> Entry:
    original, synthetic = COMPARED[measure]
    return Entry(
        f"{original}-{synthetic}".lower(),
        f"Disclosure: {original} and {synthetic}",
        lambda opened, _: dorig_disco.describe(opened.assessment(), measure, before=_without_exclusions(opened)),
    )


def _at_tau(opened: Opened, _: str) -> Plot:
    return dorig_disco.describe(opened.assessment(), tau=opened.review.tau, before=_without_exclusions(opened))


def _without_exclusions(opened: Opened) -> Assessment | None:
    """Return the assessment with nothing excluded, where something is."""
    return None if opened.review.exclusions == Exclusions() else opened.before()


def _members(opened: Opened, _: str, *, measure: str) -> Plot | NotEvaluated:
    compared, limit = opened.attribute_baseline(), opened.review.limits.of(measure)
    if isinstance(compared, NotEvaluated):
        return compared
    return members_outside.describe(compared, measure, limit)


def _membership(opened: Opened, _: str) -> Plot | NotEvaluated:
    result = opened.finished_membership()
    return _NO_MEMBERSHIP if result is None else membership_keys.describe(result.curve(1.0, "F_rel"), "F_rel")


def _number_of_keys(opened: Opened, _: str) -> Plot | NotEvaluated:
    search = opened.finished_subsets(attributes=False)
    return _NOT_SEARCHED if search is None else number_of_keys.describe(search, opened.study().n_original)


def _each_key(opened: Opened, target: str) -> Plot | NotEvaluated:
    search = opened.finished_subsets()
    return _NOT_SEARCHED if search is None else each_key.describe(search, opened.study().n_original, target or None)


def _strongest(opened: Opened, target: str, *, measure: str) -> Plot | NotEvaluated:
    found = opened.finished_strongest()
    if found is None:
        return _NO_STRONGEST
    if ((found.worst["measure"] == measure) & (found.worst["target"] == target)).any():
        return strongest.describe(found, opened.study().n_original, measure, target)
    return _NO_SUCH_FIGURE


def _no_strongest(opened: Opened, *, measure: str) -> NotEvaluated | None:
    found = opened.finished_strongest()
    if found is None:
        return _NO_STRONGEST
    return None if (found.worst["measure"] == measure).any() else _NO_SUCH_FIGURE


def _of_search(measure: str) -> Entry:
    return Entry(
        f"strongest-{measure.lower().replace('_', '-')}",
        f"The strongest intruder, {strongest.NAMES[measure]}",
        partial(_strongest, measure=measure),
        of_a_target=measure not in OF_KEYS,
        lacking=partial(_no_strongest, measure=measure),
    )


def _frontier(opened: Opened, _: str) -> Plot | NotEvaluated:
    found = of_least.reported(opened)
    return _NO_LEAST if found is None else found if isinstance(found, NotEvaluated) else frontier.describe(found)


def _no_least(opened: Opened) -> NotEvaluated | None:
    found = of_least.reported(opened)
    return _NO_LEAST if found is None else found if isinstance(found, NotEvaluated) else None


def _of_result(kind: Kind, drawn: Drawn) -> Iterator[Entry]:
    """Give the figure of a further result: of all its targets, and of one where it can be asked of one."""

    def make(opened: Opened, target: str) -> Plot | NotEvaluated:
        found = kind.of(opened, **({"target": target} if target else {}))
        return found if isinstance(found, NotEvaluated) else found.figure() or _NOTHING_DRAWN

    def lacking(opened: Opened) -> NotEvaluated | None:
        why = evaluated(lambda: kind.missing(opened))
        return None if why == NOT_RUN and drawn.unasked else why

    each = "target" in kind.asks.model_fields
    name, title = (f"{drawn.name}-all", f"{drawn.title}, every target") if each else (drawn.name, drawn.title)
    if drawn.of_all:
        yield Entry(name, title, make, lacking=lacking)
    if each:
        yield Entry(drawn.name, drawn.title, make, of_a_target=True, lacking=lacking)


def _denominators(opened: Opened, target: str) -> Plot:
    limit = opened.review.exclusions.denominator_limit
    return denominators.describe(opened.before().targets[target], "original", limit)


def _contributions(opened: Opened, target: str) -> Plot | NotEvaluated:
    plot = contributions.describe(opened.assessment().targets[target])
    return plot if plot.bars else _NOTHING_GIVEN_AWAY


def _fewer(opened: Opened, target: str = "") -> FewerRecords | None:
    """Return what was drawn of smaller releases, of a target or of all, where it is there or is to be in the report."""
    every = FewerRecords.asking_all(opened)
    for of in (opened, every) if target else (every,):
        found = FewerRecords.of(of) if FewerRecords.in_report(of.review) else FewerRecords.kept(of)
        if isinstance(found, FewerRecords) and (not target or found.has(target)):
            return found
    return None


def _smaller(opened: Opened, target: str, *, measure: str) -> Plot | NotEvaluated:
    found, limit = _fewer(opened, target), opened.review.exclusions.denominator_limit
    return _NOT_DRAWN if found is None else fewer_records.describe(found.bands.attribute, target, measure, limit)


def _disco_tcaps(opened: Opened, _: str) -> Plot | NotEvaluated:
    found = _fewer(opened)
    targets = tuple(opened.assessment().summary()["target"].tolist()[::-1])
    return _NOT_DRAWN if found is None else measures_by_size.describe_pair(found.bands.attribute, targets)


def _by_size(opened: Opened, target: str) -> Plot | NotEvaluated:
    found = _fewer(opened, target)
    return _NOT_DRAWN if found is None else measures_by_size.describe(found.bands.attribute, target)


def _identity_by_size(opened: Opened, _: str) -> Plot | NotEvaluated:
    found = _fewer(opened)
    return _NOT_DRAWN if found is None else identity_by_size.describe(found.bands.identity, opened.assessment())


def _not_drawn(opened: Opened, *, of_all: bool = False) -> NotEvaluated | None:
    """Return why there is no figure of smaller releases, without drawing any."""
    every = FewerRecords.asking_all(opened)
    there = FewerRecords.in_report(opened.review) or any(
        map(FewerRecords.kept, (every,) if of_all else (opened, every))
    )
    return None if there else _NOT_DRAWN


def _no_holdout(opened: Opened) -> NotEvaluated | None:
    return NO_HOLDOUT if opened.review.holdout is None else None


def _one_set(opened: Opened) -> NotEvaluated | None:
    return None if opened.compares_several else _ONE_SET


def _not_searched(opened: Opened, *, attributes: bool) -> NotEvaluated | None:
    return _NOT_SEARCHED if opened.finished_subsets(attributes=attributes) is None else None


_none_of_all = partial(_not_drawn, of_all=True)

ENTRIES = (
    *(_compared(measure) for measure in COMPARED),
    Entry(
        "given-away-tau",
        "Disclosure by claims at least τ sure",
        _at_tau,
        lacking=lambda opened: _NO_TAU if opened.review.tau is None else None,
    ),
    Entry(
        "keys-added",
        "Contribution of each key",
        lambda opened, _: keys_added.describe(opened.growth(), opened.study().n_original),
    ),
    Entry(
        "all-but-one",
        "Which key matters: all keys, and all but one",
        lambda opened, _: all_but_one.describe(opened.without_each(), opened.study().n_original),
    ),
    *(
        Entry(
            f"members-outside-{measure.lower()}",
            f"Members and people outside, {measure}",
            partial(_members, measure=measure),
            lacking=_no_holdout,
        )
        for measure in MEASURES
    ),
    Entry(
        "membership-keys",
        "Membership by number of keys",
        _membership,
        lacking=lambda opened: _NO_MEMBERSHIP if opened.finished_membership() is None else None,
    ),
    Entry(
        "number-of-keys",
        "How many keys it takes",
        _number_of_keys,
        lacking=partial(_not_searched, attributes=False),
    ),
    Entry("each-key-repu", "Which keys matter, repU", _each_key, lacking=partial(_not_searched, attributes=True)),
    *(_of_search(measure) for measure in MEASURES_OF_SEARCH if measure in OF_KEYS),
    *(entry for kind in RESULTS if kind.drawn for entry in _of_result(kind, kind.drawn)),
    Entry("disco-tcaps-by-size", "DiSCO and TCAPs by the records released", _disco_tcaps, lacking=_none_of_all),
    Entry("identity-by-size", "repU and UiOiS by the records released", _identity_by_size, lacking=_none_of_all),
    Entry(
        "risk-utility",
        "Sets side by side: disclosure and usefulness",
        lambda opened, _: risk_utility.describe(opened.comparison()),
        lacking=_one_set,
    ),
    Entry(
        "sets-by-target",
        "Sets side by side: every target",
        lambda opened, _: sets_by_target.describe(opened.comparison()),
        lacking=_one_set,
    ),
    Entry("least-safeguard", "The least safeguard", _frontier, lacking=_no_least),
    Entry(
        "steps",
        "The steps of an intruder",
        lambda opened, target: steps.describe(opened.assessment().targets[target]),
        of_a_target=True,
    ),
    Entry("denominators", "Denominators", _denominators, of_a_target=True),
    Entry(
        "claims",
        "Records behind claims",
        lambda opened, target: denominators.describe(opened.before().targets[target], "synthetic"),
        of_a_target=True,
    ),
    Entry(
        "contributions",
        "Where the risk lies",
        _contributions,
        of_a_target=True,
    ),
    Entry(
        "each-key-disco",
        "Which keys matter, DiSCO",
        _each_key,
        of_a_target=True,
        lacking=partial(_not_searched, attributes=True),
    ),
    *(_of_search(measure) for measure in MEASURES_OF_SEARCH if measure not in OF_KEYS),
    Entry(
        "measures-by-size",
        "DiSCO, TCAP and DCAP by the records released",
        _by_size,
        of_a_target=True,
        lacking=_not_drawn,
    ),
    *(
        Entry(
            f"fewer-records-{measure.lower()}",
            f"Fewer records, {measure}",
            partial(_smaller, measure=measure),
            of_a_target=True,
            lacking=_not_drawn,
        )
        for measure in release_size.MEASURES
    ),
)
