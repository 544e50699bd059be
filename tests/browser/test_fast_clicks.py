"""Whoever types and clicks fast loses nothing, and nothing is called saved that is not; benchmarks/clicks.py is longer."""

import json
import re
import socket
import threading
from contextlib import closing, suppress

import pytest
from playwright.sync_api import expect

from benchmarks.clicks import KINDS, Hands, tried
from tests.browser import driving
from tests.server.serving import server

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_typed_last_is_in_what_a_click_asks_for(browser, address, kind):
    hands = Hands(browser, address)
    for found in tried(hands, kind, 1, (0, 100, 400)):
        wrong = {name for name in ("lost", "stale", "false", "unsaid") if found.get(name)}
        assert not wrong, found
        assert "broke" not in found, found
    assert (hands.tab.complaints, hands.tab.elsewhere) == ([], [])
    hands.tab.close()


class Line:
    """A line to a server that can be cut."""

    def __init__(self, port: int) -> None:
        self.port, self.cut, self.ends = port, False, []
        self.door = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._open, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.door.accept()
                if self.cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.port))
                self.ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError), closing(one), closing(other):
            while data := one.recv(1 << 16):
                other.sendall(data)

    def break_off(self) -> None:
        self.cut = True
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.ends.clear()


def test_a_line_that_breaks_loses_no_question_and_a_server_that_went_is_not_believed(tmp_path, browser):
    """The file comes once the line is there again; of a server that was started again nothing is made, nor called saved."""
    port = driving.free_port()
    with server(tmp_path, port=port, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="120"):
        line = Line(port)
        hands = Hands(browser, line.address)
        hands.tab.go("Report")
        hands.type(hands.page.get_by_label("Officer", exact=True), "Ada Moor")
        line.break_off()
        hands.click(hands.save(), 90)
        hands.page.wait_for_timeout(2500)
        assert not hands.got
        assert not hands.saved()
        line.cut = False
        assert hands.until(lambda: hands.got, 90)
        assert "Ada Moor" in json.loads(hands.got[0].path().read_bytes())["about"].values()
        assert hands.until(hands.saved, 60)
        hands.tab.settle()
        # Asked while the line is cut, and then the server is gone, too.
        hands.type(hands.page.get_by_label("Officer", exact=True), "Bea Moor")
        hands.got.clear()
        line.break_off()
        hands.click(hands.save(), 0)
    with server(tmp_path, port=port, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="120"):
        line.cut = False
        hands.page.get_by_text("The server has forgotten what was open here").wait_for()
        hands.page.wait_for_timeout(4000)
        assert not hands.got, "what was open is gone"
        hands.page.get_by_role("button", name="Start again").click()
        hands.page.get_by_role("heading", level=1, name="Data", exact=True).wait_for()
        hands.tab.settle().press("Open the demonstration survey").go("Report")
        hands.page.wait_for_timeout(4000)
        assert not hands.got, "nobody asked this server for a file"
        hands.click(hands.save(), 0)
        assert hands.until(lambda: hands.got)
    line.door.close()
    hands.tab.close()


LARGE = """
from pages.report import outputs
made = "0123456789" * 2_000_000
outputs.to_evidence = lambda _: made
"""


def test_a_file_of_20_mb_arrives_whole_beside_two_others_that_are_asked_for_at_once(tmp_path, browser):
    with server(tmp_path, prelude=LARGE) as at:
        hands = Hands(browser, f"http://127.0.0.1:{at.port}", height=2400)
        hands.tab.go("Report").page.get_by_text("Tables", exact=True).click()
        hands.tab.settle()
        asked, beside = ("Evidence file", "As CSV", "Python script"), hands.button("As LaTeX")
        hands.button(asked[-1]).click(trial=True)  # the fold has opened, and it stands still
        before = beside.bounding_box()
        for name in asked:
            hands.click(hands.button(name), 0)
            assert beside.bounding_box() == before, "one that works moves nothing beside it"
        came = hands.until(lambda: len(hands.got) == 3, 60)
        assert came, [file.suggested_filename for file in hands.got]
        files = {file.suggested_filename: file.path().read_bytes() for file in hands.got}
        assert files["evidence-internal.json"] == b"0123456789" * 2_000_000
        assert b"open_review" in files["assessment.py"]
        assert files["answer-internal.csv"].startswith(b"\xef\xbb\xbf")
        hands.tab.settle()
        hands.page.wait_for_timeout(4000)
        assert len(hands.got) == 3, "each came once"
        hands.tab.close()


