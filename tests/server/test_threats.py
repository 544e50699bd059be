"""The claims of docs/threats.md, each tried against a real server over its own wire."""

import asyncio
import socket
import subprocess
import sys
import urllib.error
from pathlib import Path

import pytest
import websockets

from benchmarks.workshop import Person, begin, csv
from disclosure_core import demo
from tests.server.serving import PATIENCE, PRESSED, ROOT, Running, Visitor, await_, marked, run, server, unshared


def test_nothing_of_an_upload_outlives_its_session(tmp_path):
    async def visits(at: Running) -> None:
        async with Person(at.port) as whole:
            await begin(whole, marked())
            assert at.held() == [1, 2, 2]
            assert at.traces() == []
        async with Person(at.port) as half:
            # This one leaves with a file sent and nothing compared.
            with pytest.raises(KeyError):
                await half.upload(*marked(), compare="no such button")

    with server(tmp_path) as at:
        run(visits(at))
        await_(lambda: at.held() == [0, 0, 0])
        assert at.traces() == []  # neither in home, nor in a temporary file, nor in the log


def test_an_upload_cut_in_mid_transfer_leaves_nothing(tmp_path):
    # Large enough to go to a temporary file, were it not held back; small enough for the test's own patience.
    data = marked(60_000)[0]
    assert len(data) > 3_000_000

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await begin(person, marked())
            before = at.held()
            url, _ = await person.place("cut.csv")
            line, _ = person.put_half(url, "cut.csv", data)
            line.settimeout(1)
            with pytest.raises(TimeoutError):  # half of it is on its way, and the server waits for the rest
                line.recv(1)
            assert at.nameless() == []
            line.close()
            await asyncio.to_thread(await_, lambda: at.held() == before)
            assert at.traces() == []
            # The session goes on: the same file, whole this time.
            await person.go("Data")
            await person.upload(data, data)
            assert person.said("original\\.csv against synthetic\\.csv")
            assert at.traces() == []
            assert at.nameless() == []
        async with Visitor(at.port) as killed:
            url, _ = await killed.place("cut.csv")
            line, _ = killed.put_half(url, "cut.csv", data)
        # The tab is gone while its upload is under way, which ends with it.
        await asyncio.to_thread(await_, lambda: at.held() == [0, 0, 0])
        line.settimeout(PATIENCE)
        assert line.recv(12) == b"HTTP/1.1 413"
        await asyncio.to_thread(await_, lambda: at.held() == [0, 0, 0])
        line.close()

    with server(tmp_path) as at:
        run(visits(at))
        assert at.held() == [0, 0, 0]
        assert at.traces() == []
        assert at.nameless() == []
        # It serves the next one.
        run(_main_job(at))


async def _main_job(at: Running) -> None:
    async with Visitor(at.port) as person:
        await begin(person, None)
        await person.go("Report")


def test_an_upload_needs_the_token_the_session_and_the_size(tmp_path):
    async def tries(at: Running) -> dict[str, int]:
        found = {}
        async with Person(at.port) as person:
            url, _ = await person.place("people.csv")

            def status(url: str, data: bytes = b"a,b\n1,2\n", token: str | None = None) -> int:
                try:
                    person.put(url, "people.csv", data, token)
                except urllib.error.HTTPError as error:
                    return error.code
                except OSError:
                    return 413  # refused, and hung up, before all of it was sent
                return 204

            found["as it should be"] = status(url)
            found["no token"] = status(url, token="")
            found["another session"] = status(url.replace(person.id, "00000000-0000-0000-0000-000000000000"))
            found["too large"] = status(url, b"a" * 1_500_000)
        return found

    with server(tmp_path, STREAMLIT_SERVER_MAX_UPLOAD_SIZE="1") as at:
        found = run(tries(at))
        assert found == {"as it should be": 204, "no token": 403, "another session": 400, "too large": 413}
        # Bound to this machine: its other addresses do not answer.
        listening = Path("/proc/net/tcp").read_text() if Path("/proc/net/tcp").exists() else f"0100007F:{at.port:04X}"
        assert f"0100007F:{at.port:04X}" in listening
        assert f"00000000:{at.port:04X}" not in listening


