"""Several visitors on one server at the same moment, each with data, choices and files of their own.

What each saves is byte for byte what the same visitor saves alone on a fresh server (but for the moment in which an
.xlsx was made), and nothing that one is sent or saves holds a mark of another.
"""

import asyncio
import io
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import pytest
from streamlit.proto.Common_pb2 import StringArray

from tests.server.serving import PATIENCE, Running, Visitor, run, server
from tests.unpacked import pieces

PRESSED = ("trigger_value", True)


@dataclass(frozen=True)
class Who:
    """A visitor.

    Attributes
    ----------
    mark
        In the names of the visitor's files, and in all that they write.
    data
        Whose data they bring: a mark in levels and in a column's name, and where the random numbers start.
    ending, keys, limit, seed, form
        The format of the files, the keys, the limit on denominators, the seed of the draws, the format of figures.
    """

    mark: str
    data: tuple[str, int]
    ending: str
    keys: tuple[str, ...]
    limit: float
    seed: float
    form: str

    @property
    def marks(self) -> set[str]:
        return {self.mark, self.data[0]}


WHO = (
    Who("qanna", ("qlevela", 1), "csv", ("job", "area"), 20, 1, "PDF"),
    Who("qbert", ("qlevelb", 2), "parquet", ("job", "sex"), 30, 2, "SVG"),
    Who("qdave", ("qleveld", 4), "decimal commas", ("job", "area", "sex"), 50, 4, "PNG, 300 dpi"),
    Who("qelsa", ("qlevela", 1), "xlsx", ("job", "area"), 10, 5, "SVG"),  # the first one's data, other exclusions
)


@cache
def files(who: Who) -> dict[str, tuple[str, bytes]]:
    """Return names and bytes of an original and a synthesis, in which a column and levels of few and of many have the mark."""
    mark, seed = who.data
    rng, n = np.random.default_rng(seed), 300
    original = pd.DataFrame({
        "job": rng.choice(["baker", "nurse", f"{mark}often", f"{mark}few"], n, p=[0.4, 0.3, 0.28, 0.02]),
        "area": rng.choice(["north", "south", f"{mark}west"], n),
        "sex": rng.choice(["f", "m"], n),
        f"ill_{mark}": rng.choice(["no", "maybe", f"{mark}ill"], n, p=[0.7, 0.28, 0.02]),
        "income": rng.integers(1000, 1040, n) + 0.5,
    })  # fmt: skip
    synthetic = original.sample(n, replace=True, random_state=seed).reset_index(drop=True)
    found = {}
    for kind, frame in (("original", original), ("synthetic", synthetic)):
        sink = io.BytesIO()
        match who.ending:
            case "parquet":
                frame.to_parquet(sink)
            case "xlsx":
                frame.to_excel(sink, index=False)
            case "decimal commas":
                frame.to_csv(sink, index=False, sep=";", decimal=",")
            case _:
                frame.to_csv(sink, index=False)
        ending = "csv" if who.ending == "decimal commas" else who.ending
        found[kind] = (f"{who.mark}_{kind}.{ending}", sink.getvalue())
    return found


class Saver(Visitor):
    """A visitor who saves several files at once, and keeps what the server sends."""

    patience = 10 * PATIENCE  # everybody computes at once

    def __init__(self, port: int, who: Who) -> None:
        super().__init__(port)
        self.who, self.heard, self.saved = who, [], {}

    async def _hear(self):
        got = await super()._hear()
        self.heard.append(got.SerializeToString())
        return got

    async def look_at(self, page: str) -> None:
        self.files.clear()
        await self.go(page)

    async def save(self, when: str, *, but: str = "no such file") -> None:
        """Press every button that saves a file at once, and take what comes."""
        keys = [key for key in self.files if but not in key]
        assert keys, when
        for key, data in (await self.made(*keys)).items():
            self.saved[f"{when}: {key.removeprefix('report.get.')}"] = data

    async def make(self, name: str) -> None:
        """Have a file made that takes a while, and save it alone."""
        self.files = {key: told for key, told in self.files.items() if key == name}
        await self.save("made")


async def begin(person: Saver) -> None:
    who, brought = person.who, {}
    for kind, (name, data) in files(who).items():
        url, state = await person.place(name)
        await asyncio.to_thread(person.put, url, name, data)
        state.uploaded_file_info[0].size = len(data)
        brought[f"upload.{kind}"] = ("file_uploader_state_value", state)
    await person.run(**brought)
    await person.run(**brought, **{"upload.compare": PRESSED})
    await person.go("Keys")
    await person.run(**person.keys(*who.keys))
    await person.go("Report")
    for name, text in (("title", "title"), ("author", "officer"), (f"why.{who.keys[0]}", "reason")):
        await person.run(**{f"report.{name}": ("string_value", f"the {text} of {who.mark}")})
    await person.run(**{"report.date": ("string_array_value", StringArray(data=["2026/01/02"]))})
    await person.run(**{"report.format": ("string_value", who.form)})
    await person.go("Safeguards")
    await person.run(**{"safe.group": ("string_array_value", StringArray(data=[":material/add: Coarsen a column"]))})
    await person.run(**{"safe.kind": ("string_value", "Round numbers")})
    await person.run(**{"safe.round": ("double_value", who.limit)})
    await person.run(**{"safe.add": PRESSED})
    await person.run(**{"safe.group": ("string_array_value", StringArray(data=[":material/add: Blank or label"]))})
    await person.run(**{"safe.kind": ("string_value", "Add a column that says that the data are synthetic")})
    await person.run(**{"safe.says": ("string_value", f"not {who.mark}")})
    await person.run(**{"safe.add": PRESSED})


