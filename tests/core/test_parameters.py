"""A number that is asked for is declared once: Python takes what options and widgets take, and refuses what they refuse."""

import re
from dataclasses import fields
from math import nan
from pathlib import Path

import pytest

import disclosure_core
from disclosure_core import Bounds, DisclosureError, Exclusions, Holdout, May, Review, Sought, ThreatModel
from disclosure_core.review.parts import Sample

REST = {Holdout: {"kind": "split", "share": 50.0, "seed": 1}, May: {"blank": ("job",)}, Sample: {"share": 50.0}}
"""What else such a part needs."""

WIDER = {"seed"}
"""What Python and files may hold beyond the upper end that is asked for: any whole number draws."""

BINDS = ("ge", "gt", "le", "lt")


def ends():
    """Give each end of each declared number: the part, the field, how it binds, where it is, and a step to the inside."""
    for part in (Bounds, Exclusions, Holdout, May, Review, Sample, Sought, ThreatModel):
        for each in fields(part):
            for binds, end in each.metadata.get("declared", {}).items():
                if binds not in BINDS:
                    continue
                step = (0.5 if "float" in each.type else 1) * (1 if binds in ("ge", "gt") else -1)
                yield pytest.param(part, each.name, binds, end, step, id=f"{part.__name__}.{each.name} {binds} {end}")


def taken(part, name, value):
    try:
        part(**{**REST.get(part, {}), name: value})
    except DisclosureError:
        return False
    return True


@pytest.mark.parametrize(("part", "name", "binds", "end", "step"), list(ends()))
def test_python_takes_what_is_declared_and_refuses_what_is_beyond(part, name, binds, end, step):
    assert taken(part, name, end) is binds.endswith("e")
    assert taken(part, name, end + step)
    assert taken(part, name, end - step) is (name in WIDER and binds == "le")
    assert not taken(part, name, nan) or name in WIDER


def test_all_are_seen():
    assert len(list(ends())) >= 19


def test_no_command_says_a_range_of_its_own():
    by_hand = {
        path.stem
        for path in (Path(disclosure_core.__file__).parent / "cli").glob("*.py")
        if re.search("IntRange|FloatRange", path.read_text(encoding="utf-8"))
    }
    assert by_hand == {
        "from_models",
        "app",
        "whole_review",
    }  # a port, and the smallest count of a report: of the call alone
