"""What a result shows of itself, and takes away, in a notebook: `.plot()`, `.to_json()`, `.to_excel()`, a small table.

The public face binds these to the classes of the rooms below, which import nothing above themselves. What is shown is
never a record.
"""

from __future__ import annotations

from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError, NotEvaluated, not_installed
from disclosure_core.rounding import fixed, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import pandas as pd

    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.data.study import StudyOf
    from disclosure_core.figures.catalogue import Plot
    from disclosure_core.holdout.baseline import AttributeBaseline, IdentityBaseline
    from disclosure_core.holdout.decision import Limit
    from disclosure_core.holdout.membership import Membership
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review
    from disclosure_core.sensitivity.key_subsets import SubsetSearch

    Written = str | Path

_MOST = 3
"""So many figures are named in a line of text."""


def plain(text: str) -> str:
    """Return text from the data so that a terminal shows it and obeys none of it."""
    return printable(text)


# ---- what all do ----


def _shown(plot: Plot | NotEvaluated, path: Written | None, **look: Any) -> Any:
    """Return a figure for the screen (plotly), or write it for print and return where: .pdf, .svg or .png."""
    if isinstance(plot, NotEvaluated):
        raise DisclosureError(f"{plot.why} {plot.needs}")
    try:
        if path is None:
            from disclosure_core.figures import screen

            return screen.draw(plot)
        from disclosure_core.figures import paper
        from disclosure_core.figures.look import Look

        ending = Path(path).suffix.lower().lstrip(".")
        if ending not in paper.FORMATS:
            raise DisclosureError(f"A figure is a {', '.join(paper.FORMATS)} file; {Path(path).name} is none of them.")
        return _left(paper.draw(plot, ending, Look(**look)), path)
    except ModuleNotFoundError as error:
        raise not_installed(error) from None


def _left(made: str | bytes, path: Written | None) -> Any:
    """Return what was made, or write it and return where."""
    if path is None:
        return made
    Path(path).write_bytes(made.encode() if isinstance(made, str) else made)
    return Path(path)


def _excel(tables: Mapping[str, pd.DataFrame], path: Written | None) -> Any:
    try:
        from disclosure_core.export.tables import to_excel

        return _left(to_excel(tables), path)
    except ModuleNotFoundError as error:
        raise not_installed(error) from None


def _json(tables: Mapping[str, pd.DataFrame], path: Written | None, **more: Any) -> Any:
    from disclosure_core.export.as_json import results_to_json

    return _left(results_to_json(tables, **more), path)


def _html(said: str, frame: pd.DataFrame) -> str:
    """Return a heading and a small table; names from the data are text."""
    table = frame.to_html(index=False, float_format=fixed, escape=True, border=0, na_rep="–")
    return f"<p>{escape(said.splitlines()[0])}</p>{table}"


def _named(pairs: list[tuple[str, float]]) -> str:
    more = f" and {len(pairs) - _MOST:,} more" if len(pairs) > _MOST else ""
    return ", ".join(f"{plain(name)} {fixed(value)} %" for name, value in pairs[:_MOST]) + more


def _several(m: int) -> str:
    return f"{m} synthes{'e' if m > 1 else 'i'}s"


# ---- a study ----


def _study_html(self: StudyOf[Any]) -> str:
    columns = ["column", "type", "levels_original", "levels_synthetic", "missing_original", "missing_synthetic"]
    return _html(repr(self), self.overview()[columns])


# ---- an assessment ----


def _assessment_text(self: Assessment) -> str:
    keys = ", ".join(plain(key.name) for key in self.keys.keys)
    summary = self.summary().iloc[::-1]
    identity = self.identity.mean()
    pairs = list(zip(summary["target"], summary["synthetic"], strict=True))
    return (
        f"Assessment: {self.n_original:,} original records, {_several(len(self.n_synthetic))}; keys: {keys}\n"
        f"UiO {fixed(identity['UiO'])} %, repU {fixed(identity['repU'])} % of the original records\n"
        f"DiSCO: {_named(pairs)}"
    )


