"""The heads of rows in a report's PDF.

Typst tags the heads of columns; those of rows it has behind a switch that its Python package cannot turn on.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any


def with_row_heads(pdf: bytes) -> bytes:
    """Return a tagged PDF in which the first cell of each row below a table's head is the head of its row.

    Typst names the heads of each cell, columns alone; what every head is the head of is said by its scope instead.
    """
    from pypdf import PdfWriter
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject

    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    writer.pdf_header = pdf[:8].decode("ascii")
    of_row = DictionaryObject({NameObject("/O"): NameObject("/Table"), NameObject("/Scope"): NameObject("/Row")})
    for body in _within(writer.root_object["/StructTreeRoot"], "/TBody"):
        for row in _within(body, "/TR"):
            for i, cell in enumerate(_kids(row)):
                old = [{k: v for k, v in _resolved(a).items() if k != "/Headers"} for a in _listed(cell.get("/A"))]
                attributes = [DictionaryObject(a) for a in old if a.keys() != {"/O"}]
                if i == 0:
                    cell[NameObject("/S")] = NameObject("/TH")
                    attributes.append(of_row)
                cell[NameObject("/A")] = ArrayObject(attributes)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def _within(element: Any, kind: str) -> Iterator[Any]:
    """Give the elements of one kind below another, in the order of reading."""
    for kid in _kids(element):
        if kid.get("/S") == kind:
            yield kid
        else:
            yield from _within(kid, kind)


def _kids(element: Any) -> Iterator[Any]:
    """Give the elements directly below one; what is marked on a page is none."""
    for kid in map(_resolved, _listed(element.get("/K"))):
        if hasattr(kid, "get") and "/S" in kid:
            yield kid


def _listed(value: Any) -> list[Any]:
    value = _resolved(value)
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def _resolved(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value
