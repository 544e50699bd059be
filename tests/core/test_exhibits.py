"""The papers' exhibits from any data: those tables whose data are at hand equal what is printed."""

import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from disclosure_core import Exclusions, Settings, Study, assess
from disclosure_core.holdout.baseline import attribute_baseline
from disclosure_core.holdout.partition import partition
from disclosure_core.report import exhibits
from disclosure_core.review.opening import start_demonstration
from disclosure_core.rounding import fixed
from disclosure_core.sensitivity.release_size import SHARES

SD2011 = Path(__file__).parents[3] / "shared" / "reference" / "sd2011"
KEYS = ("sex", "age", "region", "placesize")
needs_data = pytest.mark.skipif(not SD2011.is_dir(), reason=f"the reference data of the papers are not at {SD2011}")


def read(*names):
    return [pd.read_csv(SD2011 / f"{name}.csv") for name in names]


@needs_data
def test_table_2_of_paper_000():
    original, *syntheses = read("original", *(f"synthetic_s5cna_{i}" for i in range(1, 6)))
    settings = Settings(keys=KEYS, targets=("ls", "depress", "income"), groups={"income": 20})
    table = exhibits.cap_family(assess(Study(original, syntheses, {"income": [-8]}), settings))
    printed = {
        "ls": ("21.97", "29.57", "12.63", "17.00", "36.71"),
        "depress": ("16.23", "21.85", "9.21", "12.40", "28.57"),
        "income": ("11.34", "15.27", "6.16", "8.29", "19.96"),
    }
    assert table["target"].tolist() == list(printed)
    for row in table.to_dict("records"):
        assert tuple(fixed(row[m]) for m in ("DCAPs", "DCAPb", "TCAPs", "TCAPb", "TCAP")) == printed[row["target"]]
        assert (row["DCAPd"], row["DiSCO"]) == (pytest.approx(row["DCAPs"]), pytest.approx(row["TCAPs"]))


PRINTED_1 = (
    ("64.90", "34.18", "9.54", "6.14", "3.00", "1.16"),
    ("64.00", "32.50", "10.26", "6.78", "4.00", "1.19"),
    ("64.02", "32.14", "9.10", "5.92", "4.00", "1.19"),
    ("63.88", "33.38", "9.20", "5.52", "4.00", "1.21"),
    ("63.44", "31.46", "9.34", "5.80", "4.00", "1.23"),
)
"""Its last column, DCAP, is misprinted: 16.20 in the first row, where the paper's own Table 3 has 16.39."""


@needs_data
def test_table_1_of_paper_001():
    original, *syntheses = read("original", *(f"synthetic_s5_{i}" for i in range(1, 6)))
    risk = assess(Study(original, syntheses), Settings(keys=KEYS, targets=("depress",))).targets["depress"]
    table = exhibits.each_synthesis(risk)
    assert table["synthesis"].tolist() == [1, 2, 3, 4, 5]
    rows = table[["iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom"]].itertuples(index=False)
    assert tuple(tuple(fixed(v) for v in row) for row in rows) == PRINTED_1
    assert [fixed(v) for v in table["DCAPd"]] == ["16.39", "17.45", "16.20", "15.92", "16.17"]


PRINTED_3 = {
    "income": ("4.90", "5.53", "1.90", "0.04", "8.91", "9.06", "2.92", "0.06"),
    "depress": ("9.54", "9.45", "4.20", "0.05", "16.39", "15.98", "5.80", "0.11"),
    "ls": ("13.78", "11.88", "8.60", "0.04", "23.03", "19.79", "12.53", "0.08"),
    "marital": ("35.18", "34.50", "21.30", "0.17", "43.66", "41.50", "24.94", "0.22"),
    "workab": ("52.10", "49.28", "31.30", "0.26", "56.56", "52.92", "33.31", "0.29"),
}


@needs_data
def test_table_3_of_paper_001():
    original, first, training, control, synthetic = read(
        "original", "synthetic_s1", "train", "control", "synthetic_train"
    )
    settings = Settings(keys=KEYS, targets=tuple(PRINTED_3))
    baseline = attribute_baseline(partition(training, control, [synthetic]), settings)
    table = exhibits.members_and_control(baseline).set_index("target")
    assert not any("All" in name for name in table.columns)  # it printed members' figures under that name
    every = assess(Study(original, [first]), settings).targets
    whole = {name: [f"{every[name].figures(m).mean():.2f}" for m in ("DiSCO", "DCAPd")] for name in table.index}
    assert {
        name: (whole[name][0], *map(fixed, row.iloc[:3]), whole[name][1], *map(fixed, row.iloc[3:]))
        for name, row in table.iterrows()
    } == PRINTED_3


