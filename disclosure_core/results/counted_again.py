"""The tables of a review, counted a second time from the plain counter (`verify`): what `ReviewTable.again` names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from disclosure_core.counting.registry import COMPARED
from disclosure_core.errors import NotEvaluated
from disclosure_core.results.usefulness import TABLE as TABLE_USEFULNESS
from disclosure_core.verify import counter as plain
from disclosure_core.verify import outside, released

if TYPE_CHECKING:
    from disclosure_core.results.table import Counted, Counter, Row
    from disclosure_core.verify.counter import Target

    Figures = dict[str, float]

_COMPARED = {f"{synthetic} against {original}": (original, synthetic) for original, synthetic in COMPARED.values()}


def _syntheses(counter: Counter) -> range:
    return range(1, counter.data.m + 1)


def _of_each(
    count: Callable[[Counter, str, Target], dict[Row, Figures]],
) -> Callable[[Counter, Sequence[Row]], Counted]:
    """Return what counts a table target by target, the rows of each named without it."""

    def counted(counter: Counter, rows: Sequence[Row]) -> Counted:
        return {
            (name, *row): figures
            for name in counter.targets_in(rows)
            for row, figures in count(counter, name, counter.target_of(name)).items()
        }

    return counted


def _comparison(counter: Counter, target: Target, of: Sequence[Figures], original: str, synthetic: str) -> Figures:
    values = [row[synthetic] for row in of]
    one_way, two_way = (sum(bool(check(i)) for i in _syntheses(counter)) for check in (target.one_way, target.two_way))
    return {
        "original": plain.mean([row[original] for row in of]),
        "synthetic": plain.mean(values),
        "one_way": one_way,
        "two_way": two_way,
        **plain.spread(values),
        **target.beside_a_guess(),
    }


summary = _of_each(
    lambda counter, name, target: {
        (said,): _comparison(counter, target, counter.of_each(name), *pair) for said, pair in _COMPARED.items()
    }
)


def summary_all_excluded(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Return DiSCO of each target with all that is excluded, also without a reason."""
    out = counter.all_excluded
    return {
        (name,): _comparison(counter, counter.target_of(name, out), counter.of_each(name, out), *COMPARED["DiSCO"])
        for name in counter.targets_in(rows)
    }


def by_synthesis(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Return the attribute measures and the CAP family of each target and synthesis."""
    return {(name, i): row for name in counter.targets_in(rows) for i, row in enumerate(counter.of_each(name), 1)}


def levels(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Return where rare disclosures are, by target and level."""
    found: dict[Row, Figures] = {}
    for name in counter.targets_in(rows):
        target = counter.target_of(name)
        target.beside_a_guess()
        found |= {(name, level): row for level, row in target.rare_levels().items()}
    return found


one_way = _of_each(
    lambda counter, _, target: {
        (i, level): row for i in _syntheses(counter) for level, row in target.one_way(i).items()
    }
)
two_way = _of_each(
    lambda counter, _, target: {(i, *pair): row for i in _syntheses(counter) for pair, row in target.two_way(i).items()}
)
exclusions = _of_each(
    lambda counter, _, target: {
        (i, measure): row for i in _syntheses(counter) for measure, row in target.of_synthesis(i)[2].items()
    }
)


def at_tau(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Return the figures of each target at the τ of the review."""
    found: dict[Row, Figures] = {}
    tau = counter.printed.review.tau or 0
    for name in counter.targets_in(rows):
        at = [counter.target_of(name).at_least(i, tau) for i in _syntheses(counter)]
        values = [synthetic for _, synthetic in at]
        found[(name,)] = {"original": at[0][0], "synthetic": plain.mean(values), **plain.spread(values)}
    return found


def identity(counter: Counter, rows: Sequence[Row]) -> Counted:  # noqa: ARG001 (all rows, a synthesis each)
    """Return the identity measures of each synthesis."""
    return plain.identity(counter.data, counter.keys, counter.missing_keys)


def holdout_identity(counter: Counter, rows: Sequence[Row]) -> Counted:  # noqa: ARG001 (all rows)
    """Return repU of members and of people outside."""
    if counter.data.outside is None:
        return {}
    return outside.outside_by_keys(counter.data, counter.keys, counter.missing_keys)


def _beside_outside(part: int) -> Callable[[Counter, Sequence[Row]], Counted]:
    def counted(counter: Counter, rows: Sequence[Row]) -> Counted:
        if counter.data.outside is None:
            return {}
        return {
            (name, *row): figures
            for name in counter.targets_in(rows, outside=True)
            for row, figures in outside.beside_outside(counter.target_of(name))[part].items()
        }

    return counted


holdout, holdout_difference = _beside_outside(0), _beside_outside(1)


def copies(counter: Counter, rows: Sequence[Row]) -> Counted:  # noqa: ARG001 (all rows)
    """Return the records of each synthesis that equal an original record; nothing where a column is not read."""
    data, found = counter.every_column(), counter.printed.copies()
    left_out = () if isinstance(found, NotEvaluated) else found.left_out
    return {} if data is None else released.copies(data, [name for name in counter.columns if name not in left_out])


def identifiers(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Return the values of the original that each synthesis holds, of the columns that rows name."""
    data = counter.every_column()
    return {} if data is None else released.identifiers(data, [column for column, _ in rows if column in data.columns])


def usefulness(counter: Counter, rows: Sequence[Row]) -> Counted:
    """Return the measures of each table of the set that figures speak of."""
    own = {row[1:]: row for row in rows if row[0] == counter.printed.first_set}
    again = TABLE_USEFULNESS.again
    found = {} if again is None else again(counter, list(filter(TABLE_USEFULNESS.sound, own)))
    return {own[row]: figures for row, figures in found.items()}
