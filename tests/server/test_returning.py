"""A reload brings the work back, to the same browser only and only in time; closing ends it at once. Two browsers."""

import asyncio
import time

import pytest
import websockets
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser import driving
from tests.server.serving import PATIENCE, await_, marked, run, server

TTL = 25
COOKIE = "disclosure_browser"


ASKED = BackMsg(rerun_script={"query_string": ""}).SerializeToString()
"""Asks for a run, as a page does that was just loaded."""


async def come(at, cookie, named=""):
    """Return the line of a browser that is known by a cookie; it may name the session that it had."""
    return await websockets.connect(
        f"ws://127.0.0.1:{at.port}/_stcore/stream",
        origin=f"http://127.0.0.1:{at.port}",
        subprotocols=["streamlit", "x", *([named] if named else [])],
        additional_headers={"Cookie": f"{COOKIE}={cookie}"} if cookie else {},
        max_size=None,
        open_timeout=PATIENCE,
        ping_timeout=None,
    )


@pytest.fixture(scope="module")
def browser():
    with driving.chromium() as found:
        yield found


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with server(tmp_path_factory.mktemp("server"), STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL=str(TTL)) as found:
        yield found


@pytest.fixture
def visit(browser, running):
    """Give a function that opens a tab of a new browser, and check at the end that no tab complained."""
    visitors = []

    def visit(path="/"):
        visitors.append(driving.Visitor(browser, f"http://127.0.0.1:{running.port}"))
        return visitors[-1].open(path)

    yield visit
    for visitor in visitors:
        visitor.close()
        assert visitor.complaints == []


def nothing_is_open(tab):
    tab.page.get_by_text("First time here?").wait_for()
    assert tab.page.locator(".st-key-data-open").count() == 0


def demonstration_without_employment(tab):
    tab.press("Open the demonstration survey").go("Keys")
    tab.role("employment", "target").check()
    return tab.settle()


def test_a_reload_brings_review_and_widgets_back(visit, tmp_path):
    original, synthetic = marked()
    keys = ("age", "sex", "region")
    (tmp_path / "people.csv").write_bytes(original)
    (tmp_path / "released.csv").write_bytes(synthetic)
    tab = visit()
    tab.upload("Original data", tmp_path / "people.csv").upload("Synthetic data", tmp_path / "released.csv")
    tab.press("Compare these files").go("Keys").keys(*keys)
    tab.press("Menu").page.get_by_text("Larger text").click()
    tab.settle().page.keyboard.press("Escape")
    before = [tab.metric(name) for name in ("UiO", "repU")]
    for _ in range(3):
        tab.page.reload()
        tab.page.get_by_role("heading", level=1, name="Keys").wait_for()
        tab.settle()
        assert [tab.metric(name) for name in ("UiO", "repU")] == before
        tab.press("Menu")
        expect(tab.page.get_by_role("switch", name="Larger text")).to_be_checked(timeout=driving.PATIENCE)
        tab.page.keyboard.press("Escape")
        for name in keys:
            expect(tab.role(name)).to_be_checked(timeout=driving.PATIENCE)
    # What the next touch sends is what was there, and the change.
    tab.role("region", "target").check()
    tab.settle().page.reload()
    expect(tab.role("region", "target")).to_be_checked(timeout=driving.PATIENCE)
    for name in keys[:2]:
        expect(tab.role(name)).to_be_checked()
    tab.complaints.clear()  # of the page's address below itself: see `Visitor.open`


HELD_BACK = """
from pathlib import Path
from streamlit.runtime.app_session import AppSession
flush = AppSession.flush_browser_queue
def held_back(self):
    if not Path("FOLDER/hold").exists():
        return flush(self)
    if len(self._browser_queue) > 5:
        Path("FOLDER/drawn").touch()
    return []
AppSession.flush_browser_queue = held_back
"""
"""Lets what is drawn wait while there is a file, as a line does that takes nothing more, and tells that some waits."""


def test_a_page_loaded_again_while_it_is_drawn_gets_nothing_of_what_was_drawn_for_the_one_before(tmp_path):
    """It is empty until it asks for a run: a part of another broke it, and it stayed white."""

    async def drawn(line):
        kinds = []
        await line.send(ASKED)
        while "script_finished" not in kinds:
            told = ForwardMsg.FromString(await asyncio.wait_for(line.recv(), PATIENCE))
            kinds.append(told.WhichOneof("type"))
        return kinds

    async def visits(at):
        line = await come(at, "A" * 43)
        await drawn(line)
        (tmp_path / "hold").touch()
        await line.send(ASKED)
        await asyncio.to_thread(await_, (tmp_path / "drawn").exists)
        await line.close()
        await asyncio.to_thread(until_the_server_knows_of, 0, at)
        (tmp_path / "hold").unlink()
        again = await come(at, "A" * 43)
        kinds = await drawn(again)
        assert next(kind for kind in kinds if kind in ("new_session", "delta")) == "new_session"
        await again.close()

    prelude = HELD_BACK.replace("FOLDER", str(tmp_path))
    with server(tmp_path, prelude=prelude, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="120") as at:
        run(visits(at))


def until_the_server_knows_of(tabs, at):
    """Wait until the server has heard who came and who left, which no page tells."""
    await_(lambda: at.tabs() == tabs)


def test_a_second_tab_has_a_review_of_its_own_and_a_reopened_one_gets_what_was_left_last(visit, running):
    until_the_server_knows_of(0, running)
    one = demonstration_without_employment(visit())
    two = one.another_tab()
    nothing_is_open(two)
    one.page.reload()
    expect(one.role("employment", "target")).to_be_checked(timeout=driving.PATIENCE)
    expect(one.role("region")).to_be_checked()
    until_the_server_knows_of(2, running)  # a line that the reload has cut was a third
    two.page.close()
    until_the_server_knows_of(1, running)
    one.page.close()
    until_the_server_knows_of(0, running)
    again = one.another_tab()
    assert "demonstration" in again.opened()
    one.complaints.clear()


