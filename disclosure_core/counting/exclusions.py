"""Exclusions: what is not counted, as it is asked for, and the rule of each in the codes of the data.

The rules are said once, for every way of counting cells: who holds cells in arrays, merges them by subset, or leaves
them in an engine asks the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from disclosure_core.arrays import Array, Mask
from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import parameter, within

if TYPE_CHECKING:
    from disclosure_core.data.column import Codes, Variable

MOST_RECORDS = 2**53 - 1
"""No data have more, and a browser knows no larger whole number: what is beyond would break the page that shows it."""


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """One key level with one target level, as the 2-way check reports them (measures.md 6).

    Examples
    --------
    >>> Pair("age", "19", "single")
    Pair(key='age', key_level='19', target_level='single')
    """

    key: str
    key_level: str
    target_level: str

    def __post_init__(self) -> None:
        for part in (self.key, self.key_level, self.target_level):
            if not isinstance(part, str):
                raise DisclosureError(
                    f"A pair names a key, its level and a target level as texts; write {_as_text(part)}."
                )


@dataclass(frozen=True, slots=True, repr=False)
class Exclusions:
    """What is excluded from the counted records; nothing is ever removed from the data (measures.md 6).

    Attributes
    ----------
    target_levels
        Levels excluded, by target: kind 1.
    missing_targets
        Targets whose missing values are excluded: kind 2.
    missing_keys
        Keys whose missing values are excluded, for every target and the headline identity figures: kind 3.
    pairs
        Key-target pairs excluded, by target: kind 4.
    denominator_limit
        Cells counting more records than this are excluded, for every target: kind 5. None: no limit.

    Notes
    -----
    Mappings are accepted for `target_levels` and `pairs`; sorted tuples are kept, so that equal exclusions
    are equal objects.

    Examples
    --------
    >>> out = Exclusions(target_levels={"job": ["nurse"]}, missing_keys=["age"])
    >>> out
    Exclusions: target levels 1, missing keys 1
    >>> out.levels_of("job")
    ('nurse',)
    """

    target_levels: Any = ()
    missing_targets: frozenset[str] = frozenset()
    missing_keys: frozenset[str] = frozenset()
    pairs: Any = ()
    denominator_limit: int | None = parameter(
        None,
        ge=1,
        title="Denominator limit",
        description="Count only cells that so many original records, or fewer, share.",
        json_schema_extra={"metavar": "N"},
    )

    def __post_init__(self) -> None:
        levels = _by_name(self.target_levels, "target levels excluded", str)
        object.__setattr__(self, "target_levels", levels)
        object.__setattr__(self, "pairs", _by_name(self.pairs, "pairs excluded", Pair))
        for name in ("missing_targets", "missing_keys"):
            object.__setattr__(self, name, frozenset(several(getattr(self, name), name.replace("_", " "), str)))
        limit = self.denominator_limit
        if limit is not None and (
            not is_number(limit) or not within(self, "denominator_limit") or limit > MOST_RECORDS or limit % 1
        ):
            raise DisclosureError("The denominator limit must be a whole number of records, 1 or more.")
        if limit is not None:
            object.__setattr__(self, "denominator_limit", int(limit))

    def __repr__(self) -> str:
        """Return one line: how many of each kind; never a level."""
        kinds = {
            "target levels": sum(len(levels) for _, levels in self.target_levels),
            "missing targets": len(self.missing_targets),
            "missing keys": len(self.missing_keys),
            "pairs": sum(len(pairs) for _, pairs in self.pairs),
        }
        parts = [f"{kind} {n:,}" for kind, n in kinds.items() if n]
        parts += [] if self.denominator_limit is None else [f"cells of more than {self.denominator_limit:,} records"]
        return f"Exclusions: {', '.join(parts) or 'none'}"

    def names_of(self, target: str) -> tuple[str, ...]:
        """Return what each exclusion of `target` alone is called: the names that reasons are kept under."""
        return (
            *(f"{target} = {level}" for level in self.levels_of(target)),
            *([f"{target} missing"] if target in self.missing_targets else []),
            *(f"{p.key} = {p.key_level}, {target} = {p.target_level}" for p in self.pairs_of(target)),
        )

    def names(self) -> tuple[str, ...]:
        """Return what each exclusion is called, of every target: the names that reasons are kept under."""
        targets = dict.fromkeys(
            [*(t for t, _ in self.target_levels), *sorted(self.missing_targets), *(t for t, _ in self.pairs)]
        )
        return (*(name for target in targets for name in self.names_of(target)), *self.names_of_all)

    @property
    def names_of_all(self) -> tuple[str, ...]:
        """What the exclusions that act on every target are called."""
        return (
            *(["missing keys"] if self.missing_keys else []),
            *(["denominators"] if self.denominator_limit is not None else []),
        )

    def levels_of(self, target: str) -> tuple[str, ...]:
        """Return the levels of `target` that are excluded."""
        return dict(self.target_levels).get(target, ())

    def pairs_of(self, target: str) -> tuple[Pair, ...]:
        """Return the key-target pairs of `target` that are excluded."""
        return dict(self.pairs).get(target, ())

    def with_levels(self, target: str, levels: Iterable[str]) -> Self:
        """Return these exclusions with `levels` as the excluded levels of `target`."""
        return replace(self, target_levels=dict(self.target_levels) | {target: tuple(levels)})

    def with_pairs(self, target: str, pairs: Iterable[Pair]) -> Self:
        """Return these exclusions with `pairs` as the excluded pairs of `target`."""
        return replace(self, pairs=dict(self.pairs) | {target: tuple(pairs)})

    def with_missing_target(self, target: str, out: bool) -> Self:
        """Return these exclusions with the missing values of `target` excluded or counted."""
        names = self.missing_targets | {target} if out else self.missing_targets - {target}
        return replace(self, missing_targets=names)

    def moving(self, keys: Collection[str], targets: Collection[str] | None) -> Self:
        """Return the part that moves figures of these targets (None: of every column that is no key) and keys."""

        def shown(target: str) -> bool:
            return target not in keys and (targets is None or target in targets)

        return replace(
            self,
            target_levels={t: levels for t, levels in self.target_levels if shown(t)},
            missing_targets=frozenset(filter(shown, self.missing_targets)),
            missing_keys=self.missing_keys.intersection(keys),
            pairs={t: pairs for t, pairs in self.pairs if shown(t)},  # a pair of what is no key is refused
        )

    def of(self, target: str) -> Self:
        """Return the part that touches `target`'s figures; equal parts give equal figures."""
        return replace(
            self,
            target_levels={target: self.levels_of(target)},
            missing_targets=self.missing_targets & {target},
            pairs={target: self.pairs_of(target)},
        )

    def to_plain(self) -> dict[str, Any]:
        """Return these exclusions as what JSON holds."""
        return {
            "target_levels": {name: list(levels) for name, levels in self.target_levels},
            "missing_targets": sorted(self.missing_targets),
            "missing_keys": sorted(self.missing_keys),
            "pairs": {name: [[p.key, p.key_level, p.target_level] for p in pairs] for name, pairs in self.pairs},
            "denominator_limit": self.denominator_limit,
        }

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        """Return the exclusions that `to_plain` wrote."""
        return cls(
            target_levels={str(name): _texts(levels) for name, levels in plain["target_levels"].items()},
            missing_targets=frozenset(_texts(plain["missing_targets"])),
            missing_keys=frozenset(_texts(plain["missing_keys"])),
            pairs={str(name): tuple(Pair(*_texts(p)) for p in pairs) for name, pairs in plain["pairs"].items()},
            denominator_limit=plain["denominator_limit"],
        )


