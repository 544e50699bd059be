"""The exhibits of the papers, tables and figures, made of any data: papers 000 and 001, by name.

Source
------
Paper 000, Figures 1 and 2, Tables 2 and 3, and what sections 3.2 and 3.3.1 print; paper 001, Figures 1 and 2, Tables 1 to 3. Paper 000's Table 1 is words; paper
001's Figure 1 and its Figure 3 are laid out as paper 000's Figure 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from disclosure_core.counting.registry import COMPARED
from disclosure_core.data import workbook
from disclosure_core.data.grouping import in_words
from disclosure_core.data.typeset import to_latex, to_markdown, unfit
from disclosure_core.errors import NotEvaluated
from disclosure_core.figures import dorig_disco, measures_by_size, paper
from disclosure_core.figures.chosen import narrowed
from disclosure_core.figures.look import Look
from disclosure_core.report.columns import columns
from disclosure_core.results import FewerRecords, catalogue
from disclosure_core.results.scenarios import figures_of, side_by_side
from disclosure_core.review.scenarios import Scenario, assessed, paper_scenarios

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.counting.target_risk import TargetRisk
    from disclosure_core.figures.plot import Plot
    from disclosure_core.holdout.baseline import AttributeBaseline
    from disclosure_core.review.opened import Opened
    from disclosure_core.sensitivity.release_size import Sizes


ATTRIBUTES = ("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DCAPd", "DiSDiO", "max_denom", "mean_denom")
"""Columns of what paper 000 prints in section 3.3.1, after the synthesis."""

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


def identity_by_synthesis(opened: Opened) -> pd.DataFrame:
    """Return what paper 000 prints in section 3.2: UiO, UiS, UiOiS and repU, a row a synthesis, %."""
    return opened.assessment().identity.reset_index()


def each_synthesis(risk: TargetRisk, measures: Sequence[str] = STEPS) -> pd.DataFrame:
    """Return paper 001's Table 1: the attribute measures of one target, a row a synthesis.

    In % of the original records; denominators in records.
    """
    figures = {m: risk.figures(m) for m in measures}
    return pd.DataFrame({"synthesis": range(1, len(figures["iS"]) + 1)} | figures)


def exclusions(opened: Opened) -> pd.DataFrame:
    """Return paper 000's Table 3: targets down, its five columns of exclusions across, Dorig and DiSCO of each, %."""
    before = opened.before()
    return side_by_side(figures_of(assessed(opened.study(), before, paper_scenarios(before))))


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
    table = side_by_side(figures_of(assessed(opened.study(), before, columns)))
    return table.sort_values("target", key=lambda names: names.str.casefold(), ignore_index=True)


