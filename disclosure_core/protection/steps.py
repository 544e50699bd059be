"""The steps that make a synthesis safer: what each is asked with, and what it does in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class RemoveReplicated:
    """Remove the synthetic records that are unique on the keys and match a unique original record (paper 003).

    Examples
    --------
    >>> RemoveReplicated().sentence
    'Remove replicated uniques: each is unique on the keys and matches exactly one original record.'
    """

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove replicated uniques: each is unique on the keys and matches exactly one original record."


@dataclass(frozen=True, slots=True)
class RemoveUniques:
    """Remove the synthetic records that are unique on the keys, where the keys occur in the original.

    Examples
    --------
    >>> RemoveUniques().sentence
    'Remove synthetic records that are unique on the keys, where these keys occur in the original.'
    """

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return "Remove synthetic records that are unique on the keys, where these keys occur in the original."


@dataclass(frozen=True, slots=True)
class MergeLevels:
    """Merge the levels of a category that fewer than `fewer` original records have into one, `into`, but for `keep`.

    Examples
    --------
    >>> MergeLevels("region", 20).sentence
    "Merge the levels of 'region' that fewer than 20 original records have: 'Other'."
    """

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
    """Put the values of a numeric column into about `groups` intervals.

    Examples
    --------
    >>> Coarsen("income", 10).sentence
    "Put 'income' into 10 groups."
    """

    column: str
    groups: int

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Put {self.column!r} into {self.groups:,} groups."


@dataclass(frozen=True, slots=True)
class Cap:
    """Top and bottom code a numeric column: values beyond an end become that end; None leaves an end open.

    Examples
    --------
    >>> Cap("age", high=90).sentence
    "Set values of 'age' above 90 to the end itself."
    """

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
    """Round a numeric column to multiples of `to`, by the decimals as they are written; half away from zero.

    Examples
    --------
    >>> RoundTo("income", 100).sentence
    "Round 'income' to multiples of 100."
    """

    column: str
    to: float

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Round {self.column!r} to multiples of {self.to:.15g}."


@dataclass(frozen=True, slots=True)
class Breaks:
    """Put a numeric column into intervals that begin at your own breaks; the first and the last are open.

    Raises
    ------
    TypeError
        When a break is no number.

    Examples
    --------
    >>> Breaks("age", (18, 65)).sentence
    "Put 'age' into intervals that begin at 18, 65."
    """

    column: str
    breaks: tuple[float, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(b, int | float) and not isinstance(b, bool) and isfinite(b) for b in self.breaks):
            raise TypeError("a break is a number")

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Put {self.column!r} into intervals that begin at {', '.join(f'{b:.15g}' for b in self.breaks)}."


@dataclass(frozen=True, slots=True)
class Recode:
    """Merge the levels of a category that you name into one, `into`.

    Raises
    ------
    TypeError
        When a level is no text.

    Examples
    --------
    >>> Recode("work", "at home", ("retired", "unemployed")).sentence
    "Merge the levels 'retired', 'unemployed' of 'work': 'at home'."
    """

    column: str
    into: str
    levels: tuple[str, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(level, str) for level in (self.into, *self.levels)):
            raise TypeError("a level is a text")

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Merge the levels {', '.join(map(repr, self.levels))} of {self.column!r}: {self.into!r}."


@dataclass(frozen=True, slots=True)
class Band:
    """Write the values of a column as a coarser level of a hierarchy.

    Attributes
    ----------
    column
        Numbers, dates, codes or categories.
    level
        The width of bands as written ("5"), a level of the calendar ("month"), first characters ("prefix:2"); of a
        table, what its level is called.
    rows
        Of a table: each value and the level that it becomes.

    Raises
    ------
    TypeError
        When a row is no pair of texts.

    Examples
    --------
    >>> Band("age", "5").sentence
    "Write 'age' in bands of 5."
    """

    column: str
    level: str
    rows: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not all(isinstance(r, tuple) and len(r) == 2 and all(isinstance(t, str) for t in r) for r in self.rows):
            raise TypeError("a row is a value and its level")

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        if self.rows or not self.level[:1].isdigit():
            return f"Write {self.column!r} less exactly: {self.level}."
        return f"Write {self.column!r} in bands of {self.level}."


@dataclass(frozen=True, slots=True)
class BlankClaims:
    """Blank a target in the synthetic records whose keys all have one level of it, whether it is right or wrong.

    The rule reads the synthetic data alone: blanks where the claim is right would point at the people it is right of.

    Examples
    --------
    >>> BlankClaims("abroad").sentence.partition(",")[0]
    "Blank 'abroad' where all synthetic records with the same keys have one level of it"
    """

    column: str

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return (
            f"Blank {self.column!r} where all synthetic records with the same keys have one level of it, right or "
            "wrong: a blank shows that they agreed, not on what."
        )


@dataclass(frozen=True, slots=True)
class RemoveClaims:
    """Remove the synthetic records whose keys all have one level of a target, whether it is right or wrong.

    The rule reads the synthetic data alone, as that of `BlankClaims`.

    Examples
    --------
    >>> RemoveClaims("abroad").sentence.partition(",")[0]
    "Remove the synthetic records whose keys all have one level of 'abroad'"
    """

    column: str

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return (
            f"Remove the synthetic records whose keys all have one level of {self.column!r}, right or wrong: keys that "
            "no record has then may be those that agreed."
        )


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

    Examples
    --------
    >>> AddLabel().sentence
    "Add a column 'label' to the files that says 'SYNTHETIC' in every record."
    """

    column: str = "label"
    text: str = LABEL

    @property
    def sentence(self) -> str:
        """What is done, in words."""
        return f"Add a column {self.column!r} to the files that says {self.text!r} in every record."


OnColumn = MergeLevels | Coarsen | Cap | RoundTo | Breaks | Recode | Band
"""Steps that act on one column, on both sides alike."""

Removal = RemoveReplicated | RemoveUniques | RemoveClaims
"""Steps that remove records of the syntheses."""

Step = Removal | OnColumn | BlankClaims | AddLabel

STEPS: dict[str, type[Step]] = {
    kind.__name__: kind
    for kind in (
        *(RemoveReplicated, RemoveUniques, MergeLevels, Coarsen, Cap, RoundTo, Breaks, Recode, Band, BlankClaims),
        *(RemoveClaims, AddLabel),
    )
}
"""The steps by name, as a saved review names them."""
