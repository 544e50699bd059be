"""SPSS and SAS: the file's own values with its labels, formats and declared missing values."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from disclosure_core.data.readers._sav import (
    ATTRIBUTES,
    ATTRIBUTES_OF_FILE,
    extensions,
    order_of,
    weighted,
    weighted_by,
)
from disclosure_core.data.readers._statistical import holds_text, in_ranges
from disclosure_core.data.rewriters._change import Cells, Change, Rewritten, UnalignedError, aligned, unused_note
from disclosure_core.data.rewriters._codes import codes
from disclosure_core.data.rewriters._memory import bytes_written
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.readers import ReadOptions

_MOMENTS = re.compile(
    r"^(A|E|S|J)?DATE|^(QYR|MOYR|WKYR|DATETIME|YMDHMS|D?TIME|MTIME|WKDAY|MONTH)|^(YYMM|DDMM|MMDD|E8601)"
)
"""Formats of SPSS and SAS whose numbers are days, moments or times."""


def spss(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite a .sav or .zsav file; a .por becomes .sav."""
    import pyreadstat

    portable = path.suffix.lower() == ".por"
    arguments: dict[str, Any] = {"encoding": options.encoding} if options.encoding else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if portable:
            frame, meta = pyreadstat.read_por(io.BytesIO(data), disable_datetime_conversion=True, **arguments)
        else:
            frame, meta = pyreadstat.read_sav(
                io.BytesIO(data), user_missing=True, disable_datetime_conversion=True, **arguments
            )
    aligned(len(frame), change)
    frame = frame.iloc[change.rows].reset_index(drop=True)
    labels = {name: dict(value_labels) for name, value_labels in (meta.variable_value_labels or {}).items()}
    missing = {name: list(ranges) for name, ranges in (getattr(meta, "missing_ranges", None) or {}).items()}
    formats, measures = dict(meta.original_variable_types), dict(meta.variable_measure)
    for name, cells in change.columns.items():
        if name not in frame.columns:
            raise UnalignedError
        if cells.is_text and not holds_text(frame[name]) and _MOMENTS.match(formats.get(name) or ""):
            _as_text(frame, name, cells)
            for value_labels in (labels, missing, formats):
                value_labels.pop(name, None)
            measures[name] = "nominal"
        elif cells.is_text:
            _recode(frame, name, cells, labels, missing.get(name, []))
            formats[name] = _wide_enough(formats.get(name), labels.get(name, {}))
            if measures.get(name) == "scale":
                measures[name] = "ordinal"
        else:
            frame.loc[cells.touched, name] = cells.numbers()
    unused = _only_used(frame, labels, missing)
    _pad(frame, meta.variable_storage_width)
    frame = frame.assign(**change.labels)
    packed = int.from_bytes(data[72:76], order_of(data))
    written = bytes_written(
        lambda at: pyreadstat.write_sav(
            frame,
            at,
            file_label=meta.file_label or "",
            column_labels=meta.column_names_to_labels,
            compress=path.suffix.lower() == ".zsav",
            row_compress=not portable and packed == 1,
            note=meta.notes or None,
            variable_value_labels={name: value_labels for name, value_labels in labels.items() if value_labels},
            missing_ranges=missing or None,
            variable_display_width=meta.variable_display_width,
            variable_measure=measures,
            variable_format={name: value_labels for name, value_labels in formats.items() if value_labels},
        )
    )
    weight = None if portable else weighted_by(data)
    if weight is not None:
        written = weighted(written, weight[1])
    notes = unused_note(unused)
    if portable:
        notes.append("A .por file is not written; .sav is. What it declares as missing comes back as empty cells.")
    if weight is None and not portable and data[76:80] != b"\0\0\0\0":
        notes.append("That the file is weighted by one of its columns is not kept; the column is.")
    if meta.mr_sets:
        notes.append(f"The multiple response sets {', '.join(map(repr, meta.mr_sets))} are not kept.")
    if not portable:
        notes += _of_attributes(data)
    return Rewritten(".zsav" if path.suffix.lower() == ".zsav" else ".sav", written, tuple(notes))


def _of_attributes(data: bytes) -> list[str]:
    """Return what is said of roles and attributes that a .sav file holds; an input is what every column is anyway."""
    told = extensions(data)
    attributes = told.get(ATTRIBUTES, b"")
    bare = re.sub(rb"'[^\n]*'\n", b"", attributes)  # what is left are columns and the names of attributes
    named = set(re.findall(rb"([^:/()\n]+)\(\)", bare))
    notes = []
    if re.search(rb"\$@Role\('[1-9]", attributes):
        notes.append("Roles of columns are not kept.")
    if any(not name.startswith(b"$@Role") for name in named):
        notes.append("Attributes of columns are not kept.")
    if told.get(ATTRIBUTES_OF_FILE, b"").strip(b"\0 "):
        notes.append("Attributes of the file are not kept.")
    return notes


def _recode(frame: pd.DataFrame, name: str, cells: Cells, labels: dict[str, dict[Any, str]], ranges: list[Any]) -> None:
    """Write levels into a column in place: each new level takes the code that has its label, else one of its own.

    The codes and labels of other levels stay; labels of codes that are gone go.
    """
    values = frame[name].copy()
    before = set(values.dropna())
    untouched = set(values[~cells.touched].dropna())
    is_text = holds_text(values)
    new, labels[name] = codes(cells.new_levels(), labels.get(name, {}), before, untouched, ranges, of_text=is_text)
    if not is_text:
        values = values.astype(float)
    coded = cells.values[cells.touched].astype(object).map(new)
    values[cells.touched] = (coded.astype(object).where(coded.notna(), "") if is_text else coded).to_numpy()
    frame[name] = values