class Exclusion(IntEnum):
    """Why a cell is not counted, in the order the kinds apply (measures.md 6)."""

    COUNTED = 0
    TARGET_LEVEL = 1
    MISSING_TARGET = 2
    MISSING_KEY = 3
    PAIR = 4
    DENOMINATOR = 5


@dataclass(frozen=True, slots=True)
class Rule:
    """What one exclusion of a target excludes: the cells with this key level and one of these target levels.

    Attributes
    ----------
    kind
        From TARGET_LEVEL to PAIR.
    targets
        Codes of the target; none: any.
    key, key_level
        Number of a key and the code of its level; None: any.
    """

    kind: Exclusion
    targets: tuple[int, ...] = ()
    key: int | None = None
    key_level: int | None = None

    def leaves_out(self, levels: Sequence[Codes], q: Array, target: Array) -> Mask:
        """Return, shape (n_cells,), the cells that the rule excludes.

        Parameters
        ----------
        levels
            For each key, shape (n_q,): its code in each key combination.
        q, target
            Shape (n_cells,): key combination and target code of each cell.
        """
        if self.key is None:
            return np.isin(target, self.targets)
        same_key: Mask = (levels[self.key] == self.key_level)[q]
        return same_key & np.isin(target, self.targets) if self.targets else same_key


