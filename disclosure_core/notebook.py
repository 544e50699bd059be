"""What results write and draw, and how a review meets its data: the bodies of methods that lead up, loaded when used.

The methods stand on the classes (`shown.Shown`, `Review`), which import nothing above themselves and call these through
`above`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disclosure_core.data.placing import place
from disclosure_core.errors import DisclosureError, NotEvaluated, not_installed
from disclosure_core.results.declared import Result
from disclosure_core.shown import Place, Shown

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.settings import Settings
    from disclosure_core.figures.plot import Plot
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


def left(made: str | bytes, path: Place | None) -> Any:
    """Return what was made, or write it and return where."""
    if path is None:
        return made
    return place(path, made)


def plotted(result: Any, path: Place | None, look: Mapping[str, Any], *asked: Any) -> Any:
    """Return a figure of a result for the screen (plotly), or write it for print and return where.

    With `ax`, axes of matplotlib, it is drawn on them as it is printed, and they are returned; with `ax="new"` a figure
    of matplotlib at its exact size.
    """
    try:
        plot = _plot(result, *asked)
        if isinstance(plot, NotEvaluated):
            raise DisclosureError(f"{plot.why} {plot.needs}")
        look = dict(look)
        ax = look.pop("ax", None)
        if path is None and ax is None:
            if look:
                raise DisclosureError(f"{next(iter(look))} is of print: name a file, or ax.")
            from disclosure_core.figures import screen

            return screen.draw(plot)
        from matplotlib.axes import Axes

        from disclosure_core.figures import paper
        from disclosure_core.figures.look import Look

        if ax not in (None, "new") if isinstance(ax, str | None) else not isinstance(ax, Axes):
            raise DisclosureError(f"Give ax as axes of matplotlib, such as plt.gca(), or 'new'; not {ax!r}.")
        if path is None:
            drawn = _look(Look, look)
            return paper.figure(plot, drawn) if isinstance(ax, str) else paper.onto(plot, ax, drawn)
        if ax is not None:
            raise DisclosureError("A figure goes to a file or to ax, not to both; save the figure that ax is of.")

        ending = Path(path).suffix.lower().lstrip(".")
        if ending not in paper.FORMATS:
            raise DisclosureError(f"A figure is a {', '.join(paper.FORMATS)} file; {Path(path).name} is none of them.")
        return left(paper.draw(plot, ending, _look(Look, look)), path)
    except ModuleNotFoundError as error:
        raise not_installed(error) from None


def _kind(result: Any) -> str:
    """Return the name of a result's class, without importing it: the last of its own before `Shown`."""
    return next(c.__name__ for c in type(result).__mro__ if Shown in c.__bases__)


def _look(kind: Any, given: Mapping[str, Any]) -> Any:
    unknown = given.keys() - (names := {field.name for field in fields(kind)})
    if unknown:
        raise DisclosureError(f"There is no {sorted(unknown)[0]!r} to choose here; name {', '.join(sorted(names))}.")
    return kind(**given)


def _plot(result: Any, *asked: Any) -> Plot | NotEvaluated:
    """Return what a figure of a result shows."""
    if isinstance(result, Result):
        return result.figure() or NotEvaluated("This result has no figure.", "Take its tables.")
    match _kind(result):
        case "Assessment":
            from disclosure_core.figures import dorig_disco

            return dorig_disco.describe(result, *asked)
        case "TargetRisk":
            from disclosure_core.figures import steps

            return steps.describe(result)
        case "AttributeBaseline":
            from disclosure_core.figures import members_outside

            return members_outside.describe(result, *asked)
        case "IdentityBaseline":
            from disclosure_core.figures import members_outside

            return members_outside.describe_keys(result)
        case "Membership":
            from disclosure_core.figures import membership_keys

            (measure,) = asked
            return membership_keys.describe(result.curve(1.0, measure), measure)
        case "SubsetSearch":
            from disclosure_core.figures import each_key

            return each_key.describe(result, result.n_original, *asked)
    from disclosure_core.results import catalogue

    return catalogue.figure(result, *asked)


