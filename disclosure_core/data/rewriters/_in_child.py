"""A safer file made in a process of its own: the file that came in is parsed once more, and may be a hostile one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from disclosure_core.data.readers import Kept, Limits, Reading, ReadOptions, Source, _wire, unpacked
from disclosure_core.data.readers._parent import ask_child
from disclosure_core.data.rewriters._change import Cells, Change, Rewritten
from disclosure_core.data.rewriters._remade import remade


def remade_in_child(
    source: Source, reading: Reading, change: Change, limits: Limits, waiting: Callable[[bool], object] | None = None
) -> Rewritten | None:
    """Return what `remade` returns, made by a child."""
    buffers: list[Any] = []
    job = {
        "kind": "answer",
        "module": __name__,
        "writes": True,
        "path": source.path,
        "part": source.part,
        "format": reading.format,
        "options": asdict(reading.options),
        "change": packed(change, buffers),
    }
    return ask_child(job, buffers, source.data, source.name, limits, waiting, _file)


def answered(data: bytes, buffers: list[bytes], job: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return what to say of the file that a job asks for, and its bytes; runs in the child."""
    source = Source(Kept(data, len(data), packed=False), job["name"], job["path"], job["part"])
    change = restored(job["change"], iter(buffers).__next__)
    rewritten = remade(unpacked(source), source.path, source.part, job["format"], ReadOptions(**job["options"]), change)
    if rewritten is None:
        return None, []
    return {"ending": rewritten.ending, "notes": list(rewritten.notes)}, [rewritten.data]


def packed(change: Change, buffers: list[Any]) -> dict[str, Any]:
    """Return what describes a change, and append its bytes to `buffers`; the index of its columns says nothing."""
    return {
        "n": int(change.n),
        "rows": _wire.packed(np.asarray(change.rows), buffers),
        "names": list(change.names),
        "labels": dict(change.labels),
        "columns": [
            [str(name), _wire.packed(cells.values.array, buffers), _wire.packed(np.asarray(cells.touched), buffers)]
            for name, cells in change.columns.items()
        ],
    }


def restored(description: dict[str, Any], next_buffer: Callable[[], Any]) -> Change:
    """Return the change that `packed` described; `take` gives the next of its buffers."""

    def unpacked_next(described: Any) -> Any:
        return _wire.unpacked(described, lambda: np.frombuffer(bytearray(next_buffer()), np.uint8))

    rows = unpacked_next(description["rows"])
    columns = {}
    for name, values, touched in description["columns"]:
        cells = Cells(pd.Series(unpacked_next(values), name=name, copy=False), unpacked_next(touched))
        if not len(cells.values) == len(cells.touched) == len(rows):
            raise ValueError("what came is not what was announced")
        columns[name] = cells
    labels = {str(name): str(text) for name, text in description["labels"].items()}
    return Change(description["n"], rows, columns, tuple(description["names"]), labels)


def _file(kind: bytes, content: Any, buffers: list[Any]) -> tuple[Rewritten | None]:
    """Take the one message of a file made anew."""
    if kind != b"f":
        raise ValueError("no message of a file")
    if content is None:
        return (None,)
    (data,) = buffers
    notes = tuple(content["notes"])
    if not all(isinstance(text, str) for text in (content["ending"], *notes)):
        raise TypeError("no sentence")
    return (Rewritten(content["ending"], bytes(data), notes),)
