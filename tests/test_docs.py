"""The documents tell true figures: each is read out of them and computed again."""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import Exclusions, Settings, Study, assess, demo
from disclosure_core.assessment import identity_by_keys

DOCS = Path(__file__).parents[1] / "docs"


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def table(text: str, first: str) -> pd.DataFrame:
    """Return the table of a Markdown text whose first column is called `first`."""
    lines = re.search(rf"^\| {first} \|.*\n(?:\|.*\n?)+", text, re.MULTILINE).group().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return pd.DataFrame(rows[2:], columns=rows[0]).set_index(first)


def test_eight_records_by_hand():
    text = read("by-hand.md")
    original, synthetic = table(text, "original"), table(text, "synthetic")
    assert len(original) == len(synthetic) == 8
    found = assess(Study(original, [synthetic]), Settings(keys=("sex", "area")))
    figures = found.identity.iloc[0].to_dict() | found.targets["smokes"].attribute.iloc[0].to_dict()
    told = table(text, "measure")["figure"]
    assert len(told) == 9
    assert told.to_dict() == {name: f"{figures[name]:.2f} %" for name in told.index}


def test_the_workshop():
    text = read("workshop.md")
    study, settings = demo.study(), Settings(keys=demo.KEYS, groups=demo.GROUPS)
    found = assess(study, settings)
    growth = identity_by_keys(study, settings).set_index("key")
    rows = found.summary().set_index("target")
    out = replace(settings, exclusions=Exclusions(target_levels={"abroad": ["No"]}))
    after = assess(study, out, found.tables, found).targets["abroad"].figures("DiSCO").mean()
    one = {name: found.targets[name].one_way[0] for name in ("abroad", "condition")}
    pairs = found.targets["marital"].two_way[0].set_index(["key_level", "target_level"])["pct"]
    no = one["abroad"]
    told = [
        f"With age, {growth.loc['age', 'UiO']:.2f} % are. With region {growth.loc['region', 'UiO']:.2f} %, "
        f"with employment {growth.loc['employment', 'UiO']:.2f} %. Replicated uniques end at {growth['repU'].iloc[-1]:.2f} %.",
        f"`abroad` stands on top: {rows.loc['abroad', 'original']:.2f} % in the original, {rows.loc['abroad', 'synthetic']:.2f} %",
        f"`marital` follows with {rows.loc['marital', 'synthetic']:.2f} %, then `condition` with {rows.loc['condition', 'synthetic']:.2f} %",
        f"`bmi` is last with {rows.loc['bmi', 'synthetic']:.2f} %",
        f"`income` falls from {rows.loc['income', 'original']:.2f} % to {rows.loc['income', 'synthetic']:.2f} %",
        f"carries {no.n_disclosive_level:,} of {no.n_disclosive:,} disclosive records ({no.pct_disclosive:.2f} %), "
        f"and {no.pct_level:.2f} % of all people give it. Without it DiSCO is {after:.2f} %",
        f"for {pairs['16', 'Single']:.2f} % of the people of 16, and for {pairs['17', 'Single']:.2f} % of those of 17",
        f"Age 53 and Married, {pairs['53', 'Married']:.2f} %",
        f"“{one['condition'].level}” carries {one['condition'].n_disclosive_level} of {one['condition'].n_disclosive} "
        f"disclosive records ({one['condition'].pct_disclosive:.2f} %), but {one['condition'].pct_level:.2f} % of the people",
    ]  # fmt: skip
    assert [t for t in told if t not in text] == []
    assert list(rows.index[::-1][:3]) == ["abroad", "marital", "condition"]
    assert rows.index[0] == "bmi"
    # No percentage stands in the document that is not computed here.
    figure = r"\d+\.\d\d %"
    assert set(re.findall(figure, text)) <= set(re.findall(figure, " ".join(told)))


def test_the_glossary_explains_every_measure_on_the_pages():
    words = read("glossary.md")
    pages = " ".join(p.read_text(encoding="utf-8") for p in (DOCS.parent / "pages" / "parts" / "words").glob("*.md"))
    named = set(re.findall(r"\b(UiO|UiS|UiOiS|repU|Dorig|iS|DiS|DiSCO|DiSDiO|CAPd|DCAPd)\b", pages))
    assert named
    assert [name for name in named if not re.search(rf"^\| [^|]*\b{name}\b[^|]* \|", words, re.MULTILINE)] == []


def test_every_test_that_the_threat_model_names_is_there():
    text = read("threats.md")
    tests = DOCS.parent / "tests"
    named = set(re.findall(r"`(test_\w+)`", text))
    there = set(
        re.findall(r"^def (test_\w+)", "".join(p.read_text("utf-8") for p in tests.rglob("*.py")), re.MULTILINE)
    )
    assert len(named) >= 10
    assert named - there == set()
    assert [
        path for path in re.findall(r"`((?:tests|pages)/[\w./]+)`", text) if not (DOCS.parent / path).exists()
    ] == []
    # And no claim stands without what tried it.
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    assert [row[0] for row in rows if "test" not in row[2]] == []


@pytest.mark.parametrize("name", sorted(p.name for p in DOCS.glob("*.md")))
def test_no_link_is_dead(name):
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", read(name)):
        assert (DOCS / target).exists(), target
