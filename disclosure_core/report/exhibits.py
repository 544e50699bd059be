"""The exhibits of the papers, tables and figures, made of any data: papers 000 and 001, by name.

Source
------
Paper 000, Figures 1 and 2, Tables 2 and 3; paper 001, Figures 1 and 2, Tables 1 to 3. Paper 000's Table 1 is words; paper
001's Figure 1 and its Figure 3 are laid out as paper 000's Figure 1.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from disclosure_core.counting.registry import COMPARED
from disclosure_core.data import workbook
from disclosure_core.data.typeset import to_latex, to_markdown
from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import catalogue, measures_by_size, paper
from disclosure_core.report.columns import columns
from disclosure_core.review.scenarios import Scenario, assessed, flat, paper_scenarios, side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from disclosure_core.counting.assessment import Assessment, TargetRisk
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.figures.catalogue import Plot
    from disclosure_core.figures.look import Look
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.review.opened import Opened


CAPS = ("DCAPs", "DCAPd", "DCAPb", "TCAPs", "DiSCO", "TCAPb", "TCAP")
"""Columns of paper 000's Table 2, which has DCAPs with DCAPd and TCAPs with DiSCO in one: there N_s is N_d."""

STEPS = ("iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom", "DCAPd")
"""Columns of paper 001's Table 1 after the synthesis; it calls DCAPd DCAP."""


def cap_family(assessment: Assessment) -> pd.DataFrame:
    """Return paper 000's Table 2: a row a target, the largest DiSCO first; means over the syntheses, %.

    TCAP and what else has no answer in a synthesis has none in the mean.
    """
    names = _order(assessment)
    rows = [{"target": name} | {m: float(assessment.targets[name].figures(m).mean()) for m in CAPS} for name in names]
    return pd.DataFrame(rows, columns=["target", *CAPS])


def each_synthesis(risk: TargetRisk) -> pd.DataFrame:
    """Return paper 001's Table 1: the attribute measures of one target, a row a synthesis.

    In % of the original records; denominators in records.
    """
    figures = {m: risk.figures(m) for m in STEPS}
    return pd.DataFrame({"synthesis": range(1, len(figures["iS"]) + 1)} | figures)


def exclusions(opened: Opened) -> pd.DataFrame:
    """Return paper 000's Table 3: targets down, its five columns of exclusions across, Dorig and DiSCO of each, %."""
    before = opened.before()
    return side_by_side(assessed(opened.study(), before, paper_scenarios(before)))


def members_and_control(baseline: AttributeBaseline) -> pd.DataFrame:
    """Return paper 001's Table 3: of DiSCO and DCAP, members (Train), people outside (Ctrl), and R.

    A row a target; %, and R a ratio. The paper's *All* is of another synthesis, made of all the records: no review of a
    split has it, so it has no column.
    """
    frames = []
    for measure in ("DiSCO", "DCAP"):
        rows = baseline.summary(measure).set_index("target")[["members", "non_members", "R"]]
        frames.append(rows.set_axis([f"{measure} · {n}" for n in ("Train", "Ctrl", "R")], axis=1))
    return pd.concat(frames, axis=1).iloc[::-1].reset_index()


def levels_out(opened: Opened) -> pd.DataFrame:
    """Return paper 001's Table 2: targets by name, its five columns of exclusions across, Dorig and DiSCO of each, %.

    It is laid out as paper 000's Table 3, but leaves out missing targets alone, not missing keys.
    """
    before = opened.before()
    columns = [
        Scenario(s.name.replace("missing values", "missing targets"), replace(s.exclusions, missing_keys=frozenset()))
        for s in paper_scenarios(before)
    ]
    table = side_by_side(assessed(opened.study(), before, columns))
    return table.sort_values(("target", ""), key=lambda names: names.str.casefold(), ignore_index=True)


