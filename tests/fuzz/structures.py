"""Files by their structure: each format's own parts, sound by default, with an odd one here and there.

A strategy gives a file's bytes, and by column the texts that it holds where nothing about it is odd, else None.
"""

import bz2
import gzip
import io
import json
import lzma
import struct
import zipfile
import zlib
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

INTEGERS = [-1, 0, 1, 2, 3, 4, -2, -3, 7, 20, 254, 255, 256, 32_767, 65_536, 1_000_000, 2**31 - 1, -(2**31)]
NUMBERS = [
    0.0,
    -0.0,
    1.0,
    -8.0,
    0.1,
    1e15,
    1e308,
    -1e308,
    5e-324,
    float("inf"),
    float("-inf"),
    float("nan"),
    2.0**53,
    -1.7976931348623157e308,
]
TEXTS = ["a", "", " ", "é", "ß" * 40, "x" * 300, "007", "NA", "1,5", "a;b", 'a"b', "a\tb", "-", "=1+1", "<b>", "&amp;", "\u202e", "😀", "Missing", "a | b", "$x$", "%s", "\x01", "\ud7ff"]  # fmt: skip
NAMES = ["a", "b", "c", "V1", "sex", "target", "a b", "ä", "a,b", "<i>", "_", "x" * 64, "keys", "1", "synthesis"]


class Odd:
    """Draws what is usual, and once in a while something else; knows whether anything was odd."""

    def __init__(self, draw, often: int) -> None:
        self.draw, self.often, self.sound = draw, often, True

    def _now(self) -> bool:
        if self.often and self.draw(st.integers(1, self.often)) == 1:
            self.sound = False
            return True
        return False

    def integer(self, usual: int) -> int:
        return self.draw(st.sampled_from(INTEGERS)) if self._now() else usual

    def number(self, usual: float) -> float:
        return self.draw(st.sampled_from(NUMBERS)) if self._now() else usual

    def data(self, usual: bytes) -> bytes:
        if not self._now():
            return usual
        kind = self.draw(st.integers(0, 3))
        at = self.draw(st.integers(0, max(0, len(usual) - 1)))
        return [usual[:at], usual + usual, usual[:at] + self.draw(st.binary(max_size=9)) + usual[at:], self.draw(st.binary(max_size=20))][kind]  # fmt: skip

    def of(self, usual, others):
        return self.draw(st.sampled_from(others)) if self._now() else usual

    def some(self, items: list) -> list:
        """Return the items, or with one excluded, twice or elsewhere."""
        if not items or not self._now():
            return items
        i, j = (self.draw(st.integers(0, len(items) - 1)) for _ in range(2))
        return [items[:i] + items[i + 1 :], [*items[:i], items[i], *items[i:]], [items[i], *items[:i], *items[i + 1 :]], [items[j], *items]][self.draw(st.integers(0, 3))]  # fmt: skip


def how_odd(draw) -> int:
    """Return one in how many parts is odd: none, few, many."""
    return draw(st.sampled_from([0, 500, 100, 30]))


# ---- SPSS: https://www.gnu.org/software/pspp/pspp-dev/html_node/System-File-Format.html ----


