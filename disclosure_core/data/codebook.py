"""A codebook: what the columns of all files hold, written down once. Where there is one, it counts before the files.

It is a table with a row a code (the columns column, value, label, missing), a DDI codebook, a Frictionless data package
or table schema, metadata of SDV, a SAS format catalogue, or the dictionary of an SPSS, Stata, SAS or R file.
"""

from __future__ import annotations

import json
from collections.abc import (
    Callable,
    Iterable,
    Mapping,
)
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from disclosure_core.data import schemas
from disclosure_core.data.readers import Limits, Reading, read
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    import pandas as pd


ENDINGS = (
    *("csv", "tsv", "txt", "xlsx", "ods", "xml", "json"),
    *("sav", "zsav", "por", "dta", "sas7bdat", "sas7bcat", "xpt", "rds"),
)
"""Endings of the files that can be one."""

ALONE = (".sas7bcat", ".json", ".xml")
"""Endings of files that can be a codebook and hold no records: one that comes with the data is offered as theirs."""

_USUAL = ("datapackage.json", "metadata.json")
"""How Frictionless and SDV call their file."""

_NAMES = {
    "column": ("column", "variable", "name"),
    "value": ("value", "code"),
    "label": ("label",),
    "missing": ("missing",),
}
"""What the columns of a table may be called, in small letters."""

_YES = ("1", "y", "yes", "true", "x", "t")


@dataclass(frozen=True, slots=True)
class Codebook:
    """What the columns of all files hold.

    Attributes
    ----------
    name
        The file's name.
    labels
        By column, the label of each code.
    missing
        By column, the codes that are no answer.
    called
        By column, what it holds, in words.
    types
        By column, what it is: number, category or date.
    dates
        By column of dates, how they are written, in Python's directives: %d %b %Y.
    identifiers
        Columns that tell records apart, such as a primary key.
    personal
        Columns that hold personal data, such as addresses.
    formats
        By SAS format, the label of each code; empty once it is known which column has which format.
    """

    name: str
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    identifiers: tuple[str, ...] = ()
    personal: tuple[str, ...] = ()
    formats: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def knows(self, column: str) -> bool:
        """Return whether it says anything of a column."""
        return any(
            column in part
            for part in (self.labels, self.missing, self.called, self.types, self.identifiers, self.personal)
        )


def lying_beside(folder: Path) -> tuple[str, ...]:
    """Return the names of files in a folder that can only be a codebook of the data there; links are not followed."""
    try:
        found = [p for p in folder.iterdir() if p.name in _USUAL or p.suffix.lower() == ".sas7bcat"]
        return tuple(sorted(p.name for p in found if p.is_file() and not p.is_symlink()))
    except OSError:
        return ()


def read_codebook(
    source: bytes | Path,
    name: str,
    limits: Limits | None = None,
    waiting: Callable[[bool], object] | None = None,
) -> Codebook:
    """Return the codebook that a file holds, parsed in a child where there are limits, as by `readers.read`.

    Raises
    ------
    DisclosureError
        As `read`; or when the file says nothing of any column.
    """
    if name.lower().endswith(ALONE):
        data = source if isinstance(source, bytes) else source.read_bytes()
        here = limits is None and not name.lower().endswith(".sas7bcat")  # C parses a catalogue
        found = _of_document(data, name) if here else _in_child(data, name, limits or Limits(), waiting)
    else:
        reading, *_ = read(source, name, limits=limits, waiting=waiting)
        table = _table(reading)
        found = _of_dictionary(reading) if table is None else _of_rows(name, table)
    if found == Codebook(found.name):
        raise DisclosureError(
            f"{name} is no codebook: give a table with the columns column, value and label, a DDI file, a Frictionless "
            "data package, metadata of SDV, a SAS catalogue, or a file of SPSS, Stata, SAS or R with labels."
        )
    return found


def _of_dictionary(reading: Reading) -> Codebook:
    """Return what a statistical program's file says of its columns; missing codes are those that its records hold."""
    labels = {
        name: {code_text(code): str(label) for code, label in of.items()}
        for name, of in reading.value_labels.items()
        if of
    }
    missing = {}
    for name in (*reading.missing_codes, *(n for n in reading.missing_levels if n not in reading.missing_codes)):
        by_label = {label: code for code, label in labels.get(name, {}).items()}
        codes = (*map(code_text, reading.missing_codes.get(name, ())), *reading.missing_levels.get(name, ()))
        missing[name] = tuple(dict.fromkeys(by_label.get(v, v) for v in codes))
    return Codebook(reading.name, labels, missing, dict(reading.labels))


def _table(reading: Reading) -> pd.DataFrame | None:
    """Return a table's rows under the names of `_NAMES`; None where it is not one of codes."""
    by_name = {str(name).strip().casefold(): name for name in reading.table.columns}
    found = {what: by_name[name] for what, names in _NAMES.items() for name in reversed(names) if name in by_name}
    if not {"column", "label"} <= found.keys():
        return None
    frame = reading.frame
    return frame[list(found.values())].set_axis(list(found), axis=1)


