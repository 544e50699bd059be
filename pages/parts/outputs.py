"""What leaves the page: the report, figures, tables, settings and scripts; each is made when its button is pressed."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError, scripts
from disclosure_core.assessment import identity_by_keys
from disclosure_core.figures import describe
from disclosure_core.scenarios import Project, assessed, flat, side_by_side
from disclosure_core.sizes import MEASURES as SIZED
from pages.parts import show
from pages.parts.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from disclosure_core import Assessment, Study
    from disclosure_core.report import FileRead, ReportInput
    from pages.parts.session import Session

MIME = {
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "html": "text/html",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "py": "text/x-python",
    "R": "text/plain",
    "zip": "application/zip",
}

_SIZES = {"85 mm wide": "column", "180 mm wide": "page", "Slide, 16:9": "slide"}


def reasons(s: Session, result: Assessment) -> None:
    """Ask for the reasons for keys and exclusions, which the report prints."""
    out = s.settings.exclusions
    everybody = replace(out, target_levels={}, missing_targets=frozenset(), pairs={})
    names = [key.name for key in result.keys.keys]
    names += [name for name in result.targets if out.of(name) != everybody]
    names += ["missing keys"] * bool(out.missing_keys) + ["denominators"] * (out.denominator_limit is not None)
    with st.expander("Reasons for keys and exclusions", icon=":material/edit_note:"):
        for name in names:
            keep = partial(s.reasons_given.__setitem__, name)
            known = s.reasons_given.get(name, "")
            st.text_input(show.literal(name), placeholder="Why?", **bound(f"report.why.{name}", known, keep))


def about(s: Session) -> None:
    """Ask what a panel wants to know of a release and no figure can tell."""
    from disclosure_core.report import ABOUT

    with st.expander("About the release", icon=":material/edit_note:"):
        st.caption("What is left empty stands in the report as “not stated”.")
        for label in ABOUT:
            st.text_input(
                label, **bound(f"report.about.{label}", s.about.get(label, ""), partial(s.about.__setitem__, label))
            )


def report(s: Session, study: Study, result: Assessment) -> None:
    """Ask how the report is to be, and offer it."""
    left, right = st.columns(2)
    title = left.text_input("Title", "Disclosure report", key="report.title", persist_state="session")
    author = right.text_input("Officer", key="report.author", persist_state="session")
    date = left.date_input("Date", dt.date.today(), key="report.date", persist_state="session")
    kind = right.radio(
        "Version", ["Internal", "Shareable"], horizontal=True, key="report.kind", persist_state="session",
        help="Shareable: nothing that rests on few records is shown.",
    )  # fmt: skip
    shareable = kind == "Shareable"
    smallest = right.number_input("Smallest count shown", 2, 1000, 10, key="report.smallest", disabled=not shareable)
    names = left.toggle("Name the levels", value=True, key="report.levels", disabled=not shareable)
    cells = left.toggle(
        "List cells and records", key="report.cells", disabled=shareable, help="The largest cells, for the office only."
    )
    reasons(s, result)
    about(s)

    def made(form: str) -> bytes:
        from disclosure_core.report import ReportInput, to_html, to_pdf, with_subsets

        given = ReportInput(
            study, result, _files(s, study), title or "Disclosure report", author or "", f"{date}",
            s.reasons_given, s.about, assessed(study, result, s.scenarios), shareable=shareable,
            smallest=int(smallest or 10), cells=cells, level_names=names or not shareable,
        )  # fmt: skip
        given = _with_baseline(s, given)
        found = s.searched()
        given = given if found is None else with_subsets(given, found)
        return to_pdf(given) if form == "pdf" else to_html(given).encode()

    with st.container(horizontal=True):
        for form, primary in (("pdf", True), ("html", False)):
            offer(f"Report as {form.upper()}", f"report.{form}", partial(made, form), primary=primary)


def _with_baseline(s: Session, given: ReportInput) -> ReportInput:
    """Return the report with what a holdout adds, and without saying that it was not evaluated."""
    from disclosure_core.baseline import attribute_baseline, identity_baseline
    from disclosure_core.decision import NotEvaluated
    from disclosure_core.report import beyond
    from disclosure_core.report.given import HOLDOUT, MEMBERSHIP, SUBSETS

    if s.study is None or not s.study.holds_records:
        return given
    joined = s.partition()
    attributes, identity = attribute_baseline(joined, s.settings), identity_baseline(joined, s.settings)
    if not isinstance(attributes, NotEvaluated) and not isinstance(identity, NotEvaluated):
        given = given.with_section(beyond.holdout(given, attributes, identity, s.limits), HOLDOUT)
    found = s.membership_found()
    if found is not None:
        whole = (SUBSETS,) if found.coverage.whole else ()
        given = given.with_section(beyond.membership(given, found), MEMBERSHIP, *whole)
    return given


def _files(s: Session, study: Study) -> list[FileRead]:
    from disclosure_core.report import FileRead

    sizes = (study.n_original, *study.n_synthetic)
    roles = ["Original", *(f"Synthesis {i}" for i in range(1, len(sizes)))]
    names = [(r.name, r.sha256) for r in s.readings] or [(s.source, "")] * len(sizes)
    return [FileRead(role, name, n, sha) for role, (name, sha), n in zip(roles, names, sizes, strict=True)]


def figures(s: Session, study: Study, result: Assessment) -> None:
    """Ask which figure, and how it is printed, and offer it."""
    from disclosure_core.figures.paper import Look, draw

    chosen = st.columns(3)
    made_of: dict[str, Callable[[], describe.Plot]] = {
        "What is given away": lambda: describe.arrows(result),
        "What each key adds": lambda: describe.growth(identity_by_keys(study, result.settings), study.n_original),
        "The steps of an intruder": lambda: describe.steps(result.targets[target]),
        "Denominators": lambda: describe.sizes(s.without_exclusions().targets[target], "original", limit),
        "What claims rest on": lambda: describe.sizes(s.without_exclusions().targets[target], "synthetic"),
        "How sure a claim must be": lambda: describe.taus(result, target, s.tau),
        "How sure a claim must be, every target": lambda: describe.taus(result, None, s.tau),
    }
    if study.holds_records:
        made_of["Where the risk lies"] = lambda: describe.contributions(result.targets[target])
    of_all = ["What is given away", "What each key adds", "How sure a claim must be, every target"]
    of_all += _more_of_all(s, study, result, made_of)
    if (searched := s.searched()) is not None:
        made_of["Which keys matter, DiSCO"] = lambda: describe.each_key(searched, study.n_original, target)
    if s.scenarios:
        made_of["Scenarios"] = lambda: describe.scenarios(assessed(study, result, s.scenarios), target)
    which = chosen[0].selectbox("Figure", list(made_of), key="report.figure") or "What is given away"
    target = next(iter(result.targets))
    if which not in of_all:
        target = (
            chosen[0].selectbox("Its target", result.summary()["target"].tolist()[::-1], key="report.target") or target
        )
    limit = result.settings.exclusions.denominator_limit
    size = chosen[1].selectbox("Size", list(_SIZES), index=1, key="report.size")
    form = chosen[2].selectbox("Format", ["PDF", "SVG", "PNG, 300 dpi", "PNG, 600 dpi"], key="report.format")
    title = chosen[0].text_input("Title above it", placeholder="None", key="report.figure_title")
    grey = chosen[1].toggle("In greys", key="report.grey")
    ending, _, dots = form.lower().partition(", ")

    def made() -> bytes:
        look = Look(size=_SIZES[size], grey=grey, title=title or "", dpi=int(dots.split()[0]) if dots else 300)
        return draw(made_of[which](), ending, look)

    offer("Download the figure", f"figure.{ending}", made)


def _more_of_all(
    s: Session, study: Study, result: Assessment, made_of: dict[str, Callable[[], describe.Plot]]
) -> list[str]:
    """Add the figures over all targets that there are once something was chosen or searched; return their names."""
    found: dict[str, Callable[[], describe.Plot]] = {}
    tau, of_keys, of_all = s.tau, s.searched(attributes=False), s.searched()
    if tau is not None:
        found[f"What is given away, τ = {tau:g}"] = lambda: describe.arrows(result, tau=tau)
    if of_keys is not None:
        found["How many keys it takes"] = lambda: describe.by_number_of_keys(of_keys, study.n_original)
    if of_all is not None:
        found["Which keys matter, repU"] = lambda: describe.each_key(of_all, study.n_original)
    if study.holds_records:
        found |= _of_the_baseline(s, study, result)
    made_of |= found
    return list(found)


def _of_the_baseline(s: Session, study: Study, result: Assessment) -> dict[str, Callable[[], describe.Plot]]:
    """Return the figures of the Baseline page that there are, by name."""
    from disclosure_core.anonymity import profile
    from disclosure_core.baseline import MEASURES, attribute_baseline
    from disclosure_core.decision import NotEvaluated
    from disclosure_core.sizes import bands

    found: dict[str, Callable[[], describe.Plot]] = {
        "Who shares keys with how many": lambda: describe.classes(profile(study, s.settings, result.keys))
    }
    if s.holdout is not None:

        def compared(measure: str) -> describe.Plot:
            made = attribute_baseline(s.partition(), s.settings)
            if isinstance(made, NotEvaluated):
                raise DisclosureError(f"{made.why} {made.needs}")
            return describe.quadrants(made.summary(measure, s.limits), measure, s.limits)

        found |= {f"Members and non-members, {m}": partial(compared, m) for m in MEASURES}
    membership = s.membership_found()
    if membership is not None:
        found["Membership by number of keys"] = lambda: describe.by_keys(membership.curve(1.0, "F_rel"), "F_rel")

    def by_share(name: str, rows: list[pd.DataFrame], measure: str) -> describe.Plot:
        return describe.by_share(bands(rows), name, measure)

    for (name, _, asked), rows in s.drawn.items():
        if rows and asked == s.settings.to_json():
            found |= {f"Fewer records, {m} of {name}": partial(by_share, name, rows, m) for m in SIZED}
    return found


def tables(s: Session, study: Study, result: Assessment) -> None:
    """Offer every table as one workbook, or one of them as CSV or Parquet."""
    from disclosure_core import tables as core

    names = ["summary", "identity", "attribute", "caps", "one_way", "two_way", "exclusions"]
    names += ["scenarios"] * bool(s.scenarios)

    def made() -> dict[str, pd.DataFrame]:
        found = core.tables(result)
        if s.scenarios:
            found["scenarios"] = flat(side_by_side(assessed(study, result, s.scenarios)))
        return found

    offer("All tables as one Excel workbook", "tables.xlsx", lambda: core.to_excel(made()))
    which = st.selectbox("One table", names, key="report.table", width=300)
    with st.container(horizontal=True):
        offer("As CSV", f"{which}.csv", lambda: core.to_csv(made()[which]))
        offer("As Parquet", f"{which}.parquet", lambda: core.to_parquet(made()[which]))


def scripts_and_settings(s: Session, study: Study) -> None:
    """Offer settings and scripts, and take settings that were saved before."""
    names = [r.name for r in s.readings] or [
        "original.parquet",
        *(f"synthetic_{i + 1}.parquet" for i in range(study.n_syntheses)),
    ]
    prints = {r.name: r.sha256 for r in s.readings}
    files = scripts.Files(names[0], tuple(names[1:]), prints)
    settings = s.settings
    with st.container(horizontal=True):
        offer("Settings and scenarios", "settings.json", lambda: _project(s, prints).to_json().encode())
        decided = s.missing_texts, s.types
        offer("Python script", "assessment.py", lambda: scripts.python(study, settings, files, *decided).encode())
        offer("R script", "assessment.R", lambda: scripts.r(study, settings, files, decided[0]).encode())
    saved = st.file_uploader("Settings and scenarios saved before", type=["json"], key="report.settings")

    def take() -> None:
        if saved is not None:
            with s.telling():
                project = Project.from_json(saved.getvalue().decode("utf-8", "replace"))
                s.said += ("The saved settings are in use.", *project.differences(study, prints))
                s.take(project)

    st.button("Use these settings", disabled=saved is None, on_click=take, key="report.use")


def _project(s: Session, prints: dict[str, str]) -> Project:
    """Return all of the review but the data."""
    return Project(s.settings, s.scenarios, s.reasons_given, s.about, prints, s.coded)


def offer(label: str, name: str, made: Callable[[], bytes], *, primary: bool = False) -> None:
    """Show a download button; the file is made only when it is pressed."""
    st.download_button(
        label, made, file_name=name, mime=MIME[name.rpartition(".")[2]], on_click="ignore",
        type="primary" if primary else "secondary", icon=":material/download:", key=f"report.get.{name}.{label}",
    )  # fmt: skip
