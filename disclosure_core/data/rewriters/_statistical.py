"""SPSS and SAS: the file's own values with its labels, formats and declared missing values."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from disclosure_core.data.readers._statistical import weighted_by
from disclosure_core.data.rewriters._change import Cells, Change, Rewritten, UnalignedError, aligned, unused_note
from disclosure_core.data.rewriters._memory import bytes_written
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from pathlib import PurePosixPath

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
        if cells.is_text and not _holds_text(frame[name]) and _MOMENTS.match(formats.get(name) or ""):
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
    packed = int.from_bytes(data[72:76], "little" if data[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else "big")
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
        written = _weighted(written, weight[1])
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
    records = _extensions(data)
    bare = re.sub(rb"'[^\n]*'\n", b"", records.get(18, b""))  # what is left are columns and the names of attributes
    named = set(re.findall(rb"([^:/()\n]+)\(\)", bare))
    notes = []
    if re.search(rb"\$@Role\('[1-9]", records.get(18, b"")):
        notes.append("Roles of columns are not kept.")
    if any(not name.startswith(b"$@Role") for name in named):
        notes.append("Attributes of columns are not kept.")
    if records.get(17, b"").strip(b"\0 "):
        notes.append("Attributes of the file are not kept.")
    return notes


def _extensions(data: bytes) -> dict[int, bytes]:
    """Return what the dictionary of a .sav file holds beyond columns, labels and notes, by its subtype.

    Source
    ------
    PSPP Developers Guide, "System File Format".
    """
    way: Literal["little", "big"] = "little" if data[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else "big"

    def whole(at: int) -> int:
        return int.from_bytes(data[at : at + 4], way, signed=True)

    found: dict[int, bytes] = {}
    at = 176
    while at + 8 <= len(data) and (kind := whole(at)) in (2, 3, 4, 6, 7):
        if kind == 2:
            label = (whole(at + 32) + 3) // 4 * 4 + 4 if whole(at + 8) else 0
            at += 32 + max(label, 0) + 8 * abs(whole(at + 12))
        elif kind == 3:
            n, at = whole(at + 4), at + 8
            for _ in range(min(n, len(data))):
                at += 8 + (data[at + 8] + 8) // 8 * 8 if at + 8 < len(data) else 8
        elif kind == 7:
            size = max(0, whole(at + 8) * whole(at + 12))
            found[whole(at + 4)] = data[at + 16 : at + 16 + size]
            at += 16 + size
        else:
            at += 8 + (4 if kind == 4 else 80) * max(0, whole(at + 4))
    return found


def _weighted(written: bytes, name: str) -> bytes:
    """Return a .sav file just written here, weighted by its column `name`: its place goes into the header."""
    for place in range(1, int.from_bytes(written[68:72], "little", signed=True) + 1):
        weighted = written[:76] + place.to_bytes(4, "little") + written[80:]
        found = weighted_by(weighted)
        if found is not None and found[1] == name:
            return weighted
    return written


def _recode(frame: pd.DataFrame, name: str, cells: Cells, labels: dict[str, dict[Any, str]], ranges: list[Any]) -> None:
    """Write levels into a column in place: each new level takes the code that has its label, else one of its own.

    The codes and labels of other levels stay; labels of codes that are gone go.
    """
    values = frame[name].copy()
    before = set(values.dropna())
    untouched = set(values[~cells.touched].dropna())
    kept_labels = {code: text for code, text in labels.get(name, {}).items() if code not in before or code in untouched}
    is_text = _holds_text(values)
    if not is_text:
        values = values.astype(float)
    used = untouched | set(kept_labels)
    codes: dict[str, Any] = {}
    for level in cells.new_levels():
        code = next((c for c, text in kept_labels.items() if text == level and not in_ranges(c, ranges)), None)
        if code is None:  # a level that the file has without a label stays the one that it is
            code = next((c for c in untouched if c not in kept_labels and _plainly(c) == level), None)
        if code is None:
            code = _free_text(level, used) if is_text else free_code(used, ranges)
            if not is_text or code != level:
                kept_labels[code] = level
        used.add(code)
        codes[level] = code
    coded = cells.values[cells.touched].astype(object).map(codes)
    values[cells.touched] = (coded.astype(object).where(coded.notna(), "") if is_text else coded).to_numpy()
    frame[name] = values
    labels[name] = kept_labels


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


def _plainly(value: Any) -> str:
    """Return a value as its level is called where it has no label."""
    return value.rstrip(" ") if isinstance(value, str) else f"{value:.15g}"


def _bare(value: Any) -> Any:
    """Return a text without the blanks that fill it up, any other value as it is."""
    return value.rstrip(" ") if isinstance(value, str) else value


def free_code(used: set[Any], ranges: list[Any]) -> float:
    """Return a whole number that no value, no label and no declared missing value has, above those of answers."""
    answers = [c for c in used if not isinstance(c, str) and not in_ranges(c, ranges) and abs(c) < 10_000]
    code = int(max(answers, default=0)) + 1 if max(answers, default=0) >= 0 else 1
    for candidate in (*range(code, code + 100_000), *range(1, code), *range(0, -100_000, -1)):
        if candidate not in used and not in_ranges(candidate, ranges):
            return float(candidate)
    raise DisclosureError("There is no code left for the merged level; declare fewer missing values in the file.")


def in_ranges(value: Any, ranges: list[Any]) -> bool:
    """Whether a value is declared as missing."""
    return any(
        isinstance(value, str) == isinstance(value_range["lo"], str) and value_range["lo"] <= value <= value_range["hi"]
        for value_range in ranges
    )


def _free_text(level: str, used: set[Any]) -> str:
    while level in used:
        level += "_"
    return level


def _as_text(frame: pd.DataFrame, name: str, cells: Cells) -> None:
    frame[name] = pd.Series(cells.texts(), index=frame.index, dtype=object).where(cells.values.notna().to_numpy(), "")


def _holds_text(values: pd.Series[Any]) -> bool:
    return values.dtype == object or pd.api.types.is_string_dtype(values.dtype)


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
        if _holds_text(frame[name]) and len(frame):
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
        elif _holds_text(frame[name]):
            frame.loc[cells.touched, name] = cells.texts()[cells.touched]
        else:
            _as_text(frame, name, cells)
            formats.pop(name, None)
            notes.append(f"{name!r}: a transport file has no value labels; the groups are written as text.")
    frame = frame.assign(**change.labels)
    texts = [name for name in frame.columns if _holds_text(frame[name])]
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