def _only_used(frame: pd.DataFrame, labels: dict[str, dict[Any, str]], missing: dict[str, list[Any]]) -> set[str]:
    """Drop labels and declared missing values that no record has, in place; return the columns that lost some."""
    lost = set()
    for name in {*labels, *missing} & set(frame.columns):
        there = {_bare(value) for value in frame[name].dropna().unique()}
        kept = {code: text for code, text in labels.get(name, {}).items() if _bare(code) in there}
        declared = [each for each in missing.get(name, []) if any(in_ranges(value, [each]) for value in there)]
        if len(kept) < len(labels.get(name, {})) or len(declared) < len(missing.get(name, [])):
            lost.add(name)
        for held, now in ((labels, kept), (missing, declared)):
            held.pop(name, None)
            if now:
                held[name] = now  # type: ignore[assignment]
    return lost


def _bare(value: Any) -> Any:
    """Return a text without the blanks that fill it up, any other value as it is."""
    return value.rstrip(" ") if isinstance(value, str) else value


def _as_text(frame: pd.DataFrame, name: str, cells: Cells) -> None:
    frame[name] = pd.Series(cells.texts(), index=frame.index, dtype=object).where(cells.values.notna().to_numpy(), "")


def _wide_enough(format_: str | None, labels: dict[Any, str]) -> str | None:
    """Return a plain number's format with room for every code."""
    match = re.fullmatch(r"F(\d+)(?:\.(\d+))?", format_ or "")
    if not match:
        return None if (format_ or "").startswith("A") else format_
    width, decimals = int(match.group(1)), int(match.group(2) or 0)
    needed = max((len(f"{c:.0f}") for c in labels if not isinstance(c, str)), default=1)
    return f"F{max(width, needed + (decimals + 1 if decimals else 0))}.{decimals}"


def _pad(frame: pd.DataFrame, widths: dict[str, int]) -> None:
    """Give each text column its width back: the writer takes that of the longest text, and blanks at the end count not.

    The formats of both programs fill every text up with blanks, so that nothing else changes.
    """
    for name in frame.columns:
        if holds_text(frame[name]) and len(frame):
            first = frame[name].iloc[0]
            first = "" if pd.isna(first) else str(first)
            missing_width = widths.get(name, 0) - len(first.encode())
            values = frame[name].astype(object).where(frame[name].notna(), "")
            values.iloc[0] = first + " " * max(0, missing_width)
            frame[name] = values


def sas(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite a SAS file as a transport file: of version 5 where names and texts fit, else 8."""
    import pyreadstat

    arguments: dict[str, Any] = {"encoding": options.encoding} if options.encoding else {}
    own = path.suffix.lower() == ".sas7bdat"
    reader = pyreadstat.read_sas7bdat if own else pyreadstat.read_xport
    letters: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame, meta = reader(io.BytesIO(data), disable_datetime_conversion=True, **arguments)
        if own:
            _, missing_meta = pyreadstat.read_sas7bdat(io.BytesIO(data), user_missing=True, **arguments)
            letters = [name for name, values in (missing_meta.missing_user_values or {}).items() if values]
    aligned(len(frame), change)
    frame = frame.iloc[change.rows].reset_index(drop=True)
    formats = dict(meta.original_variable_types)
    notes = ["SAS's own format is not written; its transport file is."] if own else []
    notes += [f"{name!r}: the missing values .A to .Z and ._ are written as plain missing values." for name in letters]
    for name, cells in change.columns.items():
        if name not in frame.columns:
            raise UnalignedError
        if not cells.is_text:
            frame.loc[cells.touched, name] = cells.numbers()
        elif holds_text(frame[name]):
            frame.loc[cells.touched, name] = cells.texts()[cells.touched]
        else:
            _as_text(frame, name, cells)
            formats.pop(name, None)
            notes.append(f"{name!r}: a transport file has no value labels; the groups are written as text.")
    frame = frame.assign(**change.labels)
    texts = [name for name in frame.columns if holds_text(frame[name])]
    longest = max((len(str(v).encode()) for name in texts for v in frame[name].dropna().unique()), default=0)
    short = all(len(name) <= 8 for name in frame.columns) and longest <= 200
    was_five = data.startswith(b"HEADER RECORD*******LIBRARY HEADER")
    version: Literal[5, 8] = 5 if short and (own or was_five) else 8
    if any(len(name.encode()) > 32 for name in frame.columns):
        raise DisclosureError("A transport file of SAS holds names of at most 32 letters; shorten the names.")
    if version == 8 and (own or was_five):
        notes.append(
            "Names above 8 letters, or texts above 200, need version 8 of the transport file (SAS 9 and newer)."
        )
    numbers = frame.select_dtypes("number")
    if (numbers.abs() > 7e75).any().any():
        raise DisclosureError("A transport file of SAS holds numbers up to 7e75; remove the column with a larger one.")
    _pad(frame, meta.variable_storage_width)
    written = bytes_written(
        lambda at: pyreadstat.write_xport(
            frame,
            at,
            file_label=meta.file_label or "",
            column_labels=meta.column_names_to_labels,
            table_name=(meta.table_name or "DATASET")[: 8 if version == 5 else 32],
            file_format_version=version,
            variable_format={name: values for name, values in formats.items() if values and values != "$"},
        )
    )
    return Rewritten(".xpt", written, tuple(notes))
