"""Files of Stata (113 to 119) and SAS (7BDAT, transport) by their structure, as `structures` does for other formats.

Layouts: https://www.stata.com/help.cgi?dta, the Library of Congress on fdd000465, SAS technical note TS-140.
"""

import string
import struct

from hypothesis import strategies as st

from tests.fuzz.structures import NAMES, Odd, how_odd

LETTERS = {"_": -1_000_000} | {letter: -1_000_001 - i for i, letter in enumerate(string.ascii_lowercase)}
WORDS = ["a", "b", "long " * 8, "é", "007", "-"]


def missing_as_number(cells: list) -> list:
    """Return cells with letters as the numbers that stand for them, where any number is there."""
    return [LETTERS[c[1]] if isinstance(c, tuple) else c for c in cells]


# ---- Stata ----

_WHOLE = {"byte": ("b", 101, 65530, 251), "int": ("h", 32741, 65529, 252), "long": ("i", 2147483621, 65528, 253)}
_FLOAT = {"float": ("f", "I", 0x7F000000, 0x800, 65527, 254), "double": ("d", "Q", 0x7FE0000000000000, 1 << 40, 65526, 255)}  # fmt: skip


@st.composite
def stata(draw):
    odd = Odd(draw, how_odd(draw))
    release = draw(st.sampled_from([113, 114, 115, 117, 118, 119]))
    new, wide = release >= 117, release >= 118
    mark = draw(st.sampled_from("<>"))
    pack = lambda form, *values: struct.pack(mark + form, *values)  # noqa: E731
    whole = lambda form, value: pack(form.upper(), odd.integer(value) & (1 << 8 * struct.calcsize("=" + form)) - 1)  # noqa: E731
    letters = "utf-8" if wide else "cp1252"
    room = {"name": 129 if wide else 33, "format": (57 if wide else 49) if release > 113 else 12, "label": 321 if wide else 81}  # fmt: skip
    n = draw(st.integers(1, 5))
    kinds = draw(st.lists(st.sampled_from([*_WHOLE, *_FLOAT, "text", "labelled", *(["strL"] * new)]), min_size=2, max_size=5))  # fmt: skip
    columns, cells, types, named, strls = {}, [], [], [], b""
    said = draw(st.lists(st.sampled_from(["low", "None", "é", "x" * 60]), min_size=3, max_size=3, unique=True))
    for i, kind in enumerate(kinds):
        name, label, known = odd.of(f"c{i}", NAMES), b"", None
        if kind in _WHOLE:
            form, gone, new_type, old_type = _WHOLE[kind]
            known = [draw(st.sampled_from([1, 2, -8, None, ("", "a"), ("", "z")])) for _ in range(n)]
            codes = [gone if v is None else gone + 1 + ord(v[1]) - 97 if isinstance(v, tuple) else v for v in known]
            cells.append([pack(form, code) for code in codes])
            types.append(new_type if new else old_type)
        elif kind in _FLOAT:
            form, bits, gone, step, new_type, old_type = _FLOAT[kind]
            known = [draw(st.sampled_from([1.5, -8.25, None, ("", "b")])) for _ in range(n)]
            cells.append(
                [
                    pack(form, odd.number(v))
                    if isinstance(v, float) and (form == "d" or odd.sound)
                    else pack(form, v)
                    if isinstance(v, float)
                    else pack(bits, gone + (0 if v is None else step * (ord(v[1]) - 96)))
                    for v in known
                ]
            )
            types.append(new_type if new else old_type)
        elif kind == "labelled":
            known = [draw(st.sampled_from(said)) for _ in range(n)]
            cells.append([pack("i", odd.integer(said.index(t) + 1)) for t in known])
            types.append(65528 if new else 253)
            label = odd.of(b"set", [b"", b"none", b"set2"])
        else:
            # Of format 117, pyreadstat reads long texts beyond ASCII in no encoding: such a file is refused.
            words = [t for t in WORDS if kind == "text" or wide or t.isascii()]
            known = [draw(st.sampled_from([*words, None])) for _ in range(n)]
            raw = [(t or "").encode(letters) for t in known]
            if kind == "text":
                cells.append([r.ljust(46, b"\0") for r in raw])
                types.append(46)
            else:
                places = []
                for row, r in enumerate(raw):
                    v, o = i + 1, row + 1
                    if not r:
                        places.append(pack("II", 0, 0))
                        continue
                    v, o = odd.integer(v) & 0xFFFF, odd.integer(o) & 0xFFFFFFFF
                    narrow = 16 if release == 118 else 24
                    joined = v | o << narrow if mark == "<" else v << (64 - narrow) | o
                    places.append(pack("Q", joined) if wide else pack("II", v, o))
                    kind_of_text = odd.of(130, [129, 0, 255])
                    content = odd.data(r + b"\0")
                    strls += odd.of(b"GSO", [b"GSX", b""]) + whole("I", i + 1) + (whole("Q", row + 1) if wide else whole("I", row + 1))  # fmt: skip
                    strls += bytes([kind_of_text]) + whole("I", len(content)) + content
                cells.append(places)
                types.append(32768)
        columns[name] = known
        named.append((name, label))
    raw = [t.encode(letters) + b"\0" for t in said]  # one set for all columns of labels
    text = odd.data(b"".join(raw))
    body = whole("i", len(raw)) + whole("i", len(text))
    body += b"".join(whole("i", sum(map(len, raw[:i]))) for i in range(len(raw)))
    body += b"".join(whole("i", i + 1) for i in range(len(raw))) + text
    tables = whole("i", len(body)) + b"set".ljust(room["name"], b"\0") + b"\0\0\0" + body
    tables = b"<lbl>" + tables + b"</lbl>" if new else tables
    fixed = lambda text, size: text.encode(letters, "replace")[: size - 1].ljust(size, b"\0")  # noqa: E731
    rows = odd.data(b"".join(column[row] for row in range(n) for column in cells))
    parts = {
        "variable_types": b"".join(pack("H", t) if new else bytes([t]) for t in types),
        "varnames": b"".join(fixed(name, room["name"]) for name, _ in odd.some(named)),
        "sortlist": b"\0" * (4 if release == 119 else 2) * (len(kinds) + 1),
        "formats": b"".join(fixed("%46s" if k in ("text", "strL") else "%9.0g", room["format"]) for k in odd.some(kinds)),
        "value_label_names": b"".join(label.ljust(room["name"], b"\0") for _, label in named),
        "variable_labels": b"\0" * room["label"] * len(kinds),
    }  # fmt: skip
    k, size = odd.integer(len(kinds)), odd.integer(n)
    if not new:
        head = bytes([odd.of(release, [0, 112, 116, 255]), 2 if mark == "<" else 1, 1, 0]) + pack("H", k & 0xFFFF) + pack("I", size & 0xFFFFFFFF)  # fmt: skip
        data = head + b"\0" * 81 + b"\0" * 18 + b"".join(parts.values()) + odd.data(b"\0" * 5) + rows + odd.data(tables)
    else:
        head = f"<stata_dta><header><release>{odd.of(release, [116, 120, 999])}</release><byteorder>{'LSF' if mark == '<' else 'MSF'}</byteorder><K>".encode()  # fmt: skip
        head += pack("I", k & 0xFFFFFFFF) if release == 119 else pack("H", k & 0xFFFF)
        head += b"</K><N>" + (pack("Q", size & 0xFFFFFFFFFFFFFFFF) if wide else pack("I", size & 0xFFFFFFFF))
        head += b"</N><label>" + (pack("H", 0) if wide else b"\0") + b"</label><timestamp>\0</timestamp></header>"
        sections = [(tag.encode(), body) for tag, body in parts.items()]
        sections += [(b"characteristics", b""), (b"data", rows), (b"strls", strls), (b"value_labels", tables)]
        body, offsets = b"", [0, len(head)]
        start = len(head) + len(b"<map></map>") + 14 * 8
        for tag, content in sections:
            offsets.append(start + len(body))
            body += b"<" + tag + b">" + content + b"</" + tag + b">"
        offsets += [start + len(body), start + len(body) + len(b"</stata_dta>")]
        data = head + b"<map>" + b"".join(whole("Q", o) for o in offsets) + b"</map>" + body + b"</stata_dta>"
    columns = {name: missing_as_number(known) for name, known in columns.items()}
    if len(columns) < len(kinds):
        odd.sound = False
    return odd.data(data), (columns if odd.sound else None)


