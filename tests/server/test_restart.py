"""The server is killed in mid-work and started again; in a real browser."""

import pytest

from tests.browser import driving
from tests.browser.driving import free_port
from tests.server.serving import server


@pytest.fixture
def browser():
    with driving.chromium() as found:
        yield found


def figures(tab: driving.Visitor) -> tuple[object, ...]:
    tab.go("Keys")
    of_people = tuple(tab.metric(name) for name in ("UiO", "repU"))
    rows = tab.go("Review").rows()
    assert rows
    return (*of_people, *rows)


def test_a_server_killed_and_started_again(tmp_path, browser):
    port = free_port()
    with server(tmp_path, port=port, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="120"):
        tab = driving.Visitor(browser, f"http://127.0.0.1:{port}").open()
        page = tab.page
        usual = figures(tab.press("Open the demonstration survey"))
        # Another choice than the one that the survey begins with, so that the saved settings have something to bring.
        tab.go("Keys")
        tab.role("employment", "target").check()
        tab.settle()
        chosen = figures(tab)
        assert chosen != usual
        tab.go("Report")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="The review, to go on later").first.click()
        saved = tmp_path / "settings.json"
        saved.write_bytes(waiting.value.path().read_bytes())
        tab.go("Review")
    # The server is gone: the page says so, and does not pretend.
    page.get_by_role("dialog").get_by_text("Streamlit server is not responding").wait_for()
    with server(tmp_path, port=port, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="120"):
        page.get_by_role("dialog").wait_for(state="hidden")
        tab.link("Keys").click()
        page.get_by_text("The server has forgotten what was open here.").wait_for()
        tab.settle()
        assert page.get_by_text("bring the files again", exact=False).count() == 1
        assert page.get_by_test_id("stMetric").count() == 0
        page.get_by_role("button", name="Start again").click()
        page.get_by_text("First time here?").wait_for()
        tab.settle()
        assert figures(tab.press("Open the demonstration survey")) == usual
        tab.go("Report").upload("A review saved before", saved).press("Use this review")
        page.get_by_text("The saved review is in use.").wait_for()
        assert figures(tab) == chosen
        tab.close()
