"""Files that are made for a download: there for who asked, whoever else is busy, and gone with them."""

import asyncio
import signal
import urllib.error
import urllib.request

import pandas as pd
from streamlit.proto.Common_pb2 import StringArray

from benchmarks.workshop import begin, csv
from tests.server.serving import Running, Visitor, await_, marked, run, server


def test_a_file_that_was_made_can_be_fetched_whoever_else_is_busy_and_goes_with_its_session(tmp_path):
    found: list[str] = []

    def status(at: Running, path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{at.port}{path}", timeout=60) as answer:
                assert b"original.csv" in answer.read()
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as other, Visitor(at.port) as person:
            await begin(person, marked())
            await person.go("Report")
            (key,) = (k for k in person.files if k == "report.get.report.html")
            path = await person.made(key)
            for _ in range(5):  # of somebody else, each of whose ends tidies up
                await other.run()
            assert await asyncio.to_thread(status, at, path) == 200
            found.append(path)

    with server(
        tmp_path, prelude="from pages.server import streamlit_private\nstreamlit_private._FETCHED = 3600.0"
    ) as at:
        run(visits(at))
        await_(lambda: at.held() == [0, 0, 0])
        await_(lambda: status(at, found[0]) == 404)  # and nobody came since


OTHERS_END = """
from streamlit.runtime.media_file_manager import MediaFileManager
make = MediaFileManager.execute_deferred
def made_while_runs_end(self, file_id):
    url = make(self, file_id)
    for _ in range(2):  # of others, who waited for the lock that was let go of just now
        self.remove_orphaned_files()
    return url
MediaFileManager.execute_deferred = made_while_runs_end
"""


def test_a_file_stays_though_runs_of_others_end_in_the_moment_it_is_written_down(tmp_path):
    """It was gone before it was said to stay: a report in 160 of a busy workshop answered 404."""
    saved = []

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await begin(person, marked())
            await person.go("Report")
            (key,) = (k for k in person.files if k == "report.get.report.html")
            saved.append(await person.download(key))

    with server(tmp_path, prelude=OTHERS_END) as at:
        run(visits(at))
    assert b"original.csv" in saved[0]


def test_of_two_large_files_that_are_nearly_alike_each_visitor_gets_their_own(tmp_path):
    """Of above 1 MiB, of one length, and alike at both ends and in their middle: Streamlit takes them for the same."""
    rows = 60_000
    people = pd.DataFrame({"job": "nurse", "town": [f"town {i % 10}" for i in range(rows)], "code": [f"{i:012}" for i in range(rows)]})  # fmt: skip
    saved: dict[str, bytes] = {}

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as one, Visitor(at.port) as other:
            for person, level in ((one, "baker"), (other, "judge")):
                frame = people.copy()
                frame.loc[rows // 4 : rows // 4 + 20, "job"] = level
                await person.upload(csv(frame), csv(frame.head(100)))
                await person.go("Keys")
                await person.run(**{"keys.keys": ("string_array_value", StringArray(data=["job"]))})
                await person.go("Baseline")
                await person.run(**{"baseline.bring": ("trigger_value", True)})
                (part,) = (key for key in person.files if key.endswith("training.part"))
                saved[level] = await person.download(part)

    with server(tmp_path) as at:
        run(visits(at))
    assert len(saved["baker"]) == len(saved["judge"]) > 1 << 20
    for level, other in (("baker", "judge"), ("judge", "baker")):
        assert level.encode() in saved[level]
        assert other.encode() not in saved[level]


def test_how_wide_the_lines_of_a_figure_were_is_forgotten_with_who_had_it_drawn(tmp_path):
    """They are texts: names of columns and levels are among them."""
    told = tmp_path / "told"
    tell = f"""
def tell(*_):
    drawn = sys.modules.get("disclosure_core.figures.sheet")
    open({str(told)!r}, "w").write(str(drawn.wide.cache_info().currsize if drawn else 0))
signal.signal(signal.SIGUSR2, tell)
"""

    def lines(at: Running) -> int:
        told.write_text("")
        at.process.send_signal(signal.SIGUSR2)
        await_(lambda: told.read_text() != "")
        return int(told.read_text())

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await begin(person, marked())
            for _ in range(9):  # a server that has just begun tidies up several times, whoever is there
                await person.go("Report")
                (key,) = (k for k in person.files if k.endswith("report.get.figure"))
                await person.download(key)
                if lines(at):
                    return
                await person.go("Data")
            raise AssertionError("no width of a line is kept while its visitor is there")

    with server(tmp_path, prelude=tell) as at:
        run(visits(at))
        await_(lambda: lines(at) == 0)
