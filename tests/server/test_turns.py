"""Whoever asks for many runs makes nobody else wait, and nothing that was changed is lost on the way to its run."""

# Inside: turns of a server, by a clock of the test's.

import asyncio
import threading
import time
from pathlib import Path

import pytest

from benchmarks.attacks import rerun, sends
from benchmarks.workshop import begin, toggle
from pages.server.turns import AT_ONCE, EACH, LONG, Run, Turns, _stood_in_line
from tests.server.serving import Running, Visitor, await_, run, server


@pytest.fixture(autouse=True)
def _no_clock(monkeypatch):
    """However slow this machine is, no run of this process has had its moment before it is said so."""
    for name in ("WAITED", "CLOCK"):
        monkeypatch.setattr(f"pages.server.turns.{name}", 60)


HELD = """
import threading, time
from pathlib import Path
from pages.server import streamlit_private, turns
turns.AT_ONCE, turns.WAITED, turns.CLOCK = 1, 1e9, 1e9
def holds():
    while True:
        while not Path("FOLDER/hold").exists():
            time.sleep(0.05)
        held = turns.Run("held", lambda: Path("FOLDER/held").touch())
        streamlit_private.TURNS.ask(held)
        while Path("FOLDER/hold").exists():
            time.sleep(0.05)
        streamlit_private.TURNS.end(held)
threading.Thread(target=holds, daemon=True).start()
usual = threading.Thread.start
def start(self):
    if "scriptThread" in self.name:
        with open("FOLDER/begun", "a") as told:
            told.write("x")
    usual(self)
threading.Thread.start = start
"""
"""Keeps the one turn that there is for as long as there is a file, and writes down how many runs became threads."""


def test_reruns_that_are_overtaken_are_no_threads(tmp_path):
    def begun() -> int:
        return len((tmp_path / "begun").read_text())

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as one, Visitor(at.port) as other:
            await one.settle()
            await other.settle()
            (tmp_path / "hold").touch()
            await asyncio.to_thread(await_, (tmp_path / "held").exists)
            before = begun()
            for person in (one, other) * 15:
                await person.ask()
            await asyncio.sleep(1.5)
            assert begun() == before
            (tmp_path / "hold").unlink()
            await one.settle()
            await other.settle()
            assert begun() <= before + 4, "of 30 that were asked for"

    with server(tmp_path, prelude=HELD.replace("FOLDER", str(tmp_path))) as at:
        run(visits(at))


