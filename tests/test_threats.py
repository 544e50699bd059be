"""The claims of docs/threats.md, each tried against a real server over its own wire."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.workshop import Person, begin, csv
from disclosure_core import demo

ROOT = Path(__file__).parents[1]
PATIENCE = 120
MARK = "Zzyzx-Quixote-7391"
"""A level that occurs nowhere but in the upload."""

SERVER = """
import gc, os, signal, sys
def count(*_):
    gc.unfreeze()  # what is set aside is not listed; nothing is collected here that the app would keep
    names = [type(o).__name__ for o in gc.get_objects()]
    gc.freeze()
    told = " ".join(str(names.count(n)) for n in ("Study", "UploadedFileRec", "Reading"))
    with open(sys.argv[-1] + ".new", "w") as file:
        file.write(told)
    os.replace(sys.argv[-1] + ".new", sys.argv[-1])
signal.signal(signal.SIGUSR1, count)
from streamlit.web import cli
cli.main()
"""
"""The app's server, which counts on a signal what it holds of its visitors."""


def run(visit):
    """Run a coroutine in a thread of its own: Playwright keeps a loop running in the thread of the browser's tests."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, visit).result()


class Running:
    def __init__(self, process, port, folder):
        self.process, self.port, self.folder = process, port, folder

    def held(self) -> list[int]:
        """Return how many studies, uploaded files and readings the server holds."""
        told = self.folder / "held"
        told.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        await_(told.exists)
        return [int(n) for n in told.read_text().split()]

    def traces(self) -> list[str]:
        """Return the files below the server's home and temporary folder, and its log, that hold the mark."""
        files = [p for p in self.folder.rglob("*") if p.is_file()]
        return [str(p) for p in files if MARK.encode() in p.read_bytes()]


def await_(true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.1)


@contextmanager
def server(folder: Path, **environment: str):
    for name in ("home", "tmp"):
        (folder / name).mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVER, "run", str(ROOT / "app.py"), "--server.port", str(port), "--", str(folder / "held")]  # fmt: skip
    usual = {"PYTHONPATH": str(ROOT), "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")}
    config = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | usual | config | environment, stdout=log, stderr=log
        )

        def answers() -> bool:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
            except OSError:
                return False
            return True

        try:
            await_(answers)
            yield Running(process, port, folder)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def marked() -> tuple[bytes, bytes]:
    frames = [demo.original().head(500).copy(), demo.syntheses()[0].head(500).copy()]
    for frame in frames:
        frame["region"] = frame["region"].astype(str).where(frame.index % 5 > 0, MARK)
    return csv(frames[0]), csv(frames[1])


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


def test_without_a_home_or_a_place_to_write(tmp_path):
    async def visit(at: Running) -> None:
        async with Person(at.port) as person:
            await begin(person, None)
            await person.go("Report")

    # /proc is where not even root can write.
    with server(tmp_path, HOME="/proc/none", XDG_CACHE_HOME="/proc/none", MPLCONFIGDIR="/proc/none") as at:
        run(visit(at))


def _alone() -> list[str] | None:
    """Return the command that runs another with the network cut, or None where this machine allows none."""
    for flags in (["-n"], ["-rn"]):
        if shutil.which("unshare") and shutil.which("ip"):
            begun = ["unshare", *flags, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
            if subprocess.run([*begun, "true"], capture_output=True, check=False).returncode == 0:
                return begun
    return None


def test_the_main_job_with_the_network_cut():
    alone = _alone()
    if alone is None:
        pytest.skip("this machine allows no network namespace")
    reach = [sys.executable, "-c", "import socket; socket.create_connection(('192.0.2.1', 80), 5)"]
    cut = subprocess.run([*alone, *reach], capture_output=True, text=True, check=False)
    assert "unreachable" in cut.stderr
    job = [sys.executable, str(ROOT / "benchmarks" / "workshop.py"), "--people", "2", "--seconds", "1", "--every", "1"]
    done = subprocess.run([*alone, *job], capture_output=True, text=True, check=False, timeout=5 * PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failures 0" in done.stdout