@st.composite
def spss(draw):
    odd = Odd(draw, how_odd(draw))
    mark = draw(st.sampled_from("<<>"))
    pack = lambda form, *values: struct.pack(mark + form, *values)  # noqa: E731
    whole = lambda value: pack("i", odd.integer(value))  # noqa: E731
    widths = draw(st.lists(st.sampled_from([0, 0, 1, 8, 9, 20, 255, 300, 600]), min_size=2, max_size=4))
    n = draw(st.integers(1, 5))
    packed = draw(st.sampled_from([0, 1, 2]))  # 2: in blocks of zlib, as in .zsav
    columns, segments, records, labels, extensions = {}, [], [], [], []
    very_long, long_names = [], []
    for i, width in enumerate(widths):
        name = f"V{i + 1}"
        long_names.append((name, odd.of(f"Column {i + 1}".replace(" ", "_"), NAMES)))
        parts = (
            [width] if width <= 255 else [255] * ((width + 251) // 252 - 1) + [width - 252 * ((width + 251) // 252 - 1)]
        )
        if width > 255:
            very_long.append(f"{name}={width:05d}")
        if width:
            texts = draw(st.lists(st.sampled_from(["a", "b", "long " * 20, "é", "007"]), min_size=n, max_size=n))
            raw = [t.encode()[:width].decode("utf-8", "ignore").rstrip(" ").encode() for t in texts]
            columns[long_names[-1][1]] = [r.decode() or None for r in raw]
        else:
            numbers = [odd.number(float(draw(st.sampled_from([1, 2, 3, -8, 0.5])))) for _ in range(n)]
            columns[long_names[-1][1]] = numbers
        for j, part in enumerate(parts):
            short = name if not j else f"{name}S{j}"
            form = odd.integer((5 << 16) | (8 << 8) | 2) if not part else (1 << 16) | (part << 8)
            missing = draw(st.sampled_from([[], [-8.0], [1.0, 2.0], [1.0, 2.0, 3.0], [-9.0, -7.0], [-9.0, -7.0, 3.0]])) if not part else []  # fmt: skip
            n_missing = odd.integer(-len(missing) if missing[:1] == [-9.0] else len(missing))  # a range is below 0
            head = whole(2) + whole(part) + whole(0) + pack("i", n_missing) + pack("i", form) * 2
            records.append(head + short.encode().ljust(8) + b"".join(pack("d", odd.number(m)) for m in missing))
            segments.append((i, j, part))
            records += [whole(2) + whole(-1) + whole(0) * 2 + pack("ii", form, form) + b" " * 8] * (
                (part + 7) // 8 - 1 if part else 0
            )
    written = [columns[name] for _, name in long_names]
    place = {i: 1 + sum(max(1, (p + 7) // 8) for k, _, p in segments if k < i) for i in range(len(widths))}
    shown = list(columns) if len(columns) == len(widths) else []
    numeric = [i for i, w in enumerate(widths) if not w]
    some = [i for i in numeric if draw(st.booleans())] if shown else []
    if some:  # several columns share a set
        said = dict(zip([1.0, 2.0, 3.0, -8.0, 0.5], draw(st.permutations(["None", "two", "é" * 30, "refused", "-"])), strict=True))  # fmt: skip
        entries = [*said.items(), *odd.of([], [[(float("nan"), t)] for t in TEXTS])]
        table = b""
        for value, label in odd.some(entries):
            short = label.encode("utf-8", "replace")[:120]
            table += (
                pack("d", value) + bytes([odd.integer(len(short)) & 255]) + short.ljust((len(short) + 8) // 8 * 8 - 1)
            )
        sharing = odd.some(some)
        labels.append(whole(3) + whole(len(entries)) + table + whole(4) + whole(len(sharing)) + b"".join(whole(place[i]) for i in sharing))  # fmt: skip
        for i in some:
            columns[shown[i]] = [said.get(v, v) if isinstance(v, float) else v for v in columns[shown[i]]]
    long_labels = b""
    for i, width in enumerate(widths):
        if not (shown and 0 < width <= 255 and draw(st.booleans())):
            continue
        texts = sorted({t for t in columns[shown[i]] if t is not None})
        if width <= 8:
            table = b"".join(odd.data(t.encode().ljust(8)) + bytes([2]) + f"={k}".encode().ljust(7) for k, t in enumerate(texts))  # fmt: skip
            labels.append(whole(3) + whole(len(texts)) + table + whole(4) + whole(1) + whole(place[i]))
        else:
            name = long_names[i][1].encode()
            long_labels += whole(len(name)) + name + whole(width) + whole(len(texts))
            for k, t in enumerate(texts):
                long_labels += whole(width) + t.encode().ljust(width) + whole(2) + f"={k}".encode()
        columns[shown[i]] = [None if t is None else f"={texts.index(t)}" for t in columns[shown[i]]]
    extension = lambda kind, size, count, data: whole(7) + pack("i", kind) + whole(size) + whole(count) + data  # noqa: E731
    extensions.append(
        extension(
            3, 4, 8, pack("8i", 1, 0, 0, 1, odd.integer(1), 1, odd.integer(1 if mark == ">" else 2), odd.integer(65001))
        )
    )
    extensions.append(
        extension(4, 8, 3, pack("3d", -1.7976931348623157e308, 1.7976931348623157e308, -1.797693134862315e308))
    )
    names = odd.data("\t".join(f"{a}={b}" for a, b in long_names).encode())
    extensions.append(extension(13, 1, len(names), names))
    if very_long:
        lengths = odd.data(b"".join(v.encode() + b"\0\t" for v in very_long))
        extensions.append(extension(14, 1, len(lengths), lengths))
    if long_labels:
        long_labels = odd.data(long_labels)
        extensions.append(extension(21, 1, len(long_labels), long_labels))
    coding = odd.data(odd.of(b"UTF-8", [b"windows-1252", b"klingon", b"", b"UTF-16", b"utf-7"]))
    extensions.append(extension(20, 1, len(coding), coding))
    if odd.often and draw(st.booleans()):
        odd.sound = False
        blob = draw(st.binary(max_size=40))
        extensions.append(
            extension(
                draw(st.sampled_from([5, 7, 11, 16, 17, 18, 19, 21, 22, 24, 99])), odd.integer(1), len(blob), blob
            )
        )
    rows = b""
    for row in range(n):
        for i, j, part in segments:
            value = written[i][row]
            if not part:
                rows += pack("d", value if isinstance(value, float) else 1.0)
            else:
                text = (value or "").encode()
                rows += text[255 * j : 255 * j + part].ljust((part + 7) // 8 * 8)
    if packed:
        cells = [rows[k : k + 8] for k in range(0, len(rows), 8)]
        rows = b"".join(
            bytes([odd.integer(253) & 255] * len(cells[k : k + 8])).ljust(8, b"\0") + b"".join(cells[k : k + 8])
            for k in range(0, len(cells), 8)
        )
    head = (
        (b"$FL3" if packed == 2 else b"$FL2")
        + b"@(#) SPSS DATA FILE".ljust(60)
        + whole(2)
        + whole(sum(max(1, (p + 7) // 8) for *_, p in segments))
    )
    head += (
        whole(packed)
        + whole(0)
        + whole(n)
        + pack("d", odd.number(100.0))
        + b"01 Jan 2600:00:00"
        + b" " * 64
        + b"\0" * 3
    )
    head += b"".join(odd.some(records) + odd.some(labels) + odd.some(extensions)) + whole(999) + whole(0)
    data = head + odd.data(rows if packed < 2 else in_blocks(odd, mark, rows, len(head), draw(st.sampled_from([8, 64, 4096]))))  # fmt: skip
    if len(columns) < len(widths):
        odd.sound = False
    return data, (columns if odd.sound else None)


def in_blocks(odd: Odd, mark: str, rows: bytes, at: int, most: int) -> bytes:
    """Return rows as the blocks of a .zsav that begins its data at `at`, of at most so many bytes each."""
    pieces = [rows[k : k + most] for k in range(0, len(rows), most)]
    blocks = [zlib.compress(piece) for piece in pieces]
    end = at + 24 + sum(map(len, blocks))
    whole = lambda form, value: struct.pack(mark + form, odd.integer(value))  # noqa: E731
    found = whole("q", at) + whole("q", end) + whole("q", 24 + 24 * len(blocks)) + b"".join(map(odd.data, blocks))
    found += whole("q", -100) + whole("q", 0) + whole("i", most) + whole("i", len(blocks))
    for k, (piece, block) in enumerate(zip(pieces, blocks, strict=True)):
        found += whole("q", at + most * k) + whole("q", at + 24 + sum(map(len, blocks[:k])))
        found += whole("i", len(piece)) + whole("i", len(block))
    return found


# ---- Excel: ECMA-376 ----

_SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"""
_LINKS = '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_LINK = (
    '<Relationship Id="{}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{}" Target="{}"/>'
)


@st.composite
def excel(draw):
    odd = Odd(draw, how_odd(draw))
    width, n = draw(st.integers(2, 4)), draw(st.integers(1, 6))
    texts = draw(
        st.lists(st.sampled_from([t for t in TEXTS if t.strip() and t != "\x01"]), min_size=1, max_size=5, unique=True)
    )
    names = [f"column {i + 1}" for i in range(width)]
    shared = [*names, *texts]
    kinds = draw(st.lists(st.sampled_from(["s", "inline", "n", "mixed"]), min_size=width, max_size=width))
    columns = {name: [] for name in names}

    def cell(row: int, column: int, kind: str) -> str:
        place = odd.of(f"{chr(65 + column)}{row}", ["A1", "CV400", "A0", "", "a1", "B2:C3", "A-1", "1A"])
        style = odd.of("", [' s="1"', ' s="2"', ' s="99"', ' s="-1"', ' s="x"'])
        if kind == "n":
            value = odd.of(
                repr(draw(st.sampled_from([1.0, 2.5, -8.0, 1e6]))),
                ["1e999", "NaN", "", "-", "2958466", "-1", "0", "60", "1E+308", "99999999999999999999", "0x10", "١"],
            )
            columns[names[column]].append(float(value) if odd.sound else None)
            return f'<c r="{place}"{style}><v>{value}</v></c>'
        if kind == "s":
            i = odd.integer(draw(st.integers(width, len(shared) - 1)))
            columns[names[column]].append(shared[i] if 0 <= i < len(shared) else "?")
            return f'<c r="{place}"{style} t="s"><v>{i}</v></c>'
        if kind == "inline":
            text = draw(st.sampled_from(texts))
            columns[names[column]].append(text)
            return f'<c r="{place}"{style} t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
        odd.sound = False
        form = draw(
            st.sampled_from(
                [
                    't="b"><v>1</v>',
                    't="b"><v>2</v>',
                    't="e"><v>#N/A</v>',
                    't="e"><v>#ODD!</v>',
                    't="d"><v>2020-01-01</v>',
                    't="d"><v>2020-13-45T99:99</v>',
                    't="str"><v>x</v>',
                    "><f>1+1</f>",
                    "><f>1+1</f><v/>",
                    't="zz"><v>1</v>',
                    ">",
                    't="s"/>',
                    's="1"><v>43831</v>',
                    's="2"><v>0.5</v>',
                ]
            )
        )
        return f'<c r="{place}" {form}</c>' if not form.endswith("/>") else f'<c r="{place}" {form}'

    rows = ["".join(f'<c r="{chr(65 + j)}1" t="s"><v>{j}</v></c>' for j in range(width))]
    for i in range(n):
        rows.append(
            "".join(
                odd.some(
                    [
                        cell(i + 2, j, draw(st.sampled_from(["n", "s", "odd"])) if kinds[j] == "mixed" else kinds[j])
                        for j in range(width)
                    ]
                )
            )
        )
        if "mixed" in kinds:
            odd.sound = False
    numbered = odd.some(
        [f'<row r="{odd.of(str(i + 1), ["0", "-1", "1048577", "x", "99"])}">{row}</row>' for i, row in enumerate(rows)]
    )
    extent = odd.of(f"A1:{chr(64 + width)}{n + 1}", ["A1", "A1:XFD1048576", "A1:ZZZ9999999", "", "B2", "C9:A1", "A1:A"])
    merged = ""
    if odd.often and draw(st.booleans()):
        odd.sound = False
        ranges = draw(
            st.lists(
                st.sampled_from(["A1:B1", "A2:A4", "A1:XFD1048576", "B2", "", "Z9:A1", "A2:A4"]), min_size=1, max_size=3
            )
        )
        merged = f'<mergeCells count="{len(ranges)}">{"".join(f"<mergeCell ref={quoteattr(r)}/>" for r in ranges)}</mergeCells>'
    sheet = f'<?xml version="1.0" encoding="UTF-8"?><worksheet {_SPACE}><dimension ref="{extent}"/><sheetData>{"".join(numbered)}</sheetData>{merged}</worksheet>'
    strings = f'<?xml version="1.0" encoding="UTF-8"?><sst {_SPACE} count="{odd.integer(len(shared))}" uniqueCount="{odd.integer(len(shared))}">{"".join(f"<si><t>{escape(t)}</t></si>" for t in shared)}</sst>'
    formats = odd.of("yyyy-mm-dd", ["[h]:mm", "General", "@", "0.00", "yyyy\\-", "[$-409]d", "", "dd/mm/yyyy;@"])
    styles = f'<?xml version="1.0"?><styleSheet {_SPACE}><numFmts count="1"><numFmt numFmtId="164" formatCode={quoteattr(formats)}/></numFmts><cellXfs count="{odd.integer(3)}"><xf numFmtId="0"/><xf numFmtId="{odd.integer(164)}"/><xf numFmtId="{odd.integer(20)}"/></cellXfs></styleSheet>'
    hidden = odd.of("", [' state="hidden"', ' state="veryHidden"', ' state="odd"'])
    title = odd.of("Sheet1", ["", "ä & b", "x" * 80, "Sheet'1"])
    old = odd.of("", ['<workbookPr date1904="1"/>', '<workbookPr date1904="odd"/>'])
    book = f'<?xml version="1.0"?><workbook {_SPACE}>{old}<sheets><sheet name={quoteattr(title)} sheetId="1"{hidden} r:id="{odd.of("rId1", ["rId9", ""])}"/></sheets></workbook>'
    links = [
        _LINK.format(
            "rId1",
            "worksheet",
            odd.of("worksheets/sheet1.xml", ["/xl/worksheets/sheet1.xml", "../x.xml", "worksheets/none.xml"]),
        ),
        _LINK.format("rId2", "sharedStrings", "sharedStrings.xml"),
        _LINK.format("rId3", "styles", "styles.xml"),
    ]
    parts = [
        ("[Content_Types].xml", _TYPES),
        ("_rels/.rels", _LINKS.format(_LINK.format("rId1", "officeDocument", "xl/workbook.xml"))),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", _LINKS.format("".join(odd.some(links)))),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/sharedStrings.xml", strings),
        ("xl/styles.xml", styles),
    ]
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))) as archive:
        kept = dict(odd.some(parts))
        for path, text in kept.items():
            archive.writestr(path, odd.data(text.encode()))
    return odd.data(sink.getvalue()), (columns if odd.sound else None)


# ---- Parquet and Arrow ----

_ARROW = st.sampled_from(
    [
        (pa.int8(), [1, -8, None]), (pa.uint64(), [2**64 - 1, 0, None]), (pa.int64(), [-(2**63), 2**63 - 1, 5]),
        (pa.float16(), [np.float16(1.5), None, np.float16("nan")]), (pa.float64(), [float("nan"), -0.0, 1e308]), (pa.float32(), [0.1, None, float("inf")]),
        (pa.bool_(), [True, None, False]), (pa.string(), ["a", None, "\x00"]), (pa.large_string(), ["a", "b", ""]), (pa.string_view(), ["a", None, "x" * 40]),
        (pa.binary(), [b"a", b"\xff", None]), (pa.binary(3), [b"abc", b"a\x00c", None]), (pa.null(), [None, None, None]),
        (pa.date32(), [0, -(2**31), 2**31 - 1]), (pa.date64(), [0, 86_400_000, None]), (pa.timestamp("s"), [0, 2**40, -(2**60)]), (pa.timestamp("ns", "Europe/Rome"), [0, 2**62, None]),
        (pa.timestamp("us", "Nowhere/Else"), [0, 1, None]), (pa.timestamp("ms", "+99:99"), [0, 1, None]), (pa.time32("s"), [0, 86_399, None]), (pa.time64("ns"), [0, 2**40, None]), (pa.duration("us"), [0, -(2**62), None]),
        (pa.decimal128(38, 10), [1, None, 3]), (pa.decimal256(76, 0), [1, 2, None]), (pa.month_day_nano_interval(), [(1, 2, 3), None, (0, 0, 0)]),
        (pa.list_(pa.int8()), [[1], None, []]), (pa.struct([("x", pa.int8())]), [{"x": 1}, None, {"x": None}]), (pa.map_(pa.string(), pa.int8()), [[("a", 1)], None, []]),
        (pa.dictionary(pa.int8(), pa.string()), ["a", None, "b"]), (pa.dictionary(pa.int32(), pa.float64()), [1.0, float("nan"), None]), (pa.dictionary(pa.int8(), pa.timestamp("s")), [0, 1, None]),
    ]
)  # fmt: skip
_PLAIN = st.sampled_from([(pa.int64(), [1, -8, None]), (pa.float64(), [0.5, 1.25, None]), (pa.string(), ["a", None, "é"]), (pa.bool_(), [True, False, True])])  # fmt: skip
_JSON = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(-3, 99), st.sampled_from(NAMES), st.floats()), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "field_name", "columns", "index_columns", "kind", "start", "stop", "step", "pandas_type", "numpy_type", "metadata"]), inner, max_size=3), max_leaves=8)  # fmt: skip


@st.composite
def table(draw):
    """A table of Arrow with what pandas writes beside it; and its columns' texts where nothing is odd."""
    odd = Odd(draw, how_odd(draw))
    made = draw(st.lists(_ARROW if odd.often else _PLAIN, min_size=2, max_size=5))
    odd.sound = not odd.often
    names = [odd.of(f"c{i}", NAMES) for i in range(len(made))]
    arrays = []
    for kind, values in made:
        try:
            array = pa.array(values, kind)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            array = pa.nulls(3, kind)
        if pa.types.is_dictionary(kind) and odd._now():  # levels twice, missing, or codes beyond them
            levels = (
                pa.array([values[0], values[0], None], kind.value_type)
                if kind.value_type != pa.timestamp("s")
                else pa.array([0, 0, None], kind.value_type)
            )
            array = pa.DictionaryArray.from_arrays(
                pa.array([0, 1, 2], kind.index_type), levels, ordered=draw(st.booleans())
            )
        arrays.append(array)
    times = draw(st.integers(1, 3))
    found = pa.Table.from_arrays([pa.chunked_array([a] * times, a.type) for a in arrays], names=names)
    if draw(st.booleans()):
        stored = {"index_columns": [], "column_indexes": [], "columns": [{"name": n, "field_name": n, "pandas_type": "unicode", "numpy_type": "object", "metadata": None} for n in names], "pandas_version": "3.0"}  # fmt: skip
        for part in list(stored):
            if odd._now():
                stored[part] = draw(_JSON)
        if odd._now():
            stored["index_columns"] = draw(
                st.sampled_from(
                    [names[:1], ["none"], [{"kind": "range", "name": None, "start": 0, "stop": 3, "step": 0}], names]
                )
            )
        raw = odd.data(json.dumps(stored).encode())
        found = found.replace_schema_metadata({b"pandas": raw})
    if odd._now():
        found = found.replace_schema_metadata(
            (found.schema.metadata or {}) | {b"ARROW:schema": b"AAAA", b"huggingface": b"{"}
        )
    columns = {n: v * times for n, (_, v) in zip(names, made, strict=True)}
    return odd, found, columns


@st.composite
def parquet(draw):
    odd, found, columns = draw(table())
    sink = io.BytesIO()
    try:
        pq.write_table(found, sink, row_group_size=draw(st.integers(1, 4)), compression=draw(st.sampled_from(["none", "snappy", "zstd", "gzip"])), use_dictionary=draw(st.booleans()), version=draw(st.sampled_from(["1.0", "2.4", "2.6"])), data_page_version=draw(st.sampled_from(["1.0", "2.0"])), store_schema=draw(st.booleans()))  # fmt: skip
    except (pa.ArrowException, OSError, ValueError):
        sink, odd.sound = io.BytesIO(b"PAR1"), False
    data = bytearray(sink.getvalue())
    for _ in range(draw(st.integers(0, 3)) if odd.often else 0):  # most of them in the description at the end
        odd.sound = False
        data[draw(st.integers(len(data) // 2, len(data) - 1))] = draw(st.integers(0, 255))
    return odd.data(bytes(data)), (columns if odd.sound else None)


@st.composite
def arrow(draw):
    odd, found, columns = draw(table())
    sink = io.BytesIO()
    try:
        options = pa.ipc.IpcWriteOptions(
            compression=draw(st.sampled_from([None, "lz4", "zstd"])), unify_dictionaries=True
        )
        make = draw(st.sampled_from([pa.ipc.new_file, pa.ipc.new_stream]))
        with make(sink, found.schema, options=options) as writer:
            writer.write_table(found)
    except (pa.ArrowException, OSError, ValueError):
        sink, odd.sound = io.BytesIO(b"ARROW1"), False
    data = bytearray(sink.getvalue())
    for _ in range(draw(st.integers(0, 3)) if odd.often else 0):
        odd.sound = False
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return odd.data(bytes(data)), (columns if odd.sound else None)


# ---- R: https://cran.r-project.org/doc/manuals/r-release/R-ints.html#Serialization-Formats ----

NIL, SYM, LIST, CHR, LGL, INT, REAL, CPLX, STR, VEC, RAW, ALTREP, NILVALUE, GLOBAL, REF = 0, 1, 2, 9, 10, 13, 14, 15, 16, 19, 24, 238, 254, 253, 255  # fmt: skip


@st.composite
def r(draw):
    odd = Odd(draw, how_odd(draw))
    whole = lambda value: struct.pack(">i", max(-(2**31), min(2**31 - 1, value)))  # noqa: E731
    n = draw(st.integers(1, 5))

    def flags(kind, *, attributes=False, object_=False, tag=False, gp=0):
        return whole(
            (kind & 255) | (256 if object_ else 0) | (512 if attributes else 0) | (1024 if tag else 0) | gp << 12
        )

    def text(value, gp=8):
        if value is None:
            return flags(CHR) + whole(-1)
        raw = value.encode("utf-8", "replace")
        return flags(CHR, gp=odd.of(gp, [0, 4, 64, 2, 255])) + whole(odd.integer(len(raw))) + odd.data(raw)

    def symbol(name):
        return flags(SYM) + text(name, 64)

    def with_attributes(body, attributes):
        return (
            body
            + b"".join(flags(LIST, tag=True) + symbol(k) + v for k, v in odd.some(list(attributes.items())))
            + flags(NILVALUE)
        )

    def vector(kind, values, attributes=None, object_=False):
        body = flags(
            odd.of(kind, [NIL, LIST, CPLX, RAW, VEC, 3, 4, 6, 25, 99, REF, GLOBAL, 242]),
            attributes=bool(attributes),
            object_=object_,
        ) + whole(odd.integer(len(values)))
        body += b"".join(
            whole(-(2**31) if v is None else int(v))
            if kind in (INT, LGL)
            else struct.pack(">d", v)
            if kind == REAL
            else text(v)
            if kind == STR
            else v
            for v in values
        )
        return with_attributes(body, attributes) if attributes else body

    def sequence(first, by):
        info = (
            flags(LIST)
            + symbol("compact_intseq")
            + flags(LIST)
            + symbol("base")
            + flags(LIST)
            + vector(INT, [13])
            + flags(NILVALUE)
        )
        return (
            flags(ALTREP)
            + info
            + vector(REAL, [odd.number(float(n)), odd.number(float(first)), odd.number(float(by))])
            + flags(NILVALUE)
        )

    def wrapped(kind, inside):
        name = odd.of(
            {INT: "wrap_integer", REAL: "wrap_real", STR: "wrap_string"}[kind],
            ["deferred_string", "mmap_real", "wrap_list", "x"],
        )
        info = (
            flags(LIST)
            + symbol(name)
            + flags(LIST)
            + symbol("base")
            + flags(LIST)
            + vector(INT, [kind])
            + flags(NILVALUE)
        )
        state = flags(LIST) + inside + flags(LIST) + vector(INT, [0, 0]) + flags(NILVALUE)
        return flags(ALTREP) + info + state + flags(NILVALUE)

    columns, items = {}, []
    for i in range(draw(st.integers(2, 4))):
        name, kind = (
            f"c{i}",
            draw(
                st.sampled_from(
                    [
                        "INT",
                        "REAL",
                        "STR",
                        "factor",
                        "sequence",
                        "wrapped",
                        "Date",
                        "difftime",
                        "POSIXct",
                        "POSIXlt",
                        *(["odd"] * 2 if odd.often else []),
                    ]
                )
            ),
        )
        if kind == "INT":
            columns[name] = [draw(st.sampled_from([1, 2, None, -8])) for _ in range(n)]
            items.append(vector(INT, columns[name]))
        elif kind == "REAL":
            columns[name] = [odd.number(draw(st.sampled_from([1.5, 2.25, -8.125]))) for _ in range(n)]
            items.append(vector(REAL, columns[name]))
        elif kind == "STR":
            columns[name] = [draw(st.sampled_from(["a", None, "é", "007"])) for _ in range(n)]
            items.append(vector(STR, columns[name]))
        elif kind == "factor":
            levels = draw(st.sampled_from([["x", "y"], ["x", None, "y"], ["x", "y", None]]))  # NA as addNA makes it
            codes = [draw(st.sampled_from([None, *range(1, len(levels) + 1)])) for _ in range(n)]
            columns[name] = [None if c is None else levels[c - 1] for c in codes]
            codes = [c if c is None else odd.integer(c) for c in codes]
            levels = odd.of(levels, [["x", "x"], [], ["x"], ["y"] * 3])
            items.append(
                vector(
                    INT,
                    codes,
                    {
                        "levels": vector(STR, levels),
                        "class": vector(STR, odd.of(["factor"], [["ordered", "factor"], ["factor", "factor"], []])),
                    },
                    True,
                )
            )
        elif kind == "sequence":
            columns[name] = [draw(st.integers(1, 9))]
            first = columns[name][0]
            columns[name] = [first + k for k in range(n)]
            items.append(sequence(first, 1))
        elif kind in ("Date", "difftime", "POSIXct"):
            days = [draw(st.sampled_from([0.0, 18_262.0, -1.0, float("nan")])) for _ in range(n)]
            step = 86_400.0 if kind == "POSIXct" else 1.0
            attributes = {
                "class": vector(STR, odd.of([kind] if kind != "POSIXct" else [kind, "POSIXt"], [["POSIXt"], []]))
            }
            if kind != "Date":
                attributes |= {"tzone": vector(STR, odd.of(["UTC"], [["Nowhere/Else"], [None], []]))} if kind == "POSIXct" else {"units": vector(STR, ["days"])}  # fmt: skip
            columns[name] = [None if d != d else d if kind == "difftime" else pd.Timestamp(d, unit="D") for d in days]
            items.append(vector(REAL, [odd.number(d * step) for d in days], attributes, True))
        elif kind == "POSIXlt":
            days = [draw(st.sampled_from(["1999-12-31", "2024-02-29", None])) for _ in range(n)]
            columns[name] = [None if d is None else pd.Timestamp(d) for d in days]
            known = [pd.Timestamp(d or "2000-01-01") for d in days]
            parts = {"sec": [0.0 if d else float("nan") for d in days], "min": [0] * n, "hour": [0] * n, "mday": [t.day for t in known], "mon": [t.month - 1 for t in known], "year": [t.year - 1900 for t in known], "wday": [0] * n, "yday": [0] * n, "isdst": [0] * n}  # fmt: skip
            parts = {k: [v if d else None for v, d in zip(vs, days, strict=True)] if k in ("mday", "mon", "year") else vs for k, vs in parts.items()}  # fmt: skip
            lists = [vector(REAL if k == "sec" else INT, [v if v is None or k == "sec" else odd.integer(v) for v in vs]) for k, vs in odd.some(list(parts.items()))]  # fmt: skip
            items.append(vector(VEC, lists, {"names": vector(STR, list(parts)), "class": vector(STR, ["POSIXlt", "POSIXt"]), "tzone": vector(STR, ["UTC"])}, True))  # fmt: skip
        elif kind == "wrapped":
            columns[name] = [draw(st.sampled_from([1.5, 2.25])) for _ in range(n)]
            items.append(wrapped(REAL, vector(REAL, columns[name])))
        else:
            odd.sound = False
            classes = draw(
                st.sampled_from(
                    [
                        ["Date"],
                        ["POSIXct", "POSIXt"],
                        ["POSIXlt", "POSIXt"],
                        ["difftime"],
                        ["haven_labelled"],
                        ["integer64"],
                        ["AsIs"],
                        ["data.frame"],
                        ["odd"],
                        ["hms", "difftime"],
                        ["tbl_df"],
                    ]
                )
            )
            kind = draw(st.sampled_from([INT, REAL, STR, LGL, VEC]))
            values = {
                INT: [1] * n,
                LGL: [1] * n,
                REAL: [draw(st.sampled_from(NUMBERS)) for _ in range(n)],
                STR: ["a"] * n,
                VEC: [vector(INT, [1])] * n,
            }[kind]
            attributes = {"class": vector(STR, classes)}
            for extra in draw(
                st.lists(
                    st.sampled_from(["tzone", "units", "labels", "dim", "names", "levels", "na_values", "na_range"]),
                    max_size=3,
                    unique=True,
                )
            ):
                attributes[extra] = draw(
                    st.sampled_from(
                        [
                            vector(STR, ["Nowhere/Else"]),
                            vector(STR, [None]),
                            vector(INT, [n, 1]),
                            vector(REAL, [1.0, float("nan")]),
                            vector(VEC, []),
                            vector(INT, [1], {"names": vector(STR, ["x"])}),
                            flags(NILVALUE),
                        ]
                    )
                )
            items.append(vector(kind, values, attributes, True))
    names = [*columns, *(f"d{i}" for i in range(len(items) - len(columns)))]
    rows = odd.of(
        vector(INT, [None, -n]),
        [vector(INT, [None, n + 1]), vector(STR, ["r"] * n), vector(INT, []), vector(REAL, [1.0])],
    )
    frame = vector(
        VEC,
        odd.some(items),
        {
            "names": vector(STR, odd.some(names)),
            "class": vector(
                STR, odd.of(["data.frame"], [["tbl_df", "tbl", "data.frame"], ["synds"], [], ["data.frame", None]])
            ),
            "row.names": rows,
        },
        True,
    )
    for within in draw(st.sampled_from([[], ["first"], ["inner", "outer"]])):
        frame = vector(VEC, [frame], {"names": vector(STR, [within])})
    head = b"X\n" + whole(odd.integer(draw(st.sampled_from([2, 3])))) + whole(0x040300) + whole(0x020300)
    if head[5:6] == b"\x03":
        head += whole(odd.integer(5)) + b"UTF-8"
    packed = draw(st.sampled_from([bytes, bytes, gzip.compress, bz2.compress, lzma.compress]))
    return odd.data(packed(odd.data(head + frame))), (columns if odd.sound else None)


# ---- text ----

_CELLS = st.sampled_from(["a", "b", "", " x ", "é", "1", "-8", "1.5", "1,5", "007", "NA", "a;b", "a,b", "a|b", "a\tb", 'say "x"', "it's", "two\nlines", "2020-01-01", "#", "=1+1", "<b>", "𝔘", "1e5", "TRUE"])  # fmt: skip


@st.composite
def text(draw):
    """A file of a dialect, what is told of it, its cells, and whether anything about it is odd."""
    odd = Odd(draw, how_odd(draw))
    width = draw(st.integers(2, 5))
    rows = draw(st.lists(st.lists(_CELLS, min_size=width, max_size=width), min_size=1, max_size=8))
    delimiter, quote = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(['"', '"', "'"]))
    coding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-16-le", "latin-1"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    names = [f"column {i}" for i in range(width)]

    def written(cell):
        plain = not any(mark in cell for mark in (delimiter, quote, "\n", "\r")) and cell == cell.strip(" ")
        if plain and draw(st.booleans()):
            return cell
        return odd.of(quote, ["", quote * 2]) + cell.replace(quote, quote * 2) + odd.of(quote, [""])

    lines = [delimiter.join(odd.some([written(c) for c in row])) for row in [names, *rows]]
    whole = end.join(odd.some(lines)) + odd.of(end, ["", end * 3, "\x1a", "\x00", " "])
    data = whole.encode(coding, "replace")
    if any("𝔘" in c for row in rows for c in row) and coding in ("cp1252", "latin-1"):
        odd.sound = False
    cells = {name: [row[i] or None for row in rows] for i, name in enumerate(names)}
    told = {"delimiter": delimiter, "quote": quote, "encoding": coding, "decimal": "."}
    return odd.data(data), told, (cells if odd.sound and end != "\r" else None)


def frame_texts(columns):
    """Return columns of values as the worker tells them."""
    from tests.fuzz.worker import texts

    return texts(pd.DataFrame({n: pd.Series(v, dtype=object) for n, v in columns.items()}))
