"""What leaves the page: the report, tables, settings and scripts; each is made when its button is pressed."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import scripts
from disclosure_core.scenarios import Project, assessed, flat, side_by_side
from pages.parts import show
from pages.parts.session import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from disclosure_core import Assessment, Study
    from disclosure_core.report import FileRead, ReportInput
    from pages.parts.session import Session

OFFICER = "Officer"
"""What the officer's name is kept under, beside what is said of the release."""

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


def reasons(s: Session, result: Assessment) -> None:
    """Ask for the reasons for keys and exclusions, which the report prints."""
    out = s.settings.exclusions
    everybody = replace(out, target_levels={}, missing_targets=frozenset(), pairs={})
    names = [key.name for key in result.keys.keys]
    names += [name for name in result.targets if out.of(name) != everybody]
    names += out.names_of_all
    with st.expander("Reasons for keys and exclusions", icon=":material/edit_note:"):
        for name in names:
            keep = partial(s.reasons_given.__setitem__, name)
            known = s.reasons_given.get(name, "")
            more = ": what is left out without a reason of its own" if name in result.targets else ""
            st.text_input(show.literal(name) + more, placeholder="Why?", **bound(f"report.why.{name}", known, keep))


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
    author = right.text_input(
        "Officer", **bound("report.author", s.about.get(OFFICER, ""), partial(s.about.__setitem__, OFFICER))
    )
    date = left.date_input("Date", dt.date.today(), key="report.date", persist_state="session")
    kind = right.radio(
        "Version", ["Internal", "Shareable"], horizontal=True, key="report.kind", persist_state="session",
        help="Shareable: nothing that rests on few records is shown.",
    )  # fmt: skip
    shareable = kind == "Shareable"
    smallest = right.number_input("Smallest count shown", 2, 1000, 10, key="report.smallest", disabled=not shareable)
    names = left.toggle("Name the levels", value=True, key="report.levels", disabled=not shareable, wrap=True)
    cells = left.toggle(
        "List cells and records",
        key="report.cells",
        disabled=shareable,
        wrap=True,
        help="The largest cells, for the office only.",
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
    files = scripts.Files(names[0], tuple(names[1:]), s.fingerprints)
    settings = s.settings
    with st.container(horizontal=True):
        offer("Settings and scenarios", "settings.json", lambda: _project(s).to_json().encode())
        decided = s.missing_texts, s.types
        offer("Python script", "assessment.py", lambda: scripts.python(study, settings, files, *decided).encode())
        offer("R script", "assessment.R", lambda: scripts.r(study, settings, files, decided[0]).encode())
    saved_before(s, study, "report")


def saved_before(s: Session, study: Study, page: str) -> None:
    """Take settings, scenarios and reasons that were saved before."""
    saved = st.file_uploader("Settings and scenarios saved before", type=["json"], key=f"{page}.settings")

    def take() -> None:
        if saved is not None:
            with s.telling():
                project = Project.from_json(saved.getvalue().decode("utf-8", "replace"))
                s.said += ("The saved settings are in use.", *project.differences(study, s.fingerprints))
                s.take(project)

    st.button("Use these settings", disabled=saved is None, on_click=take, key=f"{page}.use")


def _project(s: Session) -> Project:
    """Return all of the review but the data."""
    return Project(s.settings, s.scenarios, s.reasons_given, s.about, s.fingerprints, s.coded)


def offer(label: str, name: str, made: Callable[[], bytes], *, primary: bool = False) -> None:
    """Show a download button; the file is made only when it is pressed."""
    st.download_button(
        label, made, file_name=name, mime=MIME[name.rpartition(".")[2]], on_click="ignore",
        type="primary" if primary else "secondary", icon=":material/download:", key=f"report.get.{name}.{label}",
    )  # fmt: skip
