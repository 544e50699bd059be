"""R: the data frame of the file with its classes, types and attributes, as an .rds file."""

from __future__ import annotations

import gzip
from copy import copy
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from disclosure_core.data.readers import Limits, ReadOptions, _r, _r_objects
from disclosure_core.data.readers._r_columns import labels_of
from disclosure_core.data.rewriters._change import Cells, Change, Rewritten, UnalignedError, aligned, unused_note
from disclosure_core.data.rewriters._codes import codes

_PLAIN = {"LGL", "INT", "REAL", "CPLX", "STR", "CHAR", "VEC", "NILVALUE", "SYM", "LIST", "NIL"}
"""Kinds of objects that hold values alone: no code, no environment, no pointer."""

NA = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
"""R's NA among numbers."""


def r(data: bytes, path: PurePosixPath, part: int, options: ReadOptions, change: Change) -> Rewritten:
    """Rewrite one data frame of an R file."""
    import rdata.unparser

    limits = Limits(megabytes=1_000_000)
    tree = _r.parsed(_r.unpacked(data, path.name, limits), path.name)
    encoding = tree.extra.encoding
    table = _r.tables(tree.object)[part]
    frame = copy(table.frame)
    attrs = _r_objects.attributes(frame)
    names = _r_objects.texts(attrs["names"], encoding)
    n = len(frame.value[0].value) if _r_objects.kind_of(frame.value[0]) != "VEC" else len(frame.value[0].value[0].value)
    aligned(n, change)
    dropped: set[str] = set()
    columns = [_subset(element, change.rows) for element in frame.value]
    for name, cells in change.columns.items():
        if names.count(name) != 1:
            raise UnalignedError
        at = names.index(name)
        columns[at] = _changed(columns[at], cells, encoding)
    unused = {name for name, column in zip(names, columns, strict=True) if _drops_unused(column, encoding)}
    frame.value = [_clean(element, dropped) for element in columns]
    if change.labels:
        attrs["names"] = copy(attrs["names"])
        attrs["names"].value = [*attrs["names"].value, *map(_char, change.labels)]
        frame.value += [_strings([text] * len(change.rows)) for text in change.labels.values()]
    attrs["row.names"] = _row_names(attrs.get("row.names"), change)
    classes = _r_objects.texts(attrs["class"])
    notes = unused_note(unused)
    if "groups" in attrs and (len(change.rows) < change.n or change.columns):
        attrs.pop("groups")
        classes = [c for c in classes if c not in ("grouped_df", "rowwise_df")]
        attrs["class"] = _strings(classes)
        notes.append("The grouping of the table is not kept: it lists the records that it had.")
    for stale in ("sorted", "index", ".internal.selfref", "na.action"):  # data.table's and na.omit's own notes
        attrs.pop(stale, None)
    _put_attributes(frame, _clean_attributes(attrs, dropped, {"names", "class", "row.names", "groups"}))
    if dropped:
        listed = ", ".join(map(repr, sorted(dropped)))
        notes.append(f"The attributes {listed} hold more than single values, and are not kept.")
    tree.object = frame
    if len(table.name) and path.suffix.lower() != ".rds":
        notes.append("One table comes back as .rds; the other objects of the image were not assessed.")
    cleaned = rdata.unparser.unparse_data(tree, file_format="xdr", file_type="rds")
    return Rewritten(".rds", gzip.compress(cleaned, mtime=0), tuple(notes))


_OF_EVERY_RECORD = {"names", "dim", "dimnames"}
"""Attributes of a column that speak of every record, removed ones included."""


def _subset(node: Any, rows: Any) -> Any:
    """Return a column with some of its records."""
    subset = copy(node)
    if "POSIXlt" in _r_objects.classes(node):
        subset.value = [_subset(element, rows) if len(element.value) > 1 else element for element in node.value]
        return subset
    subset.value = [node.value[i] for i in rows.tolist()] if _r_objects.kind_of(node) == "STR" else node.value[rows]
    attrs = _r_objects.attributes(node)
    if attrs.keys() & _OF_EVERY_RECORD:
        _put_attributes(subset, {name: value for name, value in attrs.items() if name not in _OF_EVERY_RECORD})
    return subset