def _assessment_html(self: Assessment) -> str:
    shown = (
        self.summary()
        .iloc[::-1]
        .rename(
            columns={
                "original": "Dorig %",
                "synthetic": "DiSCO %",
                "gain": "gain over chance",
                "kappa": "κ",
                "claims_right": "claims right %",
                "best_guess": "best guess, same people %",
            }
        )
    )
    return _html(
        repr(self),
        shown[
            [
                "target",
                "Dorig %",
                "DiSCO %",
                "min",
                "max",
                "gain over chance",
                "κ",
                "claims right %",
                "best guess, same people %",
                "flag",
            ]
        ],
    )


def _assessment_plot(self: Assessment, path: Written | None = None, *, measure: str = "DiSCO", **look: Any) -> Any:
    """Return what is given away, target by target, for the screen; or write it: .pdf, .svg or .png.

    `look` is that of `figures.paper.Look`: size ("column", "page", "slide"), grey, title, dpi.
    """
    from disclosure_core.figures import dorig_disco

    return _shown(dorig_disco.describe(self, measure), path, **look)


def _assessment_json(self: Assessment, path: Written | None = None) -> Any:
    """Return every table as JSON (docs/figures.schema.json), or write it and return where."""
    import json

    from disclosure_core.export.tables import tables

    settings = json.loads(self.settings.to_json())
    return _json(tables(self), path, settings=settings, keys=[key.name for key in self.keys.keys])


def _assessment_excel(self: Assessment, path: Written | None = None) -> Any:
    """Return every table as one Excel workbook, or write it and return where."""
    from disclosure_core.export.tables import tables

    return _excel(tables(self), path)


# ---- people outside ----


def _doubted(doubts: Iterable[str]) -> str:
    return "".join(f"\nWarning: {doubt}" for doubt in doubts)


def _attribute_text(self: AttributeBaseline) -> str:
    summary = self.summary().iloc[::-1]
    pairs = list(zip(summary["target"], summary["difference"], strict=True))
    return (
        f"Baseline: {self.n_training:,} members, {self.n_holdout:,} people outside\n"
        "DiSCO of members less that of people outside, means over the syntheses\n"
        f"{_named(pairs).replace(' %', ' points')}{_doubted(self.doubts)}"
    )


def _attribute_html(self: AttributeBaseline) -> str:
    columns = ["target", "members", "non_members", "difference", "low", "high"]
    return _html(repr(self), self.summary().iloc[::-1][columns])


def _attribute_plot(
    self: AttributeBaseline, path: Written | None = None, *, measure: str = "DiSCO", limit: Limit | None = None,
    **look: Any,
) -> Any:  # fmt: skip
    """Return members against people outside for the screen, or write it; `limit` is what the office sets."""
    from disclosure_core.figures import members_outside
    from disclosure_core.holdout.decision import Limit

    limit = limit or Limit()
    return _shown(members_outside.describe(self, measure, limit), path, **look)


def _attribute_tables(self: AttributeBaseline) -> dict[str, pd.DataFrame]:
    from disclosure_core.conclusions import difference

    return {"holdout": self.figures, "difference": difference.table(self), "context": self.context}


def _identity_text(self: IdentityBaseline) -> str:
    row = self.summary().iloc[0]
    return (
        f"Baseline of the keys: {self.n_training:,} members, {self.n_holdout:,} people outside\n"
        f"repU of members {fixed(row['members'])} %, of people outside {fixed(row['non_members'])} %\n"
        f"difference {fixed(row['difference'])} points, 95 % from {fixed(row['low'])} to {fixed(row['high'])}"
        f"{_doubted(self.doubts)}"
    )


def _identity_html(self: IdentityBaseline) -> str:
    return _html(repr(self), self.summary()[["members", "non_members", "difference", "low", "high"]])


def _identity_plot(self: IdentityBaseline, path: Written | None = None, **look: Any) -> Any:
    """Return repU of members against people outside for the screen, or write it."""
    from disclosure_core.figures import members_outside

    return _shown(members_outside.describe_keys(self), path, **look)


def _identity_tables(self: IdentityBaseline) -> dict[str, pd.DataFrame]:
    return {"holdout_identity": self.figures}


# ---- membership ----