def by_size(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return what paper 000's Figure 2 draws: a row a target and size, means over the draws, %."""
    return _of_sizes(opened, [measure for measure, *_ in measures_by_size.LINES])


def pair_by_size(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return DiSCO and TCAPs by the records released: a row a target and size, means over the draws, %."""
    return _of_sizes(opened, [measure for measure, *_ in measures_by_size.PAIR])


def _smaller(opened: Opened) -> Sizes:
    """Return what smaller releases disclose of every target, drawn where nobody did before."""
    found = FewerRecords.of(FewerRecords.asking_all(opened))
    assert isinstance(found, FewerRecords)
    return found.bands


def _of_sizes(opened: Opened, measures: list[str]) -> pd.DataFrame | NotEvaluated:
    bands = _smaller(opened).attribute
    wide = bands.pivot_table(index=["target", "share", "n_synthetic"], columns="measure", values="mean")
    wide = wide.reindex(columns=measures).rename_axis(columns=None).reset_index()
    rank = {name: i for i, name in enumerate(_order(opened.assessment()))}
    return wide.sort_values("target", key=lambda names: names.map(rank), kind="stable", ignore_index=True)


def identity_by_size(opened: Opened) -> pd.DataFrame | NotEvaluated:
    """Return UiOiS and repU by the records released: a row a size, means over draws, % of the original records."""
    wide = _smaller(opened).identity.pivot_table(index=["share", "n_synthetic"], columns="measure", values="mean")
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


def each_target(opened: Opened, measures: Sequence[str] = STEPS) -> pd.DataFrame:
    """Return paper 001's Table 1 of every target under each other; with `ATTRIBUTES` paper 000's section 3.3.1."""
    result = opened.assessment()
    frames = [each_synthesis(result.targets[name], measures).assign(target=name) for name in _order(result)]
    return pd.concat(frames, ignore_index=True)[["target", "synthesis", *measures]]


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
    excludes
        Whether what the review excludes is left out of it: identity is of the keys alone, and a table of exclusions names
        them in its heads.
    """

    title: str
    make: Callable[[Opened], pd.DataFrame | NotEvaluated]
    figure: str = ""
    excludes: bool = True


EXHIBITS = {
    f"{RAAB_ET_AL}, Figure 1": Exhibit("Dorig and DiSCO", partial(_compared, measure="DiSCO"), "dorig-disco"),
    f"{RAAB_ET_AL}, Figure 2": Exhibit("Measures by the number of records released", by_size, "measures-by-size"),
    "DiSCO and TCAPs by size": Exhibit("The pair of section 3.3.2, every target", pair_by_size, "disco-tcaps-by-size"),
    "repU and UiOiS by size": Exhibit(
        "Identity, by the records released", identity_by_size, "identity-by-size", excludes=False
    ),
    f"{RAAB_ET_AL}, section 3.2": Exhibit("Identity by synthesis", identity_by_synthesis, excludes=False),
    f"{RAAB_ET_AL}, section 3.3.1": Exhibit("Attributes by synthesis", partial(each_target, measures=ATTRIBUTES)),
    f"{RAAB_ET_AL}, Table 2": Exhibit("The CAP family", lambda opened: cap_family(opened.assessment())),
    f"{RAAB_ET_AL}, Table 3": Exhibit("Exclusions", exclusions, excludes=False),
    f"{RAAB}, Figure 2": Exhibit("CAPd and DCAP", partial(_compared, measure="DCAP"), "capd-dcapd"),
    f"{RAAB}, Table 1": Exhibit("Each synthesis", each_target),
    f"{RAAB}, Table 2": Exhibit("Exclusions", levels_out, excludes=False),
    f"{RAAB}, Table 3": Exhibit("Members and people outside", members),
}
"""By what a text calls them; Figure 2 of Raab et al. has three frames, a frame a target."""

FRAMES = 3
"""Of Figure 2 of Raab et al."""


def table(opened: Opened, exhibit: str) -> pd.DataFrame:
    """Return the table of one exhibit; what is not evaluated has a row that says why."""
    found = _evaluated(opened, exhibit)
    return pd.DataFrame([found.row()]) if isinstance(found, NotEvaluated) else found


def _evaluated(opened: Opened, exhibit: str) -> pd.DataFrame | NotEvaluated:
    return EXHIBITS[exhibit].make(opened.printed)


def note(opened: Opened, *, excluded: bool = True) -> str:
    """Return what stands beneath a table in print: how many records and syntheses, the keys, and what is left out."""
    opened = opened.printed
    result = opened.assessment()
    sizes = sorted(set(result.n_synthetic))
    of = f" of {sizes[0]:,} records" if len(sizes) == 1 else f" of {sizes[0]:,} to {sizes[-1]:,} records"
    n = len(result.n_synthetic)
    syntheses = (
        f"{n} syntheses{of} each, means over them where no synthesis is named" if n > 1 else f"one synthesis{of}"
    )
    keys = [key.name for key in result.keys.keys]
    groups = [in_words(name, cut) for name, cut in result.settings.groups if name in keys]
    said = [f"N = {result.n_original:,} original records; {syntheses}.", f"Keys: {', '.join(keys)}."]
    said += [f"{'; '.join(groups).capitalize()}."] if groups else []
    out = result.left_out
    names = [*(name for target in result.targets for name in out.names_of(target)), *dorig_disco.of_all(out)]
    if excluded and names:
        more = f" and {len(names) - dorig_disco.NAMED:,} more" if len(names) > dorig_disco.NAMED else ""
        said.append(f"Excluded: {'; '.join(names[: dorig_disco.NAMED])}{more}.")
    return " ".join(said)


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
            _smaller(opened)
        name = f"{_file(exhibit)}-{figure}" if "Figure" in exhibit else figure
        if figure == "measures-by-size":
            yield from _frames(opened, name)
            continue
        plot = catalogue.figure(opened, figure, None)
        if not isinstance(plot, NotEvaluated):
            yield name, plot


def _frames(opened: Opened, name: str) -> Iterator[tuple[str, Plot]]:
    """Give Figure 2 of Raab et al., as many targets a figure as it has frames; nothing where no release was drawn."""
    sizes, targets = _smaller(opened), _order(opened.assessment())
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
    opened: Opened, formats: Sequence[str] = paper.USUAL, look: Look | None = None, progress: Progress | None = None
) -> Iterator[tuple[str, bytes]]:
    """Give all exhibits as files: the tables as one workbook, each for LaTeX and in Markdown, and each figure in these formats.

    `progress` is called with the figures that are drawn, and of how many; what it raises ends it.
    """
    if progress is not None:
        progress(0, 0)
    yield "papers-tables.xlsx", to_excel(opened)
    for name, exhibit in EXHIBITS.items():
        caption = f"{exhibit.title}, laid out as {name}" if "Raab" in name else exhibit.title
        found = _evaluated(opened, name)
        if isinstance(found, NotEvaluated):
            made = unfit(caption, f"{found.why} {found.needs}")
        else:
            described = columns(name, map(str, found.columns))
            said = note(opened, excluded=exhibit.excludes)
            made = {
                "tex": to_latex(found, described, caption, said, f"tab:{_file(name)}"),
                "md": to_markdown(found, described, caption, said),
            }
        for ending, data in made.items():
            yield f"{_file(name)}.{ending}", data
    plots = list(figures(opened))
    for done, (name, plot) in enumerate(plots):
        if progress is not None:
            progress(done, len(plots))
        asked = narrowed(plot, look or Look())
        for ending in formats if asked else ():
            yield from paper.files(name, plot, ending, asked)
