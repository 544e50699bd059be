"""How much one visitor, and all together, may send; over the wire."""

# Inside: where uploads go, of one server after the other.

import urllib.error

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.server import streamlit_private
from tests.browser import driving
from tests.server.serving import Running, Visitor, await_, run, server

MB = 1_000_000
LIMITS = {"DISCLOSURE_MAX_UPLOADS_MB": "2", "DISCLOSURE_MAX_ALL_UPLOADS_MB": "5"}  # 0.5 MB are kept for who has little


async def send(person: Visitor, megabytes: float, name: str = "x.csv") -> int:
    """Send a file; return the status."""
    url, _ = await person.place(name)
    try:
        person.put(url, name, b"a" * int(megabytes * MB))
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 413  # refused, and hung up, before all of it was sent
    return 204


async def heard(person: Visitor, words: str) -> None:
    """Wait until the page says something in a run that nobody asked for."""
    await person.run_unasked()
    assert person.said(words)


def test_one_visitor_has_a_bound_and_is_told_before_and_when_it_is_reached(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            assert person.said("There is room for 2.0 MB of files; you may have 2.0 MB here at a time.")
            assert await send(person, 1.7) == 204
            await person.run()
            assert person.said("There is room for 0.3 MB of files")
            assert person.said("Take away what you do not need any more.")
            person.words = []
            assert await send(person, 0.4) == 413
            await heard(person, "A file of 0.4 MB was refused: there is room for 0.3 MB more.")
            await person.run()
            assert not person.said("was refused")  # said once
            # On another page it is drawn again where the visitor is, and said where files are brought.
            await person.go("Keys")
            assert await send(person, 0.4) == 413
            await heard(person, "There are no data yet")
            assert person.page == person.pages["Keys"]
            await person.go("Data")
            assert person.said("was refused")
            assert await send(person, 0.2) == 204
            assert await send(person, 0.2) == 413

    with server(tmp_path, **LIMITS) as at:
        run(visits(at))
        # All of it is free again when the visitor is forgotten.
        await_(lambda: at.held() == [0, 0, 0])
        run(visits(at))


def test_all_visitors_together_have_a_bound_and_who_has_little_can_still_work(tmp_path):
    async def visits(at: Running) -> None:
        async with (
            Visitor(at.port) as one,
            Visitor(at.port) as two,
            Visitor(at.port) as three,
            Visitor(at.port) as last,
        ):
            assert await send(one, 1.9) == 204
            assert await send(two, 1.9) == 204
            assert await send(three, 1.0) == 413  # within a visitor's bound, but it would take what is kept
            assert await send(three, 0.6) == 204
            assert await send(three, 0.1) == 413
            assert await send(last, 0.45) == 204  # what is kept is for who has little
            assert await send(last, 0.45) == 413

    with server(tmp_path, **LIMITS) as at:
        run(visits(at))


def test_what_is_on_its_way_counts_and_what_is_cut_does_not(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            url, _ = await person.place("cut.csv")
            line, _ = person.put_half(url, "cut.csv", b"a" * int(1.5 * MB))
            await until(person, 0.7, 413)
            line.close()
            await until(person, 0.7, 204)

    async def until(person: Visitor, megabytes: float, status: int) -> None:
        for _ in range(100):
            if (found := await send(person, megabytes)) == status:
                return
        raise AssertionError(found)

    with server(tmp_path, **LIMITS) as at:
        run(visits(at))


def test_where_a_file_may_be_put_is_told_though_a_run_begins(monkeypatch):
    """Streamlit drops what waits to be sent when a run begins, the answer to the file's browser with it."""
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)
    streamlit_private.keep_where_to_upload()
    queue, answer, drawn = ForwardMsgQueue(), ForwardMsg(), ForwardMsg()
    answer.file_urls_response.response_id = "a.csv"
    drawn.delta.new_element.text.body = "of the run before"
    for fragments in (None, ["one"]):
        queue.enqueue(drawn)
        queue.enqueue(answer)
        queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
        assert [m.file_urls_response.response_id for m in queue.flush() if m is not drawn] == ["a.csv"]
        assert len(queue) == 0


def test_a_file_that_does_not_say_how_long_it_is_or_comes_from_nobody_inside_is_refused(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as inside:
            url, _ = await inside.place("x.csv")
            assert inside.refused(url, "Transfer-Encoding: chunked") == 411
            async with Visitor(at.port) as newcomer:
                assert newcomer.said("The server is full")
                url, _ = await newcomer.place("x.csv")
                assert newcomer.refused(url, "Content-Length: 1000") == 400  # with a session, and a token, and no place

    with server(tmp_path, DISCLOSURE_MAX_VISITORS="1", **LIMITS) as at:
        run(visits(at))


def test_in_a_browser_the_page_says_what_was_refused(tmp_path):
    (tmp_path / "large.csv").write_bytes(b"a,b\n" + b"1,2\n" * 600_000)
    with server(tmp_path, **LIMITS) as at, driving.chromium() as browser:
        tab = driving.Visitor(browser, f"http://127.0.0.1:{at.port}").open()
        box = tab.page.get_by_test_id("stFileUploader").filter(has_text="Original data")
        box.locator("input[type=file]").set_input_files(tmp_path / "large.csv")
        tab.page.get_by_text("A file of 2.4 MB was refused: there is room for 2.0 MB more.").wait_for()
        tab.settle()
        assert tab.page.get_by_role("button", name="Compare these files").is_disabled()
        (tmp_path / "small.csv").write_bytes(b"a,b\n1,2\n")
        tab.press("Open the demonstration survey")
        tab.close()
