"""Files that are handed out: there for who asked, whoever else is busy, and gone with them."""

import asyncio
import signal
import urllib.error
import urllib.request

import pandas as pd

from benchmarks.workshop import begin, csv
from tests.server.serving import PRESSED, Running, Visitor, await_, marked, run, server


def test_files_come_over_the_line_until_they_are_acknowledged_and_go_with_their_session(tmp_path):
    """Three at once, and whoever else is busy; a run that nobody needs makes none again."""
    keys = ["report.get.report.html", "report.get.tables.xlsx", "report.get.evidence.json"]

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as other, Visitor(at.port) as person:
            await begin(person, marked())
            await person.go("Report")
            made = await person.made(*keys)
            assert b"original.csv" in made[keys[0]]
            for _ in range(3):
                await other.run()
            told = {key: person.told(key, n=person.hands[key]["file"]["n"]) for key in keys}
            await person.run(**told)  # the same question again: the same files
            assert {key: person.taken(key) for key in keys} == made
            files = {key: person.hands[key]["file"] for key in keys}
            wrong = {key: person.told(key, [told["n"], told["crc"] ^ 1], told["n"]) for key, told in files.items()}
            await person.run(**wrong)
            assert all("file" in person.hands[key] for key in keys)
            got = {key: person.told(key, [told["n"], told["crc"]], told["n"]) for key, told in files.items()}
            await person.run(**got)
            assert not any("file" in person.hands[key] for key in keys)
            await person.run(**got)
            assert not any("file" in person.hands[key] for key in keys), "asked once, it is made once"
            await person.made(keys[0])  # and left behind

    with server(tmp_path) as at:
        run(visits(at))
        await_(lambda: at.held() == [0, 0, 0])


def test_what_was_asked_of_a_review_is_not_made_of_another_one(tmp_path):
    """Nor by a server that was started again, which is told once more what was asked of the one before."""

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.run(**{"data.demo": PRESSED})
            await person.go("Report")
            asked = person.told("report.get.evidence.json")
            await person.go("Data")
            await person.upload(*marked())
            await person.go("Keys")
            await person.run(**person.keys("sex"))
            await person.go("Report")
            await person.run(**{"report.get.evidence.json": asked})
            assert "file" not in person.hands["report.get.evidence.json"]
            await person.made("report.get.evidence.json")

    with server(tmp_path) as at:
        run(visits(at))
        assert "Traceback" not in at.log()


SLOW = """
import time
from streamlit.runtime.state.session_state import SessionState
usual = SessionState._call_callbacks
def later(*given, **named):
    time.sleep(0.4)
    usual(*given, **named)
SessionState._call_callbacks = later
"""


def test_what_was_typed_is_in_the_file_though_the_question_comes_before_the_server_has_taken_it_in(tmp_path):
    """The second message arrives while callbacks are called for the first, or just before: a busy server is slow."""
    key = "report.get.report.html"

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.run(**{"data.demo": PRESSED})
            await person.go("Report")
            for n, between in enumerate((0, 0.05, 0.2, 0.35)):
                name = f"Officer {n}"
                typed = {"report.author": ("string_value", name)}
                await person.ask(**typed)
                await asyncio.sleep(between)
                await person.run(**typed, **{key: PRESSED})
                while person.hands[key].get("file", {}).get("n") != person.asked:
                    await person._hear()
                assert name in person.taken(key).decode(), f"{between} s between"
                file = person.hands[key]["file"]
                await person.run(**typed, **{key: person.told(key, [file["n"], file["crc"]], file["n"])})
                await person.settle()

    with server(tmp_path, prelude=SLOW) as at:
        run(visits(at))


def test_a_large_file_is_fetched_once_by_the_page_that_asked(tmp_path):
    """By its address; not by another page, nor by a browser with another cookie; and it goes with its session."""
    rows = 300_000
    people = pd.DataFrame({"job": "nurse", "code": [f"{i:012}" for i in range(rows)]})
    addresses: list[urllib.request.Request] = []

    def status(request: urllib.request.Request) -> int:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                told = {name: answer.headers[name] for name in ("cache-control", "content-type")}
                assert told == {"cache-control": "no-store", "content-type": "application/octet-stream"}
                assert b"nurse" in answer.read()
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await person.upload(csv(people), csv(people.head(100)))
            await person.go("Keys")
            await person.run(**person.keys("job"))
            await person.question("uniques-outside")
            await person.run(**{"baseline.bring": PRESSED})
            (part,) = (key for key in person.files if key.endswith("training.part"))
            await person.run(**{part: PRESSED})
            told = person.hands[part]["file"]
            assert told["address"]
            assert not person.bodies[part]
            mine = person.fetching(told["address"])
            stranger = person.fetching(told["address"], "w" * 20)
            cookie = person.fetching(told["address"])
            cookie.add_header("Cookie", f"disclosure_browser={'c' * 43}")
            other = urllib.request.Request(mine.full_url, headers=dict(mine.header_items()), method="HEAD")
            guessed = person.fetching("A" * 43)
            for refused in (stranger, cookie, other, guessed):
                assert await asyncio.to_thread(status, refused) == 404
            assert await asyncio.to_thread(status, mine) == 200
            assert await asyncio.to_thread(status, mine) == 404, "gone once it was fetched"
            # It did not arrive: asked again, it has another address; the one told before answers no more.
            await person.run(**{part: person.told(part, n=told["n"])})
            first = person.hands[part]["file"]["address"]
            person.asked += 1
            await person.run(**{part: person.told(part, n=told["n"])})
            again = person.hands[part]["file"]["address"]
            assert len({told["address"], first, again}) == 3
            assert await asyncio.to_thread(status, person.fetching(first)) == 404
            addresses.append(person.fetching(again))

    with server(tmp_path) as at:
        run(visits(at))
        await_(lambda: at.held() == [0, 0, 0])
        await_(lambda: status(addresses[0]) == 404)


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
                await person.run(**person.keys("job"))
                await person.question("uniques-outside")
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
    letters = sys.modules.get("disclosure_core.figures.letters")
    open({str(told)!r}, "w").write(str(letters._wide.cache_info().currsize if letters else 0))
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