# ---- SAS transport ----


def ibm(value: float) -> bytes:
    """Return a number in IBM's form: a sign, a power of 16 from 64, 56 bits of fraction."""
    if not value:
        return b"\0" * 8
    power, fraction = 64, abs(value)
    while fraction >= 1:
        power, fraction = power + 1, fraction / 16
    while fraction < 1 / 16:
        power, fraction = power - 1, fraction * 16
    return bytes([power | (128 if value < 0 else 0)]) + int(fraction * 2**56).to_bytes(7, "big")


def _card(kind: str, digits: str) -> bytes:
    return f"HEADER RECORD*******{kind:<8}HEADER RECORD!!!!!!!{digits:<30}  ".encode()


def _cards(data: bytes) -> bytes:
    return data + b" " * (-len(data) % 80)


@st.composite
def xport(draw):
    odd = Odd(draw, how_odd(draw))
    n = draw(st.integers(1, 5))
    kinds = ["number", *draw(st.lists(st.sampled_from(["number", "text"]), min_size=1, max_size=4))]
    columns, cells, descriptions, at = {}, [], [], 0
    for i, kind in enumerate(kinds):
        name, width = odd.of(f"C{i}", NAMES), 8 if kind == "number" else 20
        if kind == "number":
            known = [draw(st.sampled_from([1.0, -8.5, 1e6, 0.1, None, ("", "a")])) for _ in range(n)]
            cells.append([odd.data(b".A"[v is not None :][:1] + b"\0" * 7 if not isinstance(v, float) else ibm(v)) for v in known])  # fmt: skip
            columns[name] = missing_as_number(known)
        else:
            columns[name] = [draw(st.sampled_from(["a", "é", "007", None])) for _ in range(n)]
            cells.append([(t or "").encode().ljust(width)[:width] for t in columns[name]])
        kind_number, known_width = odd.integer(1 if kind == "number" else 2), odd.integer(width)
        description = struct.pack(">hhhh", kind_number & 0x7FFF, 0, known_width & 0x7FFF, i + 1) + name.encode()[:8].ljust(8)  # fmt: skip
        description += b" " * 40 + b" " * 8 + struct.pack(">hhhxx", 8, 0, 0) + b" " * 8
        description += struct.pack(">hhi", 8, 0, odd.integer(at)) + b"\0" * 52
        descriptions.append(description)
        at += width
    now = b"01JAN26:00:00:00"
    head = _card("LIBRARY", "0" * 30) + b"SAS     SAS     SASLIB  9.4     LINUX   ".ljust(64) + now + now.ljust(80)
    member = _card("MEMBER", "000000000000000001600000000" + odd.of("140", ["136", "000", "999"]))
    member += _card("DSCRPTR", "0" * 30) + b"SAS     X       SASDATA 9.4     LINUX   ".ljust(64) + now + now.ljust(80)
    fields = _card("NAMESTR", f"000000{odd.integer(len(kinds)) % 10_000:04d}" + "0" * 20)
    fields += _cards(b"".join(odd.some(descriptions)))
    rows = b"".join(column[row] for row in range(n) for column in cells)
    data = head + member + fields + _card("OBS", "0" * 30) + _cards(odd.data(rows))
    return odd.data(data), (columns if odd.sound else None)


