"""What a further result is: declared once, and every channel follows from it by a loop (`disclosure_core/results`).

A result is a question beside the measures, such as "Do near misses of a number count?". Its class says all that is to
be said of it; page, report, JSON, workbook, conditions, command, figures and the second counter take it from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import pandas as pd
from pydantic import ValidationError

from disclosure_core.asking import Parameters
from disclosure_core.errors import DisclosureError, NotEvaluated, not_found
from disclosure_core.review.inputs import Inputs, result_kept, result_made
from disclosure_core.review.parts import Analysis
from disclosure_core.rounding import visible
from disclosure_core.shown import Shown

if TYPE_CHECKING:
    from typing import Self

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.plot import Plot
    from disclosure_core.results.table import Table
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


NOT_RUN = NotEvaluated("It takes long, and was not run.", "Run it on the Analyses page, or by its command.")


A = TypeVar("A", bound=Parameters)


@dataclass(frozen=True, slots=True)
class OneOf:
    """Of a field: one of some names in the data; where the field may be None, that is all of them."""

    names: Callable[[Inputs], Sequence[str]]


@dataclass(frozen=True, slots=True)
class OfReview:
    """Of a field: the review itself holds it, because more than this result depends on it.

    `every_command` is whether all commands have the option, so that the result's own need not.
    """

    get: Callable[[Review], Any]
    put: Callable[[Review, Any], Review]
    every_command: bool = False


def targets_asked(data: Inputs, target: str | None) -> list[str]:
    """Return the target that is asked about, or all of them."""
    every = data.assessment.targets
    if target is None:
        return list(every)
    if target not in every:
        raise not_found("Target", target, "among those assessed", every)
    return [target]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The figure of a result in the catalogue.

    Attributes
    ----------
    name, title
        Its name there, and its title in lists.
    of_all
        Whether there is one of all targets, beside that of each.
    unasked
        Whether a folder of all figures has it, however long it takes, before anybody ran it.
    """

    name: str
    title: str
    of_all: bool = True
    unasked: bool = False


