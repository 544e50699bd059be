"""A browser says with each click what every widget holds, also those that it has not heard of yet: that is no act."""

import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.server.serving import PRESSED, Visitor, await_, run, server
from tests.server.test_turns import HELD

FIELD, OTHER = "review.one_way.0", "review.two_way.0"
USUAL = (50.0, 4.0)
"""The thresholds of both, before anybody changed one."""


class Browser(Visitor):
    """A visitor who says what every widget holds, and which elements it keeps, as a browser does."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.keeps: set[str] = set()
        self.holds: dict[str, float] = {}

    async def _hear(self):
        got = await super()._hear()
        if got.metadata.cacheable:
            self.keeps.add(got.hash)
        return got

    async def says(self, *pressed: str, heard: bool = True, **holds: float) -> None:
        self.holds |= holds
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.cached_message_hashes.extend(self.keeps if heard else ())
        for key, value in self.holds.items():
            message.rerun_script.widget_states.widgets.add(id=self.widgets[key], double_value=value)
        for key in pressed:
            message.rerun_script.widget_states.widgets.add(id=self.widgets[key], trigger_value=True)
        await self.line.send(message.SerializeToString())

    async def thresholds(self) -> tuple[float, float]:
        await self.settle()
        kept = json.loads(await self.download("status_bar.save"))["thresholds"]
        return kept["one_way"][0], kept["two_way"][0]


async def begun(person: Browser) -> None:
    """Open the survey's review, and change one threshold."""
    await person.run(**{"data.demo": PRESSED})
    await person.go("Review")
    await person.run(**{"review.flags": ("bool_value", True)})
    await person.settle()
    await person.says(**dict(zip((FIELD, OTHER), USUAL, strict=True)))
    await person.settle()
    await person.says(**{FIELD: 60.0})
    await person.settle()


@pytest.mark.parametrize(
    ("heard", "then", "found"),
    [
        (False, {OTHER: 5.0}, (50.0, 5.0)),  # the message was on its way when Undo was pressed
        (False, {OTHER: 5.0, FIELD: 70.0}, (70.0, 5.0)),  # who changes it once more means it
        (True, {OTHER: 5.0}, (60.0, 5.0)),  # who has heard of Undo has chosen the value of before
    ],
)
def test_a_value_of_before_undo_is_an_act_only_of_who_has_heard_of_it(running, heard, then, found):
    async def visit() -> None:
        async with Browser(running.port) as person:
            await begun(person)
            await person.says("review.undo")
            await person.settle()
            await person.says(heard=heard, **then)
            assert await person.thresholds() == found

    run(visit())


def test_undo_pressed_while_a_run_waits_takes_back_what_came_before_it(tmp_path):
    async def visit(at) -> None:
        async with Browser(at.port) as person:
            await begun(person)
            (tmp_path / "hold").touch()
            await_((tmp_path / "held").exists)
            await person.says("review.undo", heard=False)
            await person.says(heard=False, **{OTHER: 5.0})
            (tmp_path / "hold").unlink()
            assert await person.thresholds() == (50.0, 5.0)

    with server(tmp_path, prelude=HELD.replace("FOLDER", str(tmp_path))) as at:
        run(visit(at))


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with server(tmp_path_factory.mktemp("unheard")) as at:
        yield at
