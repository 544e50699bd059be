"""What is no message counts too: frames without an end, empty ones, pings; and what a message holds before it is read."""

# Inside: how many parts a message may have, and a tree of them.

import asyncio
import select
import socket
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.attacks import crumbs, deaf, empty_states, frame, health, line, many_ids, part, pours, rerun, sends
from benchmarks.workshop import begin, processor
from pages.server import frames, messages
from tests.server.serving import Running, Visitor, await_, run, server

BEGUN = frame(2, b"", last=False)
POURED = {
    "empty frames": (1, BEGUN, frame(0, last=False) * 3000),
    "frames of a byte": (5, BEGUN, crumbs(3000)),
    "pings": (5, b"", frame(9) * 3000),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    with server(tmp_path_factory.mktemp("frames")) as found:
        run(_nothing(found))
        yield found


async def _nothing(at: Running) -> None:
    async with Visitor(at.port) as person:
        await begin(person, None)
    await asyncio.to_thread(at.rests)


@pytest.mark.skipif(not hasattr(select, "POLLRDHUP"), reason="the system does not tell")
def test_a_line_is_left_once_the_other_side_has_closed_it_and_not_by_what_it_still_holds():
    mine, theirs = socket.socketpair()
    transport = SimpleNamespace(get_extra_info={"socket": mine}.get)
    told = [frames._is_left(transport)]
    for act in (lambda: theirs.sendall(b"more"), theirs.close, mine.close):
        act()
        told.append(frames._is_left(transport))
    assert told == [False, False, True, False]


@pytest.mark.parametrize("name", POURED)
def test_frames_that_are_no_message_take_no_time_from_others(name, at):
    busy = processor(at.process.pid)
    poured = threading.Thread(target=pours, args=(at.port, *POURED[name], 3.0))
    poured.start()
    took = []
    while poured.is_alive():
        begun = time.monotonic()
        health(at.port)
        took.append(time.monotonic() - begun)
        time.sleep(0.1)
    assert max(took) < 1
    assert processor(at.process.pid) - busy < 1.5, "of three seconds"


def test_a_message_in_a_few_frames_and_the_last_one_before_a_line_closes_are_heard(at):
    (message,) = rerun()
    data = message.SerializeToString() + b"\x5a\x00"
    with line(at.port) as open_:
        open_.sendall(frame(2, data[:1], last=False) + frame(0, data[1:2], last=False) + frame(0, data[2:]))
        assert _says(open_, b"Disclosure")
    data = message.SerializeToString()
    before = at.held()
    with line(at.port) as open_:
        for _ in range(5):
            open_.sendall(frame(2, data))
        open_.sendall(frame(8))
        assert _says(open_, b"\x88")
    assert at.held() == before


def _says(open_: socket.socket, words: bytes) -> bool:
    open_.settimeout(20)
    heard = b""
    with suppress(OSError):
        while words not in heard:
            more = open_.recv(1 << 16)
            if not more:
                return False
            heard += more
    return words in heard


def test_what_a_line_sent_is_dropped_once_it_has_closed(at):
    await_(lambda: at.tabs() == 0, 30)
    (message,) = rerun()
    one = frame(2, message.SerializeToString())
    lines = [line(at.port) for _ in range(5)]
    for open_ in lines:
        open_.sendall(one * 2000)
    time.sleep(2)
    for open_ in lines:
        open_.shutdown(socket.SHUT_RDWR)
        open_.close()
    await_(lambda: at.tabs() == 0, 12)  # worked off, they would stay for a minute and a half


@pytest.mark.parametrize(
    ("message", "parts"),
    [(lambda: empty_states(100_000)[0], messages.PARTS + 1), (lambda: many_ids(50_000)[0], messages.PARTS + 1),
     (lambda: rerun()[0], 1), (lambda: many_ids(1_000)[0], 2_002)],
)  # fmt: skip
def test_the_parts_of_a_message_are_counted_before_it_is_decoded(message, parts):
    held = messages.held(message().SerializeToString())
    assert (held.parts, held.used, held.long) == (parts, True, False)


def test_names_are_as_long_as_the_server_gives_them():
    assert messages.held(part(0, 0, 1_000)[0].SerializeToString()).long
    assert not messages.held(part(0, 0, 200)[0].SerializeToString()).long
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="x" * 100_000, string_value="y" * 100_000)
    assert messages.held(message.SerializeToString()) == messages.Held(used=True, parts=5, long=False, places=False)


def test_a_page_says_what_a_page_needs_and_nothing_else():
    for name in (
        "clear_cache",
        "set_run_on_save",
        "load_git_info",
        "debug_shutdown_runtime",
        "debug_disconnect_websocket",
    ):
        assert not messages.held(BackMsg(**{name: True}).SerializeToString()).used, name
    operation = BackMsg()
    operation.backend_operation_request.install_skills.SetInParent()
    assert not messages.held(operation.SerializeToString()).used
    chunk = BackMsg()
    chunk.backend_operation_request.request_id = "1"
    chunk.backend_operation_request.dataframe_chunk.SetInParent()
    both = rerun()[0].SerializeToString() + BackMsg(clear_cache=True).SerializeToString()
    assert not messages.held(both).used
    for message in (rerun()[0], chunk, BackMsg(stop_script=True), BackMsg(app_heartbeat=True)):
        assert messages.held(message.SerializeToString()).used
    for nonsense in (b"", b"\xff", b"\xff" * 100, b"\x5a\xff\xff\xff\xff\x0f", b"\x0b" * 50_000):
        assert messages.held(nonsense).parts <= messages.PARTS + 1


def test_a_message_of_many_parts_ends_its_line_and_a_cleared_cache_is_not_heard(at):
    """Nobody else's line ends, and what looks for sessions to forget is there once, whatever is asked."""

    async def visits() -> None:
        async with Visitor(at.port) as neighbour:
            for message in (empty_states(100_000), part(0, 0)):
                person = await deaf(at.port)
                await person.line.send(message[0].SerializeToString())
                async with asyncio.timeout(10):
                    await person.reads
            await sends(at.port, 2, lambda *_: [BackMsg(clear_cache=True), *rerun()], 5, 0.1)
            await neighbour.run()

    run(visits())
    names = [path.read_text().strip() for path in _threads(at)]
    assert len(names) < 40
    assert at.log().count("does not exist anymore") == 0


def _threads(at: Running):
    from pathlib import Path

    return list(Path(f"/proc/{at.process.pid}/task").glob("*/comm"))
