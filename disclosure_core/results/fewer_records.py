"""A release of fewer records: each measure of random parts of the syntheses, from 5 % of them to the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from disclosure_core.asking import Parameters
from disclosure_core.counting.registry import BY_NAME
from disclosure_core.data.typeset import Column
from disclosure_core.figures import measures_by_size
from disclosure_core.parameters import declared
from disclosure_core.results.declared import OneOf, Result, targets_asked
from disclosure_core.results.table import Table
from disclosure_core.review.parts import Sample
from disclosure_core.rounding import fixed, percent
from disclosure_core.sensitivity import release_size

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.errors import NotEvaluated
    from disclosure_core.figures.shapes import CurvePlot
    from disclosure_core.review.inputs import Inputs
    from disclosure_core.review.opened import Opened

AT_ONCE = 3_000_000
"""Records, targets and draws up to which they are drawn without being asked for: a second or two."""

SHOWN = (10, 20, 50, 100)
"""Parts of a synthesis, in %, that a printed table has of those drawn."""


class Asked(Parameters):
    """What is drawn."""

    target: Annotated[str | None, OneOf(lambda data: tuple(data.assessment.targets))] = Field(
        None, title="Target", description="One target; all of them by default."
    )
    repeats: int = Field(
        release_size.REPEATS, ge=1, le=1000, title="Draws", description="Random orders of each synthesis."
    )
    draw_seed: int = declared(Sample, "seed", description="Where the orders start.")


_BAND = {
    "share": Column("released", "% of a synthesis", 0),
    "n_synthetic": Column("records released, mean", kind="whole"),
    "mean": Column("mean", says="Of the draws of all syntheses."),
    "low": Column("5 % of the draws"),
    "high": Column("95 % of the draws"),
    "sd": Column("SD of the draws", says="Percentage points."),
    "samples": Column("draws that have the figure", kind="whole", says="A ratio over nothing is none."),
}


def _shares(frame: pd.DataFrame, rows: str, name: str) -> pd.DataFrame:
    """Return one figure by the part of a synthesis that is released, a row a target or figure, the largest first."""
    chosen = frame[frame["share"].isin(SHOWN)]
    wide = chosen.pivot_table("mean", rows, "share", sort=False)
    wide = wide.sort_values(wide.columns[-1], ascending=False, kind="stable").rename(columns=_released)
    wide.columns.name = None
    return wide.reset_index().rename(columns={rows: name})


def _released(share: float) -> str:
    return f"{share:g} % released"


def _disco(frame: pd.DataFrame) -> pd.DataFrame:
    return _shares(frame[frame["measure"] == "DiSCO"], "target", "target")


def _keys(frame: pd.DataFrame) -> pd.DataFrame:
    return _shares(frame, "measure", "measure")


_HEADS = {_released(share): Column(_released(share), "% of the original records") for share in SHOWN}

TARGETS = Table(
    "release_size",
    "DiSCO by the part of a synthesis that is released: means over random draws, % of the original records",
    {"target": Column("Target", kind="text"), "measure": Column("Measure", kind="text"), **_BAND},
    ("target", "measure", "share"),
    "mean",
    printed=_disco,
    heads=_HEADS,
)
KEYS = Table(
    "release_size_identity",
    "repU and UiOiS by the part of a synthesis that is released: means over random draws, % of the original records",
    {"measure": Column("Measure", kind="text"), **_BAND},
    ("measure", "share"),
    "mean",
    printed=_keys,
    heads=_HEADS,
)


class FewerRecords(Result[Asked]):
    """The measures by the number of records released, of every target or one, and of the keys.

    Attributes
    ----------
    bands
        Means and bands over the draws, as of `release_size.bands` and `identity_bands`.
    """

    short: ClassVar = "release-size"
    about: ClassVar = "The release"
    question: ClassVar = "What does a release of fewer records disclose?"
    title: ClassVar = "Fewer records released"
    purpose: ClassVar = "Measure a release of fewer records."
    reads: ClassVar = (
        "Random parts of each synthesis are drawn, 5 % to the whole, each measured as if it alone were released. "
        "Levels and groups stay those of the whole files. Fewer records protect, but some measures rise, because they "
        "divide by the records released. DiSCO may rise first, too: a smaller cell is more likely to hold one level "
        "only. The same seed gives the same figures."
    )
    formula: ClassVar = (
        "Each draw puts the records of a synthesis in a random order and keeps the first 5 %, 10 %, and so on; what is "
        "drawn depends on the seed, the synthesis and the number of the draw alone. Means and bands (5 to 95 % of the "
        "draws) are over syntheses and draws. *Source:* paper 000, section 3.3.2 and Figure 2.\n\n"
        + "\n".join(f"- {name}, % of the {BY_NAME[name].of}: {says}." for name, says in release_size.READING.items())
    )
    example: ClassVar = "--repeats 5"
    asks: ClassVar = Asked
    tables: ClassVar = (TARGETS, KEYS)
    usual: ClassVar = False

    def __init__(self, asked: Asked, bands: release_size.Sizes) -> None:
        self.asked, self.bands = asked, bands

    @classmethod
    def lacking(cls, data: Inputs, asked: Asked) -> NotEvaluated | None:
        """Return None; a target that is asked for and is none is an error."""
        targets_asked(data, asked.target)
        return None

    @classmethod
    def takes_long(cls, data: Inputs, asked: Asked) -> bool:
        """Return whether more is drawn than a moment takes."""
        targets = len(targets_asked(data, asked.target))
        return sum(data.assessment.n_synthetic) * targets * asked.repeats > AT_ONCE

    @classmethod
    def make(cls, data: Inputs, asked: Asked, progress: Progress | None = None) -> FewerRecords:
        """Return the measures of what is drawn."""
        names = targets_asked(data, asked.target)
        return cls(asked, release_size.sizes(data.assessment, names, asked.repeats, asked.draw_seed, progress))

    @classmethod
    def asking_all(cls, opened: Opened) -> Opened:
        """Return a review that asks for all targets, with the same draws."""
        return opened.with_review(cls.with_asked(opened.review, target=None))

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return the bands of the targets and of the keys."""
        return {TARGETS.name: self.bands.attribute, KEYS.name: self.bands.identity}

    def has(self, target: str) -> bool:
        """Return whether a target was measured."""
        return bool((self.bands.attribute["target"] == target).any())

    def sentences(self) -> list[str]:
        """Say of the target that is disclosed most, and of the keys, what a tenth of the records discloses."""
        least, whole = (_released(SHOWN[i]) for i in (0, -1))
        said = []
        for frame, name, what in (
            (_disco(self.bands.attribute), "target", "DiSCO of {}"),
            (_keys(self.bands.identity[self.bands.identity["measure"] == "repU"]), "measure", "{}"),
        ):
            row = frame.iloc[0]
            said.append(
                f"{what.format(row[name])} is {percent(fixed(row[least]))} where a tenth of a synthesis is released, "
                f"and {percent(fixed(row[whole]))} where all of it is."
            )
        return said

    def figure(self) -> CurvePlot:
        """Return the measures of one target by the records released; of all, DiSCO and TCAPs, a frame a target."""
        if self.asked.target is not None:
            return measures_by_size.describe(self.bands.attribute, self.asked.target)
        return measures_by_size.describe_pair(self.bands.attribute, tuple(_disco(self.bands.attribute)["target"]))
