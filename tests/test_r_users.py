"""docs/r-users.md: what it calls ours is ours, and everything R prints has its place."""

# Inside: R's names are those of the registry.

import json
import re
from dataclasses import fields
from pathlib import Path

import click

from disclosure_core import Exclusions, Settings, Thresholds, start_demonstration
from disclosure_core.counting.registry import IDENTITY
from tests.commands import main

PAGE = (Path(__file__).parents[1] / "docs" / "r-users.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    return re.search(rf"^## `{re.escape(name)}\(.*?(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)[0]


def left(text: str) -> str:
    return "\n".join(row.split(" | ")[0] for row in text.splitlines() if row.startswith("| `"))


def test_every_function_has_its_table():
    for name in ("disclosure", "multi.disclosure", "replicated.uniques", "sdc", "synorig.compare"):
        assert section(name).count("\n| ") >= 5


def test_every_printed_figure_has_its_place():
    table = section("disclosure")
    of_attribute = ("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom")
    several = {"DCAP": ("DCAPd", "DCAPs", "DCAPb"), "TCAP": ("TCAPi", "TCAP", "TCAPs", "TCAPb")}
    ours = {name: (name,) for name in (*IDENTITY, *of_attribute, "baseCAPd", "CAPd", "CAPs")} | several
    for name, measures in ours.items():
        (row,) = (row for row in table.splitlines() if f"`{name}`" in left(row))
        for measure in measures:
            assert re.search(rf"\b{measure}\b", row.split(" | ", 1)[1]), measure
    for old in ("DiO", "KiSiO", "DiSiO", "UiSiO"):
        assert f"`{old}`" in table


def test_every_argument_of_disclosure_has_its_place():
    r = """object data keys target denom_lim exclude_ov_denom_lim not.targetlev usetargetNA usekeysNA exclude.keys
    exclude.keylevs exclude.targetlevs ngroups_target ngroups_keys thresh_1way thresh_2way digits to.print cont.na
    compare.synorig print.flag plot"""
    names = left(section("disclosure"))
    assert [name for name in r.split() if f"`{name}`" not in names] == []


def test_what_it_names_of_ours_is_there():
    options = {text for c in main.commands.values() for p in c.params if isinstance(p, click.Option) for text in p.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE)) <= options
    for kind in (Exclusions, Settings, Thresholds):
        known = {f.name for f in fields(kind)}
        for arguments in re.findall(rf"{kind.__name__}\((.*?)\)", PAGE):
            assert set(re.findall(r"(\w+)=", arguments)) <= known


def test_what_r_reads_back_is_in_the_json():
    rows = json.loads(start_demonstration().to_json())["tables"]["summary"]
    compared, names = re.search(r'subset\(found\$tables\$summary, comparison == "(.*?)", c\((.*?)\)\)', PAGE).groups()
    found = [row for row in rows if row["comparison"] == compared]
    assert len(found) == len({row["target"] for row in rows}) < len(rows)
    assert set(names.split(", ")) <= found[0].keys()
