"""`disclosure app --demo --share`: a student opens it by this machine's address; nobody brings a file."""

# Inside: addresses of this machine.

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from disclosure_core.cli import sharing
from tests.browser import driving
from tests.browser.driving import chromium, free_port
from tests.commands import disclosure
from tests.server.serving import PATIENCE, await_

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The address that the command printed."""
    assert sharing.addresses(), "this machine has no address on a network"
    port, log = free_port(), tmp_path_factory.mktemp("share") / "out"
    command = [sys.executable, "-m", "disclosure_core", "app", "--demo", "--share", "--no-browser", "--port", str(port)]
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=log.parent, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out)

    def address() -> str:
        return (re.findall(r"Open (http://\S+) in a browser", log.read_text(encoding="utf-8")) or [""])[0]

    def answers() -> bool:
        assert server.poll() is None
        try:
            urllib.request.urlopen(f"{address()}/_stcore/health", timeout=PATIENCE).close()
        except (OSError, ValueError):
            return False
        return True

    try:
        await_(answers)
        yield address(), log
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=PATIENCE)


def test_a_student_opens_the_demonstration(shared):
    address, log = shared
    assert "127.0.0.1" not in address
    assert "For the demonstration only" in log.read_text(encoding="utf-8")
    assert log.read_text(encoding="utf-8").count("█") > 50  # the code to scan
    assert re.findall(r"https?://\S+", log.read_text(encoding="utf-8")) == [address]  # and no other one beside it
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(driving.PATIENCE)
        page.goto(address)
        page.get_by_text("the demonstration survey").first.wait_for()
        assert page.get_by_text("Your own files").count() == 0
        page.close()


@pytest.mark.slow
def test_the_class_has_a_room_that_the_printed_code_leads(shared):
    address, log = shared
    code = re.search(r"Teacher's code: ([A-Z0-9]{4}-[A-Z0-9]{4})\b", log.read_text(encoding="utf-8"))[1]
    with chromium() as browser:
        teacher, student = (browser.new_context().new_page() for _ in range(2))
        for page in (teacher, student):
            page.set_default_timeout(driving.PATIENCE)
            page.goto(f"{address}/workshop")
        teacher.get_by_label("Teacher's code").fill(code.lower())
        teacher.get_by_role("button", name="Lead the class").click()
        teacher.get_by_role("button", name="Open task 1").click()
        student.get_by_role("button", name="I have an answer").click()  # it came by itself
        teacher.get_by_text("With an answer to task 1: 1.").wait_for()
        assert student.get_by_text("Replicated uniques end at").count() == 0
        teacher.get_by_role("button", name="Release the answer of task 1").click()
        student.get_by_text("Replicated uniques end at").wait_for()
        student.get_by_role("link", name="Keys").click()  # what is open stands on every page
        student.get_by_text("Which key makes people stand out?").wait_for()
        teacher.get_by_role("button", name="Open a vote").click()
        student.get_by_role("radiogroup").get_by_text("Leak", exact=True).click()
        teacher.get_by_text("Votes: 1 of 1.").wait_for()
        with teacher.context.expect_page() as opened:
            teacher.get_by_role("link", name="Projector view").click()
        projector = opened.value
        projector.set_default_timeout(driving.PATIENCE)
        projector.get_by_text(address.removeprefix("http://")).wait_for()
        projector.get_by_text("Votes: 1 of 1.").wait_for()  # it is no student's tab
        projector.locator(".st-key-status-bar").wait_for(state="hidden")
        assert projector.locator("img[src^='data:image/svg']").count() + projector.get_by_role("img").count() > 0
        student.reload()  # and its vote is still there
        student.get_by_role("radiogroup").wait_for()
        teacher.get_by_text("Votes: 1 of 1.").wait_for()
        assert projector.get_by_role("progressbar").count() == 0
        teacher.get_by_role("button", name="Close the vote").click()
        for page in (teacher, projector):
            page.get_by_text("Leak: 1 of 1", exact=True).wait_for()
        student.close()
        teacher.get_by_text("Tabs here: 0.").wait_for()  # at once, and the vote stays as it was
        assert projector.get_by_text("Leak: 1 of 1", exact=True).is_visible()
        again = teacher.context.browser.contexts[-1].new_page()  # the browser that had the tab
        again.set_default_timeout(driving.PATIENCE)
        again.goto(f"{address}/workshop")
        again.get_by_role("button", name="I have no answer yet").wait_for()  # what it said is there again
        teacher.get_by_role("button", name="End the vote").click()
        projector.get_by_role("heading", name="Task 1").wait_for()
        for page in (teacher, again):
            page.context.close()


def test_a_tab_that_sleeps_an_hour_keeps_what_it_had():
    there = sharing.environment(["10.0.0.7"], uploads=False, address="http://10.0.0.7:8501", teacher="ABCD-2345")
    assert int(there["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"]) > 3600


def test_nobody_brings_a_file_and_no_other_name_is_served(shared):
    address, _ = shared
    for request, status in (
        (urllib.request.Request(f"{address}/_stcore/upload_file/a/b", data=b"", method="PUT"), 403),
        (urllib.request.Request(f"{address}/", headers={"Host": "elsewhere.example"}), 421),
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=PATIENCE)
        assert refused.value.code == status
    assert "nobody can bring files" in refused.value.read().decode() or status == 421


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--share"], "add --demo, or --allow-uploads"), (["--allow-uploads"], "does nothing without --share")],
)
def test_what_would_let_too_much_in_is_a_sentence(arguments, said):
    done = disclosure("app", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def test_uploads_are_open_only_where_they_are_asked_for(monkeypatch):
    monkeypatch.setenv("DISCLOSURE_HOSTS", "office.example")
    assert sharing.environment(["10.0.0.7"], uploads=False)["DISCLOSURE_DEMO_ONLY"] == "yes"
    there = sharing.environment(["10.0.0.7"], uploads=True)
    assert there["DISCLOSURE_HOSTS"] == "office.example,10.0.0.7"
    assert "DISCLOSURE_DEMO_ONLY" not in there
