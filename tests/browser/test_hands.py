"""Hands that are faster than the server lose nothing; `python -m tests.browser.walks` walks at random, for as long as asked."""

import re
import time

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from disclosure_core import Review, demo
from tests.browser import driving
from tests.browser.walks import DATA, Walk, role_of, walk

pytestmark = pytest.mark.slow


def saved(tab) -> Review:
    """Return what Save holds, pressed at once."""
    with tab.page.expect_download(timeout=15000) as waiting:
        tab.page.locator(".st-key-status_bar-save button").click()
    return Review.load(waiting.value.path())


@pytest.mark.parametrize("seed", range(1, len(DATA) + 1))
def test_a_walk_loses_nothing_and_does_nothing_that_was_not_meant(browser, address, seed):
    assert walk(browser, address, seed, 36).wrong == []


def test_a_walk_sees_that_a_page_shows_another_value_than_the_server_has(browser, address, tmp_path):
    one = Walk(browser, address, DATA[0], tmp_path, 1)
    one.tab.go("Report")
    assert one.drawn_anew() == []
    one.page.get_by_label("Officer", exact=True).evaluate("field => { field.value = 'Ada Moor' }")
    (wrong,) = one.drawn_anew()
    assert wrong.endswith(": shown Ada Moor, drawn anew ")
    one.tab.close()


