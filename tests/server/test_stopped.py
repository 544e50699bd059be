"""Every long step, stopped and left in its middle: it ends, holds nothing, and the next one asked for is right."""

import asyncio
import time

import numpy as np
import pandas as pd
from streamlit.proto.Common_pb2 import StringArray

from benchmarks.workshop import csv, processor
from disclosure_core import Settings
from disclosure_core.data import demo
from disclosure_core.sensitivity.key_subsets import search_subsets
from tests.server.serving import Running, Visitor, await_, run, server

TWELVE = [name for name in demo.original().columns if name not in ("abroad", "marital")]
THREE = ["sex", "age", "region"]
TABLES = ["original", "holdout", *range(demo.N_SYNTHESES), *range(len(demo.OTHER_SETS) * demo.N_OTHER)]
PRESSED = ("trigger_value", True)


async def choose(person: Visitor, keys: list[str]) -> None:
    await person.go("Keys")
    await person.run(**{"keys.keys": ("string_array_value", StringArray(data=keys))})


async def survey(person: Visitor) -> None:
    """Open the demonstration survey with its holdout, and answer what comes before membership."""
    await person.run(**{"data.demo": PRESSED})
    await person.go("Baseline")
    await person.run(**{"baseline.bring": PRESSED})
    await person.run(**{"baseline.demo": PRESSED})
    await person.run(**{"baseline.view": ("string_value", "Membership")})
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


async def _baseline(person: Visitor, view: str) -> None:
    await choose(person, TWELVE)
    await person.go("Baseline")
    await person.run(**{"baseline.view": ("string_value", view)})


async def _membership(person: Visitor) -> None:
    await _baseline(person, "Membership")


async def _draws(person: Visitor) -> None:
    await _baseline(person, "Fewer records")
    await person.run(**{"baseline.repeats": ("double_value", 200.0)})


async def _compare(person: Visitor) -> None:
    await person.go("Compare")


STEPS = {
    "keys.search_targets": (survey, _keys, "keys.search_targets.stop"),
    "keys.search": (survey, _keys, "keys.search.stop"),
    "baseline.search": (survey, _membership, "baseline.search.stop"),
    "baseline.draw": (survey, _draws, "baseline.stop"),
    "compare.measure": (large, _compare, "compare.measure.stop"),
}
"""By the button that begins a long step: what is brought for it, the way to it, and the button that stops it."""


def rests(at: Running) -> None:
    """Wait until the server computes nothing any more."""

    def rest() -> bool:
        before = processor(at.process.pid)
        time.sleep(0.5)
        return processor(at.process.pid) - before < 0.15

    await_(rest, 15)


async def begun(person: Visitor, button: str) -> None:
    await STEPS[button][1](person)
    person.progress = 0
    await person.begin_run(**{button: PRESSED})
    assert 0 < person.progress < 50, (button, "there is a long way to go")


async def stopped(at: Running, person: Visitor, button: str) -> None:
    await begun(person, button)
    person.widgets.pop(button, None)
    await person.run(**{STEPS[button][2]: PRESSED})
    await asyncio.to_thread(rests, at)
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
            assert person.said(f"repU is {worst.figure:.2f} %"), person.words
            assert person.said("7 of 7 subsets searched")
            await begun(person, "baseline.search")  # and is left in its middle

    async def leave(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.run(**{"data.demo": PRESSED})
            await begun(person, "baseline.draw")

    with server(tmp_path) as at:
        for visit in (stop_each, leave):
            run(visit(at))
            rests(at)
            await_(
                lambda: at.held() == [2, 0, len(TABLES)], 15
            )  # the survey, with its code and without, is everybody's
        assert "Traceback" not in at.log()


def test_the_counting_of_tables_ends_when_it_is_stopped_and_when_its_tab_is_closed(tmp_path):
    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await large(person)
            await stopped(at, person, "compare.measure")
            assert at.held() == [1, 2, 2]
            await begun(person, "compare.measure")

    with server(tmp_path) as at:
        run(visit(at))
        rests(at)
        await_(lambda: at.held() == [0, 0, 0], 15)
        assert "Traceback" not in at.log()


def test_what_begins_unasked_is_offered_once_it_was_stopped(tmp_path):
    async def visit(at: Running) -> None:
        async with Visitor(at.port) as person:
            await large(person, 450_000)  # few enough to be counted without being asked for
            person.page, person.progress = person.pages["Compare"], 0
            await person.begin_run()
            assert 0 < person.progress < 50, "there is a long way to go"
            await person.run(**{"compare.measure.stop": PRESSED})
            await asyncio.to_thread(rests, at)
            assert not person.said("Mean S_pMSE"), "it did not begin again"
            await person.go("Compare")
            assert not person.said("Mean S_pMSE")
            await person.run(**{"compare.measure": PRESSED})
            assert person.said("Mean S_pMSE over 190 two-way tables"), person.words

    with server(tmp_path) as at:
        run(visit(at))
        assert "Traceback" not in at.log()
