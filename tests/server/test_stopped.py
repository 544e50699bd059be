"""Every long step, stopped and left in its middle: it ends, holds nothing, and the next one asked for is right."""

import asyncio

import numpy as np
import pandas as pd
import pytest
from streamlit.proto.Common_pb2 import StringArray

from benchmarks.workshop import csv
from disclosure_core import Settings, demo, search_subsets
from tests.server.serving import Running, Visitor, await_, run, server

TWELVE = [name for name in demo.original().columns if name not in ("abroad", "marital")]
THREE = ["sex", "age", "region"]
TABLES = ["original", "holdout", *range(demo.N_SYNTHESES), *range(len(demo.OTHER_SETS) * demo.N_OTHER)]
PRESSED = ("trigger_value", True)


async def choose(person: Visitor, keys: list[str]) -> None:
    await person.go("Keys")
    await person.run(**person.keys(*keys))


async def survey(person: Visitor) -> None:
    """Open the demonstration survey with its holdout, and answer what comes before membership."""
    await person.run(**{"data.demo": PRESSED})
    await person.question("membership")
    await person.run(**{"baseline.bring": PRESSED})
    await person.run(**{"baseline.demo": PRESSED})
    answers = {"size": ("double_value", 1_000_000.0), "same_population": ("string_value", "Yes"), "news": ("string_value", "Yes")}  # fmt: skip
    for name, answer in answers.items():
        await person.run(**{f"threat_model.{name}": answer})


async def large(person: Visitor, records: int = 500_000) -> None:
    """Bring files of which the tables take a while to count."""
    rng = np.random.default_rng(1)
    names = [*TWELVE, *(f"column {i}" for i in range(8))]
    files = [csv(pd.DataFrame({n: rng.integers(0, 9, records) for n in names})) for _ in range(2)]
    await person.upload(*files)
    await choose(person, THREE)


async def _keys(person: Visitor) -> None:
    await choose(person, TWELVE)


async def _asked(person: Visitor, short: str) -> None:
    await choose(person, TWELVE)
    await person.question(short)


async def _number(person: Visitor) -> None:
    await _asked(person, "number-of-keys")


async def _strongest(person: Visitor) -> None:
    await _asked(person, "strongest-intruder")


async def _least(person: Visitor) -> None:
    await choose(person, TWELVE[:8])
    await person.go("Safeguards")
    await person.run(**{"safe.least.lead": PRESSED})
    await person.run(**{"safe.least.aim.DiSCO": ("double_value", 1.0)})
    await person.run(**{"safe.least.remove": ("double_value", 50.0)})
    await person.run(**{"safe.least.coarsen.age": ("string_value", "up to bands of 20")})


async def _membership(person: Visitor) -> None:
    await _asked(person, "membership")


async def _draws(person: Visitor) -> None:
    await _asked(person, "release-size")
    await person.run(**{"analyses.release-size.repeats": ("double_value", 400.0)})


async def _compare(person: Visitor) -> None:
    await person.go("Compare")


async def _report(person: Visitor) -> None:
    await person.go("Report")


async def _safer(person: Visitor) -> None:
    await person.go("Safeguards")
    await person.run(**{"safe.group": ("string_array_value", StringArray(data=[":material/add: Coarsen a column"]))})
    await person.run(**{"safe.kind": ("string_value", "Round numbers")})
    await person.run(**{"safe.add": PRESSED})


async def wide(person: Visitor) -> None:
    """Bring files of so many columns that their report is not made in a moment."""
    rng = np.random.default_rng(1)
    frames = [pd.DataFrame({f"column {i}": rng.integers(0, 9, 3000) for i in range(60)}) for _ in range(2)]
    await person.upload(*map(csv, frames))
    await person.go("Keys")
    await person.run(**person.keys("column 0", "column 1", "column 2"))


STEPS = {
    "keys.search_targets": (survey, _keys, "keys.search_targets.stop"),
    "keys.search": (survey, _number, "keys.search.stop"),
    "keys.strongest": (survey, _strongest, "keys.strongest.stop"),
    "safe.least": (survey, _least, "safe.least.stop"),
    "baseline.search": (survey, _membership, "baseline.search.stop"),
    "analyses.run.release-size": (survey, _draws, "analyses.run.release-size.stop"),
    "compare.measure": (large, _compare, "compare.measure.stop"),
    "report.draw": (large, _report, "report.draw.stop"),
    "report.get.figures.zip": (survey, _report, "report.get.figures.zip.stop"),
}
"""By the button that begins a long step: what is brought for it, the way to it, and the button that stops it."""