def rules(out: Exclusions, column: Variable, keys: Sequence[Variable]) -> tuple[Rule, ...]:
    """Return the rules that act on target `column`, in the order they apply: the first that leaves a cell out is why.

    Source
    ------
    measures.md 6, kinds 1 to 4.
    """
    acting = []
    by_name = {key.name: i for i, key in enumerate(keys)}
    levels = out.levels_of(column.name)
    if levels:
        codes = tuple(column.code_of(level, "Target level") for level in levels)
        acting.append(Rule(Exclusion.TARGET_LEVEL, codes))
    if column.name in out.missing_targets:
        acting.append(Rule(Exclusion.MISSING_TARGET, column.missing))
    missing = sorted(by_name[name] for name in out.missing_keys & by_name.keys())
    acting += [Rule(Exclusion.MISSING_KEY, (), i, code) for i in missing for code in keys[i].missing]
    for pair in out.pairs_of(column.name):
        if pair.key not in by_name:
            raise DisclosureError(f"The excluded pair names {pair.key!r}, which is not a key; take the pair away.")
        i = by_name[pair.key]
        target = column.code_of(pair.target_level, "Target level")
        acting.append(Rule(Exclusion.PAIR, (target,), i, keys[i].code_of(pair.key_level, "Key level")))
    return tuple(acting)


def beyond(counts: Any, limit: int) -> Any:
    """Return where `counts`, an array's or an engine's, are over the denominator limit: kind 5."""
    return counts > limit


def _by_name(given: Any, what: str, kind: type) -> tuple[Any, ...]:
    """Return (name, sorted values without repeats) pairs, sorted by name, without the empty ones."""
    values_of = {
        name: several(values, f"{what} of {name!r}", kind) for name, values in mapping_of(given, what, "a list").items()
    }
    return tuple(sorted((name, tuple(sorted(set(values)))) for name, values in values_of.items() if values))


def mapping_of(given: Any, what: str, value: str) -> dict[str, Any]:
    """Return a mapping by a column's name, or its pairs, as a dict."""
    try:
        mapping = dict(given)
    except (TypeError, ValueError):
        mapping = None
    if mapping is None or isinstance(given, str) or not all(isinstance(name, str) for name in mapping):
        raise DisclosureError(f"Give the {what} as a mapping from a column's name to {value}.")
    return mapping


def several(given: Any, what: str, kind: type) -> tuple[Any, ...]:
    """Return several texts, or pairs, as a tuple."""
    if isinstance(given, (str, bytes, Pair)) or not isinstance(given, Iterable):
        raise DisclosureError(f"Give the {what} as a list, even if there is only one: [{given!r}].")
    values = tuple(given)
    wrong = next((v for v in values if not isinstance(v, kind)), None)
    if wrong is not None or (None in values):
        form = "Pair(key, key_level, target_level)" if kind is Pair else _as_text(wrong)
        raise DisclosureError(
            f"The {what} hold {wrong!r}, which is no {kind.__name__.replace('str', 'text')}; write {form}."
        )
    return values


def _as_text(value: Any) -> str:
    return f"{str(value)!r} instead of {value!r}"


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise TypeError("expected a list of texts")
    return tuple(values)


def is_number(value: Any) -> bool:
    """Return whether a value is a number, and not NaN; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return not math.isnan(value)
    except OverflowError:  # a whole number of more than 308 digits
        return False
