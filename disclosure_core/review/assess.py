"""What synthetic data disclose, asked in one call: of tables and files, or of a study."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, overload

import pandas as pd

from disclosure_core.counting import assessment as counting
from disclosure_core.counting.assessment import Assessment
from disclosure_core.counting.held_back import held_back
from disclosure_core.counting.settings import Exclusions, Settings, Thresholds
from disclosure_core.data.study import AnyStudy, StudyOf
from disclosure_core.errors import DisclosureError, NotEvaluated, not_found

if TYPE_CHECKING:
    from disclosure_core.counting.cells import Tables
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.holdout.identity_baseline import IdentityBaseline
    from disclosure_core.review.opened import Opened


class ArrowTable(Protocol):
    """What has Arrow's C interface: an Arrow table, a Polars frame."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the table as a capsule."""


Table: TypeAlias = pd.DataFrame | ArrowTable | str | Path
"""A table, or the place of its file."""


@dataclass(frozen=True, eq=False, repr=False)
class AssessmentWithHoldout(Assessment):
    """An assessment beside people who were not synthesised.

    Attributes
    ----------
    baseline
        DiSCO and DCAP of members and of people outside; or why they are not evaluated.
    identity_baseline
        repU of both; or why it is not evaluated.
    """

    baseline: AttributeBaseline | NotEvaluated = field(kw_only=True)
    identity_baseline: IdentityBaseline | NotEvaluated = field(kw_only=True)


@overload
def assess(
    original: AnyStudy, synthetic: Settings, tables: Tables | None = None, before: Assessment | None = None
) -> Assessment: ...
@overload
def assess(
    original: Table,
    synthetic: Table | Sequence[Table],
    *,
    keys: Iterable[str] | str,
    targets: Iterable[str] | str | None = None,
    groups: Mapping[str, int | Sequence[float]] | None = None,
    missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    exclusions: Exclusions | None = None,
    thresholds: Thresholds | None = None,
    really_different: Iterable[str] = (),
) -> Assessment: ...
@overload
def assess(
    original: Table,
    synthetic: Table | Sequence[Table],
    *,
    keys: Iterable[str] | str,
    targets: Iterable[str] | str | None = None,
    groups: Mapping[str, int | Sequence[float]] | None = None,
    missing_codes: Mapping[str, float | str | Iterable[float | str]] | None = None,
    exclusions: Exclusions | None = None,
    thresholds: Thresholds | None = None,
    really_different: Iterable[str] = (),
    holdout: Table,
    holdout_is_random: bool | None = None,
) -> AssessmentWithHoldout: ...
def assess(
    original: Any,
    synthetic: Any = None,
    tables: Tables | None = None,
    before: Assessment | None = None,
    *,
    keys: Iterable[str] | str = (),
    holdout: Any = None,
    holdout_is_random: bool | None = None,
    **asked: Any,
) -> Assessment:
    """Return what the synthetic data disclose of the original.

    Parameters
    ----------
    original, synthetic
        The original, and the synthesis or a list of them: pandas or Polars frames, Arrow tables, or places of files. Or
        a `Study` and `Settings`, and then nothing below.
    tables, before
        Of a `Study`: what `count(study, settings)` returned, and an earlier assessment of the same tables; what
        settings leave as it is is taken from them.
    keys
        The columns that somebody could know; one may be named alone.
    targets
        The columns to be learnt, or one of them. None: every column that is no key.
    groups
        By numeric column, the number of groups asked for, or the breaks of your own where groups begin.
    missing_codes
        By numeric column, the value or values that stand for a missing answer.
    exclusions, thresholds
        What is excluded, and when a check raises its flag.
    really_different
        Columns that do not meet because their values really differ: what rests on them is evaluated.
    holdout
        People of the same population who were not synthesised; then the result has `baseline` and `identity_baseline`.
    holdout_is_random
        Whether the holdout is a random part of the original. None: not known; then no part of a difference is shown.

    Returns
    -------
    Assessment
        Where values of a key or target do not meet, the same answer being written differently in original and
        synthetic data, the figures that rest on it are NaN, `not_evaluated` says why, and a UserWarning is given. Of a
        `Study` nothing is held back: it is taken as it was made.

    Raises
    ------
    DisclosureError
        When a key, target or level is not in the data, or none is chosen; when data are missing, or of the wrong type.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> synthetic = pd.DataFrame({"age": [30, 30, 41, 55], "job": ["nurse", "nurse", "cook", "cook"]})
    >>> found = assess(original, synthetic, keys="age")
    >>> found["job"].attribute[["Dorig", "iS", "DiS", "DiSCO"]].round(1).to_numpy().tolist()
    [[50.0, 100.0, 100.0, 75.0]]
    """
    if isinstance(original, StudyOf) or isinstance(synthetic, Settings):
        more = keys or asked or holdout is not None or holdout_is_random is not None
        if not isinstance(original, StudyOf) or not isinstance(synthetic, Settings) or more:
            raise DisclosureError(
                "Give a Study and Settings and no more, or the original, a list of syntheses and keys=[…]."
            )
        return counting.assess(original, synthetic, tables, before)
    from disclosure_core.review.reasons import idle
    from disclosure_core.review.value import Review

    if tables is not None or before is not None:
        raise DisclosureError("tables and before belong to a Study and Settings; leave them out.")
    if holdout is None and holdout_is_random is not None:
        raise DisclosureError("holdout_is_random does nothing without a holdout; give one, or leave it out.")
    known = signature(Review.of).parameters
    for name in asked.keys() - known.keys():
        raise not_found("Argument", name, "of assess", (*known, "holdout", "holdout_is_random"))
    opened = Review.of(keys, **asked).open(
        original, () if synthetic is None else synthetic, holdout=holdout, holdout_is_random=holdout_is_random
    )
    if (said := idle(opened.review.settings, tuple(opened.study(None).columns))) is not None:
        raise DisclosureError(said)
    found = _assessment_that_meets(opened)
    if holdout is None:
        return found
    plain = {each.name: getattr(found, each.name) for each in fields(found)}
    return AssessmentWithHoldout(
        **plain, baseline=opened.attribute_baseline(), identity_baseline=opened.identity_baseline()
    )


def _assessment_that_meets(opened: Opened) -> Assessment:
    """Return the assessment of an opened review, without the figures of what does not meet, of which it warns."""
    why = opened.not_met()
    if not why:
        return opened.assessment()
    columns = tuple(opened.study().columns)
    whole = opened.with_review(replace(opened.review, really_different={"": columns})).assessment()
    warnings.warn(" ".join(dict.fromkeys(why.values())), UserWarning, stacklevel=3)
    key = any(name in opened.review.keys for name in opened.unmet())
    return held_back(whole, why, next(iter(why.values())) if key else "")
