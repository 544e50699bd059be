"""What is forgotten is gone then: nothing of it waits until memory is searched for garbage."""

import asyncio
import signal

from benchmarks.workshop import begin
from tests.server.serving import PRESSED, Running, Visitor, await_, marked, run, server

NO_SEARCH = """
gc.disable()
gc.collect = gc.freeze = lambda *_: 0
def tell(*_):
    kept = [each._fragments for each in gc.get_objects() if type(each).__name__ == "MemoryFragmentStorage"]
    open(TOLD, "w").write(str(sum(map(len, kept))))
signal.signal(signal.SIGUSR2, tell)
"""
"""A server that never searches its memory for what only points at itself, and tells how many parts of pages it keeps."""


async def on_each_page(person: Visitor) -> None:
    await begin(person, marked())
    for page in ("Keys", "Review", "Safeguards", "Compare", "Analyses", "Report"):
        await person.go(page)


async def with_a_dialog_of_its_data(person: Visitor) -> None:
    await begin(person, marked())
    await person.question("uniques-outside")
    await person.run(**{"baseline.bring": PRESSED})
    assert "baseline.seed" in person.widgets


async def with_a_question_on_other_data(person: Visitor) -> None:
    await begin(person, marked())
    await person.go("Data")
    await person.upload(*marked(400))
    assert "replace.open" in person.widgets


async def with_a_file_that_did_not_arrive(person: Visitor) -> None:
    await begin(person, marked())
    await person.go("Report")
    await person.made("report.get.tables.xlsx")


def test_nobody_needs_to_search_for_what_was_left(tmp_path):
    """Streamlit's thread holds on to the session that it served last until another comes: its data are gone."""
    told = tmp_path / "told"
    visits = (
        on_each_page,
        with_a_dialog_of_its_data,
        with_a_question_on_other_data,
        with_a_file_that_did_not_arrive,
    )

    def parts(at: Running) -> int:
        told.write_text("")
        at.process.send_signal(signal.SIGUSR2)
        await_(lambda: told.read_text() != "")
        return int(told.read_text())

    async def all_of_them(at: Running) -> None:
        for visit in visits:
            async with Visitor(at.port) as person:
                await visit(person)
                assert at.held()[0] > 0
                assert parts(at) > 0
            await asyncio.to_thread(await_, lambda: at.held() == [0, 0, 0])
            assert parts(at) == 0

    with server(tmp_path, prelude=NO_SEARCH.replace("TOLD", repr(str(told)))) as at:
        run(all_of_them(at))
