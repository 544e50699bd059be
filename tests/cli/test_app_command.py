"""The command as a person runs it: in a process of its own."""

# Inside: what starts a server and a browser is replaced, so that neither starts.

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from disclosure_core.cli import app, sharing
from tests.browser.driving import answered, free_port
from tests.commands import disclosure

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from disclosure_core.cli.commands import main; main()"]
PATIENCE = 120


def test_the_version():
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip().count(".") == 2


@pytest.mark.parametrize(("arguments", "said"), [(["app", "--port", "0"], "0 is not in the range"), (["ap"], "ap")])
def test_a_wrong_call_is_told(arguments, said):
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr


def test_who_ends_the_command_ends_its_server(tmp_path):
    port = free_port()
    where = os.environ | {"PYTHONPATH": str(Path.cwd())}
    server = subprocess.Popen(
        [*COMMAND, "app", "--no-browser", "--port", str(port)], env=where, cwd=tmp_path, stdout=subprocess.DEVNULL
    )

    try:
        assert answered(f"http://127.0.0.1:{port}", server) == b"ok"
    finally:
        server.terminate()
        assert server.wait(timeout=PATIENCE) == 128 + signal.SIGTERM
    with pytest.raises(urllib.error.URLError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=PATIENCE)


def test_the_app_starts_writes_nothing_at_home_and_ends(tmp_path):
    port = free_port()
    home = tmp_path / "home"
    home.mkdir()
    where = {**os.environ, "HOME": str(home), "PYTHONPATH": str(Path.cwd())}
    arguments = ["app", "--demo", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(
        [*COMMAND, *arguments], env=where, cwd=tmp_path, start_new_session=True, stdout=subprocess.DEVNULL
    )
    try:
        assert answered(f"http://127.0.0.1:{port}", server) == b"ok"
    finally:
        os.killpg(server.pid, signal.SIGINT)
        server.wait(timeout=PATIENCE)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("asked", "answers", "opened"),
    [
        ([], True, ["http://127.0.0.1:{}"]),
        ([], False, []),
        (["--no-browser"], True, []),
        (["--no-browser"], False, []),
    ],
)
def test_a_browser_is_opened_where_it_is_asked_for_and_the_server_answers(monkeypatch, asked, answers, opened):
    start, found = MagicMock(), []
    start.return_value.__enter__.return_value.returncode = 0
    monkeypatch.setattr(app.subprocess, "Popen", start)
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    monkeypatch.setattr(app, "_answers", lambda *_: answers)
    monkeypatch.setattr(app.webbrowser, "open", found.append)
    port = free_port()
    assert disclosure("app", "--port", str(port), *asked).exit_code == 0
    assert found == [each.format(port) for each in opened]


def test_a_folder_is_offered_and_reviews_are_saved_there_on_this_machine_alone(monkeypatch, tmp_path):
    start = MagicMock()
    start.return_value.__enter__.return_value.returncode = 0
    monkeypatch.setattr(app.subprocess, "Popen", start)
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    for name in ("DISCLOSURE_FOLDER", "DISCLOSURE_SAVE_REVIEWS"):
        monkeypatch.delenv(name, raising=False)
    port = ("--port", str(free_port()))
    assert disclosure("app", str(tmp_path), "--no-browser", *port).exit_code == 0
    given = start.call_args.kwargs["env"]
    assert (given["DISCLOSURE_FOLDER"], given["DISCLOSURE_SAVE_REVIEWS"]) == (str(tmp_path), "yes")
    assert not any("address" in part for part in start.call_args.args[0])  # this machine alone
    assert disclosure("app", "--no-browser", *port).exit_code == 0
    assert start.call_args.kwargs["env"] is None
    for arguments, said in (
        ([str(tmp_path), "--demo", "--share"], "a folder is for this machine alone"),
        ([str(tmp_path / "none")], "does not exist"),
    ):
        done = disclosure("app", *arguments)
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())


def test_sharing_prints_one_address_and_lets_all_of_them_in(monkeypatch, capsys):
    monkeypatch.setattr(sharing, "addresses", lambda: ["192.168.1.7", "172.17.0.1"])
    known = app._invited(8501, uploads=False)["DISCLOSURE_HOSTS"].split(",")
    said = capsys.readouterr().out
    assert said.count("http://") == 1
    assert "Open http://192.168.1.7:8501 in a browser" in said
    assert {"192.168.1.7", "172.17.0.1"} <= set(known)


def test_a_class_has_its_code_and_address_and_others_have_none(monkeypatch):
    monkeypatch.setenv("DISCLOSURE_HOSTS", "known")
    asked = ("DISCLOSURE_HOSTS", "DISCLOSURE_TEACHER_CODE", "DISCLOSURE_ADDRESS", "DISCLOSURE_DEMO_ONLY")
    of_class = sharing.environment(["new"], uploads=False, address="http://new", teacher="ABCD-EFGH")
    assert [of_class.get(name) for name in asked] == ["known,new", "ABCD-EFGH", "http://new", "yes"]
    assert [sharing.environment(["new"], uploads=True).get(name) for name in asked] == ["known,new", None, None, None]


def test_a_port_that_is_taken_is_one_sentence_and_nobody_is_invited():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = disclosure("app", "--demo", "--share", "--port", str(port))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"Port {port} cannot be used (Address already in use); name another by --port." in done.stderr