def _membership_text(self: Membership) -> str:
    row = self.decisive()
    return (
        f"Membership: {self.n_training:,} members, {self.n_holdout:,} people outside; {self.coverage}\n"
        f"keys: {', '.join(map(plain, self.keys))}; prevalence {self.t:.4g}\n"
        f"F {fixed(row['F'], 4)} beside {fixed(row['F_naive'], 4)} by guessing: F_rel {fixed(row['F_rel'], 4)}"
        f"{_doubted(self.doubts)}"
    )


def _membership_html(self: Membership) -> str:
    columns = ["beta", "F_naive", "F", "F_rel", "worst_F", "worst_F_rel"]
    rows = self.summary()[columns].apply(lambda column: column.map(lambda x: fixed(x, 4)))
    return _html(repr(self), rows)


def _membership_plot(self: Membership, path: Written | None = None, *, measure: str = "F_rel", **look: Any) -> Any:
    """Return F or F_rel by the number of keys for the screen, or write it."""
    from disclosure_core.figures import membership_keys

    return _shown(membership_keys.describe(self.curve(1.0, measure), measure), path, **look)


def _membership_tables(self: Membership) -> dict[str, pd.DataFrame]:
    from disclosure_core.export.tables import joined_keys

    return {
        "membership": joined_keys(self.summary(), "worst_keys"),
        "all_keys": self.all_keys(),
        "subsets": joined_keys(self.figures(), "keys"),
    }


# ---- subsets of the keys ----


def _subsets_text(self: SubsetSearch) -> str:
    worst = self.worst("repU")
    targets = self.attribute["target"].unique().tolist()
    each = sorted(((name, self.worst("DiSCO", name).figure) for name in targets), key=lambda pair: -pair[1])
    return (
        f"Subsets of the keys {', '.join(map(plain, self.keys))}: {self.coverage}\n"
        f"worst repU {fixed(worst.figure)} %, with {', '.join(map(plain, worst.keys))}\n"
        f"worst DiSCO: {_named(each) or 'not searched'}"
    )


def _subsets_html(self: SubsetSearch) -> str:
    from disclosure_core.export.tables import joined_keys

    columns = ["keys", "UiO", "repU", "min", "max"]
    return _html(repr(self), joined_keys(self.identity, "keys").nlargest(8, "repU")[columns])


def _subsets_plot(self: SubsetSearch, path: Written | None = None, *, target: str | None = None, **look: Any) -> Any:
    """Return what each key adds to repU, or to DiSCO of a target, for the screen; or write it."""
    from disclosure_core.figures import each_key

    return _shown(each_key.describe(self, self.n_original, target), path, **look)


def _subsets_tables(self: SubsetSearch) -> dict[str, pd.DataFrame]:
    from disclosure_core.export.tables import joined_keys

    return {
        "subsets_identity": joined_keys(self.identity, "keys"),
        "subsets_attribute": joined_keys(self.attribute, "keys"),
    }


def _outputs(tables: Callable[[Any], dict[str, pd.DataFrame]]) -> dict[str, Any]:
    """Return `to_json` and `to_excel` of a result with these tables."""

    def to_json(self: Any, path: Written | None = None) -> Any:
        """Return the tables as JSON, or write it and return where."""
        return _json(tables(self), path)

    def to_excel(self: Any, path: Written | None = None) -> Any:
        """Return the tables as one Excel workbook, or write it and return where."""
        return _excel(tables(self), path)

    return {"to_json": to_json, "to_excel": to_excel}


# ---- a review ----


def _review_load(cls: type[Review], path: Written) -> Review:  # noqa: ARG001 (a class method)
    """Return a review that was saved on the page or by a command."""
    from disclosure_core.review.saved import from_json

    return from_json(Path(path).read_text(encoding="utf-8", errors="replace"))


def _review_save(self: Review, path: Written) -> Path:
    """Write the review, to go on with on the page or by `disclosure run`; return where."""
    from disclosure_core.review.saved import to_json

    Path(path).write_text(to_json(self), encoding="utf-8")
    return Path(path)


def _review_open(self: Review, files: Written | Mapping[str, Any] | None = None, *, other_data: bool = False) -> Opened:
    """Return the review with its files, read from a folder, or from bytes or places by name; see `open_review`."""
    from disclosure_core.review.opening import open_review

    bind("review.opened")
    return open_review(self, Path(files) if isinstance(files, str) else files, other_data=other_data)


