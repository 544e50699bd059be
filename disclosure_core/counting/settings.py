"""What the user asks for: frozen, comparable, and to and from JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Real
from typing import Any, Self

from disclosure_core.data.grouping import MOST_GROUPS as MOST_GROUPS
from disclosure_core.data.grouping import Groups, checked_groups, written
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import printable
from disclosure_core.shown import listed

SCHEMA = 1
"""Version of the JSON form; a whole number, raised when a reader of the old form would misread the new."""

LARGEST = 10_000_000
"""Characters of a file of settings; one that names every level of a large survey has some hundred thousand."""

MOST_PARTS = 100_000
"""Names, texts, numbers and lists in such a file: what is wrong with each costs more than the letters it has."""

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


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When a check raises its flag: more than so many records, and more than so many % (measures.md 7).

    Attributes
    ----------
    one_way
        Records, and % of all DiSCO records, that one target level must exceed.
    two_way
        Records that a cell must exceed, and % of the records with the key level that must have the target level.

    Raises
    ------
    DisclosureError
        When a number of records is negative or a share is not between 0 and 100.

    Examples
    --------
    >>> Thresholds(two_way=(9, 80))
    Thresholds(one_way=(50, 90), two_way=(9, 80))
    """

    one_way: tuple[float, float] = (50, 90)
    two_way: tuple[float, float] = (4, 80)

    def __post_init__(self) -> None:
        for name in ("one_way", "two_way"):
            given = getattr(self, name)
            pair = tuple(given) if isinstance(given, (tuple, list)) else ()
            if (
                len(pair) != 2
                or not all(_is_number(x) for x in pair)
                or not (0 <= pair[0] <= MOST_RECORDS or pair[0] == math.inf)  # more than any: no flag
                or not 0 <= pair[1] <= 100
            ):
                raise DisclosureError(
                    f"The {name.replace('_', '-')} thresholds must be a number of records (0 or more) "
                    "and a share between 0 and 100 %."
                )
            # 50.0 and 50 are one threshold, and one text in JSON.
            object.__setattr__(self, name, tuple(int(x) if x == x // 1 else float(x) for x in pair))


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

    Raises
    ------
    DisclosureError
        When the limit is not a whole number above 0.

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
    denominator_limit: int | None = None

    def __post_init__(self) -> None:
        levels = _by_name(self.target_levels, "target levels excluded", str)
        object.__setattr__(self, "target_levels", levels)
        object.__setattr__(self, "pairs", _by_name(self.pairs, "pairs excluded", Pair))
        for name in ("missing_targets", "missing_keys"):
            object.__setattr__(self, name, frozenset(_listed(getattr(self, name), name.replace("_", " "), str)))
        limit = self.denominator_limit
        if limit is not None and (not _is_number(limit) or not 1 <= limit <= MOST_RECORDS or limit % 1):
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
        """Return the exclusions that `to_plain` wrote.

        Raises
        ------
        KeyError, TypeError, ValueError, AttributeError
            When a part is missing or of the wrong type.
        DisclosureError
            When the limit is not a whole number above 0.
        """
        return cls(
            target_levels={str(name): _texts(levels) for name, levels in plain["target_levels"].items()},
            missing_targets=frozenset(_texts(plain["missing_targets"])),
            missing_keys=frozenset(_texts(plain["missing_keys"])),
            pairs={str(name): tuple(Pair(*_texts(p)) for p in pairs) for name, pairs in plain["pairs"].items()},
            denominator_limit=plain["denominator_limit"],
        )


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Settings:
    """One assessment as it was asked for.

    Attributes
    ----------
    keys
        The columns an intruder could know. Their order carries no meaning, and they are kept sorted; results use that
        of the data.
    targets
        The columns to be learnt, kept sorted. None: every column that is not a key.
    groups
        By numeric column, the number of groups asked for, or the breaks of your own where groups begin: below the first
        and from the last on are groups, too (a mapping is accepted).
    exclusions, thresholds
        See their classes.

    Raises
    ------
    DisclosureError
        When a name stands twice, a column is key and target at once, a number of groups is 1, negative or beyond
        `MOST_GROUPS`, or breaks are no rising numbers.

    Examples
    --------
    >>> Settings(keys=["sex", "age"], groups={"income": 20})
    Settings: keys age, sex; targets: every column that is no key
    groups: income 20
    Exclusions: none; Thresholds(one_way=(50, 90), two_way=(4, 80))
    >>> Settings(keys=["age"], groups={"age": (0, 18, 65)}).group("age")
    (0, 18, 65)
    """

    keys: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None
    groups: Any = ()
    exclusions: Exclusions = field(default_factory=Exclusions)
    thresholds: Thresholds = field(default_factory=Thresholds)

    def __init__(
        self,
        keys: Iterable[str] = (),
        targets: Iterable[str] | None = None,
        groups: Mapping[str, int | Sequence[float]] | Iterable[tuple[str, int | Sequence[float]]] = (),
        exclusions: Exclusions | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        object.__setattr__(self, "targets", targets)
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "exclusions", Exclusions() if exclusions is None else exclusions)
        object.__setattr__(self, "thresholds", Thresholds() if thresholds is None else thresholds)
        object.__setattr__(self, "keys", _listed(keys, "keys", str))
        if self.targets is not None:
            object.__setattr__(self, "targets", _listed(self.targets, "targets", str))
        for name, kind in (("exclusions", Exclusions), ("thresholds", Thresholds)):
            if not isinstance(getattr(self, name), kind):
                raise DisclosureError(f"The {name} of Settings are {kind.__name__}(…); make them so.")
        for role, names in (("key", self.keys), ("target", self.targets or ())):
            twice = next((n for i, n in enumerate(names) if n in names[:i]), None)
            if twice is not None:
                raise DisclosureError(f"{twice!r} is named twice as a {role}; name it once.")
        both = next((n for n in self.targets or () if n in self.keys), None)
        if both is not None:
            raise DisclosureError(f"{both!r} is both a key and a target; choose one of the two.")
        # Their order says nothing, so that equal requests are equal objects.
        object.__setattr__(self, "keys", tuple(sorted(self.keys)))
        if self.targets is not None:
            object.__setattr__(self, "targets", tuple(sorted(self.targets)))
        by_name = _mapping(self.groups, "groups", "a number, or to breaks")
        cut = {name: checked_groups(name, given) for name, given in by_name.items()}
        object.__setattr__(self, "groups", tuple(sorted((name, groups) for name, groups in cut.items() if groups)))

    def __repr__(self) -> str:
        """Return three lines: keys and targets, groups, exclusions and thresholds; never a level."""
        targets = "every column that is no key" if self.targets is None else listed(self.targets)
        groups = ", ".join(f"{printable(name)} {written(n).removesuffix(' groups')}" for name, n in self.groups)
        return (
            f"Settings: keys {listed(self.keys) or 'none'}; targets: {targets}\n"
            f"groups: {groups or 'none'}\n"
            f"{self.exclusions!r}; {self.thresholds!r}"
        )

    def group(self, name: str) -> Groups:
        """Return how column `name` is cut: into how many groups, 0 for none, or at which breaks."""
        return dict(self.groups).get(name, 0)

    @property
    def left_out(self) -> Exclusions:
        """The exclusions that move figures: not those of a column that is no target here, or no key."""
        return self.exclusions.moving(self.keys, self.targets)

    def counting(self) -> str:
        """Return the canonical JSON of the part that needs a new count: keys, targets and groups."""
        part = self._plain()
        return _canonical({name: part[name] for name in ("keys", "targets", "groups")})

    def to_json(self) -> str:
        """Return the canonical JSON: equal settings give equal text."""
        return _canonical({"schema": SCHEMA, **self._plain()})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the settings that `to_json` wrote.

        Raises
        ------
        DisclosureError
            When the text is not such a file, or was written by a newer version.
        """
        plain = loaded(text)
        if not isinstance(plain, dict) or type(plain.get("schema")) is not int or plain["schema"] < 1:
            raise DisclosureError("This is not a settings file: it names no schema. Choose one saved here.")
        if plain["schema"] > SCHEMA:
            raise DisclosureError("This settings file was written by a newer version; update this program to read it.")
        try:
            return cls._from_plain(plain)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DisclosureError(
                "This settings file is damaged: a part is missing or of the wrong type. Save it again."
            ) from error

    def _plain(self) -> dict[str, Any]:
        return {
            "keys": sorted(self.keys),
            "targets": None if self.targets is None else sorted(self.targets),
            "groups": dict(self.groups),
            "exclusions": self.exclusions.to_plain(),
            "thresholds": {f.name: list(getattr(self.thresholds, f.name)) for f in fields(self.thresholds)},
        }

    @classmethod
    def _from_plain(cls, plain: dict[str, Any]) -> Self:
        limits = plain["thresholds"]
        return cls(
            keys=_texts(plain["keys"]),
            targets=None if plain["targets"] is None else _texts(plain["targets"]),
            groups=dict(plain["groups"]),
            exclusions=Exclusions.from_plain(plain["exclusions"]),
            thresholds=Thresholds(one_way=tuple(limits["one_way"]), two_way=tuple(limits["two_way"])),
        )


def loaded(text: str) -> Any:
    """Return what a saved file holds, of whatever shape, when it can be shown and saved again.

    Raises
    ------
    DisclosureError
        When it is too large, no JSON, or holds half a character (a lone surrogate), which no text or page can show.
    """
    if len(text) > LARGEST:
        raise DisclosureError(f"This is not a saved review: it is larger than {LARGEST // 1_000_000} MB.")
    too_many = DisclosureError(f"This is not a saved review: it holds more than {MOST_PARTS:,} parts.")
    if sum(map(text.count, ",[{")) > 4 * MOST_PARTS:  # what stands in texts is counted, too
        raise too_many
    try:
        plain = json.loads(text)
        parts, n = [plain], 0
        while parts:
            part, n = parts.pop(), n + 1
            if n > MOST_PARTS:
                raise too_many
            if isinstance(part, dict):
                parts += [*part, *part.values()]
            elif isinstance(part, list):
                parts += part
            elif isinstance(part, str):
                part.encode()
    except UnicodeEncodeError:
        raise DisclosureError(
            "This saved file is damaged: it holds half a character (a surrogate alone). Save it again."
        ) from None
    except (ValueError, RecursionError):
        raise DisclosureError("This is not a saved review: it is not valid JSON. Choose one saved here.") from None
    return plain


def _by_name(given: Any, what: str, kind: type) -> tuple[Any, ...]:
    """Return (name, sorted values without repeats) pairs, sorted by name, without the empty ones."""
    values_of = {
        name: _listed(values, f"{what} of {name!r}", kind) for name, values in _mapping(given, what, "a list").items()
    }
    return tuple(sorted((name, tuple(sorted(set(values)))) for name, values in values_of.items() if values))


def _mapping(given: Any, what: str, value: str) -> dict[str, Any]:
    """Return a mapping by a column's name, or its pairs, as a dict."""
    try:
        mapping = dict(given)
    except (TypeError, ValueError):
        mapping = None
    if mapping is None or isinstance(given, str) or not all(isinstance(name, str) for name in mapping):
        raise DisclosureError(f"Give the {what} as a mapping from a column's name to {value}.")
    return mapping


def _listed(given: Any, what: str, kind: type) -> tuple[Any, ...]:
    """Return several texts, or pairs, as a tuple; one alone is not taken apart into letters."""
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


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return not math.isnan(value)
    except OverflowError:  # a whole number of more than 308 digits
        return False


def _canonical(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
