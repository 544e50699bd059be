"""The papers' exhibits from any data: those tables whose data are at hand equal what is printed."""

import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    Settings,
    Study,
    assess,
    attribute_baseline,
    demonstration_holdout,
    partition,
    start_demonstration,
)
from disclosure_core.report import exhibits
from disclosure_core.sensitivity.release_size import SHARES
from tests.written import fixed

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


@pytest.mark.slow
def test_any_review_gives_the_tables(opened):
    tables = exhibits.of_review(opened)
    assert list(tables) == list(exhibits.EXHIBITS)
    assert list(tables["Raab 2024, Table 3"].columns) == ["not evaluated", "needs"]
    family = tables["Raab et al. 2026, Table 2"]
    result = opened.assessment()
    assert family["target"].tolist() == result.summary()["target"].tolist()[::-1] == ["abroad", "marital", "condition"]
    assert family["TCAP"].iloc[0] == result.targets["abroad"].caps["TCAP"].mean()
    assert len(tables["Raab 2024, Table 1"]) == 5 * len(result.targets)
    compared = tables["Raab 2024, Figure 2"].set_index("target")
    assert compared.loc["marital", "DCAPd"] == result.targets["marital"].figures("DCAPd").mean()
    sheets = openpyxl.load_workbook(io.BytesIO(exhibits.to_excel(opened))).sheetnames
    assert sheets == list(exhibits.EXHIBITS)


@pytest.mark.slow
def test_a_note_has_every_unit_and_what_is_excluded_where_it_moves_the_table(opened):
    out = replace(opened.review, exclusions=Exclusions(target_levels={"abroad": ["No"]}), reasons={"abroad": "known"})
    found = opened.with_review(out).with_holdout(demonstration_holdout(), Holdout("demonstration"))
    notes = {name: text.decode() for name, text in exhibits.files(found, ()) if name.endswith(".tex")}
    assert len(notes) == len(exhibits.EXHIBITS)
    without = {name.removesuffix(".tex") for name, text in notes.items() if "Excluded: abroad = No." not in text}
    assert without == {
        "raab-et-al-2026-section-3-2", "repu-and-uiois-by-size", "raab-et-al-2026-table-3", "raab-2024-table-2"
    }  # fmt: skip
    members = notes["raab-2024-table-3.tex"]
    assert "Train: \\% of the people in the data. Ctrl: \\% of people outside. R: a ratio." in members
    for name in ("raab-et-al-2026-figure-1", "raab-2024-figure-2"):  # the ends of the syntheses, too
        assert "Excluded: abroad = No. In \\% of original records." in notes[f"{name}.tex"]


def test_table_2_of_paper_001_leaves_missing_keys_in(opened):
    """Its third column, unlike that of paper 000's Table 3."""
    table = exhibits.table(opened, "Raab 2024, Table 2").set_index("target")
    assert table.index.tolist() == ["abroad", "condition", "marital"]
    flagged = {"abroad": ["No"], "condition": ["No condition"]}
    out = Exclusions(target_levels=flagged, missing_targets=frozenset(table.index))
    found = opened.assessment(out).targets
    for name in table.index:
        assert table.loc[name, "… and missing targets out · DiSCO"] == found[name].figures("DiSCO").mean()
        whole = opened.before().targets[name]
        assert table.loc[name, "Nothing excluded · Dorig"] == whole.figures("Dorig").mean()


@pytest.mark.slow
def test_the_figures_draw_the_tables(opened):
    drawn = list(exhibits.figures(opened))
    assert [name for name, _ in drawn] == [
        "raab-et-al-2026-figure-1-dorig-disco", "raab-et-al-2026-figure-2-measures-by-size", "disco-tcaps-by-size",
        "identity-by-size", "raab-2024-figure-2-capd-dcapd",
    ]  # fmt: skip
    sizes, result = exhibits.by_size(opened), opened.assessment()
    (frames,) = [plot for name, plot in drawn if "measures-by-size" in name]
    assert [panel.title for panel in frames.panels] == ["abroad", "marital", "condition"]  # its three frames
    for panel in frames.panels:
        rows = sizes[sizes["target"] == panel.title]
        assert frames.at == tuple(rows["n_synthetic"]) == tuple(50.0 * share for share in SHARES)
        for curve in panel.curves:
            measure = curve.name.partition(" ")[0]
            assert curve.values == pytest.approx(rows[measure].tolist())
            assert curve.values[-1] == pytest.approx(result.targets[panel.title].figures(measure).mean())
    (pair,) = [plot for name, plot in drawn if "tcaps" in name]
    assert [panel.title for panel in pair.panels] == ["abroad", "marital", "condition"]
    disco, tcaps = pair.panels[1].curves
    # As many records released as there are original ones: the two are one; half of them, and TCAPs is twice DiSCO.
    assert disco.values[-1] == pytest.approx(tcaps.values[-1])
    half = pair.at.index(2500)
    assert tcaps.values[half] == pytest.approx(2 * disco.values[half])
    (identity,) = [plot for name, plot in drawn if "identity" in name]
    ends = {curve.name: curve.values[-1] for curve in identity.panels[0].curves}
    assert ends == {name: pytest.approx(result.identity[name].mean()) for name in ("UiO", "UiOiS", "repU")}


@pytest.mark.slow
def test_more_than_three_targets_are_parts_of_figure_2(opened):
    more = opened.with_review(replace(opened.review, targets=("abroad", "marital", "condition", "income")))
    drawn = dict(exhibits.figures(more, ["Raab et al. 2026, Figure 2"]))
    assert [len(plot.panels) for plot in drawn.values()] == [3, 1]
    assert [name[-7:] for name in drawn] == ["-part-1", "-part-2"]


@pytest.mark.slow
def test_all_of_them_as_files(opened):
    one = opened.with_review(replace(opened.review, targets=("marital",)))
    found = {name: data for name, data in exhibits.files(one, ("svg",)) if data}
    tex = [name for name in found if name.endswith(".tex")]
    assert {name.removesuffix(".tex") for name in tex} == {n.removesuffix(".md") for n in found if n.endswith(".md")}
    assert found["raab-et-al-2026-table-2.md"].decode().splitlines()[2].startswith("| target | ")
    assert len(tex) == len(exhibits.EXHIBITS)
    assert "raab-et-al-2026-figure-2-measures-by-size_180mm.svg" in found
    assert len(found) == 1 + 2 * len(tex) + sum(bool(each.figure) for each in exhibits.EXHIBITS.values())
    figure = one.assessment().targets["marital"].figures("TCAPb").mean()
    row = next(
        line for line in found["raab-et-al-2026-table-2.tex"].decode().splitlines() if line.startswith("marital")
    )
    assert row.split(" & ")[6] == fixed(figure)