def test_a_neighbour_does_not_wait_for_many_reruns_from_ten_lines(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as neighbour:
            await begin(neighbour, None)
            quiet = max([await toggle(neighbour) for _ in range(5)])
            others = asyncio.create_task(sends(at.port, 10, rerun, 40, 0))
            took = []
            while not others.done():
                took.append(await toggle(neighbour))
                await asyncio.sleep(0.1)
            assert len(took) > 1
            assert max(took) < 2 * quiet + 2.5
            await others

    with server(tmp_path) as at:
        run(visits(at))


def test_what_is_changed_while_a_run_waits_is_in_it(tmp_path):
    """Of many changes that come at once, each of another widget, none is lost, also not one of a button."""
    held = "from pages.server import turns; turns.AT_ONCE = 1; turns.MOMENT = turns.WAITED = turns.CLOCK = 3.0"

    async def visits(at: Running) -> None:
        async with Visitor(at.port) as other, Visitor(at.port) as person:
            await begin(person, None)
            await person.go("Report")
            await other.ask()  # has the turn
            names = ("title", "author")
            for name in names:
                await person.ask(**{f"report.{name}": ("string_value", f"the {name} of it")})
            made = await person.made("report.get.report.html")
            page = made["report.get.report.html"].decode()
            assert [name for name in names if f"the {name} of it" not in page] == []

    with server(tmp_path, prelude=held) as at:
        run(visits(at))


ROUNDS = """
from asyncio.base_events import BaseEventLoop
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
rounds, answers, sent = [0], [0], []
once, flush, send = BaseEventLoop._run_once, AppSession.flush_browser_queue, Runtime._send_message
def one(self):
    rounds[0] += 1
    once(self)
def flushed(self):
    answers[0] += 1
    return flush(self)
def counted(self, info, message):
    sent.append((answers[0], rounds[0]))
    send(self, info, message)
    if message.WhichOneof("type") == "script_finished":
        with open("FOLDER/sent", "w") as log:
            log.write(f"{len(sent)} {len({of for of, _ in sent})} {len(set(sent))}")
BaseEventLoop._run_once, AppSession.flush_browser_queue, Runtime._send_message = one, flushed, counted
"""
"""Writes down how many messages left, in how many flushes, and in how many rounds of the server's loop."""


def test_an_answer_leaves_whole_and_not_message_by_message(tmp_path):
    async def visits(at: Running) -> None:
        async with Visitor(at.port) as person:
            await begin(person, None)
            for _ in range(5):
                await toggle(person)
            messages, flushes, rounds = map(int, (tmp_path / "sent").read_text().split())
            assert messages > 300
            assert rounds == flushes < messages

    with server(tmp_path, prelude=ROUNDS.replace("FOLDER", str(tmp_path))) as at:
        run(visits(at))


class Begun(list):
    """What has begun, by name."""

    def run(self, who: str) -> Run:
        return Run(who, lambda: self.append(who))


def test_who_asks_for_less_goes_first_and_nobody_waits_for_ever():
    begun, turns = Begun(), Turns(moment=0.3)
    held = [begun.run(f"first {i}") for i in range(AT_ONCE)]
    for each in held:
        assert not turns.ask(each)
    for _ in range(200):
        turns.count("much")
    waits = [begun.run("much"), begun.run("little")]
    for each in waits:
        assert turns.ask(each)
    turns.end(held[0])
    assert begun[AT_ONCE:] == ["little"]
    assert turns.look()
    held[1].used = 0.4  # what computes for long gives its turn away
    assert not turns.look()
    assert begun[AT_ONCE:] == ["little", "much"]


def test_a_run_that_waits_gives_its_turn_away_and_one_that_gets_no_processor_does_not(monkeypatch):
    monkeypatch.setattr("pages.server.turns.CLOCK", 60)
    monkeypatch.setattr("pages.server.turns.WAITED", 0.15)
    turns = Turns()
    turns.ask(Run("waits", int))
    time.sleep(0.3)
    assert turns.new() == 1, "other programs have the processor"
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    assert turns.new() == 0, "others of ours have it"
    turns.ask(Run("a file", int))
    monkeypatch.setattr("pages.server.turns.CLOCK", 0.1)
    time.sleep(0.2)
    assert turns.new() == 0, "nobody has it"


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="the system tells no thread's processor")
def test_a_run_that_has_all_that_is_used_waits_where_the_server_rests_and_does_not_where_it_stands_in_line(monkeypatch):
    monkeypatch.setattr("pages.server.turns.CLOCK", 0.2)
    turns, goes_on, in_line = Turns(), True, [0.0]
    monkeypatch.setattr("pages.server.turns._stood_in_line", lambda: in_line[0])

    def look(run: Run) -> None:
        run.has_thread()
        while goes_on:  # whether its file is read, every moment
            end = time.thread_time() + 0.001
            while time.thread_time() < end:
                pass
            time.sleep(0.01)
        run.ends()

    run = Run("reads", int)
    turns.ask(run)
    thread = threading.Thread(target=look, args=(run,))
    thread.start()
    time.sleep(0.3)
    assert turns.new() == 0, "it has nearly all that is used, and that is little"
    time.sleep(0.3)
    in_line[0] += 0.3
    assert turns.new() == 1, "other programs have the processor"
    goes_on = False
    thread.join()


def test_a_thread_that_stands_in_line_is_told_where_the_system_tells():
    if not Path("/proc/self/schedstat").exists():
        assert _stood_in_line() == 0
        return
    ended = threading.Event()

    def compute() -> None:
        while not ended.is_set():
            pass

    threads = [threading.Thread(target=compute) for _ in range(8)]
    for each in threads:
        each.start()
    time.sleep(0.5)
    told = [Path(f"/proc/self/task/{each.native_id}/schedstat").read_text(encoding="ascii") for each in threads]
    assert _stood_in_line() >= sum(int(of.split()[1]) for of in told) / 1e9 > 0  # others of this process may end
    ended.set()
    for each in threads:
        each.join()


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="the system tells no thread's processor")
def test_runs_that_compute_keep_their_turns_until_each_has_had_its_moment(monkeypatch):
    monkeypatch.setattr("pages.server.turns.WAITED", 0.1)
    turns, goes_on = Turns(moment=0.5), True

    def compute(run: Run) -> None:
        run.has_thread()
        while goes_on and run.has_used() < 1.0:
            pass
        run.ends()

    runs = [Run(f"{i}", lambda: None) for i in range(AT_ONCE + 1)]
    threads = [threading.Thread(target=compute, args=(run,)) for run in runs[:AT_ONCE]]
    for each in runs:
        turns.ask(each)
    for thread in threads:
        thread.start()
    while min(run.has_used() for run in runs[:AT_ONCE]) < 0.2:
        assert turns.look(), "one begins though all the others compute"
        time.sleep(0.02)
    while max(run.has_used() for run in runs[:AT_ONCE]) < 0.5:
        time.sleep(0.02)
    assert not turns.look(), "one has had its moment, and none begins"
    goes_on = False
    for thread in threads:
        thread.join()