def test_two_tabs_loaded_again_at_one_moment_get_each_its_own(browser, tmp_path):
    # Nothing is forgotten meanwhile, however slow this machine is.
    with server(tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="3600") as patient:
        one = demonstration_without_employment(driving.Visitor(browser, f"http://127.0.0.1:{patient.port}").open())
        two = one.another_tab().press("Open the demonstration survey").go("Keys")
        for order in ((one, two), (two, one)):
            for tab in (one, two):
                tab.page.goto("about:blank")
            until_the_server_knows_of(0, patient)
            for tab in order:
                tab.open("/keys")
            expect(one.role("employment", "target")).to_be_checked(timeout=driving.PATIENCE)
            expect(two.role("employment")).to_be_checked(timeout=driving.PATIENCE)
        with one.page.expect_popup() as opened:  # with all that the page keeps for its tab: it is another nevertheless
            one.page.evaluate("void window.open('/')")
        opened.value.get_by_text("First time here?").wait_for()
        assert one.complaints == two.complaints == []
        one.close()


def test_another_browser_gets_nothing_even_if_it_names_the_session(visit, running):
    tab = demonstration_without_employment(visit())
    mine = {c["name"]: c["value"] for c in tab.context.cookies()}[COOKIE]
    (cookie,) = (c for c in tab.context.cookies() if c["name"] == COOKIE)
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Strict", -1)
    nothing_is_open(visit())
    assert tab.page.evaluate("document.cookie").find(COOKIE) == -1

    async def begun(cookie: str, named: str = ""):
        line = await come(running, cookie, named)
        await line.send(ASKED)
        while True:
            told = ForwardMsg()
            told.ParseFromString(await asyncio.wait_for(line.recv(), PATIENCE))
            if told.WhichOneof("type") == "new_session":
                return line, told.new_session.initialize.session_id

    async def tried():
        await asyncio.to_thread(until_the_server_knows_of, 2, running)
        own, session = await begun(mine, "")  # the tab is open: this is a second one
        for cookie in ("B" * 43, "", mine[:-1] + ("A" if mine[-1] != "A" else "B")):
            line, got = await begun(cookie, session)
            assert got != session, "another browser took an open session over"
            await line.close()
        await own.close()
        await asyncio.to_thread(until_the_server_knows_of, 2, running)
        for cookie in ("B" * 43, ""):
            line, got = await begun(cookie, session)
            assert got != session, "another browser took a session that was left"
            await line.close()
            await asyncio.to_thread(until_the_server_knows_of, 2, running)
        line, got = await begun(mine, session)
        assert got == session  # its own browser gets it
        await line.close()

    run(tried())


def test_after_the_time_it_is_gone_and_the_page_says_so(visit, running):
    until_the_server_knows_of(0, running)
    tab = demonstration_without_employment(visit())
    until_the_server_knows_of(1, running)
    tab.page.close()
    until_the_server_knows_of(0, running)
    time.sleep(TTL + 1)  # the time begins when the server knows
    tab.page = tab.context.new_page()
    tab.page.goto(tab.address)
    tab.page.get_by_text("The server has forgotten what was open here.").wait_for()
    tab.page.get_by_role("button", name="Start again").click()
    nothing_is_open(tab)


def test_close_and_forget_ends_it_at_once_for_whoever_comes_next(browser, tmp_path):
    original, synthetic = marked()
    (tmp_path / "people.csv").write_bytes(original)
    (tmp_path / "released.csv").write_bytes(synthetic)
    # Time alone would forget nothing during this test.
    with server(tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="3600") as patient:
        tab = driving.Visitor(browser, f"http://127.0.0.1:{patient.port}").open()
        left = tab.another_tab()
        for each in (left, tab):
            each.upload("Original data", tmp_path / "people.csv").upload("Synthetic data", tmp_path / "released.csv")
            each.press("Compare these files")
            assert "people.csv" in each.opened()
        assert patient.held()[1] == 4
        left.page.close()  # a tab that was closed and could come back
        until_the_server_knows_of(1, patient)
        tab.press("Menu").page.get_by_role("button", name="Delete and close").click()
        tab.page.get_by_text("What was open here is forgotten").wait_for()
        assert "people.csv" not in tab.page.content()
        assert tab.page.get_by_test_id("stFileUploader").count() == 0
        tab.page.reload()
        nothing_is_open(tab)
        nothing_is_open(tab.another_tab())
        await_(lambda: patient.held() == [0, 0, 0])
        assert tab.complaints == []
        tab.close()


def test_the_operator_can_switch_it_off(browser, tmp_path):
    with server(tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="60", DISCLOSURE_RETURN="no") as off:
        tab = driving.Visitor(browser, f"http://127.0.0.1:{off.port}").open()
        tab.press("Open the demonstration survey")
        assert COOKIE not in [c["name"] for c in tab.context.cookies()]
        tab.page.reload()
        nothing_is_open(tab)
        tab.close()


def test_a_demonstration_stays_one_on_every_page(browser):
    with driving.serving("--demo") as address:
        tab = driving.Visitor(browser, address).open("/keys")
        expect(tab.role("employment")).to_be_checked(timeout=driving.PATIENCE)
        tab.context.clear_cookies()
        tab.page.reload()
        expect(tab.role("employment")).to_be_checked(timeout=driving.PATIENCE)
        tab.close()
