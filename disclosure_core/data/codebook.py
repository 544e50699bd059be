"""A codebook: what the columns of all files hold, written down once. Where there is one, it counts before the files.

It is a table with a row a code (the columns column, value, label, missing), a DDI codebook, a Frictionless data package
or table schema, or the dictionary of an SPSS, Stata, SAS or R file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping  # noqa: TC003 (pydantic reads it)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from disclosure_core.data.readers import Limits, read
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import pandas as pd

    from disclosure_core.data.readers import Reading

ENDINGS = ("csv", "tsv", "txt", "xlsx", "ods", "xml", "json", "sav", "zsav", "por", "dta", "sas7bdat", "xpt", "rds")
"""Endings of the files that can be one."""

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
    """

    name: str
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)


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
        As `read`; or when the file holds no label and no code that is no answer.
    """
    if name.lower().endswith((".xml", ".json")):
        data = source if isinstance(source, bytes) else source.read_bytes()
        found = _of_document(data, name) if limits is None else _in_child(data, name, limits, waiting)
    else:
        reading, *_ = read(source, name, limits=limits, waiting=waiting)
        table = _table(reading)
        found = _of_dictionary(reading) if table is None else _of_rows(name, table)
    if not (found.labels or found.missing or found.called):
        raise DisclosureError(
            f"{name} is no codebook: give a table with the columns column, value and label, a DDI file, a "
            "Frictionless data package, or a file of SPSS, Stata, SAS or R with labels."
        )
    return found


def _of_dictionary(reading: Reading) -> Codebook:
    """Return what a statistical program's file says of its columns; missing codes are those that its records hold."""
    labels = {
        name: {_plain(code): str(label) for code, label in of.items()}
        for name, of in reading.value_labels.items()
        if of
    }
    missing = {}
    for name in (*reading.missing_codes, *(n for n in reading.missing_levels if n not in reading.missing_codes)):
        by_label = {label: code for code, label in labels.get(name, {}).items()}
        codes = (*map(_plain, reading.missing_codes.get(name, ())), *reading.missing_levels.get(name, ()))
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
    for entry in entries:
        column, value, label = (entry.get(part, "") for part in ("column", "value", "label"))
        if not column:
            continue
        if not value:
            if label:
                called[column] = label
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
    return Codebook(name, labels, missing, called)


def _of_ddi(data: bytes, name: str) -> Codebook:
    """Return what a codebook of the Data Documentation Initiative says.

    Source
    ------
    DDI Codebook 2.5: codeBook/dataDscr/var, with labl and catgry (catValu, labl, missing="Y").
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
    return _of_entries(name, entries)


def _of_document(data: bytes, name: str) -> Codebook:
    return _of_ddi(data, name) if name.lower().endswith(".xml") else _of_schema(data, name)


def _of_schema(data: bytes, name: str) -> Codebook:
    """Return what a Frictionless data package, or a table schema, says of its fields.

    Source
    ------
    Data Package 2.0: resources/schema/fields, with name, title, categories (value, label) and missingValues, which a
    schema may say for all of its fields.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DisclosureError(f"{name} is not sound JSON; save it again.") from error
    entries: list[dict[str, str]] = []
    for schema in _schemas(document):
        for described in _dicts(schema.get("fields")):
            column = _said(described.get("name"))
            entries.append({"column": column, "label": _said(described.get("title") or described.get("description"))})
            labels = dict(_codes(described.get("categories")))
            missing = dict(_codes(described.get("missingValues", schema.get("missingValues"))))
            for code in dict.fromkeys([*labels, *missing]):
                label = labels.get(code) or missing.get(code, "")
                entries.append({"column": column, "value": code, "label": label, "missing": "yes" * (code in missing)})
    return _of_entries(name, entries)


def _codes(given: Any) -> Iterable[tuple[str, str]]:
    """Give the codes of a list, each with its label where it has one: 1, or {"value": 1, "label": "Male"}."""
    for each in given if isinstance(given, list) else ():
        code, label = (each.get("value"), each.get("label")) if isinstance(each, dict) else (each, None)
        if _said(code):
            yield _said(code), _said(label)


def _said(value: Any) -> str:
    return _text(value) if isinstance(value, str | int | float) else ""


def _schemas(document: Any) -> Iterable[dict[str, Any]]:
    """Give the table schemas of a document: its own, or those of its resources."""
    if not isinstance(document, dict):
        return
    if isinstance(document.get("fields"), list):
        yield document
    for resource in _dicts(document.get("resources")):
        if isinstance(schema := resource.get("schema"), dict):
            yield schema


def _dicts(given: Any) -> list[dict[str, Any]]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []


def _in_child(data: bytes, name: str, limits: Limits, waiting: Callable[[bool], object] | None) -> Codebook:
    from disclosure_core.data.readers._parent import ask_child

    job = {"kind": "answer", "module": __name__}
    return ask_child(job, (), data, name, limits, waiting, _told)


def answered(data: bytes, _: list[bytes], job: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return the three parts of a DDI codebook or data package as JSON; runs in the child."""
    found = _of_document(data, job["name"])
    return job["name"], [json.dumps([found.labels, found.missing, found.called]).encode()]


def _told(kind: bytes, name: Any, buffers: list[Any]) -> tuple[Codebook]:
    (data,) = buffers
    labels, missing, called = json.loads(bytes(data))
    plain = {str(c): {str(k): str(v) for k, v in of.items()} for c, of in labels.items()}
    codes = {str(c): tuple(map(str, values)) for c, values in missing.items()}
    if kind != b"f":
        raise ValueError("no message of a codebook")
    return (Codebook(str(name), plain, codes, {str(c): str(text) for c, text in called.items()}),)


def _plain(value: Any) -> str:
    """Return a code as a level is called: 1 for 1.0."""
    return value if isinstance(value, str) else f"{value:.15g}"


def _text(value: Any) -> str:
    """Return a cell of a codebook as text: empty where nothing stands there."""
    if value is None or value != value:
        return ""
    return str(value).strip() if isinstance(value, str | bool) else _plain(value)