def _tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return every table of a result, by name."""
    from disclosure_core.export.tables import of_outside, of_target, tables
    from disclosure_core.results.review_tables import joined_keys
    from disclosure_core.review.assess import AssessmentWithHoldout

    if isinstance(result, Result):
        return result.evaluated()
    match _kind(result):
        case "AttributeBaseline":
            from disclosure_core.conclusions import difference

            return {"holdout": result.figures, "difference": difference.table(result), "context": result.context}
        case "IdentityBaseline":
            return {"holdout_identity": result.figures}
        case "Membership":
            return {
                "membership": joined_keys(result.summary(), "worst_keys"),
                "all_keys": result.all_keys(),
                "subsets": joined_keys(result.figures()),
            }
        case "StrongestIntruder":
            return dict(result.tables())
        case "TargetRisk":
            return of_target(result)
        case "SubsetSearch":
            return {
                "subsets_identity": joined_keys(result.identity),
                "subsets_attribute": joined_keys(result.attribute),
            }
    if isinstance(result, AssessmentWithHoldout):
        return tables(result) | of_outside(result.baseline, result.identity_baseline)
    return tables(result)


def json_of(result: Any) -> str:
    """Return every table of a result as JSON; of an opened review every figure, as `disclosure run --json` does."""
    from disclosure_core.export.as_json import results_to_json, to_json

    if isinstance(result, Result):
        return results_to_json(_tables(result), notes=list(result.sentences()))
    match _kind(result):
        case "Opened":
            return to_json(result)
        case "Assessment":
            keys = [key.name for key in result.keys.keys]
            return results_to_json(
                _tables(result),
                settings=json.loads(result.settings.to_json()),
                not_evaluated=dict(result.not_evaluated),
                keys=keys,
            )
    return results_to_json(_tables(result))


def excel_of(result: Any) -> bytes:
    """Return every table of a result as one Excel workbook."""
    try:
        if isinstance(result, Result):
            from disclosure_core.export.tables import to_excel

            columns = {table.name: table.columns for table in result.tables}
            return to_excel(_tables(result), columns, result.title)
        if _kind(result) == "Opened":
            from disclosure_core.export.workbook import workbook

            return workbook(result)
        from disclosure_core.export.tables import to_excel

        return to_excel(_tables(result))
    except ModuleNotFoundError as error:
        raise not_installed(error) from None


def check_analyses(review: Review) -> None:
    """Say which further result, or parameter of one, a review asks for that is not known here."""
    if not review.analyses:
        return
    from disclosure_core.results import named

    for name in review.analyses:
        named(name).asked_of(review)


def result_of(opened: Any, name: str, asked: Mapping[str, Any]) -> Any:
    """Return a further result of the judged figures, by its name."""
    from disclosure_core.results import named

    return named(name).of(opened.printed, **asked)


def verified_of(opened: Any) -> Any:
    """Return what the second counter finds of a review's figures."""
    from disclosure_core.export.verified import verify

    return verify(opened)


def report_of(opened: Any, path: Place, look: Mapping[str, Any]) -> Path:
    """Write the report, .pdf or .html, and return where."""
    form = {".pdf": "pdf", ".html": "html", ".htm": "html"}.get(Path(path).suffix.lower())
    if form is None:
        raise DisclosureError(f"A report is a .pdf or an .html file; {Path(path).name} is neither.")
    try:
        from disclosure_core.report import Look, assembled

        made = assembled.report(opened, form, _look(Look, {"date": date.today().isoformat(), **look}))
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    return Path(left(made, path))


def opened(
    review: Review, data: Any, synthetic: Any, holdout: Any, holdout_is_random: bool | None, *, other_data: bool
) -> Opened:
    """Return a review with its data."""
    from disclosure_core.review.opening import open_review, open_with

    if synthetic is None and holdout is None:
        return open_review(review, data, other_data=other_data)
    return open_with(review, data, synthetic, holdout, holdout_is_random, other_data=other_data)


def review_at(path: Path) -> Review:
    """Return the review that a file says."""
    from disclosure_core.review.saved import read, with_parts
    from disclosure_core.review.value import Review

    return with_parts(Review(), read(path))


def settings_of(text: str) -> Settings:
    """Return the settings that a text says."""
    from disclosure_core.review.saved import settings_of as of_text

    return of_text(text)


def text_of(review: Review) -> str:
    """Return a review as text."""
    from disclosure_core.review.saved import to_json

    return to_json(review)