MANY = {
    "compare.measure": "210 tables of 1,000,000 records",
    "report.draw": "10 draws from 500,000 records",
}
"""How much is to be done, of the steps that take long with many records."""


async def begun(person: Visitor, button: str) -> None:
    await STEPS[button][1](person)
    await person.begin_run(**{button: PRESSED})
    assert 0 < person.progress < 50, (button, "there is a long way to go")


async def stopped(at: Running, person: Visitor, button: str) -> None:
    await begun(person, button)
    person.widgets.pop(button, None)
    await person.run(**{STEPS[button][2]: PRESSED})
    await asyncio.to_thread(at.rests)
    assert button in person.widgets, f"{button} is offered again"


def test_a_search_ends_when_it_is_stopped_and_when_its_tab_is_closed(tmp_path):
    async def stop_each(at: Running) -> None:
        async with Visitor(at.port) as person:
            await survey(person)
            for button, how in STEPS.items():
                if how[0] is survey:
                    await stopped(at, person, button)
            # What is asked for next is whole, and right.
            await choose(person, THREE)
            await person.run(**{"keys.search_targets": PRESSED})
            worst = search_subsets(demo.study(), Settings(keys=THREE, groups=demo.GROUPS)).worst("repU")
            assert person.said(f"repU is {worst.figure:.2f} %".replace(".", "\\.")), person.words
            assert person.said("7 of 7 subsets searched")

    async def leave(at: Running, button: str) -> None:
        async with Visitor(at.port) as person:
            await survey(person)
            await begun(person, button)  # and is left in its middle

    with server(tmp_path) as at:
        run(stop_each(at))
        for button in [button for button, how in STEPS.items() if how[0] is survey]:
            run(leave(at, button))
            at.rests()
            # The survey, with its code and without, is everybody's.
            await_(lambda: at.held() == [2, 0, len(TABLES)])
        assert "Traceback" not in at.log()


@pytest.mark.parametrize("button", [button for button, how in STEPS.items() if how[0] is large])
def test_what_takes_long_with_many_records_ends_when_it_is_stopped_and_when_its_tab_is_closed(tmp_path, button):
    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await large(person)
            await STEPS[button][1](person)
            assert person.said(f"{MANY[button]}: this may take a while."), person.words
            await stopped(at, person, button)
            assert person.said(f"Stopped: {MANY[button]}."), person.words
            assert at.held() == [1, 2, 2]
            await begun(person, button)

    with server(tmp_path) as at:
        run(visit(at))
        at.rests()
        await_(lambda: at.held() == [0, 0, 0])
        assert "Traceback" not in at.log()


MADE = {
    "figures.zip": (wide, _report, "figure 2 of "),
    "report.pdf": (wide, _report, "figures are computed"),
    "safer_syntheses.zip": (large, _safer, "synthesis 1 of 1"),
}
"""By the file that is made of a whole review: what is brought for it, the way to it, and how far it is."""


@pytest.mark.parametrize("name", MADE)
def test_a_file_that_takes_long_tells_how_far_it_is_and_ends_when_it_is_stopped_and_when_its_tab_is_closed(
    tmp_path, name
):
    bring, way, how_far = MADE[name]
    make = f"report.get.{name}"

    async def begin(person: Visitor) -> None:
        await person.begin_run(how_far, **{make: PRESSED})
        assert "file" not in person.hands[make]

    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await bring(person)
            await way(person)
            await begin(person)
            person.widgets.pop(make, None)
            await person.run(**{f"{make}.stop": PRESSED})
            await asyncio.to_thread(at.rests)
            assert make in person.widgets
            assert person.said(f"You stopped it before it was made: {name.partition(chr(46))[0]}"), person.words
            await begin(person)

    with server(tmp_path) as at:
        run(visit(at))
        at.rests()
        await_(lambda: at.held() == [0, 0, 0])
        assert "Traceback" not in at.log()


def test_a_file_that_takes_long_is_begun_anew_of_what_is_changed_meanwhile(tmp_path):
    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await wide(person)
            await _report(person)
            make = "report.get.report.html"
            await person.begin_run("figure", **{make: PRESSED})
            asked = person.told(make, n=person.asked)
            person.asked -= 1
            await person.run(**{make: asked, "report.author": ("string_value", "Somebody Else")})
            while "file" not in person.hands[make]:
                await person._hear()
            assert b"Somebody Else" in person.taken(make), "it names who wrote it"
            assert len([key for key in person.hands if "file" in person.hands[key]]) == 1

    with server(tmp_path) as at:
        run(visit(at))
        assert "Traceback" not in at.log()