def test_a_role_chosen_by_an_arrow_is_in_the_file_that_is_asked_for_at_once(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Keys")
    tab.role("income", "target").focus()
    tab.page.keyboard.press("ArrowLeft")
    assert role_of(saved(tab), "income") == "key"
    tab.settle()
    tab.role("income", "key").focus()
    tab.page.keyboard.press("ArrowRight")
    tab.link("Review").click()  # nothing waits for the choice to be heard
    tab.page.get_by_role("heading", level=1, name="Review").wait_for()
    tab.settle()
    assert role_of(saved(tab), "income") == "target"


def test_limits_stay_open_while_what_is_said_of_them_comes_and_goes(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Report")
    fold = tab.page.get_by_test_id("stExpander").filter(has_text="The office's limits of DiSCO")
    fold.locator("summary").click()
    fields = {"Above, % of members": "20", "… and above, percentage points of difference": "5", "Who set them?": "We"}
    for label, text in {**fields, "Why these values?": "As last year"}.items():
        field = fold.get_by_label(label, exact=True)
        field.fill(text)
        field.press("Enter")
        tab.settle()
        expect(field).to_be_visible()


def test_a_key_that_comes_or_goes_takes_the_focus_from_nobody(visit, address):
    """A key has a field for its reason: it comes where it is one, and all else in the table stays what it is."""
    tab = visit(address).press("Open the demonstration survey").go("Keys")
    page = tab.page
    for name in ("marital", "abroad", "income"):  # by keys alone, and the answer to one comes while the next is chosen
        tab.role(name, "target").focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(120)
    why = page.get_by_label(re.compile("^sex: known because"))
    why.click()
    page.keyboard.type("seen ", delay=60)
    tab.role("bmi", "key").evaluate("radio => radio.click()")
    page.keyboard.type("at a glance, by neighbours", delay=60)
    expect(page.get_by_label(re.compile("^bmi: known because"))).to_be_visible()
    expect(why).to_be_focused()
    expect(why).to_have_value("seen at a glance, by neighbours")
    now = saved(tab)
    assert [role_of(now, name) for name in ("marital", "abroad", "income", "bmi")] == ["key"] * 4
    assert now.reasons["sex"] == "seen at a glance, by neighbours"


def test_what_is_suggested_later_can_be_taken(visit, address):
    """The button of all suggestions hears of those that came after the table was drawn."""
    tab = visit(address).press("Open the demonstration survey").go("Keys")
    offer = tab.page.get_by_role("button", name=re.compile("^Take all suggestions"))
    if offer.is_visible():
        offer.click()
        tab.settle()
    tab.role("age", "target").click()
    tab.settle()
    expect(offer).to_have_text(re.compile(": 1$"))
    offer.click()
    expect(tab.role("age", "key")).to_be_checked()
    tab.settle()
    assert role_of(saved(tab), "age") == "key"


def test_a_reason_that_is_being_typed_goes_with_the_target_that_is_left_by_a_key(visit, address):
    tab = visit(address).press("Open the demonstration survey").go("Review").look("abroad")
    page = tab.page
    page.get_by_role("switch", name="Exclude No").click()
    why = page.get_by_role("combobox", name="Reason: abroad No")
    expect(why).to_be_focused()
    page.keyboard.type("seen by all")
    page.keyboard.press("Alt+n")
    page.locator(".card h2").filter(has_not_text="abroad").wait_for()
    tab.settle()
    assert saved(tab).reasons.get("abroad = No") == "seen by all"
    tab.settle().look("abroad")
    page.get_by_role("button", name="Acceptable", exact=True).click()
    tab.settle().look("abroad")
    reason = page.get_by_role("textbox", name="Reason for the verdict")
    reason.click()
    page.keyboard.type("nobody minds")
    page.keyboard.press("Alt+n")
    page.locator(".card h2").filter(has_not_text="abroad").wait_for()
    tab.settle()
    assert [v.reason for v in saved(tab).verdicts if v.target == "abroad"] == ["nobody minds"]


def test_undo_on_review_back_to_no_key_keeps_the_bar_and_says_what_is_missing(visit, address, tmp_path):
    for name in ("original", "synthetic"):
        demo.original().head(300)[["sex", "age", "abroad"]].to_csv(tmp_path / f"{name}.csv", index=False)
    tab = visit(address).upload("Original data", tmp_path / "original.csv")
    tab.upload("Synthetic data", tmp_path / "synthetic.csv").press("Compare these files")
    tab.page.get_by_role("heading", name="Files read").wait_for()
    tab.go("Keys").keys("sex")
    tab.go("Review").page.get_by_role("button", name="Undo: added the key sex").first.click()
    expect(tab.page.get_by_text("No keys are chosen yet.")).to_be_visible(timeout=driving.PATIENCE)
    tab.settle()
    assert saved(tab).keys == ()
    tab.press("Redo").page.locator(".bench tbody tr").first.wait_for()
    assert saved(tab).keys == ("sex",)


class Late:
    """A visitor whose browser hears what the server says when it is let."""

    def __init__(self, browser, address):
        self.tab, self.late, self.last, self.holds = driving.Visitor(browser, address), [], {}, False
        self.tab.page.route_web_socket(re.compile("/_stcore/stream"), self._line)
        self.tab.open().press("Open the demonstration survey")

    def _line(self, of_page):
        server = of_page.connect_to_server()
        of_page.on_message(lambda message: self._said(server, message))
        server.on_message(lambda message: self.late.append((of_page, message)) if self.holds else of_page.send(message))

    def _said(self, server, message):
        said = BackMsg.FromString(message)
        if said.HasField("rerun_script"):
            self.last[bool(said.rerun_script.fragment_id)] = server, message
        server.send(message)

    def drawn_again(self, *, part):
        """Let the page, or a part of it, be drawn once more a while after it was drawn, as what was asked last does."""
        self.until_held(1)
        self.tab.page.wait_for_timeout(2500)
        ended = self.held()
        server, message = self.last[part]
        server.send(message)
        self.until_held(ended + 1)

    def held(self, of="script_finished"):
        """Return how many messages of a kind wait."""
        return sum(ForwardMsg.FromString(message).HasField(of) for _, message in self.late)

    def until_held(self, runs):
        until = time.monotonic() + driving.PATIENCE / 1000
        while self.held() < runs:
            assert time.monotonic() < until
            self.tab.page.wait_for_timeout(50)

    def let(self):
        self.holds = False
        for of_page, message in self.late:
            of_page.send(message)
        self.late.clear()


def test_a_change_taken_back_while_the_browser_is_slow_to_hear_is_drawn(browser, address):
    """Page 1 of before was forgotten by the browser when it came again, of which its own click had not known."""
    hears = Late(browser, address)
    tab = hears.tab.go("Report")
    title, page_1 = tab.page.get_by_label("Title", exact=True), tab.page.locator("img[src^='data:image/png']").first
    drawn = page_1.get_attribute("src")
    title.fill("One")
    title.press("Enter")
    expect(page_1).not_to_have_attribute("src", drawn, timeout=driving.PATIENCE)
    tab.settle()
    hears.holds = True
    for ended, words in enumerate(("Two", ""), 1):
        title.fill(words)
        title.press("Enter")
        hears.until_held(ended)
    assert hears.held("ref_hash")  # what is there is not sent
    hears.let()
    expect(page_1).to_have_attribute("src", drawn, timeout=driving.PATIENCE)
    tab.settle().close()
    assert tab.complaints == []


def with_less_than_certain(hears):
    """Return a switch of Review that is on, with its tab."""
    tab = hears.tab.go("Review")
    of_tau = [tab.page.get_by_role(role, name="τ", exact=True) for role in ("radio", "button")]
    of_tau[0].or_(of_tau[1]).click()
    less = tab.page.get_by_role("switch", name="Count claims that are less than certain")
    less.check(force=True)
    tab.settle()
    return tab, less


def test_a_click_on_its_way_when_undo_is_pressed_does_not_make_the_change_again(browser, address):
    hears = Late(browser, address)
    tab, less = with_less_than_certain(hears)
    hears.holds = True
    tab.page.keyboard.press("Alt+z")
    hears.until_held(1)
    tab.row("income").click()  # says that the switch is on, as it is on the screen
    hears.until_held(2)
    hears.let()
    tab.settle()
    expect(less).not_to_be_checked(timeout=driving.PATIENCE)
    assert saved(tab).tau is None
    less.check(force=True)  # who has heard of it and chooses the same again means it
    tab.settle()
    assert saved(tab).tau is not None
    tab.close()
    assert tab.complaints == []


def test_what_a_field_is_told_while_the_page_it_is_on_is_drawn_twice_is_in_it(browser, address):
    """All drawings reach a slow browser in one go: it draws the field of the last alone, which was told before."""
    hears = Late(browser, address)
    tab = hears.tab.go("Review").settle()
    name = tab.page.get_by_label("Your name, recorded with verdicts")
    name.fill("Ada Moor")
    hears.holds = True
    tab.link("Report").click()
    hears.drawn_again(part=False)
    hears.let()
    tab.page.get_by_role("heading", level=1, name="Report").wait_for()
    tab.settle()
    expect(tab.page.get_by_label("Officer", exact=True)).to_have_value("Ada Moor")
    assert saved(tab).about["Officer"] == "Ada Moor"
    tab.close()
    assert tab.complaints == []


def test_undo_is_seen_by_a_browser_that_draws_two_runs_in_one_go(browser, address):
    hears = Late(browser, address)
    tab, less = with_less_than_certain(hears)
    hears.holds = True
    tab.page.keyboard.press("Alt+z")
    hears.drawn_again(part=True)
    hears.let()
    tab.settle()
    expect(less).not_to_be_checked(timeout=driving.PATIENCE)
    assert saved(tab).tau is None
    less.check(force=True)
    tab.settle()
    assert saved(tab).tau is not None
    tab.close()
    assert tab.complaints == []