def _changed(node: Any, cells: Cells, encoding: str | None) -> Any:
    """Return a column with the cells that a step changed."""
    attrs, kind = _r_objects.attributes(node), _r_objects.kind_of(node)
    if not cells.is_text:
        return _numbers(node, cells, integer64="integer64" in _r_objects.classes(node))
    if "factor" in _r_objects.classes(node):
        return _factor(node, cells, attrs, encoding)
    if "labels" in attrs:
        return _labelled(node, cells, attrs, encoding)
    if kind == "STR":
        changed, texts = copy(node), cells.texts()
        changed.value = [_char(texts[i]) if hit else node.value[i] for i, hit in enumerate(cells.touched.tolist())]
        return changed
    values = cells.values.cat.remove_unused_categories()
    codes = values.cat.codes.to_numpy().astype(np.int32) + 1
    new_attrs = {"label": attrs["label"]} if "label" in attrs else {}
    return _put_attributes(
        _vector("INT", np.ma.masked_array(codes, codes == 0)),
        new_attrs
        | {
            "levels": _strings(
                [
                    str(c).upper() if kind == "LGL" and str(c) in ("True", "False") else str(c)
                    for c in values.cat.categories
                ]
            ),
            "class": _strings(["ordered", "factor"] if values.cat.ordered else ["factor"]),
        },
    )


def _numbers(node: Any, cells: Cells, *, integer64: bool) -> Any:
    changed = copy(node)
    if integer64:
        integers = np.ascontiguousarray(node.value).view(np.int64).copy()
        integers[cells.touched] = cells.values[cells.touched].to_numpy(
            dtype=np.int64,
            na_value=np.iinfo(np.int64).min,  # which bit64 takes for NA
        )
        changed.value = integers.view(np.float64)
        return changed
    new = cells.numbers()
    gone = np.isnan(new)
    there = new[~gone]
    if _r_objects.kind_of(node) == "INT" and (there % 1 == 0).all() and (np.abs(there) < 2**31 - 1).all():
        masked = np.ma.masked_array(node.value).copy()
        masked[cells.touched] = np.ma.masked_array(np.where(gone, 0, new).astype(np.int32), gone)
        changed.value = masked
        return changed
    changed.info = copy(node.info)
    changed.info.type = type(node.info.type)["REAL"]
    values = np.ascontiguousarray(reals(node)).copy()
    values[cells.touched] = np.where(gone, NA, new)
    changed.value = values
    return changed


def reals(node: Any) -> Any:
    """Return a vector's numbers as floats, with R's NA where it has one."""
    if _r_objects.kind_of(node) == "REAL":
        return node.value
    masked = np.ma.masked_array(node.value)
    numbers = np.ma.getdata(masked).astype(float)
    bits = numbers.view(np.uint64)
    bits[np.ma.getmaskarray(masked)] = np.array([NA]).view(np.uint64)
    return numbers


def _factor(node: Any, cells: Cells, attrs: dict[str, Any], encoding: str | None) -> Any:
    """Return a factor with new levels at the end; levels that were merged away go, all others stay in their order."""
    levels = _r_objects.texts(attrs["levels"], encoding)
    masked = np.ma.masked_array(node.value)
    gone = np.ma.getmaskarray(masked)
    codes = np.where(gone, 0, np.ma.getdata(masked)).astype(np.int64)
    untouched = set(codes[~cells.touched].tolist())
    before = set(codes.tolist())
    old_codes = [i for i in range(1, len(levels) + 1) if i in untouched or i not in before]
    texts = [levels[i - 1] for i in old_codes]
    texts += [level for level in cells.new_levels() if level not in texts]
    table = np.zeros(len(levels) + 1, dtype=np.int64)
    table[old_codes] = np.arange(1, len(old_codes) + 1)
    new_codes = table[codes]
    new = {level: i for i, level in enumerate(texts, 1)}
    values = cells.values.astype(object).to_numpy()
    empty = cells.values.isna().to_numpy(dtype=bool)
    new_codes[cells.touched] = [
        0 if none else new[str(v)] for v, none in zip(values[cells.touched], empty[cells.touched], strict=True)
    ]
    changed = copy(node)
    changed.value = np.ma.masked_array(new_codes.astype(np.int32), np.where(cells.touched, empty, gone))
    return _put_attributes(changed, attrs | {"levels": _strings(texts)})


