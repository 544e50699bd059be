"""Safer tables that an engine writes from its own rows: no record comes here."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from disclosure_core.arrays import Ints, Mask
from disclosure_core.data.study import Kind
from disclosure_core.engines.column import EngineColumn, with_empty
from disclosure_core.engines.engine import Became
from disclosure_core.engines.layout import CHANGED
from disclosure_core.engines.spill import half_of
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.in_engine import ProtectedThere, SaferStudy
from disclosure_core.protection.steps import AddLabel


def written(
    protected: ProtectedThere, folder: Path, may_write: Callable[[str], None] = lambda _name: None
) -> dict[str, Path]:
    """Have the engine write each safer synthesis into a folder, and return where each is, by name.

    Parquet, of which Spark writes a folder of files; delimited text where it came as that. What no safeguard touched is
    as it came; records are in no order.

    Raises
    ------
    DisclosureError
        When one cannot be written, or the data changed meanwhile; then nothing is left of it. As `may_write`.
    """
    places: dict[str, Path] = {}
    for side, relation in enumerate(protected.study.relations[1:], 1):
        name = _name_of(relation, side)
        name = f"{side}_{name}" if name in places else name
        place = places[name] = folder / name
        own = [path for each in protected.first.relations for path in files_of(each)]
        if any(place.resolve() == path.resolve() for path in own):
            raise DisclosureError(f"{place} is one of the tables themselves; choose another folder.")
        may_write(name)
    for side, place in enumerate(places.values(), 1):
        _write(protected, side, place)
    return places


def files_of(relation: Any) -> list[Path]:
    """Return the files that a relation is made of; none where an engine has it otherwise."""
    return [path for path, _ in getattr(relation, "files", ())]


def _name_of(relation: Any, side: int) -> str:
    """Return what a safer table is called: after its file or folder."""
    paths = files_of(relation)
    ending = ".csv" if relation.text else ".parquet"
    if not paths:
        return f"safer_synthetic_{side}{ending}"
    return f"safer_{(paths[0] if len(paths) == 1 else paths[0].parent).stem}{ending}"


def _write(protected: ProtectedThere, side: int, place: Path) -> None:
    study = protected.study
    half = half_of(place)
    labels = {step.column: step.text for step in protected.steps if isinstance(step, AddLabel)}
    names = list(study.relations[side].columns)
    try:
        with study.unchanged():
            table = study.engine.recoded(study.relations[side], names, became(protected, side, names))
            n = study.engine.write(table, labels, half)
        if n != study.n_synthetic[side - 1]:
            raise DisclosureError(CHANGED)
        if place.is_dir():
            shutil.rmtree(place)
        half.replace(place)
    except OSError as error:
        raise DisclosureError(f"{place} cannot be written ({error.strerror}); choose another place.") from None
    finally:
        with suppress(OSError):
            shutil.rmtree(half) if half.is_dir() else half.unlink(missing_ok=True)


def became(protected: ProtectedThere, side: int, names: Sequence[str]) -> dict[str, Became]:
    """Return what values of a table are after all steps, by column that a step changed.

    Parameters
    ----------
    side
        The table: 0 is the original, seen through the same rules.
    """
    changed = [name for name in names if protected.changes(name)]
    return {name: _became(protected, side, name) for name in changed}


def _became(protected: ProtectedThere, side: int, name: str) -> Became:
    study = protected.study
    assert isinstance(study, SaferStudy)
    was, now = protected.first.columns[name], study.columns[name]
    raw, entries = was.sides[side].raw, was.coded.sides[side][: len(was.sides[side].raw)]
    if now.kind is not Kind.NUMBER:  # an empty cell may have become a level
        raw, entries = with_empty(raw), np.append(entries, was.n_levels)
    after = study.codes_after(name)[entries]
    there = (after >= 0) & (after < now.n_levels)
    if now.kind is not Kind.NUMBER:
        texts = pa.array([now.label(code) for code in after[there].tolist()], pa.string())
        return Became(raw.filter(pa.array(there)), texts, others_stay=False)
    changes = there.copy()
    changes[there] = was.values[entries[there]] != now.values[after[there]]
    if pa.types.is_string(raw.type) or pa.types.is_large_string(raw.type):  # delimited text
        values = _spelt(raw, there & ~changes, now, after, changes)
    else:
        values = _numbers_as(raw.type, now.values[after[changes]].tolist())
    return Became(raw.filter(pa.array(changes)), values, others_stay=True)


def _spelt(raw: pa.Array, kept: Mask, column: EngineColumn, codes: Ints, changed: Mask) -> pa.Array:
    """Return the texts of changed numbers: as the file spells such a number, or any, where it does.

    1000 beside 1000.0, or 1.5 beside 2,5, would be read as texts.
    """
    spelt = dict(zip(codes[kept].tolist(), raw.filter(pa.array(kept)).to_pylist(), strict=True))
    comma = any("," in text for text in raw.to_pylist())
    texts = {code: column.label(code) for code in codes[changed].tolist()}
    texts = {code: text.replace(".", ",") if comma else text for code, text in texts.items()} | spelt
    return pa.array([texts[code] for code in codes[changed].tolist()], pa.string())


def _numbers_as(kind: pa.DataType, numbers: Sequence[float]) -> pa.Array:
    """Return numbers in the type of the column that they came from where it holds them."""
    if pa.types.is_integer(kind) and all(float(number).is_integer() for number in numbers):
        for held in (kind, pa.int64()):
            with suppress(OverflowError, pa.ArrowInvalid):
                return pa.array([int(number) for number in numbers], held)
    return pa.array(list(map(float, numbers)), kind if kind == pa.float32() else pa.float64())
