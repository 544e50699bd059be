"""What of the sheets of OpenDocument, .ods, their reader does not tell: sizes, merged cells, errors, what is hidden."""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict

from disclosure_core.data.readers._archives import BROKEN
from disclosure_core.data.readers._cells import TALLEST, WIDEST

_FAR = re.compile(rb"number-(?:rows|columns)-repeated=[\"']\d{4,}")
_MARKED = re.compile(rb"value-type=[\"']error|-spanned=[\"'](?!1[\"'])|visibility=[\"'](?:collapse|filter)")

_INDENTED = re.compile(rb">[ \t\r\n]+(?=</?table:|<text:p[ />])")

_HIDDEN = ("collapse", "filter")


def _times(attributes: dict[str, str], name: str) -> int:
    """Return how often a cell or row stands there, or how far it reaches: once where that is no number."""
    said = attributes.get(name, "")
    return int(said) if re.fullmatch(r"[0-9]{1,9}", said) else 1


class OpenDocument:
    """What of OpenDocument sheets their reader does not tell: how far each reaches, merged cells, errors.

    The XML is read through only where it holds something of the kind. All sheets are told of, since the reader makes
    the cells of all when it opens the file.

    Attributes
    ----------
    indented
        Whether there is space between rows, cells and paragraphs, as Gnumeric writes it; the reader takes none.
    """

    def __init__(self) -> None:
        self.indented = False
        self.corners: dict[str, tuple[int, int]] = {}
        self.merged: dict[str, list[tuple[tuple[int, int], tuple[int, int]]]] = defaultdict(list)
        self.errors: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        self.hidden_rows: dict[str, set[int]] = defaultdict(set)
        self.hidden_columns: dict[str, set[int]] = defaultdict(set)
        self._sheet: str | None = None
        self._row = self._column = self._described = 0
        self._repeated = 1

    @classmethod
    def of(cls, data: bytes) -> OpenDocument | None:
        """Return what is to be known of the sheets, None if the file is no OpenDocument."""
        from xml.parsers import expat

        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                xml = archive.read("content.xml")
        except BROKEN:
            return None
        document = cls()
        document.indented = _INDENTED.search(xml) is not None
        far = any(
            -1 < xml.find(b"office:value", m.end()) < xml.find(b"</table:table>", m.end()) for m in _FAR.finditer(xml)
        )
        if far or _MARKED.search(xml):
            parser = expat.ParserCreate()
            parser.StartElementHandler, parser.EndElementHandler = document._start, document._end
            try:
                parser.Parse(xml, True)
            except expat.ExpatError:
                return None  # its reader says so
        return document

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            self._sheet = attributes.get("table:name", "")
            self._row = self._described = 0
        elif self._sheet is None:
            return
        elif tag == "table:table-column":
            times = _times(attributes, "table:number-columns-repeated")
            if attributes.get("table:visibility") in _HIDDEN:
                self.hidden_columns[self._sheet] |= set(range(self._described, self._described + min(times, WIDEST)))
            self._described += times
        elif tag == "table:table-row":
            self._column = 0
            self._repeated = _times(attributes, "table:number-rows-repeated")
            if attributes.get("table:visibility") in _HIDDEN:
                self.hidden_rows[self._sheet] |= set(range(self._row, self._row + min(self._repeated, TALLEST)))
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            times = _times(attributes, "table:number-columns-repeated")
            if "office:value-type" in attributes:
                rows, columns = self._row + self._repeated, self._column + times
                corner = self.corners.get(self._sheet, (0, 0))
                self.corners[self._sheet] = (max(corner[0], rows), max(corner[1], columns))
                if attributes.get("calcext:value-type") == "error":
                    self.errors[self._sheet] += [(self._row, self._column + i, "") for i in range(min(times, 100))]
                down = _times(attributes, "table:number-rows-spanned")
                right = _times(attributes, "table:number-columns-spanned")
                if down > 1 or right > 1:
                    end = (self._row + down - 1, self._column + right - 1)
                    self.merged[self._sheet].append(((self._row, self._column), end))
            self._column += times

    def _end(self, tag: str) -> None:
        if tag == "table:table-row":
            self._row += self._repeated
        elif tag == "table:table":
            self._sheet = None


def without_indents(data: bytes) -> bytes:
    """Return an OpenDocument file with no space between the rows, cells and paragraphs of its sheets."""
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as plain:
            for entry in archive.infolist():
                part = archive.read(entry)
                plain.writestr(entry, _INDENTED.sub(b">", part) if entry.filename == "content.xml" else part)
    except BROKEN:
        return data  # another part is damaged; its reader says so where it needs it
    return made.getvalue()
