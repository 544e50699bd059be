"""Whoever opens many lines while a tab is closed takes nothing of what its reload brings back."""

# Inside: how many sessions are kept, and until when, without a server.

import asyncio
from dataclasses import dataclass, field

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.session_manager import SessionInfo

from benchmarks.attacks import line
from benchmarks.workshop import begin
from pages.server import sessions
from tests.server.serving import Running, Visitor, await_, run, server

TTL = {"DISCLOSURE_RETURN": "no", "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "120"}


async def comes_back(at: Running, session: str) -> Visitor:
    """Open a line that names a session, as a tab does whose line was cut."""
    import websockets

    person = Visitor(at.port)
    person.line = await websockets.connect(
        f"ws://127.0.0.1:{at.port}/_stcore/stream", subprotocols=["streamlit", "none", session], max_size=None
    )
    await person.line.send(BackMsg(app_heartbeat=True).SerializeToString())
    await person.run()
    return person


def test_lines_that_ask_for_nothing_push_out_no_review(tmp_path):
    async def visit() -> str:
        async with Visitor(at.port) as person:
            await begin(person, None)
            return person.id

    async def returns(session: str) -> None:
        person = await comes_back(at, session)
        assert person.id == session
        await person.go("Keys")
        assert "keys.roles" in person.widgets
        await person.line.close()

    with server(tmp_path, **TTL) as at:
        session = run(visit())
        await_(lambda: at.tabs() == 0)
        for _ in range(200):
            line(at.port).close()
        await_(lambda: at.tabs() == 0)
        run(returns(session))
        assert "Traceback" not in at.log()


def test_a_line_that_asked_for_nothing_is_not_said_to_be_forgotten(tmp_path):
    """Nor is a run that a closed line asked for begun when nobody has a place for it."""

    async def visit() -> None:
        import websockets

        there = f"ws://127.0.0.1:{at.port}/_stcore/stream"
        cookie = {"Cookie": f"disclosure_browser={'C' * 43}"}
        empty = await websockets.connect(there, subprotocols=["streamlit"], additional_headers=cookie)
        await empty.close()
        await asyncio.to_thread(await_, lambda: at.tabs() == 0)
        person = Visitor(at.port)
        person.line = await websockets.connect(
            there, subprotocols=["streamlit"], additional_headers=cookie, max_size=None
        )
        await person.run()
        assert not person.said("The server has forgotten"), person.words
        await person.line.close()

    with server(tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="120") as at:
        run(visit())


@dataclass
class Ends:
    """A session that says when it is ended."""

    id: str
    ended: list[str]
    _browser_queue: list[str] = field(default_factory=list)

    def shutdown(self) -> None:
        self.ended.append(self.id)


@pytest.fixture
def clock(monkeypatch):
    """Set the time that the store of left sessions sees; a session may be returned to for two minutes."""
    now = [1_000.0]
    monkeypatch.setattr("pages.server.sessions.time.monotonic", lambda: now[0])
    return now


def test_so_many_sessions_are_kept_and_each_for_its_time(clock):
    ended: list[str] = []
    left = sessions.Left(lambda who: who != "empty", most=3)

    def leave(*ids: str) -> None:
        for who in ids:
            left.save(SessionInfo(None, Ends(who, ended)))
            clock[0] += 10

    leave("a", "empty", "b", "c")
    assert (ended, [each.session.id for each in left.list()]) == (["empty"], ["a", "b", "c"])
    left.delete("a")  # its browser has returned
    leave("a", "d")
    assert (ended, left.get("b")) == (["empty", "b"], None)
    assert left.get("c").session.id == "c"
    clock[0] = 1_030 + 121  # c was left at 1,030
    assert left.get("c") is None
    assert [session.id for session in left.expired()] == ["c"]
    assert left.end("a").id == "a"
    assert left.end("a") is None
    assert ended == ["empty", "b", "c", "a"]
    assert [each.session.id for each in left.list()] == ["d"]
