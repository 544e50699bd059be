"""What no intruder shall exceed, and what may be touched to reach it."""

from __future__ import annotations

from collections.abc import (
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from disclosure_core.comparison.ways import Ways  # noqa: TC001 (pydantic reads it)
from disclosure_core.counting import registry
from disclosure_core.counting.inequality import Inequality
from disclosure_core.data.hierarchies import Hierarchy  # noqa: TC001 (pydantic reads it)
from disclosure_core.errors import DisclosureError
from disclosure_core.parameters import parameter, within
from disclosure_core.rounding import compare

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Settings
    from disclosure_core.sensitivity.node_search import Objective

SAME_KEYS = "M"
"""How much more often members are disclosed than people outside with the same keys, percentage points."""

MEASURES = tuple(m.name for m in sorted(registry.MEASURES, key=lambda m: m.aim) if m.aim)
"""What an aim bounds: DiSCO, beyond the commonest answer, the gain over chance and M of targets; repU of the keys."""

NAMES = {name: registry.BY_NAME[name].in_words for name in MEASURES}
"""What a measure is called."""


class Aim(NamedTuple):
    """What no intruder shall exceed.

    Attributes
    ----------
    measure
        Of `MEASURES`.
    target
        One target; empty: every target, or the keys.
    below
        Whether the limit itself is too much.
    limit
        %, or percentage points of the gain and of M.

    Examples
    --------
    >>> Aim("DiSCO", "abroad", below=True, limit=5.0).words
    'DiSCO of abroad not at or above 5 %'
    """

    measure: str
    target: str
    below: bool
    limit: float

    @classmethod
    def parsed(cls, text: str) -> Aim:
        """Return what somebody wrote: "beyond(DiSCO)<5", "DiSCO[income]<=10", "repU<=1".

        Raises
        ------
        DisclosureError
            When it cannot be read, or there is no such measure.

        Examples
        --------
        >>> Aim.parsed("beyond(DiSCO)<5")
        Aim(measure='beyond', target='', below=True, limit=5.0)
        """
        asked = Inequality.parsed(text)
        if asked is None or asked.table or asked.of not in ("", "DiSCO") or asked.sign[0] != "<" or asked.is_negative:
            raise DisclosureError(
                f"The aim {text!r} cannot be read; write a measure, < or <= and a number: beyond(DiSCO)<5."
            )
        if asked.what not in MEASURES:
            raise DisclosureError(f"No aim bounds {asked.what!r}; choose one of {', '.join(MEASURES)}.")
        if registry.BY_NAME[asked.what].of_keys:
            asked.need_no_target(asked.what)
        aim = cls(asked.what, asked.target or "", asked.sign == "<", asked.number)
        aim.need_limit()
        return aim

    def need_limit(self) -> None:
        """Make sure that the limit is one that a figure can pass.

        Raises
        ------
        DisclosureError
            When it is not from 0 to 100.
        """
        if not 0 <= self.limit <= 100:
            raise DisclosureError(f"The limit of the aim {str(self)!r} is not from 0 to 100; choose one that is.")

    def __str__(self) -> str:
        of = f"[{self.target}]" if self.target else ""
        return f"{self.measure}{of}{'<' if self.below else '<='}{self.limit:.15g}"

    @property
    def words(self) -> str:
        """The aim in words: "DiSCO of no target above 10 %"."""
        measure = registry.BY_NAME[self.measure]
        limit = f"{'at or above' if self.below else 'above'} {self.limit:.15g} {measure.sign}"
        if self.measure == "repU":
            return f"repU not {limit}"
        return f"{NAMES[self.measure]} of {self.target or 'no target'}{' not' if self.target else ''} {limit}"

    def bounds(self, objective: Objective) -> bool:
        """Return whether the aim is about an objective."""
        return self.measure == objective.measure and self.target in ("", objective.target)

    def reached(self, figure: float) -> bool:
        """Return whether a figure is within the limit."""
        sign = compare(figure, self.limit)
        return sign < 0 or (sign == 0 and not self.below)


REMOVED = {
    "ge": 0,
    "le": 100,
    "title": "Records removed, at most %",
    "description": "Replicated uniques may be removed, at most so many % of a synthesis.",
    "json_schema_extra": {"metavar": "PERCENT"},
}
"""Of the share of records that may be removed."""


@dataclass(frozen=True, slots=True)
class May:
    """What may be touched; every other column stays as it is.

    Attributes
    ----------
    coarsen
        By key, the levels at which it may be written.
    remove
        At most so many % of the records of a synthesis may be removed; replicated uniques may be.
    blank
        Targets whose claims may be blanked.
    ways
        By key, what else may be done to it: top and bottom codes, rounding, small levels merged.
    remove_claims
        Targets whose claims may be removed, too, within that share.

    Raises
    ------
    DisclosureError
        When the share is none from 0 to 100, none is named for claims to remove, or nothing may be touched.

    Examples
    --------
    >>> from disclosure_core import Hierarchy
    >>> May({"age": Hierarchy.bands(5, 10)}, blank=("income",)).words
    'age (5,10); claims of income blanked'
    """

    coarsen: Mapping[str, Hierarchy] = field(default_factory=dict)
    remove: float = parameter(0.0, **REMOVED)
    blank: tuple[str, ...] = ()
    ways: Mapping[str, Ways] = field(default_factory=dict)
    remove_claims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not within(self, "remove"):
            raise DisclosureError("The share of records that may be removed is from 0 to 100 %.")
        if self.remove_claims and not self.remove:
            raise DisclosureError("Say what share of the records may be removed, above 0 %, before claims may be.")
        if not self.coarsen and not self.remove and not self.blank and not any(self.ways.values()):
            raise DisclosureError("Nothing may be touched; name a column to coarsen, a target to blank or a share.")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that may be touched."""
        return tuple(dict.fromkeys((*self.coarsen, *(name for name, ways in self.ways.items() if ways))))

    @property
    def words(self) -> str:
        """What may be touched in words: "age (5,10); at most 5 % of a synthesis removed; claims of abroad blanked"."""
        parts = [
            f"{name} ({'; '.join([*([str(self.coarsen[name])] if name in self.coarsen else []), *self._ways(name)])})"
            for name in self.keys
        ]
        if self.remove:
            claims = f", also claims of {', '.join(self.remove_claims)}" if self.remove_claims else ""
            parts.append(f"at most {self.remove:.15g} % of a synthesis removed{claims}")
        return "; ".join([*parts, *([f"claims of {', '.join(self.blank)} blanked"] if self.blank else [])])

    def _ways(self, name: str) -> tuple[str, ...]:
        return self.ways[name].texts if name in self.ways else ()


def not_assessed(name: str, targets: Iterable[str]) -> DisclosureError:
    """Return the error for a target that is not assessed."""
    return DisclosureError(f"{name!r} is no target that is assessed; name one of {', '.join(targets)}.")


def check(settings: Settings, aims: Sequence[Aim], may: May) -> None:
    """Say what of an aim, or of what may be touched, does not fit the settings.

    Raises
    ------
    DisclosureError
        When something does not.
    """
    if not aims:
        raise DisclosureError("State an aim, such as beyond(DiSCO)<5.")
    for aim in aims:
        aim.need_limit()
    for name in may.keys:
        if name not in settings.keys:
            raise DisclosureError(f"{name!r} is no key: writing it less exactly lowers no figure. Name a key.")
        ways = may.ways.get(name)
        if ways and (ways.top or ways.bottom or ways.round) and name in dict(settings.groups):
            raise DisclosureError(
                f"{name!r} is judged in groups, which other numbers change; take its groups away, or name levels of a "
                "hierarchy."
            )
    for name in (*may.blank, *may.remove_claims):
        if name in settings.keys:
            raise DisclosureError(f"{name!r} is a key, and keys make no claim; name a target.")
    if len(aims) > 1 and any(aim.limit == 0 for aim in aims):
        raise DisclosureError("Of several aims none has the limit 0; search for that one alone.")