@pytest.fixture(scope="module")
def opened():
    first = start_demonstration()
    return first.with_review(replace(first.review, targets=("abroad", "marital", "condition")))


def test_any_review_gives_the_tables(opened):
    tables = exhibits.of_review(opened)
    assert list(tables) == list(exhibits.EXHIBITS)
    assert list(tables["001 Table 3, members"].columns) == ["not evaluated", "needs"]
    family = tables["000 Table 2, CAP family"]
    result = opened.assessment()
    assert family["target"].tolist() == result.summary()["target"].tolist()[::-1] == ["abroad", "marital", "condition"]
    assert family["TCAP"].iloc[0] == result.targets["abroad"].caps["TCAP"].mean()
    assert len(tables["001 Table 1, each synthesis"]) == 5 * len(result.targets)
    compared = tables["001 Figure 2, CAPd and DCAP"].set_index("target")
    assert compared.loc["marital", "DCAPd"] == result.targets["marital"].figures("DCAPd").mean()
    sheets = openpyxl.load_workbook(io.BytesIO(exhibits.to_excel(opened))).sheetnames
    assert sheets == list(exhibits.EXHIBITS)


def test_table_2_of_paper_001_leaves_missing_keys_in(opened):
    """Its third column, unlike that of paper 000's Table 3."""
    table = exhibits.table(opened, "001 Table 2, exclusions").set_index("target")
    assert table.index.tolist() == ["abroad", "condition", "marital"]
    flagged = {"abroad": ["No"], "condition": ["No condition"]}
    out = Exclusions(target_levels=flagged, missing_targets=frozenset(table.index))
    found = opened.assessment(out).targets
    for name in table.index:
        assert table.loc[name, "… and missing targets out · DiSCO"] == found[name].figures("DiSCO").mean()
        whole = opened.before().targets[name]
        assert table.loc[name, "Nothing excluded · Dorig"] == whole.figures("Dorig").mean()


def test_the_figures_draw_the_tables(opened):
    drawn = list(exhibits.figures(opened))
    assert [name for name, target, _ in drawn if target in (None, "marital")] == [
        "000-figure-1-dorig-disco", "000-figure-2-measures-by-size", "disco-tcaps-by-size",
        "identity-by-size", "001-figure-2-capd-dcapd",
    ]  # fmt: skip
    sizes, result = exhibits.by_size(opened), opened.assessment()
    for name, target, plot in drawn:
        if name.endswith("measures-by-size"):
            rows = sizes[sizes["target"] == target]
            assert plot.at == tuple(rows["n_synthetic"]) == tuple(50.0 * share for share in SHARES)
            for curve in plot.panels[0].curves:
                measure = curve.name.partition(" ")[0]
                assert curve.values == pytest.approx(rows[measure].tolist())
                assert curve.values[-1] == pytest.approx(result.targets[target].figures(measure).mean())
    (pair,) = [plot for name, _, plot in drawn if "tcaps" in name]
    assert [panel.title for panel in pair.panels] == ["abroad", "marital", "condition"]
    disco, tcaps = pair.panels[1].curves
    # As many records released as there are original ones: the two are one; half of them, and TCAPs is twice DiSCO.
    assert disco.values[-1] == pytest.approx(tcaps.values[-1])
    half = pair.at.index(2500)
    assert tcaps.values[half] == pytest.approx(2 * disco.values[half])
    (identity,) = [plot for name, _, plot in drawn if "identity" in name]
    ends = {curve.name: curve.values[-1] for curve in identity.panels[0].curves}
    assert ends == {name: pytest.approx(result.identity[name].mean()) for name in ("UiO", "UiOiS", "repU")}


def test_all_of_them_as_files(opened):
    one = opened.with_review(replace(opened.review, targets=("marital",)))
    names = [name for name, data in exhibits.files(one, ("svg",)) if data]
    assert names[:3] == [
        "papers-tables.xlsx", "000-figure-1-dorig-disco_180mm.svg", "000-figure-2-measures-by-size_marital_180mm.svg",
    ]  # fmt: skip
    assert len(names) == 1 + len(exhibits.FIGURES)
