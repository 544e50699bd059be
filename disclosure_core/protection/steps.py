"""The steps that make a synthesis safer: what each is asked with, and what it does in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RemoveReplicated:
    """Remove the synthetic records that are unique on the keys and match a unique original record (paper 003)."""

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove replicated uniques: each is unique on the keys and matches exactly one original record."


@dataclass(frozen=True, slots=True)
class RemoveUniques:
    """Remove the synthetic records that are unique on the keys, where the keys occur in the original."""

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove synthetic records that are unique on the keys, where these keys occur in the original."


@dataclass(frozen=True, slots=True)
class MergeLevels:
    """Merge the levels of a category that fewer than `fewer` original records have into one, `into`, but for `keep`."""

    column: str
    fewer: int
    into: str = "Other"
    keep: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        but = f" but for {', '.join(map(repr, self.keep))}" if self.keep else ""
        return (
            f"Merge the levels of {self.column!r} that fewer than {self.fewer:,} original records have{but}: "
            f"{self.into!r}."
        )


@dataclass(frozen=True, slots=True)
class Coarsen:
    """Put the values of a numeric column into about `groups` intervals."""

    column: str
    groups: int

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Put {self.column!r} into {self.groups:,} groups."


@dataclass(frozen=True, slots=True)
class Cap:
    """Top and bottom code a numeric column: values beyond an end become that end; None leaves an end open."""

    column: str
    low: float | None = None
    high: float | None = None

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        ends = [f"{word} {end:.15g}" for word, end in (("below", self.low), ("above", self.high)) if end is not None]
        return f"Set values of {self.column!r} {' and '.join(ends)} to the end itself."


@dataclass(frozen=True, slots=True)
class RoundTo:
    """Round a numeric column to multiples of `to`, by the decimals as they are written; halves to the even multiple."""

    column: str
    to: float

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Round {self.column!r} to multiples of {self.to:.15g}."


LABEL = "SYNTHETIC"
"""What a label says unless somebody words it otherwise."""

LONGEST = 60
"""Letters of a label's text, which every file format holds."""


@dataclass(frozen=True, slots=True)
class AddLabel:
    """Add a column that says in every record that the data are synthetic (R: `sdc(label=)`); it moves no figure.

    Attributes
    ----------
    column
        Its name: letters without accents, digits and underscores, 32 at most, as every file format takes it.
    text
        What it says in every record.
    """

    column: str = "label"
    text: str = LABEL

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Add a column {self.column!r} to the files that says {self.text!r} in every record."


Step = RemoveReplicated | RemoveUniques | MergeLevels | Coarsen | Cap | RoundTo | AddLabel

STEPS: dict[str, type[Step]] = {
    kind.__name__: kind for kind in (RemoveReplicated, RemoveUniques, MergeLevels, Coarsen, Cap, RoundTo, AddLabel)
}
"""The steps by name, as a saved review names them."""
