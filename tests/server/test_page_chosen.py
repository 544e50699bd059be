"""Who chooses another page gets it, though a part of the page that is left still has something to say."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.server.serving import Visitor, run, server

LATE = """
import time
from streamlit.runtime.scriptrunner import ScriptRunner
draw = ScriptRunner._run_script
def late(self, data):
    time.sleep(0.3 * bool(data.fragment_id_queue))
    draw(self, data)
ScriptRunner._run_script = late
"""
"""A run of a part that takes in what it was told a while after it has begun, as on a busy server."""


class Parts(Visitor):
    """A visitor who notes the parts of a page that are drawn apart, and each page that is drawn."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.parts: set[str] = set()
        self.drawn: list[str] = []
        self.part_of_verdict = ""

    async def _hear(self):
        got = await super()._hear()
        if got.WhichOneof("type") == "new_session":
            self.drawn.append(got.new_session.page_script_hash)
        if got.WhichOneof("type") == "delta" and got.delta.fragment_id:
            self.parts.add(got.delta.fragment_id)
            if got.delta.new_element.bidi_component.id == self.widgets.get("review.verdict"):
                self.part_of_verdict = got.delta.fragment_id
        return got

    async def of_part(self, part: str, page: str, **changes: tuple[str, object]) -> None:
        """Say what a part of a page says when a field in it is left."""
        message = BackMsg()
        for key, (kind, value) in changes.items():
            setattr(message.rerun_script.widget_states.widgets.add(id=self.widgets[key]), kind, value)
        message.rerun_script.page_script_hash, message.rerun_script.fragment_id = page, part
        await self.line.send(message.SerializeToString())


@pytest.mark.parametrize("first", ["page", "part"])
def test_a_part_of_the_page_that_is_left_leads_nowhere_else(tmp_path, first):
    async def visit(at) -> None:
        async with Parts(at.port) as person:
            await person.run(**{"data.demo": ("trigger_value", True)})
            for later in (0, 0, 0.005, 0.02, 0.05, 0.1, 0.2):
                person.parts.clear()
                await person.go("Review")
                await person.settle()
                left, chosen = person.pages["Review"], person.pages["Keys"]
                parts = sorted(person.parts)
                assert parts
                person.drawn.clear()
                person.widgets.clear()
                if first == "part":
                    await person.of_part(parts[0], left)
                person.page = chosen
                await person.ask()
                await asyncio.sleep(later)
                for part in parts:
                    await person.of_part(part, left)
                await person.settle()
                assert person.drawn[-1] == chosen
                assert "keys.roles" in person.widgets
                assert left not in person.drawn[person.drawn.index(chosen) :], later

    with server(tmp_path) as at:
        run(visit(at))
        assert "Traceback" not in at.log()


@pytest.mark.parametrize("prelude", ["", LATE])
def test_what_a_part_was_told_before_another_page_is_chosen_is_done(tmp_path, prelude):
    """An act waits behind a run, or its own run has begun; the page chosen next speaks of its own widgets alone."""

    async def visit(at) -> None:
        async with Parts(at.port) as person:
            await person.run(**{"data.demo": ("trigger_value", True)})
            for i, later in enumerate((0.03, 0.2) if prelude else (0, 0, 0.01, 0.03, 0.1, 0.2)):
                person.parts.clear()
                await person.go("Review")
                await person.settle()
                left, part = person.pages["Review"], person.part_of_verdict
                target = person.tables["review.bench"]["shows"]["rows"][i]["target"]
                told = person.acts("review.verdict", {"targets": [target], "verdict": "leak", "reason": ""})
                if not prelude:
                    await person.of_part(part, left)
                    await asyncio.sleep(later)
                await person.of_part(part, left, **{"review.verdict": told})
                if prelude:
                    await asyncio.sleep(later)
                person.page = person.pages["Report"]
                await person.ask()
                await person.settle()
                await person.go("Review")
                await person.settle()
                rows = {row["target"]: row["kind"] for row in person.tables["review.bench"]["shows"]["rows"]}
                assert rows[target] == "leak", later

    with server(tmp_path, prelude=prelude) as at:
        run(visit(at))
        assert "Traceback" not in at.log()
