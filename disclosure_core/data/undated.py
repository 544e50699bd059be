"""Files without the moment in which they were made: the same table gives the same bytes, and so the same fingerprint.

Formats put a clock into their heads. A report names a safer file by its fingerprint, so that the file which is handed
out tomorrow must be the one that was signed for today.
"""

from __future__ import annotations

import io
import re
import zipfile

_NO_DAY = (1980, 1, 1, 0, 0, 0)
"""The earliest moment that a zip can name."""

_MADE = re.compile(rb"(<dcterms:(created|modified)\b[^>]*>)[^<]*(</dcterms:)")
_OF_SAS = re.compile(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d")
_HEAD_OF_SAS = 80 * 10
"""Bytes of a transport file before its list of columns: ten records, which hold four moments."""

_MOMENT_OF_SPSS = slice(92, 109)
"""Where the head of an SPSS file has day and time, "02 Jan 06" and "15:04:05"."""


def undated(ending: str, data: bytes) -> bytes:
    """Return a file with the moment of its making taken out.

    Parameters
    ----------
    ending
        Of its name, such as ".xlsx"; of others the bytes come back as they are.
    data
        Its bytes, as a library has just written them.
    """
    if ending in (".xlsx", ".ods"):
        return _zipped_anew(data)
    if ending in (".sav", ".zsav"):
        moment = b"01 Jan 8000:00:00"
        return data[: _MOMENT_OF_SPSS.start] + moment + data[_MOMENT_OF_SPSS.stop :]
    if ending == ".xpt":
        return _OF_SAS.sub(b"01JAN80:00:00:00", data[:_HEAD_OF_SAS]) + data[_HEAD_OF_SAS:]
    return data


def _zipped_anew(data: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as made, zipfile.ZipFile(sink, "w") as anew:
        for entry in made.infolist():
            content = made.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _MADE.sub(rb"\g<1>1980-01-01T00:00:00Z\g<3>", content)
            anew.writestr(zipfile.ZipInfo(entry.filename, _NO_DAY), content, entry.compress_type)
    return sink.getvalue()