def _labelled(node: Any, cells: Cells, attrs: dict[str, Any], encoding: str | None) -> Any:
    """Return a column of haven's with a code of its own for each new level, and its label."""
    labels, ranges = labels_of(attrs, encoding)
    is_text = _r_objects.kind_of(node) == "STR"
    values = np.array(_r_objects.texts(node, encoding), dtype=object) if is_text else reals(node).copy()
    before = {v for v in values.tolist() if v is not None and v == v}
    untouched = {v for v in values[~cells.touched].tolist() if v is not None and v == v}
    code_of, kept = codes(cells.new_levels(), labels, before, untouched, ranges, of_text=is_text)
    new = [None if text is None else code_of[text] for text in cells.texts()[cells.touched]]
    changed = copy(node)
    if is_text:
        replaced = iter(new)
        changed.value = [
            _char(next(replaced)) if hit else node.value[i] for i, hit in enumerate(cells.touched.tolist())
        ]
        coded = _strings(list(kept))
    else:
        values[cells.touched] = [NA if code is None else code for code in new]
        changed.value, changed.info = values, copy(node.info)
        changed.info.type = type(node.info.type)["REAL"]
        coded = _vector("REAL", np.array([_tag(c) if isinstance(c, str) else c for c in kept], dtype=float))
    _put_attributes(coded, {"names": _strings(list(kept.values()))})
    return _put_attributes(changed, attrs | {"labels": coded})


def _tag(letter: str) -> float:
    """Return haven's tagged missing value."""
    bits = np.array([0x7FF0000000000000 | (ord(letter) << 32) | 1954], dtype=np.uint64)
    return float(bits.view(np.float64)[0])


def _row_names(node: Any, change: Change) -> Any:
    """Return the names of the rows that stay; plain numbers are counted anew."""
    if node is not None and _r_objects.kind_of(node) == "STR":
        subset = copy(node)
        subset.value = [node.value[i] for i in change.rows.tolist()]
        return subset
    counted = np.ma.masked_array(np.array([0, -len(change.rows)], dtype=np.int32), [True, False])
    if node is None or (len(node.value) == 2 and np.ma.getmaskarray(node.value)[0]):
        return _vector("INT", counted)
    subset = copy(node)
    subset.value = node.value[change.rows]
    return subset


def _drops_unused(node: Any, encoding: str | None) -> bool:
    """Drop levels, labels and declared missing values that no record has, in place; return whether there were any."""
    attrs = _r_objects.attributes(node)
    if "factor" in _r_objects.classes(node):
        codes = np.ma.masked_array(node.value)
        levels = attrs["levels"]
        codes = np.ma.masked_outside(codes, 1, len(levels.value))  # rdata writes a missing one as 0
        used = np.unique(codes.compressed())
        if len(used) == len(levels.value):
            return False
        table = np.zeros(len(levels.value) + 1, dtype=np.int32)
        table[used] = np.arange(1, len(used) + 1)
        node.value = np.ma.masked_array(table[np.ma.filled(codes, 0)], np.ma.getmaskarray(codes))
        levels = copy(levels)
        levels.value = [levels.value[i - 1] for i in used.tolist()]
        _put_attributes(node, attrs | {"levels": levels})
        return True
    if not {"labels", "na_values", "na_range"} & attrs.keys():
        return False
    there = _bits(node, encoding)
    before = len(attrs)
    lost = False
    for key in ("labels", "na_values"):
        if key not in attrs:
            continue
        listed, own = copy(attrs[key]), _r_objects.attributes(attrs[key])
        keep = [i for i, value in enumerate(_each_bits(listed, encoding)) if value in there]
        if len(keep) == len(listed.value):
            continue
        lost = True
        if not keep:
            attrs.pop(key)
            continue
        listed.value = [listed.value[i] for i in keep] if _r_objects.kind_of(listed) == "STR" else listed.value[keep]
        if "names" in own:
            own["names"] = copy(own["names"])
            own["names"].value = [own["names"].value[i] for i in keep]
        attrs[key] = _put_attributes(listed, own)
    if "na_range" in attrs and _r_objects.kind_of(node) != "STR":
        low, high = reals(attrs["na_range"])
        values = np.ascontiguousarray(reals(node))
        if not ((values >= low) & (values <= high)).any():
            attrs.pop("na_range")
    if lost or len(attrs) < before:
        _put_attributes(node, attrs)
        return True
    return False