class Result(Shown, Generic[A]):
    """A further result of a review.

    Attributes
    ----------
    short
        What it is called: the command, the key in a saved review, and in pages.
    about
        Under which heading it is listed: "The claims", "The people" …
    question, title, purpose
        The question as somebody asks it; the heading of its section; what the command does, one line.
    reads
        How its figures are read: the command's help, and the note beneath its tables.
    formula
        How it is computed, with its source, in Markdown: for whoever asks for more.
    example
        A call of its command, after the files.
    asks
        Its parameters.
    tables
        Its tables.
    drawn
        Its figure in the catalogue; None where there is none.
    shareable
        Whether a shareable report may hold it: then its tables hold what `report.redaction` wrote.
    usual
        Whether report, tables and JSON hold it where nobody said.
    may_be_none
        Whether its command ends well where it is not evaluated, because there is nothing to ask then.
    """

    short: ClassVar[str]
    about: ClassVar[str]
    question: ClassVar[str]
    title: ClassVar[str]
    purpose: ClassVar[str]
    reads: ClassVar[str]
    formula: ClassVar[str] = ""
    example: ClassVar[str] = ""
    asks: ClassVar[type[Parameters]] = Parameters
    tables: ClassVar[tuple[Table, ...]]
    drawn: ClassVar[Drawn | None] = None
    shareable: ClassVar[bool] = False
    usual: ClassVar[bool] = True
    may_be_none: ClassVar[bool] = False

    asked: A

    # ---- what each result says for itself ----

    @classmethod
    def lacking(cls, data: Inputs, asked: A) -> NotEvaluated | None:  # noqa: ARG003 (of those that are always there)
        """Return, without computing it, why it is not evaluated; None where it is."""
        return None

    @classmethod
    def takes_long(cls, data: Inputs, asked: A) -> bool:  # noqa: ARG003 (of those that never do)
        """Return whether it takes so long that it is begun by a button, and can be stopped."""
        return False

    @classmethod
    def make(cls, data: Inputs, asked: A, progress: Progress | None = None) -> Self:
        """Return it, of frames and numbers alone; what `progress` raises ends it."""
        raise NotImplementedError

    def frames(self) -> Mapping[str, pd.DataFrame | NotEvaluated]:
        """Return the tables by name, those that there are."""
        raise NotImplementedError

    def without_row(self, table: str) -> Mapping[str, str]:  # noqa: ARG002 (of those whose tables have every target)
        """Return, by target that a table could have a row of and has none, why."""
        return {}

    def sentences(self) -> Sequence[str]:
        """Return what it says, the answer to the question first."""
        raise NotImplementedError

    def in_annex(self) -> tuple[Sequence[str], Mapping[str, pd.DataFrame]]:
        """Return what a report's annex says of it, and rows of its tables that stand there in place of sentences."""
        return self.sentences(), {}

    def figure(self) -> Plot | None:
        """Return its figure; None where there is nothing to draw."""
        return None

    # ---- what follows ----

    @classmethod
    def asked_of(cls, review: Review, **instead: Any) -> A:
        """Return the parameters as a review has them, some `instead`.

        Raises
        ------
        DisclosureError
            When one is not among the parameters, or does not fit.
        """
        given = {**review.analyses.get(cls.short, Analysis()).asked}
        given |= {name: part.get(review) for name, part in cls.of_review()} | instead
        try:
            return cls.asks.model_validate(given)  # type: ignore[return-value]  # `asks` is the class of A
        except ValidationError as error:
            fault = error.errors()[0]
            name = str(fault["loc"][0]) if fault["loc"] else ""
            if name not in cls.asks.model_fields:
                raise DisclosureError(f"{name!r} is no parameter of {cls.short}; remove it.") from None
            field, value = cls.asks.model_fields[name], given.get(name)
            text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            what = f"{fault['msg'][:1].lower()}{fault['msg'][1:200]}".removeprefix("value error, ")
            raise DisclosureError(
                f"{field.title} of {cls.short} cannot be {text[:60]!r}: {what.rstrip('.')}. {field.description}"
            ) from None

    @classmethod
    def of_review(cls) -> Iterator[tuple[str, OfReview]]:
        """Give the parameters that the review itself holds."""
        for name, info in cls.asks.model_fields.items():
            yield from ((name, each) for each in info.metadata if isinstance(each, OfReview))

    @classmethod
    def with_asked(cls, review: Review, **parts: Any) -> Review:
        """Return a review that asks it with other parameters."""
        asked = cls.asked_of(review, **parts)
        for name, part in cls.of_review():
            if name in parts:
                review = part.put(review, getattr(asked, name))
        own = asked.model_dump(mode="json", exclude={name for name, _ in cls.of_review()}, exclude_defaults=True)
        return cls._with(review, replace(review.analyses.get(cls.short, Analysis()), asked=own))

    @classmethod
    def is_there(cls, opened: Opened) -> bool:
        """Return whether report, tables and JSON of a review have a place for it: it is asked for, and of such data."""
        return cls.in_report(opened.review) and any(table.there(opened) for table in cls.tables)

    @classmethod
    def in_report(cls, review: Review) -> bool:
        """Return whether report, tables and JSON of a review hold it."""
        chosen = review.analyses.get(cls.short, Analysis()).in_report
        return cls.usual if chosen is None else chosen

    @classmethod
    def with_in_report(cls, review: Review, there: bool) -> Review:
        """Return a review whose report, tables and JSON hold it, or do not."""
        chosen = None if there == cls.usual else there
        return cls._with(review, replace(review.analyses.get(cls.short, Analysis()), in_report=chosen))

    @classmethod
    def _with(cls, review: Review, analysis: Analysis) -> Review:
        others = {name: each for name, each in review.analyses.items() if name != cls.short}
        return replace(review, analyses=others | ({} if analysis == Analysis() else {cls.short: analysis}))

    @classmethod
    def of(cls, opened: Opened, progress: Progress | None = None, /, **parts: Any) -> Self | NotEvaluated:
        """Return it for an opened review, or why it is not evaluated; it is kept while what it was made of stays.

        Parameters
        ----------
        progress
            Told how far it is; what it raises ends it, and nothing is kept.
        parts
            Parameters in the place of the review's.

        Raises
        ------
        DisclosureError
            When a parameter does not fit, or the data do not.
        """
        if parts:
            opened = opened.with_review(cls.with_asked(opened.review, **parts))
        asked = cls.asked_of(opened.review)

        def make(data: Inputs) -> Self | NotEvaluated:
            why = cls.lacking(data, asked)
            return cls.make(data, asked, progress) if why is None else why

        found: Self | NotEvaluated = result_made(opened, cls.short, asked.model_dump_json(), make)
        return found

    @classmethod
    def kept(cls, opened: Opened) -> Self | NotEvaluated | None:
        """Return it where it was made already, of what is asked now; None where it was not."""
        found: Self | NotEvaluated | None = result_kept(
            opened, cls.short, cls.asked_of(opened.review).model_dump_json()
        )
        return found

    @classmethod
    def missing(cls, opened: Opened) -> NotEvaluated | None:
        """Return why there is none without computing it: it lacks something, or takes long and was not made."""
        data, asked = Inputs(opened), cls.asked_of(opened.review)
        why = cls.lacking(data, asked)
        return NOT_RUN if why is None and cls.takes_long(data, asked) and cls.kept(opened) is None else why

    @classmethod
    def status(cls, opened: Opened) -> Self | NotEvaluated:
        """Return it, or why there is none: `NOT_RUN` where it takes long and was not made."""
        return cls.missing(opened) or cls.of(opened)

    def evaluated(self) -> dict[str, pd.DataFrame]:
        """Return the tables; one row that says why for a table that is not evaluated."""
        frames = self.frames()
        return {
            name: pd.DataFrame([frame.row()]) if isinstance(frame, NotEvaluated) else frame
            for name, frame in frames.items()
        }

    def printed(self) -> list[tuple[Table, pd.DataFrame]]:
        """Return each table that is evaluated, as it is printed."""
        frames = self.frames()
        found = ((table, frames.get(table.name)) for table in self.tables)
        return [(table, table.printed(frame)) for table, frame in found if isinstance(frame, pd.DataFrame)]

    def plot(self, path: Any = None, **look: Any) -> Any:
        """Return its figure for the screen, or write it: .pdf, .svg or .png."""
        return self._plotted(path, look)

    def __repr__(self) -> str:
        """Return the title, and what it says; never data."""
        return "\n".join(map(visible, (self.title, *self.sentences())))

    def _small_table(self) -> pd.DataFrame:
        printed = self.printed()
        if not printed:
            return pd.DataFrame()
        table, frame = printed[0]
        return frame.rename(columns={name: table.column(str(name)).head for name in frame.columns})
