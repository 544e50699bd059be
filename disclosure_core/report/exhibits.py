"""The tables of the papers, made of any data: papers 000 and 001, by name.

Source
------
Paper 000, Tables 2 and 3; paper 001, Tables 1 and 3. Paper 000's Table 1 is words; paper 001's Table 2 is laid out as
paper 000's Table 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from disclosure_core.data import workbook
from disclosure_core.errors import NotEvaluated
from disclosure_core.review.scenarios import assessed, flat, paper_scenarios, side_by_side

if TYPE_CHECKING:
    from disclosure_core.counting.assessment import Assessment, TargetRisk
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
    names = assessment.summary()["target"].tolist()[::-1]
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


def members_and_control(baseline: AttributeBaseline, every: Assessment) -> pd.DataFrame:
    """Return paper 001's Table 3: of DiSCO and DCAP, all records, members (Train), people outside (Ctrl), and R.

    A row a target; %, and R a ratio. "All" is what `every` says: in the paper another synthesis, of all the records.
    """
    frames = []
    for measure, name in (("DiSCO", "DiSCO"), ("DCAP", "DCAPd")):
        rows = baseline.summary(measure).set_index("target")[["members", "non_members", "R"]]
        whole = [float(every.targets[target].figures(name).mean()) for target in rows.index]
        rows.insert(0, "all", whole)
        frames.append(rows.set_axis([f"{measure} · {n}" for n in ("All", "Train", "Ctrl", "R")], axis=1))
    return pd.concat(frames, axis=1).iloc[::-1].reset_index()


def of_review(opened: Opened) -> dict[str, pd.DataFrame]:
    """Return every table of the papers that a review can give, by name; what is not evaluated has a row that says why."""
    result = opened.assessment()
    names = result.summary()["target"].tolist()[::-1]
    compared = opened.attribute_baseline()
    if isinstance(compared, NotEvaluated):
        members = pd.DataFrame([{"not evaluated": compared.why, "needs": compared.needs}])
    else:
        members = members_and_control(compared, result)
    return {
        "000 Table 2, CAP family": cap_family(result),
        "000 Table 3, exclusions": flat(exclusions(opened)),
        "001 Table 1, each synthesis": pd.concat(
            [each_synthesis(result.targets[name]).assign(target=name) for name in names], ignore_index=True
        )[["target", "synthesis", *STEPS]],
        "001 Table 3, members": members,
    }


def to_excel(opened: Opened) -> bytes:
    """Return the tables of `of_review` as one workbook, a sheet a table."""
    return workbook.to_excel(of_review(opened))
