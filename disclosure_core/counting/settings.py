"""What the user asks for: frozen, comparable, and to and from JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

from disclosure_core.above import above
from disclosure_core.counting.exclusions import MOST_RECORDS as MOST_RECORDS
from disclosure_core.counting.exclusions import Exclusions as Exclusions
from disclosure_core.counting.exclusions import Pair as Pair
from disclosure_core.counting.exclusions import is_number, mapping_of, several
from disclosure_core.data.grouping import MOST_GROUPS as MOST_GROUPS
from disclosure_core.data.grouping import Groups, checked_groups, written
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import printable
from disclosure_core.shown import listed

SCHEMA = 1
"""Version of the JSON form; a whole number, raised when a reader of the old form would misread the new."""


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
                or not all(is_number(x) for x in pair)
                or not (0 <= pair[0] <= MOST_RECORDS or pair[0] == math.inf)  # more than any: no flag
                or not 0 <= pair[1] <= 100
            ):
                raise DisclosureError(
                    f"The {name.replace('_', '-')} thresholds must be a number of records (0 or more) "
                    "and a share between 0 and 100 %."
                )
            # 50.0 and 50 are one threshold, and one text in JSON.
            object.__setattr__(self, name, tuple(int(x) if x == x // 1 else float(x) for x in pair))


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
        object.__setattr__(self, "keys", several(keys, "keys", str))
        if self.targets is not None:
            object.__setattr__(self, "targets", several(self.targets, "targets", str))
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
        by_name = mapping_of(self.groups, "groups", "a number, or to breaks")
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
        """Return the settings of a file that `to_json` wrote, or of a saved review; what it does not hold is as usual.

        Raises
        ------
        DisclosureError
            When the text is not such a file, or was written by a newer version.
        """
        found = above().settings_of(text)
        return cls(found.keys, found.targets, found.groups, found.exclusions, found.thresholds)

    def _plain(self) -> dict[str, Any]:
        return {
            "keys": sorted(self.keys),
            "targets": None if self.targets is None else sorted(self.targets),
            "groups": dict(self.groups),
            "exclusions": self.exclusions.to_plain(),
            "thresholds": {f.name: list(getattr(self.thresholds, f.name)) for f in fields(self.thresholds)},
        }


def _canonical(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
