"""What a JSON document says of columns: a Frictionless data package or table schema, or the metadata of SDV.

Each is made into entries of a codebook, a dictionary for each column and each code: `codebook` puts them together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    Entry = dict[str, str]

_OF_FRICTIONLESS = {
    **dict.fromkeys(("integer", "number"), "number"),
    "string": "category",
    **dict.fromkeys(("date", "datetime"), "date"),
}
"""Types of a table schema that say what a column is; true and false, times and years are what they are read as."""

_OF_SDV = {"numerical": "number", "categorical": "category", "datetime": "date"}

_PLAIN = (*_OF_SDV, "boolean", "id", "text", "unknown")
"""Types of SDV that are no personal data unless it says so; all others, such as email, are unless it says no."""


def entries(data: bytes, name: str) -> list[Entry]:
    """Return what a document says, an entry a column and an entry a code.

    An entry of a column may hold column, label, type (number, category or date), dates (how they are written, in
    Python's directives), identifier and personal (yes); one of a code holds column, value, label and missing (yes).

    Source
    ------
    Data Package 2.0: resources/schema/fields, with name, title, type, format, categories (value, label), missingValues,
    which a schema may say for all of its fields, and primaryKey. SDV's metadata V1, SINGLE_TABLE_V1 and
    MULTI_TABLE_V1, and SDMetrics' dictionary: columns with sdtype, datetime_format and pii; primary_key.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DisclosureError(f"{name} is not sound JSON; save it again.") from error
    if isinstance(document, dict) and "csvw" in str(document.get("@context", "")):
        raise DisclosureError(
            f"{name} is CSVW, which is not read: bring a Frictionless table schema, or a table with the columns "
            "column, value, label and missing."
        )
    found: list[Entry] = []
    for schema in _schemas(document):
        found += _of_schema(schema)
    for table in _sdv_tables(document):
        found += _of_sdv(table)
    resources = _dicts(document.get("resources")) if isinstance(document, dict) else []
    elsewhere = [each["schema"] for each in resources if isinstance(each.get("schema"), str)]
    if elsewhere and not found:
        raise DisclosureError(f"{name} says that its columns are described in {elsewhere[0]!r}; bring that file.")
    return found


def _of_schema(schema: dict[str, Any]) -> Iterator[Entry]:
    """Give the entries of a table schema's fields."""
    own = _single_key(schema.get("primaryKey"))
    for described in _dicts(schema.get("fields")):
        column, written = _level_text(described.get("name")), _level_text(described.get("format"))
        kind = _OF_FRICTIONLESS.get(_level_text(described.get("type")), "")
        yield {
            "column": column,
            "label": _level_text(described.get("title") or described.get("description")),
            "type": kind,
            "dates": written if kind == "date" and "%" in written else "",
            "identifier": "yes" * (column in own),
        }
        labels = dict(_codes(described.get("categories")))
        missing = dict(_codes(described.get("missingValues", schema.get("missingValues"))))
        for code in dict.fromkeys([*labels, *missing]):
            label = labels.get(code) or missing.get(code, "")
            yield {"column": column, "value": code, "label": label, "missing": "yes" * (code in missing)}


def _of_sdv(table: dict[str, Any]) -> Iterator[Entry]:
    """Give the entries of a table's columns."""
    given = table.get("alternate_keys")
    keys = {
        key
        for each in (table.get("primary_key"), *(given if isinstance(given, list) else ()))
        for key in _single_key(each)
    }
    for column, described in table["columns"].items():
        if not isinstance(described, dict):
            continue
        kind, personal = _level_text(described.get("sdtype")), described.get("pii")
        yield {
            "column": column,
            "type": _OF_SDV.get(kind, ""),
            "dates": _level_text(described.get("datetime_format")) if kind == "datetime" else "",
            "identifier": "yes" * (column in keys or kind == "id"),
            "personal": "yes" * (bool(kind) and kind not in _PLAIN if personal is None else personal is True),
        }


def _schemas(document: Any) -> Iterator[dict[str, Any]]:
    """Give the table schemas of a document: its own, or those of its resources."""
    if not isinstance(document, dict):
        return
    if isinstance(document.get("fields"), list):
        yield document
    for resource in _dicts(document.get("resources")):
        if isinstance(schema := resource.get("schema"), dict):
            yield schema


def _sdv_tables(document: Any) -> Iterator[dict[str, Any]]:
    """Give the tables that SDV describes: the document itself, or those in it."""
    if not isinstance(document, dict):
        return
    tables = document.get("tables")
    for table in (document, *(tables.values() if isinstance(tables, dict) else ())):
        if isinstance(table, dict) and isinstance(table.get("columns"), dict):
            yield table


def _single_key(given: Any) -> tuple[str, ...]:
    """Return the column of a key that is one alone: of several together none tells records apart."""
    if isinstance(given, list) and len(given) == 1:
        (given,) = given
    return (given,) if isinstance(given, str) and given else ()


def _codes(given: Any) -> Iterable[tuple[str, str]]:
    """Give the codes of a list, each with its label where it has one: 1, or {"value": 1, "label": "Male"}."""
    for each in given if isinstance(given, list) else ():
        code, label = (each.get("value"), each.get("label")) if isinstance(each, dict) else (each, None)
        if _level_text(code):
            yield _level_text(code), _level_text(label)


def _level_text(value: Any) -> str:
    """Return a text, or a number as a level is called: 1 for 1.0; else nothing."""
    if isinstance(value, float):
        return f"{value:.15g}" if math.isfinite(value) else ""
    return str(value).strip() if isinstance(value, str | int) else ""


def _dicts(given: Any) -> list[dict[str, Any]]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
