"""One connection asked by many threads: nothing hangs, every answer is whole, and what nobody waits for is ended."""

# Inside: many threads ask one connection, which is replaced.

import gc
import logging
import subprocess
import sys
import threading
import time
from pathlib import Path

import ibis
import pytest

from disclosure_core import MergeLevels, RemoveUniques, TableStudy, assess
from disclosure_core.engines import sources
from disclosure_core.engines.line import Line
from disclosure_core.engines.sources import Source, open_source
from disclosure_core.protection.in_engine import protect_there
from disclosure_core.protection.written import written
from tests.engines.asked_together import asked, survey

pytestmark = pytest.mark.filterwarnings("default")

SLOW = "select count(*) as n from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3"


def test_eight_threads_ask_one_study():
    """In a process of its own: where it hangs, all its threads do."""
    script = Path(__file__).with_name("asked_together.py")
    done = subprocess.run(
        [sys.executable, str(script), "240"], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert done.stdout.startswith("0 of 32 failed")


class NotWanted(BaseException):
    """As what Streamlit raises in a run that a click overtook."""


@pytest.fixture
def connection():
    return ibis.duckdb.connect()


def study_of(connection, **options):
    tables = [connection.create_table(f"t{i}", survey(500, i)) for i in range(2)]
    return TableStudy(tables[0], tables[1:], **options)


def test_what_nobody_waits_for_is_interrupted_and_its_neighbours_are_not(connection):
    wanted = threading.Event()
    wanted.set()

    def check() -> None:
        if not wanted.is_set() and threading.current_thread() is leaving:
            raise NotWanted

    study = study_of(connection, check=check)
    connection.raw_sql(f"create view slow as {SLOW}")
    told: list[str] = []

    def leave() -> None:
        try:
            study.engine.fetch("something long", connection.table("slow"))
        except NotWanted:
            told.append("ended")

    leaving = threading.Thread(target=leave)
    found = []
    neighbour = threading.Thread(target=lambda: found.append(assess(study, asked(1)).summary()))
    leaving.start()
    time.sleep(0.5)
    neighbour.start()
    time.sleep(0.2)
    assert leaving.is_alive()
    assert not found
    wanted.clear()
    leaving.join(10)
    assert told == ["ended"]
    neighbour.join(60)
    assert found[0].equals(assess(study_of(ibis.duckdb.connect()), asked(1)).summary())


def test_who_waits_for_a_turn_can_leave_too(connection):
    line, held, free = Line(connection), threading.Event(), threading.Event()
    holding = threading.Thread(target=lambda: line.ask(lambda: (held.set(), free.wait(60))))
    holding.start()
    held.wait(10)

    def check() -> None:
        raise NotWanted

    with pytest.raises(NotWanted):
        Line(connection, check).ask(lambda: pytest.fail("it was not its turn"))
    free.set()
    holding.join(10)
    assert Line(connection).ask(lambda: 7) == 7


def test_an_engine_is_given_no_table(connection):
    study = study_of(connection)
    for i in range(3):
        assess(study, asked(i)).summary()
    kept = connection.con.execute("select table_name from duckdb_tables()").fetchall()
    assert sorted(name for (name,) in kept) == ["t0", "t1"]
    assert not connection.con.execute("select view_name from duckdb_views() where not internal").fetchall()


def test_what_a_safeguard_brings_is_dropped_when_nobody_reads_it(connection, tmp_path):
    def brought() -> int:
        return connection.con.execute("select count(*) from duckdb_tables() where temporary").fetchall()[0][0]

    study, settings = study_of(connection), asked(1)
    for _ in range(2):
        safer = protect_there(study, [MergeLevels("a", 90), RemoveUniques()], settings)
        assert assess(safer.study, settings).n_synthetic[0] < study.n_synthetic[0]
        assert brought() == 1
        written(safer, tmp_path)
        del safer
        gc.collect()
        study.engine.fetch("something else", connection.table("t0"))
        assert brought() == 0


def test_two_who_open_a_source_at_once_do_not_silence_the_log_for_ever(monkeypatch):
    both = threading.Barrier(2, timeout=20)
    order = threading.Event()

    def tables(source: Source) -> list[object]:
        both.wait()
        if source.name == "last":
            order.wait(20)
        raise OSError

    def open_it(name: str) -> None:
        with pytest.raises(Exception, match="cannot be opened"):
            open_source(Source(name, "duckdb://", "file://a", ("file://b",)))
        order.set()

    monkeypatch.setattr(sources, "_tables", tables)
    threads = [threading.Thread(target=open_it, args=(name,)) for name in ("first", "last")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert logging.root.manager.disable == logging.NOTSET
