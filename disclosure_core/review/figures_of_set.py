"""Of a review and what was read: the figures of a set, before and after safeguards, and of people outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.counting import copies as copying
from disclosure_core.counting.assessment import Assessment, assess
from disclosure_core.counting.identity import identity_by_keys, identity_without_each
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import Exclusions, Settings
from disclosure_core.data import naming
from disclosure_core.data.study import AnyStudy, Study
from disclosure_core.errors import NotEvaluated
from disclosure_core.holdout import baseline
from disclosure_core.holdout import identity_baseline as of_identity
from disclosure_core.holdout import partition as joining
from disclosure_core.holdout.partition import NO_HOLDOUT, OTHERS, Partition
from disclosure_core.protection import usefulness as useful
from disclosure_core.protection.safeguards import Protected
from disclosure_core.review.data import counted, decided, decided_holdout
from disclosure_core.review.scenarios import assessed
from disclosure_core.review.tables_of_set import (
    adopted_steps,
    of_keys,
    outside_through_safeguards,
    with_records,
)

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.copies import Copies
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.naming import Introduced
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.identity_baseline import IdentityBaseline
    from disclosure_core.protection.in_engine import ProtectedThere
    from disclosure_core.protection.usefulness import Usefulness
    from disclosure_core.review.opened import Opened


def introduced(opened: Opened, synthesis_set: str | None = None) -> tuple[Introduced, ...]:
    """Return the keys and targets of the printed figures that have a label, or levels that count as missing."""
    result = opened.assessment(None, synthesis_set)
    return naming.introduced(
        opened.study(synthesis_set), opened.labels(synthesis_set), opened.review.keys, result.targets
    )


def assessment(opened: Opened, exclusions: Exclusions | None = None, synthesis_set: str | None = None) -> Assessment:
    """Return what the synthetic data disclose, under the review's exclusions or others.

    A target that does not meet is not among them (`not_met`).

    Raises
    ------
    NothingEvaluatedError
        When a key does not meet, or no target does.
    DisclosureError
        As `assess`.
    """
    name = synthesis_set or opened.first_set
    study, settings = opened.study(name), opened.met(opened.review.settings, name)
    if exclusions is not None:
        settings = replace(settings, exclusions=exclusions)
    if any(s.origin is not None for s in opened.review.sets):  # a merged level is in one set and not in another
        settings, _ = restrict_to_study(study, settings)
    tables = opened.once(*_tables_asked(opened, name, settings), make=lambda: counted(opened.review, study, settings))
    earlier = [each for each in opened.results.latest("assessment") if each.tables is tables]
    return opened.once(
        "assessment",
        opened.set_key(name),
        opened.review.columns,
        settings.to_json(),
        make=lambda: assess(study, settings, tables, earlier[0] if earlier else None),
    )


def before(opened: Opened, synthesis_set: str | None = None) -> Assessment:
    """Return the assessment with nothing excluded, to compare with."""
    return opened.assessment(Exclusions(), synthesis_set)


def is_counted(opened: Opened, synthesis_set: str | None = None) -> bool:
    """Return whether the tables of what is asked are there already, so that its assessment takes no time."""
    name = synthesis_set or opened.first_set
    return opened.kept(*_tables_asked(opened, name, opened.review.settings)) is not None


def _tables_asked(opened: Opened, name: str, settings: Settings) -> tuple[Any, ...]:
    return "tables", opened.set_key(name), opened.review.columns, settings.counting()


def scenarios(opened: Opened, synthesis_set: str | None = None) -> tuple[tuple[str, Assessment], ...]:
    """Return each scenario's name and assessment; nothing is counted again."""
    return assessed(opened.study(synthesis_set), opened.assessment(None, synthesis_set), opened.review.scenarios)


def growth(opened: Opened, synthesis_set: str | None = None) -> pd.DataFrame:
    """Return how identity disclosure grows as the keys are added; see `identity_by_keys`."""
    keys = opened.review.keys
    return _of_keys(opened, "growth", synthesis_set, lambda study, asked: identity_by_keys(study, asked, keys))


