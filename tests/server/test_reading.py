"""Whoever brings files that take long to read keeps nobody else from reading theirs."""

# Inside: places in the queue of files, without files.

import threading
import time
from contextlib import ExitStack
from contextvars import copy_context

import pytest

from disclosure_core.data.readers import READER
from disclosure_core.data.readers._places import SMALL, Places
from tests.server.serving import await_

LARGE = SMALL + 1


class Reads:
    """Files that are read until they are let go."""

    def __init__(self, places: Places) -> None:
        self.places, self.begun, self.go = places, [], {}

    def file(self, who: str, name: str, size: int = LARGE) -> None:
        self.go[name] = threading.Event()

        def reads() -> None:
            READER.set(who)
            with self.places.place(size, None):
                self.begun.append(name)
                self.go[name].wait(20)

        threading.Thread(target=lambda: copy_context().run(reads), daemon=True).start()
        time.sleep(0.05)

    def end(self, name: str) -> None:
        n = len(self.begun)
        self.go[name].set()
        await_(lambda: len(self.begun) > n or not self.places._waiting, 10)


def test_a_small_file_has_a_place_and_whoever_has_read_least_goes_first():
    reads = Reads(Places(2))
    for i in range(4):
        reads.file("busy", f"busy {i}")
    reads.file("small", "small", SMALL)
    await_(lambda: len(reads.begun) == 3, 10)
    assert reads.begun == ["busy 0", "busy 1", "small"]
    reads.file("other", "other")
    time.sleep(0.3)
    assert len(reads.begun) == 3
    reads.end("busy 0")
    assert reads.begun[3:] == ["other"]
    reads.go["small"].set()
    time.sleep(0.3)
    assert reads.begun[3:] == ["other"], "the third place is for small ones"
    reads.file("busy", "busy small", SMALL)
    await_(lambda: reads.begun[4:] == ["busy small"], 10)
    for name in ("busy 1", "other"):
        reads.end(name)
    await_(lambda: reads.begun[5:] == ["busy 2", "busy 3"], 10)
    for event in reads.go.values():
        event.set()
    await_(lambda: reads.places.busy() == 0, 10)


def test_who_waits_is_asked_and_may_leave():
    places, asked = Places(1), []

    def leaves(waits: bool) -> None:
        asked.append(waits)
        if len(asked) == 3:
            raise KeyboardInterrupt

    with ExitStack() as stack:
        stack.enter_context(places.place(LARGE, None))
        with pytest.raises(KeyboardInterrupt), places.place(LARGE, leaves):
            raise AssertionError("there was no place")
        assert asked == [True] * 3
    assert (places.busy(), places._waiting) == (0, [])
    with places.place(LARGE, leaves):
        assert len(asked) == 3


def test_small_files_of_one_take_the_places_that_are_free():
    reads = Reads(Places(2))
    for i in range(5):
        reads.file("one", str(i), 10)
    assert reads.begun == ["0", "1", "2"]
    for i in range(5):
        reads.end(str(i))
    await_(lambda: reads.places.busy() == 0, 10)
    assert reads.begun == list("01234")