async def click(person: Saver) -> None:
    await person.look_at("Review")
    for limit in (5.0, 9.0, person.who.limit):
        await person.run(**{"review.limit": ("double_value", limit)})


async def draw(person: Saver) -> None:
    person.files.clear()
    await person.question("release-size")
    await person.run(**{"analyses.release-size.draw_seed": ("double_value", person.who.seed)})


async def split(person: Saver) -> None:
    person.files.clear()
    await person.question("uniques-outside")
    await person.run(**{"baseline.bring": PRESSED})
    person.files.clear()
    await person.run(**{"baseline.seed": ("double_value", person.who.seed)})
    await person.save("split")


async def files_of_review(person: Saver) -> None:
    await person.look_at("Report")
    await person.save("internal", but=".zip")  # each is saved by a step of its own


async def figures(person: Saver) -> None:
    await person.look_at("Report")
    await person.make("report.get.figures.zip")


async def exhibits(person: Saver) -> None:
    await person.look_at("Report")
    await person.make("report.get.papers-exhibits.zip")


async def safer(person: Saver) -> None:
    await person.look_at("Safeguards")
    await person.save("safer")


async def share(person: Saver) -> None:
    await person.look_at("Report")
    person.files.clear()
    await person.run(**{"report.kind": ("string_value", "Shareable")})
    await person.save("shareable", but="review")
    await person.run(**{"report.kind": ("string_value", "Internal")})


DONE = (click, files_of_review, exhibits, safer, figures, share, split, draw)


async def visit(at: Running, who: Who, all_are_here: asyncio.Barrier) -> Saver:
    """Do all of it, each visitor from another place on; and save what there is to save once more, all at once."""
    first = WHO.index(who)
    async with Saver(at.port, who) as person:
        await begin(person)
        for does in (*DONE[first:], *DONE[:first]):
            await all_are_here.wait()
            await does(person)
        await person.look_at("Report")
        await all_are_here.wait()
        await person.save("at last", but=".zip")
        await all_are_here.wait()  # nobody leaves while another one saves
        return person


def visits(folder, *whose: Who) -> list[Saver]:
    async def together(at: Running) -> list[Saver]:
        barrier = asyncio.Barrier(len(whose))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(visit(at, who, barrier)) for who in whose]
        return [task.result() for task in tasks]

    folder.mkdir()
    with server(folder) as at:
        found = run(together(at))
        assert "Traceback" not in at.log()
        return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return what a visitor saves alone on a fresh server; each is asked once."""
    folder = tmp_path_factory.mktemp("alone")

    @cache
    def saved(who: Who) -> dict[str, bytes]:
        (person,) = visits(folder / who.mark, who)
        return person.saved

    return saved


def marks_in(data: bytes) -> set[str]:
    """Return the marks of anybody in a file, or in a message."""
    every = {mark for who in WHO for mark in who.marks}
    return {mark for piece in pieces(data) for mark in every if mark.encode() in piece.replace(b"\0", b"").lower()}


def same(one: bytes, other: bytes) -> bool:
    """Return whether two files have the same bytes; of an .xlsx that follows an .xlsx, but for when it was made."""
    if one == other or not one.startswith(b"PK"):
        return one == other
    parts = [
        [re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"", piece) for piece in pieces(data)] for data in (one, other)
    ]
    return parts[0] == parts[1] and any(b"W3CDTF" in piece for piece in pieces(one))


def test_each_of_several_visitors_at_once_saves_what_they_save_alone(tmp_path, alone):
    for person in visits(tmp_path / "server", *WHO):
        who = person.who
        differing = [name for name, data in alone(who).items() if not same(person.saved.get(name, b""), data)]
        assert (who.mark, differing) == (who.mark, [])
        assert person.saved.keys() == alone(who).keys()
        found = {name: marks_in(data) for name, data in person.saved.items()}
        assert {name: marks - who.marks for name, marks in found.items() if marks - who.marks} == {}
        heard = marks_in(b"".join(person.heard))
        assert heard == who.marks
        # What is looked for can be found: in files of every kind.
        kinds = ("report.pdf", "report.html", "tables.xlsx", "figures.zip", "exhibits.zip", ".parquet", "safer")
        for kind in kinds:
            assert any(marks & who.marks for name, marks in found.items() if kind in name), kind
