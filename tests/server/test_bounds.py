"""One visitor's line, however much it sends or keeps open, takes nothing from the next visitor."""

# Inside: a body is received piece by piece, and a log repeats, faster than a server would.

import asyncio
import logging
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from pages.server import bounds, logs
from tests.server.serving import ROOT, Running, Visitor, await_, run, server
from tests.server.test_uploads import LIMITS, MB, heard, send

QUICK = "from pages.server import allowance, lines; allowance.STALLED = 1.0; lines.HEAD = 1.0"


def places(person: Visitor, names: int) -> bytes:
    """Return a message that asks for the places of so many files without a name."""
    message = BackMsg()
    message.file_urls_request.request_id = "many"
    message.file_urls_request.session_id = person.id
    message.file_urls_request.file_names.extend([""] * names)
    return message.SerializeToString()


async def no_place(person: Visitor) -> None:
    """See that the next run ends, and that no place for a file was named before."""
    kinds = []
    hear = person._hear

    async def noting():
        got = await hear()
        kinds.append(got.WhichOneof("type"))
        return got

    person._hear = noting
    await person.run()
    person._hear = hear
    assert "file_urls_response" not in kinds


@pytest.mark.parametrize("only", ["", "yes"])
def test_nobody_is_told_where_to_put_more_files_than_anybody_chooses(only, tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person, Visitor(at.port) as neighbour:
            await person.line.send(places(person, 300_000))
            if not only:
                await heard(person, "You chose 300,000 files at once; choose at most 1,000.")
            await no_place(person)
            await neighbour.run()
            await person.line.send(places(person, 1_000_000 + 1))  # 2 MB
            with pytest.raises(ConnectionClosed):
                await person.run()
            await neighbour.run()
            if only:
                await neighbour.line.send(places(neighbour, 1))
                await no_place(neighbour)
            else:
                assert (await neighbour.place("x.csv"))[0]

    with server(tmp_path, DISCLOSURE_DEMO_ONLY=only) as at:
        run(visits(at))


def test_who_sends_more_messages_than_a_person_waits_for_themselves():
    """Of 100 messages at once the last comes after three seconds, and the first 40 at once."""

    async def hear() -> list[float]:
        message = {"type": "websocket.receive", "bytes": BackMsg(app_heartbeat=True).SerializeToString()}

        async def receive():
            return message

        receiving = bounds.Heard(uploads=True).bounded(receive)
        begun, took = time.monotonic(), []
        for _ in range(100):
            assert await receiving() is message
            took.append(time.monotonic() - begun)
        return took

    took = asyncio.run(hear())
    assert took[39] < 0.5
    assert took[-1] == pytest.approx(3, abs=0.5)


def test_an_announced_length_takes_nobodys_room(tmp_path):
    async def visits(at: Running) -> None:
        async with AsyncExitStack() as open_:
            for _ in range(6):
                person = await open_.enter_async_context(Visitor(at.port))
                for i in range(2):
                    url, _ = await person.place(f"{i}.csv")
                    open_.enter_context(person.head_of_put(url, "Content-Type: text/csv", f"Content-Length: {MB}"))
            async with Visitor(at.port) as newcomer:
                assert newcomer.said("There is room for 2.0 MB of files")
                assert await send(newcomer, 1.5) == 204

    with server(tmp_path, **LIMITS) as at:
        run(visits(at))


def test_what_arrives_counts_while_it_is_on_its_way(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            url, _ = await person.place("half.csv")
            line, rest = person.put_half(url, "half.csv", b"a" * int(1.8 * MB))
            with line:
                for _ in range(100):
                    await person.run()
                    if person.said("There is room for 1.1 MB"):
                        break
                    await asyncio.sleep(0.1)
                assert await send(person, 1.0) == 204
                with suppress(OSError):  # it is refused, and hung up, before all of it was sent
                    line.sendall(rest)
                with suppress(OSError), line.makefile("rb") as answer:
                    assert b"413" in answer.readline()
            await heard(person, "A file of 1.8 MB was refused: there is room for")

    with server(tmp_path, **LIMITS) as at:
        run(visits(at))


def closed(line: socket.socket, within: float) -> bool:
    """Return whether the server closes a line within so many seconds, whatever it says before."""
    line.settimeout(within)
    with suppress(ConnectionError):
        try:
            while line.recv(10_000):
                pass
        except TimeoutError:
            return False
    return True


def test_an_upload_that_stops_on_its_way_ends_and_the_page_says_so(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            url, _ = await person.place("half.csv")
            line, _ = person.put_half(url, "half.csv", b"a" * MB)
            with line:
                await heard(person, "A file did not arrive: 0.5 of 1.0 MB came, and no more. Choose it again.")
                assert closed(line, 20)
            assert await send(person, 1.9) == 204  # nothing of it takes room

    with server(tmp_path, prelude=QUICK, **LIMITS) as at:
        run(visits(at))
        assert "unexpected" not in at.log()


def test_an_upload_ends_with_its_session(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            url, _ = await person.place("half.csv")
            line, _ = person.put_half(url, "half.csv", b"a" * MB)
        with line:
            assert closed(line, 20)

    with server(tmp_path) as at:
        run(visits(at))


def half_lines(at: Running, number: int) -> list[socket.socket]:
    """Open so many lines that begin a request, and send no more of it."""
    lines = []
    for _ in range(number):
        lines.append(socket.create_connection(("127.0.0.1", at.port), timeout=30))
        lines[-1].sendall(b"GET / HT")
    return lines


def test_lines_that_never_ask_leave_room_for_those_who_do(tmp_path):
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (500, 500))"

    async def visits(at: Running) -> None:
        lines = half_lines(at, 600)
        async with asyncio.timeout(60), Visitor(at.port) as person:
            await person.run()
        for line in lines:
            line.close()

    with server(tmp_path, prelude=few) as at:
        run(visits(at))
        assert len(at.log()) < 5_000
        assert "out of system resource" not in at.log()


def test_a_head_that_does_not_arrive_ends_its_line_and_one_that_comes_slowly_does_not(tmp_path):
    with server(tmp_path, prelude=QUICK) as at:
        with half_lines(at, 1)[0] as line:
            assert closed(line, 20)
        with socket.create_connection(("127.0.0.1", at.port), timeout=30) as line, line.makefile("rb") as answers:
            for _ in range(2):  # a second request on the same line is bounded as well
                for part in (b"GET /_stcore/health HTTP/1.1\r\n", b"Host: 127.0.0.1\r\n", b"\r\n"):
                    line.sendall(part)
                    time.sleep(0.2)
                assert b"200" in answers.readline()
                length = 0
                while (said := answers.readline().strip().lower()) != b"":
                    length = int(said.partition(b":")[2]) if said.startswith(b"content-length") else length
                answers.read(length)
            line.sendall(b"GET / HT")
            assert closed(line, 20)


def test_as_many_files_may_be_open_as_the_system_lets(tmp_path):
    hard = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 4000)
    few = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard}))"
    with server(tmp_path, prelude=few) as at:
        limits = Path(f"/proc/{at.process.pid}/limits").read_text()
        (told,) = (line for line in limits.splitlines() if line.startswith("Max open files"))
        assert told.split()[3:5] == [str(hard)] * 2


