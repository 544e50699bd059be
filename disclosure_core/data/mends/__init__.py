"""What each kind of mend does: from the sides of a column to what changes a series, or None where nothing is to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disclosure_core.data.mends._moments import dates, zone
from disclosure_core.data.mends._numbers import decimals, units
from disclosure_core.data.mends._texts import case, labels, letters, missing, space

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from disclosure_core.data.sides import Side

MAKERS: Mapping[str, Callable[[Sequence[Side], Mapping[str, str]], Any]] = {
    "letters": letters,
    "space": space,
    "case": case,
    "missing": missing,
    "labels": labels,
    "units": units,
    "decimals": decimals,
    "dates": dates,
    "zone": zone,
}
"""The function of each kind, by its name."""