def without_each(opened: Opened, synthesis_set: str | None = None) -> pd.DataFrame:
    """Return identity disclosure with all keys, and with all but one; see `identity_without_each`."""
    return _of_keys(opened, "without_each", synthesis_set, identity_without_each)


def _of_keys(
    opened: Opened, kind: str, synthesis_set: str | None, make: Callable[[AnyStudy, Settings], pd.DataFrame]
) -> pd.DataFrame:
    """Return a table that only the keys move."""
    name = synthesis_set or opened.first_set
    settings = opened.met(opened.review.settings, name)
    found: pd.DataFrame = opened.once(
        kind,
        opened.set_key(name),
        opened.review.columns,
        of_keys(opened),
        make=lambda: make(opened.study(name), settings),
    )
    return found


def after_safeguards(opened: Opened, synthesis_set: str | None = None) -> Assessment:
    """Return the assessment of the safer syntheses; what these no longer have is dropped from what is asked."""
    return opened.as_adopted(synthesis_set).assessment()


def usefulness(opened: Opened, synthesis_set: str | None = None, progress: Progress | None = None) -> Usefulness:
    """Return how near the tables of one set are to the original's; what `progress` raises ends it.

    The original is as it came, also beside safer syntheses.
    """
    name = synthesis_set or opened.first_set
    base, origins = opened.review.ancestry(name)

    def make() -> Usefulness:
        study = opened.study(base)
        if not origins:
            return useful.usefulness(study, progress=progress)
        return _usefulness_of(study, opened.adopted(name), progress)

    return opened.once(*_usefulness_asked(opened, name), make=make)


def usefulness_is_kept(opened: Opened) -> bool:
    """Return whether `usefulness()` is there for the set that figures speak of, so that nothing is counted."""
    return opened.kept(*_usefulness_asked(opened, opened.first_set)) is not None


def _usefulness_asked(opened: Opened, name: str) -> tuple[Any, ...]:
    return "usefulness", opened.set_key(name), opened.review.columns


def usefulness_after_safeguards(
    opened: Opened, synthesis_set: str | None = None, progress: Progress | None = None
) -> Usefulness:
    """Return the same of the safer syntheses.

    Raises
    ------
    DisclosureError
        As `protect`.
    """
    return opened.as_adopted(synthesis_set).usefulness(None, progress)


def partition(opened: Opened, synthesis_set: str | None = None) -> Partition | NotEvaluated:
    """Return original, holdout and syntheses coded together, or why there is no baseline."""
    name, review, data = synthesis_set or opened.first_set, opened.review, opened.data
    base, origins = review.ancestry(name)

    def make() -> Partition | NotEvaluated:
        if data.outside_engine is not None and origins:
            return _seen_there(opened, base, name)
        if data.outside_engine is not None:
            elsewhere = Partition(data.outside_engine(opened.study(name)), random=True)
            return elsewhere.refusal or elsewhere
        if data.holdout is None:
            return NO_HOLDOUT
        if twin := data.twin_of_holdout(base):
            return NotEvaluated(f"The holdout is the file {twin} itself.", OTHERS)
        if origins:
            joined, _ = outside_through_safeguards(opened, name, adopted_steps(opened, name))
            return joined if isinstance(joined, NotEvaluated) else replace(joined, random=True)
        (original, *synthetic), mends = decided(review, data, name)
        outside = decided_holdout(review, data, mends, name)
        return joining.partition(original, outside, synthetic, finished=with_records(opened, name), random=True)

    kind = "partition_after" if origins else "partition"  # the sets of a comparison leave what is tried its place
    return opened.once(kind, opened.set_key(name), review.columns, make=make)