def test_a_run_that_takes_little_goes_before_one_that_takes_much():
    begun, turns = Begun(), Turns(moment=60)
    heavy = begun.run("heavy")
    turns.ask(heavy)
    heavy.used = 2.0
    turns.end(heavy)
    held = [begun.run(f"first {i}") for i in range(AT_ONCE)]
    waits = [begun.run(who) for who in ("heavy", "new", "heavy")]
    for each in [*held, *waits]:
        turns.ask(each)
    for each in [*held[:2], waits[1], *held[2:]]:
        turns.end(each)
    assert begun[1 + AT_ONCE :] == ["new", "heavy", "heavy"]


def test_a_click_goes_before_runs_that_take_less_and_come_later():
    turns, begun = Turns(), []
    for who, used in (("clicks", 0.06), *((f"overtaken {i}", 0.01) for i in range(10))):
        for _ in range(5):
            run = Run(who, int)
            run.used = used
            turns.end(run)
    held = [Run(f"{i}", int) for i in range(AT_ONCE)]
    for run in held:
        turns.ask(run)
    turns.ask(Run("overtaken 0", lambda: begun.append("earlier")))
    time.sleep(0.02)
    turns.ask(Run("clicks", lambda: begun.append("click")))
    for i in range(1, 10):
        time.sleep(0.02)
        turns.ask(Run(f"overtaken {i}", lambda: begun.append("later")))
    for run in held[:2]:
        turns.end(run)
    assert begun == ["earlier", "click"]


def test_a_change_on_a_page_goes_before_those_who_open_one_that_took_long():
    begun, turns = Begun(), Turns(moment=60)
    for kind, used in (("report opened", 0.1), ("review", 0.03)):
        one = Run("one", int, kind)
        turns.ask(one)
        one.used = used
        turns.end(one)
    held = [begun.run(f"first {i}") for i in range(AT_ONCE)]
    opening = [Run(f"o{i}", lambda: begun.append("opens"), "report opened") for i in range(30)]
    change = Run("one", lambda: begun.append("changes"), "review")
    for each in (*opening, change):
        each_known = Run(each.who, int)  # of each the run before was a short one
        turns.ask(each_known)
        each_known.used = 0.03
        turns.end(each_known)
    for each in (*held, *opening, change):
        turns.ask(each)
    turns.end(held[0])
    assert begun[AT_ONCE:] == ["changes"]


def test_what_takes_long_gives_way_to_who_begins_and_to_another_and_never_for_long(monkeypatch):
    monkeypatch.setattr("pages.server.turns.PROCESSORS", 1)
    turns = Turns()
    long, other, new = (Run(who, int) for who in ("long", "other", "new"))

    def way(run: Run, used: float, *, wanted: bool = False) -> float:
        run.went_on, begun = min(run.went_on, time.monotonic() - 0.2), time.monotonic()
        turns.give_way(run, used, lambda: wanted)
        return time.monotonic() - begun

    for each in (long, other, new):
        turns.ask(each)
    other.used = LONG
    assert way(long, LONG / 2) < 0.05, "it does not take long"
    assert 0.08 < way(long, LONG) < 0.3, "somebody begins"
    assert way(long, LONG, wanted=True) < 0.05, "it was stopped"
    turns.end(new)
    assert way(long, LONG) < 0.05, "nobody begins"
    threading.Timer(0.3, lambda: way(long, LONG)).start()
    assert 0.2 < way(other, LONG) < 1.5, "the one that has gone on gives way first"
    turns.end(other)
    assert way(long, LONG) < 0.05


def test_one_visitor_has_a_few_runs_under_way_and_no_more():
    begun, turns = Begun(), Turns(moment=0.0)
    mine = [begun.run("one") for _ in range(EACH + 2)]
    for each in mine:
        turns.ask(each)
    assert len(begun) == EACH
    turns.ask(begun.run("two"))
    assert begun[-1] == "two"
    turns.end(mine[0])
    assert len(begun) == EACH + 2


def test_turns_hold_with_threads_that_end_as_they_will():
    turns, begun, ended = Turns(moment=60), [], []

    def ask(i: int) -> None:
        def begin() -> None:
            begun.append(i)
            threading.Timer(0.001, lambda: (ended.append(i), turns.end(run))).start()

        run = Run(str(i % 7), begin)
        turns.ask(run)

    for i in range(200):
        ask(i)
    await_(lambda: len(ended) == 200, 20)
    assert sorted(begun) == list(range(200))
    assert turns.new() == 0