# ---- SAS7BDAT: one page of descriptions and one of rows, 32 bits, nothing packed ----

_PAGE = 4096
_MAGIC = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")


def _head(pages: int, u64: bytes = b"\x22") -> bytes:
    head = bytearray(1024)
    head[:32] = _MAGIC
    head[32:33], head[35:36], head[37], head[39:40], head[70] = u64, b"\x22", 1, b"1", 20  # little end first, UTF-8
    head[84:92], head[92:156], head[156:164] = b"SAS FILE", b"X".ljust(64), b"DATA    "
    head[196:208] = struct.pack("<iii", 1024, _PAGE, pages)
    head[216:224] = b"9.0401M3"
    return bytes(head)


@st.composite
def sas7bdat(draw):
    odd = Odd(draw, how_odd(draw))
    n = draw(st.integers(1, 5))
    kinds = draw(st.lists(st.sampled_from(["number", "text"]), min_size=2, max_size=5))
    columns, cells = {}, []
    for i, kind in enumerate(kinds):
        name = odd.of(f"C{i}", [x for x in NAMES if len(x) < 20])
        if kind == "number":
            known = [
                draw(st.sampled_from([1.0, -8.5, 1e6, 0.1, None, ("", "a"), ("", "z"), ("", "_")])) for _ in range(n)
            ]
            columns[name] = missing_as_number(known)
            cells.append([struct.pack("<d", odd.number(v)) if isinstance(v, float) else special(v) for v in known])
        else:
            columns[name] = [draw(st.sampled_from(["a", "é", "007", None])) for _ in range(n)]
            cells.append([(t or "").encode().ljust(16) for t in columns[name]])
    data = sas_file(odd, list(columns), kinds[: len(columns)], cells[: len(columns)], n)
    if len(columns) < len(kinds):
        odd.sound = False
    return odd.data(data), (columns if odd.sound else None)


