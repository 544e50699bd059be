"""Files that are made for a download: there for who asked, whoever else is busy, and gone with them."""

import asyncio
import urllib.error
import urllib.request

from benchmarks.workshop import begin
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
            (key,) = (k for k in person.files if k.startswith("report.get.report.html"))
            path = await person.made(key)
            for _ in range(5):  # of somebody else, each of whose ends tidies up
                await other.run()
            assert await asyncio.to_thread(status, at, path) == 200
            found.append(path)

    with server(tmp_path, prelude="from pages.server import inner\ninner._FETCHED = 3600.0") as at:
        run(visits(at))
        await_(lambda: at.held() == [0, 0, 0])
        await_(lambda: status(at, found[0]) == 404)  # and nobody came since