def _seen_there(opened: Opened, base: str, name: str) -> Partition | NotEvaluated:
    """Return the same of a set after safeguards, where the records stay in an engine."""
    before, safer = opened.partition(base), opened.adopted(name)
    if isinstance(before, NotEvaluated) or isinstance(safer, Protected):
        return before
    from disclosure_core.engines.outside import EngineJoined
    from disclosure_core.protection.seen_there import seen_there

    assert isinstance(before.joint, EngineJoined)
    joined = Partition(seen_there(before.joint, safer), random=True)
    return joined.refusal or joined


def copies(opened: Opened, synthesis_set: str | None = None) -> Copies | NotEvaluated:
    """Return whole records, and values of identifiers, that the syntheses have from the original.

    Examples
    --------
    >>> import pandas as pd
    >>> from disclosure_core import Review
    >>> original = pd.DataFrame({"age": [30, 30, 41, 44], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> synthetic = pd.DataFrame({"age": [44, 30, 41, 41], "job": ["baker", "cook", "cook", "nurse"]})
    >>> Review.of(["age"]).open(original, [synthetic]).copies().records["copies"].tolist()
    [2]
    """
    study = opened.study(synthesis_set)
    if not isinstance(study, Study):
        return NotEvaluated(
            "Whole records are not counted of data that stay in an engine.", "Open the files themselves."
        )
    return opened.once(
        "copies", opened.set_key(synthesis_set), opened.review.columns, make=lambda: copying.copies(study)
    )


def attribute_baseline(opened: Opened, synthesis_set: str | None = None) -> AttributeBaseline | NotEvaluated:
    """Return DiSCO and DCAP of members and of people outside, or why they are not evaluated.

    Of a target that the holdout lacks nothing is said; without a key nothing is evaluated.
    """
    if stopped := opened.stopped(synthesis_set):
        return stopped
    settings = opened.met(opened.review.settings, synthesis_set)

    def make() -> AttributeBaseline | NotEvaluated:
        joined = opened.partition(synthesis_set)
        asked = settings
        if not isinstance(joined, NotEvaluated) and set(settings.keys) <= set(joined.joint.columns):
            here, _ = restrict_to_study(joined.joint, settings)
            asked = settings if here.targets == () else here
        key = opened.set_key(synthesis_set), opened.review.columns, asked.counting()

        def kept(target: str, make: Callable[[], Any]) -> Any:
            if not target:
                return opened.once("counted_outside", *key, make=make)
            out = asked.exclusions.of(target).to_plain()
            times = len(opened.assessment(None, synthesis_set).targets)
            return opened.once("compared_outside", *key, target, out, make=make, each=times)

        found = baseline.attribute_baseline(joined, asked, kept)
        if isinstance(found, NotEvaluated) or isinstance(joined, NotEvaluated):
            return found
        moved = baseline.moved_members(found, opened.assessment(None, synthesis_set))
        return moved or replace(found, lacking=joined.joint.unusable)

    found: AttributeBaseline | NotEvaluated = opened.once(
        "attribute_baseline", opened.set_key(synthesis_set), opened.review.columns, settings.to_json(), make=make
    )
    return found if isinstance(found, NotEvaluated) or opened.by_lot else found.not_by_lot()


def identity_baseline(opened: Opened, synthesis_set: str | None = None) -> IdentityBaseline | NotEvaluated:
    """Return replicated uniques of members and of people outside, or why they are not evaluated."""
    settings = opened.review.settings
    if stopped := opened.stopped(synthesis_set):
        return stopped
    return opened.once(
        "identity_baseline",
        opened.set_key(synthesis_set),
        opened.review.columns,
        of_keys(opened),
        make=lambda: of_identity.identity_baseline(opened.partition(synthesis_set), settings),
    )


def _usefulness_of(study: AnyStudy, made: Protected | ProtectedThere, progress: Progress | None) -> Usefulness:
    """Return the usefulness of safer syntheses, wherever their records are."""
    if isinstance(made, Protected):
        assert isinstance(study, Study)
        return useful.usefulness_after(study, made, progress)
    from disclosure_core.protection.usefulness_there import usefulness_there

    return usefulness_there(made, progress)