def _opened_html(self: Opened) -> str:
    if not self.review.keys:
        return f"<p>{escape(repr(self))}</p>"
    notes = "".join(f"<p>{escape(said)}</p>" for said in self.not_judged)
    return _assessment_html(self.printed.assessment()) + notes


def _opened_plot(
    self: Opened, path: Written | None = None, *, name: str = "dorig-disco", target: str | None = None, **look: Any
) -> Any:
    """Return a figure of the catalogue (`figures.catalogue.CATALOGUE`) for the screen, or write it."""
    from disclosure_core.figures import catalogue

    return _shown(catalogue.figure(self, name, target), path, **look)


def _opened_json(self: Opened, path: Written | None = None) -> Any:
    """Return every figure as JSON, as `disclosure run --json` does, or write it and return where."""
    from disclosure_core.export.as_json import to_json

    return _left(to_json(self), path)


def _opened_excel(self: Opened, path: Written | None = None) -> Any:
    """Return every table as one Excel workbook, or write it and return where."""
    from disclosure_core.export.workbook import workbook

    return _left(workbook(self), path)


def _opened_report(self: Opened, path: Written, **look: Any) -> Path:
    """Write the report, .pdf or .html, and return where; `look` is that of `report.assembled.Look`, such as title."""
    from datetime import date

    form = {".pdf": "pdf", ".html": "html", ".htm": "html"}.get(Path(path).suffix.lower())
    if form is None:
        raise DisclosureError(f"A report is a .pdf or an .html file; {Path(path).name} is neither.")
    try:
        from disclosure_core.report import assembled

        made = assembled.report(self, form, assembled.Look(**{"date": date.today().isoformat()} | look))
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    Path(path).write_bytes(made)
    return Path(path)


_BOUND: dict[str, dict[str, dict[str, Any]]] = {
    "data.study": {"StudyOf": {"_repr_html_": _study_html}},
    "counting.assessment": {
        "Assessment": {
            "__repr__": _assessment_text,
            "_repr_html_": _assessment_html,
            "plot": _assessment_plot,
            "to_json": _assessment_json,
            "to_excel": _assessment_excel,
        }
    },
    "holdout.baseline": {
        "AttributeBaseline": {
            "__repr__": _attribute_text,
            "_repr_html_": _attribute_html,
            "plot": _attribute_plot,
            **_outputs(_attribute_tables),
        },
        "IdentityBaseline": {
            "__repr__": _identity_text,
            "_repr_html_": _identity_html,
            "plot": _identity_plot,
            **_outputs(_identity_tables),
        },
    },
    "holdout.membership": {
        "Membership": {
            "__repr__": _membership_text,
            "_repr_html_": _membership_html,
            "plot": _membership_plot,
            **_outputs(_membership_tables),
        }
    },
    "sensitivity.key_subsets": {
        "SubsetSearch": {
            "__repr__": _subsets_text,
            "_repr_html_": _subsets_html,
            "plot": _subsets_plot,
            **_outputs(_subsets_tables),
        }
    },
    "review.value": {
        "Review": {"load": classmethod(_review_load), "save": _review_save, "open": _review_open},
    },
    "review.opened": {
        "Opened": {
            "_repr_html_": _opened_html,
            "plot": _opened_plot,
            "to_json": _opened_json,
            "to_excel": _opened_excel,
            "report": _opened_report,
        }
    },
}
_BOUND["review.opening"] = _BOUND["review.opened"]  # what it makes is an Opened
RESULTS = ("data.study", "counting.assessment", "holdout.baseline", "holdout.membership", "sensitivity.key_subsets")
"""Rooms whose classes are bound as soon as anything of the face is used."""


def bind(*rooms: str) -> None:
    """Give the classes of `rooms` what is written here for them."""
    for room in rooms:
        module = import_module(f"disclosure_core.{room}")
        for name, methods in _BOUND.get(room, {}).items():
            for method, function in methods.items():
                if isinstance(getattr(function, "__name__", None), str) and not method.startswith("_"):
                    function.__name__ = method
                setattr(getattr(module, name), method, function)