def by_size(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return what paper 000's Figure 2 draws: a row a target and size, means over the draws, %."""
    return _of_sizes(opened, [measure for measure, *_ in measures_by_size.LINES])


def pair_by_size(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return DiSCO and TCAPs by the records released: a row a target and size, means over the draws, %."""
    return _of_sizes(opened, [measure for measure, *_ in measures_by_size.PAIR])


def _of_sizes(opened: Opened, measures: list[str]) -> pd.DataFrame | NotEvaluated:
    bands = opened.sizes().attribute
    wide = bands.pivot_table(index=["target", "share", "n_synthetic"], columns="measure", values="mean")
    wide = wide.reindex(columns=measures).rename_axis(columns=None).reset_index()
    rank = {name: i for i, name in enumerate(_order(opened.assessment()))}
    return wide.sort_values("target", key=lambda names: names.map(rank), kind="stable", ignore_index=True)


def identity_by_size(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return UiOiS and repU by the records released: a row a size, means over draws, % of the original records."""
    wide = opened.sizes().identity.pivot_table(index=["share", "n_synthetic"], columns="measure", values="mean")
    return wide.rename_axis(columns=None).reset_index()


def _compared(opened: Opened, measure: str) -> pd.DataFrame:
    """Return what a figure of arrows draws: a row a target, % of the original records."""
    original, synthetic = COMPARED[measure]
    rows = opened.assessment().summary(measure).iloc[::-1]
    rows = rows.rename(columns={"original": original, "synthetic": synthetic})
    return rows[["target", original, synthetic, "min", "max", "flag"]].reset_index(drop=True)


def _order(result: Assessment) -> list[str]:
    """Return the targets, the largest DiSCO first."""
    return [str(name) for name in result.summary()["target"].tolist()[::-1]]


def each_target(opened: Opened) -> pd.DataFrame:
    """Return paper 001's Table 1 of every target under each other."""
    result = opened.assessment()
    frames = [each_synthesis(result.targets[name]).assign(target=name) for name in _order(result)]
    return pd.concat(frames, ignore_index=True)[["target", "synthesis", *STEPS]]


def members(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return paper 001's Table 3; where there is no holdout, that."""
    compared = opened.attribute_baseline()
    return compared if isinstance(compared, NotEvaluated) else members_and_control(compared)


RAAB_ET_AL, RAAB = "Raab et al. 2026", "Raab 2024"
"""The papers, as a text cites them: 000 and 001 above."""


class Exhibit(NamedTuple):
    """One table or figure of the papers, or beyond them.

    Attributes
    ----------
    title
        What it shows.
    make
        Returns its table, or what lies behind its figure.
    figure
        Of a figure: its name in the catalogue.
    """

    title: str
    make: Callable[[Opened], pd.DataFrame | NotEvaluated]
    figure: str = ""


EXHIBITS = {
    f"{RAAB_ET_AL}, Figure 1": Exhibit("Dorig and DiSCO", partial(_compared, measure="DiSCO"), "dorig-disco"),
    f"{RAAB_ET_AL}, Figure 2": Exhibit("Measures by the number of records released", by_size, "measures-by-size"),
    "DiSCO and TCAPs by size": Exhibit("The pair of section 3.3.2, every target", pair_by_size, "disco-tcaps-by-size"),
    "repU and UiOiS by size": Exhibit("Identity, by the records released", identity_by_size, "identity-by-size"),
    f"{RAAB_ET_AL}, Table 2": Exhibit("The CAP family", lambda opened: cap_family(opened.assessment())),
    f"{RAAB_ET_AL}, Table 3": Exhibit("Exclusions", lambda opened: flat(exclusions(opened))),
    f"{RAAB}, Figure 2": Exhibit("CAPd and DCAP", partial(_compared, measure="DCAP"), "capd-dcapd"),
    f"{RAAB}, Table 1": Exhibit("Each synthesis", each_target),
    f"{RAAB}, Table 2": Exhibit("Exclusions", lambda opened: flat(levels_out(opened))),
    f"{RAAB}, Table 3": Exhibit("Members and people outside", members),
}
"""By what a text calls them; Figure 2 of Raab et al. has three frames, a frame a target."""

FRAMES = 3
"""Of Figure 2 of Raab et al."""


def table(opened: Opened, exhibit: str) -> pd.DataFrame:
    """Return the table of one exhibit; what is not evaluated has a row that says why."""
    found = EXHIBITS[exhibit].make(opened.printed)
    return pd.DataFrame([found.row()]) if isinstance(found, NotEvaluated) else found


def of_review(opened: Opened) -> dict[str, pd.DataFrame]:
    """Return every table of the papers that a review can give, and those behind their figures, by name."""
    return {exhibit: table(opened, exhibit) for exhibit in EXHIBITS}


def figures(opened: Opened, exhibits: Iterable[str] = tuple(EXHIBITS)) -> Iterator[tuple[str, Plot]]:
    """Give each figure of the papers that a review can give: its file's name, and its description."""
    opened = opened.printed
    for exhibit in exhibits:
        figure = EXHIBITS[exhibit].figure
        if not figure:
            continue
        if figure.endswith("by-size"):
            opened.sizes()
        name = f"{_file(exhibit)}-{figure}" if "Figure" in exhibit else figure
        if figure == "measures-by-size":
            yield from _frames(opened, name)
            continue
        plot = catalogue.figure(opened, figure, None)
        if not isinstance(plot, NotEvaluated):
            yield name, plot


def _frames(opened: Opened, name: str) -> Iterator[tuple[str, Plot]]:
    """Give Figure 2 of Raab et al., as many targets a figure as it has frames; nothing where no release was drawn."""
    sizes, targets = opened.finished_sizes(), _order(opened.assessment())
    if sizes is None:
        return
    for i in range(0, len(targets), FRAMES):
        part = f"-part-{i // FRAMES + 1}" if len(targets) > FRAMES else ""
        yield f"{name}{part}", measures_by_size.describe(sizes.attribute, *targets[i : i + FRAMES])


def _file(exhibit: str) -> str:
    """Return an exhibit's name as part of a file's."""
    return re.sub(r"[^a-z0-9]+", "-", exhibit.lower())


def to_excel(opened: Opened) -> bytes:
    """Return the tables of `of_review` as one workbook, a sheet a table."""
    found = of_review(opened)
    described = {name: columns(name, map(str, frame.columns)) for name, frame in found.items()}
    return workbook.to_excel(found, described, "Tables and figures of the papers, of these data")


def files(
    opened: Opened, formats: Sequence[str] = paper.FORMATS, look: Look | None = None, progress: Progress | None = None
) -> Iterator[tuple[str, bytes]]:
    """Give all exhibits as files: the tables as one workbook, each for LaTeX and in Markdown, and each figure in these formats.

    `progress` is called with the figures that are drawn, and of how many; what it raises ends it.
    """
    if progress is not None:
        progress(0, 0)
    yield "papers-tables.xlsx", to_excel(opened)
    for name, frame in of_review(opened).items():
        caption = f"{EXHIBITS[name].title}, laid out as {name}" if "Raab" in name else EXHIBITS[name].title
        described = columns(name, map(str, frame.columns))
        yield f"{_file(name)}.tex", to_latex(frame, described, caption)
        yield f"{_file(name)}.md", to_markdown(frame, described, caption)
    plots = list(figures(opened))
    for done, (name, plot) in enumerate(plots):
        if progress is not None:
            progress(done, len(plots))
        for ending in formats:
            yield from paper.files(name, plot, ending, look)