def test_a_page_from_elsewhere_is_turned_away_without_asking_anybody(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port):
            pass
        with pytest.raises(websockets.InvalidStatus, match="403"):
            await websockets.connect(
                f"ws://127.0.0.1:{at.port}/_stcore/stream",
                subprotocols=["streamlit"],
                origin="http://elsewhere.example",
                open_timeout=PATIENCE,
            )

    with socket.create_server(("127.0.0.1", 0)) as proxy:
        asked = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        way_out = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), asked)
        # On all addresses, as in a container: Streamlit would then look for its own when it starts.
        with server(tmp_path, STREAMLIT_SERVER_ADDRESS="0.0.0.0", **way_out) as at:
            run(visits(at))
            proxy.settimeout(3)
            with pytest.raises(TimeoutError):  # whatever leaves the machine would come here
                proxy.accept()


def test_a_full_server_turns_newcomers_away_and_disturbs_nobody(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as inside:
            await inside.run(**{"data.demo": ("trigger_value", True)})
            await inside.go("Review")
            assert inside.said("Review")
            alone = at.held()
            assert alone[0] > 0
            async with Visitor(at.port) as newcomer:
                assert newcomer.said("The server is full")
                assert set(newcomer.widgets) == {"visitors.in"}, "the way in, and nothing else"
                await newcomer.run()
                assert newcomer.said("The server is full")
                assert at.held() == alone
                await inside.go("Keys")
                assert inside.said("Keys")
        # Whoever left is forgotten, and the place is free.
        async with Visitor(at.port) as next_one:
            while next_one.said("The server is full"):
                await next_one.run()
            await begin(next_one, None)

    with server(tmp_path, DISCLOSURE_MAX_VISITORS="1") as at:
        run(visits(at))


def test_who_does_not_touch_the_page_is_forgotten_though_the_tab_is_open(tmp_path):
    files = marked()  # what takes a while is done before anybody is inside

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await begin(person, files)
            assert at.held() == [1, 2, 2]
            person.words = []
            await person.run_unasked()  # takes the figures off the screen
            assert person.said("Your data were forgotten")
            assert person.said("0.25 minutes")
            await asyncio.to_thread(await_, lambda: at.held() == [0, 0, 0])
            await person.run()  # as what a page that was left still asks: no click on the way in
            assert person.said("Your data were forgotten"), person.words
            await person.run(**{"visitors.in": PRESSED})
            assert person.said("First time here?"), person.words
            await begin(person, files)
            assert at.held() == [1, 2, 2]

    with server(tmp_path, DISCLOSURE_MAX_IDLE_MINUTES="0.25") as at:
        run(visits(at))


def test_without_a_home_or_a_place_to_write(tmp_path):
    # /proc is where not even root can write.
    with server(tmp_path, HOME="/proc/none", XDG_CACHE_HOME="/proc/none", MPLCONFIGDIR="/proc/none") as at:
        run(_main_job(at))


def test_the_main_job_with_the_network_cut():
    alone = unshared("n", "ip link set lo up")
    reach = [sys.executable, "-c", "import socket; socket.create_connection(('192.0.2.1', 80), 5)"]
    cut = subprocess.run([*alone, *reach], capture_output=True, text=True, check=False)
    assert "unreachable" in cut.stderr
    job = [sys.executable, str(ROOT / "benchmarks" / "workshop.py"), "--people", "2", "--seconds", "1", "--every", "1"]
    done = subprocess.run([*alone, *job], capture_output=True, text=True, check=False, timeout=5 * PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failures 0" in done.stdout


def test_the_demonstration_is_what_the_marked_upload_is_made_of():
    """The mark would prove nothing if the upload did not hold it."""
    original, synthetic = marked()
    assert original.count(b"Zzyzx-Quixote-7391") == synthetic.count(b"Zzyzx-Quixote-7391") == 100
    assert b"Zzyzx" not in csv(demo.original())