def test_a_button_that_hands_out_a_file_is_pressed_by_keys_and_keeps_the_focus(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Report")
    page, save = tab.page, tab.page.get_by_role("button", name="Save")
    expect(save).to_have_attribute("title", re.compile("^The whole review in one file"))
    page.get_by_label("Officer", exact=True).press_sequentially("A")
    expect(save).to_have_text(re.compile(r"\(not saved\)"))  # before the server knows
    for key in ("Enter", " "):
        save.focus()
        with page.expect_download() as waiting:
            page.keyboard.press(key)
        assert waiting.value.suggested_filename == "review-confidential.json"
        expect(save).not_to_have_text(re.compile("not saved"))
        expect(save).to_be_focused()
        tab.settle()
    expect(page.get_by_role("status").filter(has_text="review-confidential.json: received")).to_have_count(1)


def test_roles_clicked_and_a_reason_typed_at_once_are_all_kept(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Keys")
    page = tab.page
    why = page.get_by_label(re.compile("^sex: known because"))
    why.click()
    page.keyboard.type("seen at ")
    for name in ("marital", "abroad", "income", "bmi"):  # none waits for the answer to the one before
        page.get_by_role("radio", name=re.compile(f"^{name}: left out")).evaluate("radio => radio.click()")
        page.keyboard.type(name[0])
        page.wait_for_timeout(60)
    page.get_by_text("4 keys · 6 targets · 4 left out").wait_for()
    tab.settle()
    expect(why).to_have_value("seen at maib")
    expect(why).to_be_focused()
    page.keyboard.press("Enter")
    tab.settle().go("Review").go("Keys")
    expect(page.get_by_text("4 keys · 6 targets · 4 left out")).to_be_visible()
    expect(why).to_have_value("seen at maib")


@pytest.mark.parametrize("by_key", [False, True])
def test_the_reason_beside_a_tick_takes_the_focus_once_and_not_from_who_went_on(visit, address, by_key):
    tab = visit(address).press("Open the demonstration survey").go("Review")
    rows = tab.page.locator(".card table.pairs tbody tr")

    def exclude(row):
        box = row.get_by_role("checkbox")
        if by_key:
            box.focus()
            tab.page.keyboard.press(" ")
        else:
            box.click()
        return row.get_by_role("combobox", name=re.compile("^Reason: "))

    why = exclude(rows.nth(0))
    expect(why).to_be_focused()
    tab.page.keyboard.type("In the press")
    tab.settle()  # the exclusion is drawn while the reason is being written
    expect(why).to_be_focused()
    expect(why).to_have_value("In the press")
    tab.page.keyboard.press("Enter")
    tab.settle()
    expect(why).to_have_value("In the press")
    # Who turns to something else while the server excludes stays there.
    other = tab.page.get_by_role("textbox", name="Your name, recorded with verdicts")
    asks = exclude(rows.nth(1))
    expect(asks).to_be_focused()
    if by_key:
        other.focus()
    else:
        other.click()
    tab.page.keyboard.type("A")
    tab.settle()
    tab.page.get_by_text("2 pairs excluded").wait_for()
    expect(other).to_be_focused()
    expect(other).to_have_value("A")
    expect(why).to_have_value("In the press")
    assert tab.complaints == []
