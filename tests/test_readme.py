"""The README's tour tells true figures, and its commands are the ones that CI runs."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    Settings,
    assess,
    attribute_baseline,
    demo,
    demonstration_holdout,
    partition,
    start_demonstration,
)
from disclosure_core.review.queue import flags_of
from tests.test_docs import FIGURE, anchors, of_sets, true_and_complete
from tests.written import fixed

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.DOTALL | re.MULTILINE).group(1)


@pytest.fixture(scope="module")
def found():
    return assess(demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS))


@pytest.mark.slow
def test_the_tour(found):
    out = Exclusions(target_levels={"abroad": ["No"]})
    after = assess(demo.study(), replace(found.settings, exclusions=out))
    rows = found.summary().set_index("target")
    first, gain = rows["gain"].idxmax(), rows.loc[rows["gain"].idxmax()]
    abroad, check = rows.loc["abroad"], found.targets["abroad"].one_way[0]
    assert rows["synthetic"].idxmax() == "abroad"
    assert found.targets["abroad"].flags[0]
    told = [
        f"{found.identity['UiO'].mean():.2f} % of the people are unique on the keys in the original",
        f"{found.identity['repU'].mean():.2f} % are unique on them in the synthetic data too",
        f"`{first}` stands first, with {gain['original']:.2f} % in the original, {gain['synthetic']:.2f} % in the synthetic "
        f"data and {gain['gain']:.2f} over chance",
        f"`abroad`, which has the largest DiSCO: {abroad['original']:.2f} % in the original, {abroad['synthetic']:.2f} % in "
        f"the synthetic data, yet only {abroad['gain']:.2f} over chance",
        f"the answer “{check.level}” carries {check.n_disclosive_level:,} of {check.n_disclosive:,} disclosive records",
        f"{check.pct_level:.2f} % of all people give it",
        f"DiSCO falls from {abroad['synthetic']:.2f} % to {after.targets['abroad'].figures('DiSCO').mean():.2f} %",
        f"`{first}`, {after.targets[first].figures('DiSCO').mean():.2f} %, is flagged, too: "
        f"*{flags_of(after.targets[first]).words}*",
    ]
    joined = partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES)
    row = attribute_baseline(joined, found.settings).summary().set_index("target").loc["marital"]
    told += [
        f"DiSCO of `marital` is {row['members']:.2f} % of members and {row['non_members']:.2f} % of people outside",
        f"{row['difference']:.2f} percentage points more (95 % interval {row['low']:.2f} to {row['high']:.2f})",
    ]
    figures = of_sets(
        start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration")).comparison()
    )
    of_abroad, useful = ([fixed(x) for x in figures[name].values()] for name in ("DiSCO of abroad, %", "mean S_pMSE"))
    told += [
        f"*coarse* discloses least of `abroad` ({of_abroad[2]} %, against {of_abroad[0]} % and {of_abroad[1]} %)",
        f"mean S_pMSE {useful[2]}, against {useful[0]} and {useful[1]}",
    ]
    tour = section("A five-minute tour")
    true_and_complete(tour, [*told, f"{len(demo.original()):,} fictional people"])
    pairs = found.targets["marital"].two_way[0]
    seventeen = pairs[(pairs["key"] == "age") & (pairs["key_level"] == "17")]
    assert seventeen["target_level"].tolist() == ["Single"]


def test_no_figure_stands_where_nothing_computes_it():
    """Beside the tour only those of R's faults: of the Adult data, which do not come with the program."""
    elsewhere = README.replace(section("A five-minute tour"), "").replace("3.11", "")  # the oldest Python
    assert not re.findall(FIGURE, elsewhere)
    faults = (ROOT / "docs" / "synthpop.md").read_text(encoding="utf-8")
    assert set(re.findall(FIGURE, faults)) == {"0.19", "2.03", "0.03", "0.78"}
    assert not re.findall(FIGURE, (ROOT / "docs" / "review.md").read_text(encoding="utf-8"))
    assert not re.findall(FIGURE, (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_python_example_runs_as_it_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    names = {}
    for code in blocks:
        exec(code, names)
    for made in ("report.pdf", "figure.pdf"):
        assert (tmp_path / made).read_bytes().startswith(b"%PDF"), made
    said = capsys.readouterr().out
    assert said == f"{names['found']}\n"
    assert max(map(len, said.splitlines())) <= 100
    assert "DiSCO" in names["found"]["income"].attribute


def test_what_the_readme_links_to_is_there():
    for target, anchor in re.findall(r"\]\((?!http)([^)#]+)(?:#([^)]+))?\)", README):
        assert (ROOT / target).exists(), target
        assert not anchor or anchor in anchors(ROOT / target), anchor


def test_the_readme_is_short():
    assert len(README.split()) <= 1500