def special(value: tuple[str, str] | None) -> bytes:
    """Return one of SAS's missing values: "." for None, .a to .z for a letter, and ._."""
    tag = 1 if value is None else 0 if value[1] == "_" else 2 + ord(value[1]) - 97
    return b"\0" * 5 + bytes([~tag & 255]) + b"\xff\xff"


def sas_file(
    odd: Odd,
    names: list[str],
    kinds: list[str],
    cells: list[list[bytes]],
    n: int,
    formats: dict[str, str] | None = None,
) -> bytes:
    """Return a SAS7BDAT file of columns, each "number" or "text", from their cells; with formats, by column."""
    whole = lambda value: struct.pack("<I", odd.integer(value) & 0xFFFFFFFF)  # noqa: E731
    half = lambda value: struct.pack("<H", odd.integer(value) & 0xFFFF)  # noqa: E731
    widths = [len(column[0]) for column in cells]
    size = bytearray(480)
    size[:4], size[20:28] = b"\xf7\xf7\xf7\xf7", whole(sum(widths)) + whole(n)
    size[36:44], size[52:56], size[60:64] = whole(len(names)) + whole(0), whole(_PAGE), whole(0)
    text, places = b"\0" * 24, []
    for name in names:
        raw = name.encode()
        places.append((8 + len(text), len(raw)))  # counted from behind the signature
        text += raw.ljust(-(-len(raw) // 4) * 4, b"\0")
    shown = {}
    for name, format_ in (formats or {}).items():
        raw = format_.encode()
        shown[name] = struct.pack("<HHH", 0, 8 + len(text), len(raw))
        text += raw.ljust(-(-len(raw) // 4) * 4, b"\0")
    words = b"\xfd\xff\xff\xff" + struct.pack("<H", len(text)) + b"\0" * 6 + text
    called = b"\xff\xff\xff\xff" + struct.pack("<H", 8 * len(names) + 8) + b"\0" * 6
    called += b"".join(half(0) + half(at) + half(length) + b"\0\0" for at, length in places) + b"\0" * 8
    about = b"\xfc\xff\xff\xff" + struct.pack("<H", 12 * len(names) + 8) + b"\0" * 6
    for i, (kind, width) in enumerate(zip(kinds, widths, strict=True)):
        about += whole(sum(widths[:i])) + whole(width) + half(4) + bytes([odd.integer(1 if kind == "number" else 2) & 255, 0])  # fmt: skip
    about += b"\0" * 8
    form = [b"\xfe\xfb\xff\xff" + b"\0" * 30 + shown.get(name, b"\0" * 6) + b"\0" * 12 for name in names]
    parts = odd.some([bytes(size), b"\xf6\xf6\xf6\xf6" + whole(len(names)) + b"\0" * 4, words, called, about, *form])  # fmt: skip
    pointers, body, end = b"", b"", _PAGE
    for part in parts:
        end -= len(part)
        pointers += whole(end) + whole(len(part)) + bytes([odd.of(0, [1, 4, 5]), odd.of(0, [1, 9])]) + b"\0\0"
        body = part + body
    first = b"\0" * 16 + half(0) + half(len(parts)) + half(len(parts)) + b"\0\0" + pointers
    first = (first.ljust(end, b"\0")[:end] + body)[:_PAGE]
    rows = b"".join(column[row] for row in range(n) for column in cells)
    second = (b"\0" * 16 + half(256) + half(n) + half(0) + b"\0\0" + odd.data(rows)).ljust(_PAGE, b"\0")[:_PAGE]
    return _head(odd.integer(2) & 0x7FFFFFFF, odd.of(b"\x22", [b"\x33"])) + b"".join(odd.some([first, second]))


# ---- SAS7BCAT: formats with labels, 32 bits; a page of pointers, and one of blocks ----


def catalogue(formats: dict[str, dict]) -> bytes:
    """Return a catalogue: by format, labels of numbers, of letters (.A to ._) or, where $ leads its name, of texts."""
    blocks, pointers, at = b"", b"", 16
    for name, labels in formats.items():
        entries, texts = b"", b""
        for i, (code, label) in enumerate(labels.items()):
            value = (
                code.encode().ljust(16)[:16] if name.startswith("$") else 2 * _catalogued(code)
            )  # of a range both ends
            entries += struct.pack("<HHHII", 4, 8 + 24, 0, 0, i) + b"\0" * 8 + value
            texts += b"\0" * 8 + struct.pack("<H", len(label.encode())) + label.encode() + b"\0"
        long = len(name) > 8
        head = bytearray(106)
        head[2:4], head[8:16] = struct.pack("<H", 0x80 if long else 0), name.encode().ljust(8)[:8]
        head[38:46] = struct.pack("<II", len(labels), len(labels))
        block = bytes(head) + (name.encode().ljust(32) if long else b"") + entries + texts
        blocks += struct.pack("<IHH", 0, 0, len(block)) + b"\0" * 8 + block
        pointer = bytearray(212)
        pointer[:4], pointer[4:10], pointer[50:51] = b"XLSR", struct.pack("<IH", 4, at), b"O"
        pointers += bytes(pointer)
        at += 16 + len(block)
    begins = bytearray(_head(4))
    begins[15:16], begins[156:164] = b"\x63", b"CATALOG "
    pages = (b"", b"\0" * 856 + pointers, b"", b"\0" * 16 + blocks)
    return bytes(begins) + b"".join(page.ljust(_PAGE, b"\0")[:_PAGE] for page in pages)


def _catalogued(code: float | str) -> bytes:
    """Return a code as a catalogue holds it: the larger the number, the smaller its bytes."""
    if isinstance(code, str):
        return struct.pack(">Q", ((0 if code == "_" else 2 + ord(code) - 65) << 40) | 0xFFFFFFFFFF)
    return struct.pack(">d", -code) if code >= 0 else bytes(~byte & 255 for byte in struct.pack(">d", code))