def _of_rows(name: str, table: pd.DataFrame) -> Codebook:
    """Return what a table with a row a code says; a row without a code says what its column holds."""
    return _of_entries(name, ({k: _text(v) for k, v in row.items()} for row in table.astype(object).to_dict("records")))


def _of_entries(name: str, entries: Iterable[Mapping[Any, str]]) -> Codebook:
    labels: dict[str, dict[str, str]] = {}
    missing: dict[str, tuple[str, ...]] = {}
    called: dict[str, str] = {}
    more: dict[str, dict[str, str]] = {part: {} for part in ("type", "dates", "identifier", "personal")}
    for entry in entries:
        column, value, label = (entry.get(part, "") for part in ("column", "value", "label"))
        if not column:
            continue
        if not value:
            if label:
                called[column] = label
            for part, found in more.items():
                if said := entry.get(part):
                    found.setdefault(column, said)
            continue
        known = labels.get(column, {}).get(value)
        if label and known not in (None, label):
            raise DisclosureError(
                f"{name} gives two labels for {value!r} of {column!r}: {known!r} and {label!r}; keep one."
            )
        if label:
            labels.setdefault(column, {})[value] = label
        if entry.get("missing", "").casefold() in _YES and value not in missing.get(column, ()):
            missing[column] = (*missing.get(column, ()), value)
    types, dates, identifiers, personal = more.values()
    return Codebook(name, labels, missing, called, types, dates, tuple(identifiers), tuple(personal))


def _of_ddi(data: bytes, name: str) -> Codebook:
    """Return what a codebook of the Data Documentation Initiative says.

    Source
    ------
    DDI Codebook 2.5: codeBook/dataDscr/var, with labl, invalrng/item (VALUE) and catgry (catValu, labl, missing="Y").
    """
    try:
        root = ET.fromstring(data)  # noqa: S314 (a stranger's in a child; expat bounds entities)
    except (ET.ParseError, ValueError) as error:
        raise DisclosureError(f"{name} is not sound XML; save it again.") from error

    def inside(element: ET.Element, tag: str) -> list[ET.Element]:
        return [child for child in element if child.tag.rpartition("}")[2] == tag]

    def said(element: ET.Element, tag: str) -> str:
        return next((" ".join("".join(child.itertext()).split()) for child in inside(element, tag)), "")

    entries = []
    for var in (e for e in root.iter() if e.tag.rpartition("}")[2] == "var"):
        column = var.get("name", "")
        entries.append({"column": column, "label": said(var, "labl")})
        entries += [
            {"column": column, "value": said(c, "catValu"), "label": said(c, "labl"), "missing": c.get("missing", "")}
            for c in inside(var, "catgry")
        ]
        invalid = [item for each in inside(var, "invalrng") for item in inside(each, "item")]
        entries += [{"column": column, "value": item.get("VALUE", "").strip(), "missing": "Y"} for item in invalid]
    return _of_entries(name, entries)


def _of_document(data: bytes, name: str) -> Codebook:
    """Return what a document of XML or JSON, or a SAS catalogue, says."""
    ending = name.lower().rpartition(".")[2]
    if ending == "xml":
        return _of_ddi(data, name)
    if ending == "json":
        return _of_entries(name, schemas.entries(data, name))
    from disclosure_core.data.readers._statistical import catalogue

    return Codebook(name, formats=catalogue(data, name))


def _in_child(data: bytes, name: str, limits: Limits, waiting: Callable[[bool], object] | None) -> Codebook:
    from disclosure_core.data.readers._parent import ask_child

    job = {"kind": "answer", "module": __name__}
    return ask_child(job, (), data, name, limits, waiting, _from_child)


def answered(data: bytes, _: list[bytes], job: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return what a document says, as JSON; runs in the child."""
    found = _of_document(data, job["name"])
    return job["name"], [json.dumps([getattr(found, part) for part in _PARTS]).encode()]


def _from_child(kind: bytes, name: Any, buffers: list[Any]) -> tuple[Codebook]:
    (data,) = buffers
    if kind != b"f":
        raise ValueError("no message of a codebook")
    labels, missing, called, types, dates, identifiers, personal, formats = json.loads(bytes(data))
    codes = {str(column): _texts(values) for column, values in missing.items()}
    book = Codebook(
        str(name),
        _of_each(labels),
        codes,
        _plainly(called),
        _plainly(types),
        _plainly(dates),
        _texts(identifiers),
        _texts(personal),
        _of_each(formats),
    )
    return (book,)


_PARTS = ("labels", "missing", "called", "types", "dates", "identifiers", "personal", "formats")


def _texts(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(map(str, values))


def _plainly(given: Mapping[Any, Any]) -> dict[str, str]:
    return {str(key): str(text) for key, text in given.items()}


def _of_each(given: Mapping[Any, Mapping[Any, Any]]) -> dict[str, dict[str, str]]:
    return {str(key): _plainly(of) for key, of in given.items()}


def code_text(value: Any) -> str:
    """Return a code as a level is called: 1 for 1.0."""
    return value if isinstance(value, str) else f"{value:.15g}"


def _text(value: Any) -> str:
    """Return a cell of a codebook as text: empty where nothing stands there."""
    if value is None or value != value:
        return ""
    return str(value).strip() if isinstance(value, str | bool) else code_text(value)