class Written(logging.Handler):
    """Keeps what is written; it takes every level."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@contextmanager
def recorded(every: float, *names: str):
    """Give what loggers write whose records are ours."""
    usual, handler = logging.getLogRecordFactory(), Written()
    found = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in found]
    for logger in found:  # they were there before, as most are in a server
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    logging.setLogRecordFactory(logs.Records(every))
    try:
        yield handler.lines
    finally:
        logging.setLogRecordFactory(usual)
        for logger, level in zip(found, levels, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


def test_a_line_of_the_log_that_repeats_is_written_once_with_its_count():
    with recorded(0.3, "uvicorn.error", "pages.server.request_guard") as written:
        _repeat(written)


def _repeat(written: list[str]) -> None:
    logging.getLogger("uvicorn.error").warning("alone")
    for i in range(500):
        logging.getLogger("uvicorn.error").warning("a length of %d", i)
        logging.getLogger("pages.server.request_guard").warning("line %d", i % 2)
    assert written == ["alone", "a length of 0", "line 0", "line 1"]
    await_(lambda: len(written) == 7, 10)
    assert sorted(written[4:]) == [
        "a length of 0 (499 times more)",
        "line 0 (249 times more)",
        "line 1 (249 times more)",
    ]
    logging.getLogger("uvicorn.error").warning("a length of %d", 0)
    assert written[-1] == "a length of 0"


def test_lines_of_the_log_have_a_length_and_there_are_so_many_a_second():
    threads, logger = set(threading.enumerate()), logging.getLogger("streamlit")
    with recorded(0.5, "streamlit", "pages.server.logs") as written:
        for i in range(5_000):
            logger.info("the %s", f"part {'x' * (i % 100)}{'abcdefghij'[i % 10]} {'y' * (i // 100)}")
        assert 200 <= len(written) < 220
        assert len(set(threading.enumerate()) - threads) == 1
        await_(lambda: any("lines more were not written" in line for line in written), 10)
        logger.debug("seen")
        assert written[-1] == "seen"
    long = logs._record("streamlit", logging.INFO, "here.py", 1, "of %s, 50 %%", ("z" * 900_000,), None).getMessage()
    assert long.startswith("of zzz")
    assert long.endswith("… (900,009 letters)")
    assert len(long) < 1_100
    unfit = logs._record("streamlit", logging.INFO, "here.py", 1, "%d of %s", ("x", 1), None)
    assert (unfit.getMessage(), unfit.args) == ("%d of %s", ())


ARENAS = """
import ctypes, re, sys, threading
from pages.server import environment

environment.prepare()
held, ready = [], threading.Barrier(12)

def take():
    ready.wait()
    held.append([ctypes.create_string_buffer(3_000) for _ in range(500)])
    ready.wait()

threads = [threading.Thread(target=take) for _ in range(12)]
[t.start() for t in threads]
[t.join() for t in threads]
c = ctypes.CDLL(None)
c.fopen.restype = ctypes.c_void_p
file = c.fopen(sys.argv[1].encode(), b"w")
c.malloc_info(0, ctypes.c_void_p(file))
c.fclose(ctypes.c_void_p(file))
print(len(re.findall("<heap nr", open(sys.argv[1]).read())))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="arenas are glibc's")
@pytest.mark.parametrize(("given", "arenas"), [({}, 2), ({"MALLOC_ARENA_MAX": "5"}, 5)])
def test_threads_share_two_arenas_unless_the_operator_says_otherwise(tmp_path, given, arenas):
    done = subprocess.run(
        [sys.executable, "-c", ARENAS, str(tmp_path / "told")], cwd=ROOT, env=os.environ | given, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert int(done.stdout) == arenas