def _each_bits(node: Any, encoding: str | None) -> list[Any]:
    """Return a vector's values so that equal ones are equal, haven's tagged missing values too."""
    if _r_objects.kind_of(node) == "STR":
        return list(_r_objects.texts(node, encoding))
    bits = np.ascontiguousarray(reals(node), dtype=float).view(np.int64)
    return np.where(bits == np.iinfo(np.int64).min, 0, bits).tolist()  # -0.0 is 0.0


def _bits(node: Any, encoding: str | None) -> set[Any]:
    return set(_each_bits(node, encoding))


_KNOWN = {
    "names",
    "class",
    "row.names",
    "levels",
    "labels",
    "tzone",
    "units",
    "label",
    "na_values",
    "na_range",
    "balanced",
    "format.spss",
    "format.stata",
    "format.sas",
    "display_width",
}
"""Attributes that say what a column is. Any other is kept only where it is one value: a list may name who is gone."""


def _clean_attributes(attrs: dict[str, Any], dropped: set[str], known: set[str]) -> dict[str, Any]:
    """Return attributes that hold values alone, and no list of values but known ones; the names of others are noted."""
    kept = {}
    for key, element in attrs.items():
        cleaned = _clean(element, dropped, key)
        if cleaned is None:
            continue
        if key in known or (
            _r_objects.kind_of(cleaned) not in ("VEC", "LIST") and (cleaned.value is None or len(cleaned.value) <= 1)
        ):
            kept[key] = cleaned
        else:
            dropped.add(key)
    return kept


def _clean(node: Any, dropped: set[str], key: str = "") -> Any:
    """Return an object that holds values alone, references written out; None, its name noted, where it holds more."""
    while _r_objects.kind_of(node) == "REF":
        node = node.referenced_object
    if _r_objects.kind_of(node) not in _PLAIN:
        dropped.add(key)
        return None
    cleaned = copy(node)
    if node.attributes is not None:
        _put_attributes(cleaned, _clean_attributes(_r_objects.attributes(node), dropped, _KNOWN))
    if _r_objects.kind_of(node) in ("VEC", "LIST"):
        inside = [_clean(element, dropped, key) for element in node.value]
        if any(element is None for element in inside):
            return None
        cleaned.value = inside if _r_objects.kind_of(node) == "VEC" else tuple(inside)
        if node.tag is not None:
            cleaned.tag = _clean(node.tag, dropped, key)
    return cleaned


def _vector(kind: str, value: Any) -> Any:
    from rdata.parser import RObject, RObjectInfo, RObjectType

    info = RObjectInfo(RObjectType[kind], object=False, attributes=False, tag=False, gp=0, reference=0)
    return RObject(info, value, None)


def _char(value: str | None) -> Any:
    vector = _vector("CHAR", None if value is None else value.encode())
    if value is not None:
        vector.info.gp = 64 if value.isascii() else 8
    return vector


def _strings(values: list[Any]) -> Any:
    return _vector("STR", [_char(v) for v in values])


def _put_attributes(target: Any, attrs: dict[str, Any]) -> Any:
    """Put attributes on an object, as R's pairlist of them."""
    node = _vector("NILVALUE", None)
    for key, element in reversed(attrs.items()):
        symbol = _vector("SYM", _char(key))
        before, node = node, _vector("LIST", None)
        node.value, node.tag, node.info.tag = (element, before), symbol, True
    target.info = copy(target.info)
    target.info.attributes, target.info.object = bool(attrs), "class" in attrs
    target.attributes = node if attrs else None
    return target
