"""R's serialisation, with what rdata leaves out: compiled functions, raw bytes, weak references, namespaces.

An image of a session holds functions and models beside its tables. They are read over, so that what follows is found.

Source
------
R's src/main/serialize.c: ReadItem, ReadBC1, ReadBCConsts and ReadBCLang.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rdata.parser import RObject, RObjectInfo, RObjectType
from rdata.parser._ascii import ParserASCII
from rdata.parser._binary import ParserBinary
from rdata.parser._parser import DEFAULT_ALTREP_MAP, RdataFormats, format_dict, magic_dict, rdata_format
from rdata.parser._xdr import ParserXDR

_BYTECODE, _RAW, _WEAK = RObjectType.BCODE.value, RObjectType.RAW.value, RObjectType.WEAKREF.value
_REPEATED, _REPEATS = RObjectType.BCREPDEF.value, RObjectType.BCREPREF.value
_CALLS = {RObjectType.LANG.value, RObjectType.LIST.value}
_ATTRIBUTED = {RObjectType.ATTRLANG.value, RObjectType.ATTRLIST.value}
_BARE = {245, 246, 247, 252}
"""References to classes, the base namespace and an unbound value, of which nothing follows."""

_NAMED = {248, 250}
"""Persistent objects and packages: a vector of their names follows."""


def _nothing() -> RObject:
    """Return an object that stands for what is not read."""
    info = RObjectInfo(RObjectType.NILVALUE, object=False, attributes=False, tag=False, gp=0, reference=0)
    return RObject(tag=None, info=info, value=None, attributes=None, referenced_object=None)


class _WithCode:
    """What each of rdata's parsers is given besides."""

    latest: int
    parse_int: Any
    file: Any

    def parse_R_object(self, references: Any = None, repeated: Any = None, info_int: Any = None) -> RObject:
        references = [] if references is None else references
        try:
            return super().parse_R_object(references, repeated, info_int)  # type: ignore[misc]
        except (NotImplementedError, ValueError):
            kind = self.latest & 0xFF  # of what it does not know it has read no more than the kind
            if kind not in {_RAW, _WEAK, *_BARE, *_NAMED}:
                raise
        attributed, found = bool(self.latest & 0x200), _nothing()
        if kind == _RAW:
            found.info.type = RObjectType.RAW
            found.value = self.parse_raw(self.parse_int())
        elif kind in _NAMED:
            self.parse_int()
            for _ in range(self.parse_int()):
                self.parse_R_object(references)
        if kind == _WEAK or kind in _NAMED:
            references.append(found)
        if attributed and kind in (_RAW, _WEAK):
            found.attributes = self.parse_R_object(references)
        return found

    def parse_raw(self, length: int) -> bytes:
        """Return raw bytes."""
        return bytes(self.file.read(length))

    def _parse_bytecode(self, reference_list: Any, bytecode_rep_list: Any = None) -> Any:
        """Read over a compiled function: its code, and the constants that it uses."""
        if bytecode_rep_list is None:
            self.parse_int()
        self.parse_R_object(reference_list)
        for _ in range(self.parse_int()):
            kind = self.parse_int()
            if kind == _BYTECODE:
                self._parse_bytecode(reference_list, ())
            else:
                self._parse_constant(reference_list, kind)
        return ()

    def _parse_constant(self, references: Any, kind: int) -> None:
        """Read over a constant of compiled code, a call with all its arguments among them."""
        while True:
            if kind == _REPEATS:
                self.parse_int()
                return
            if kind == _REPEATED:
                self.parse_int()
                kind = self.parse_int()
            if kind not in _CALLS | _ATTRIBUTED:
                self.parse_R_object(references)
                return
            if kind in _ATTRIBUTED:
                self.parse_R_object(references)
            self.parse_R_object(references)  # its tag
            self._parse_constant(references, self.parse_int())
            kind = self.parse_int()  # the rest of the arguments


class _Binary(_WithCode, ParserBinary):
    def parse_int(self) -> int:
        order: Any = "little" if self.byteorder == "<" else "big"
        self.latest = int.from_bytes(_four(self.file), order, signed=True)
        return self.latest


class _Xdr(_WithCode, ParserXDR):
    def parse_int(self) -> int:
        self.latest = int.from_bytes(_four(self.file), "big", signed=True)
        return self.latest


class _Ascii(_WithCode, ParserASCII):
    def parse_int(self) -> int:
        self.latest = super().parse_int()
        return self.latest

    def parse_raw(self, length: int) -> bytes:
        return bytes(int(self.file.readline(), 16) for _ in range(length))


def _four(file: Any) -> bytes:
    """Return the next four bytes of a file, which must be there."""
    read: bytes = file.read(4)
    if len(read) < 4:
        raise EOFError
    return read


_PARSERS: Mapping[RdataFormats, Callable[..., Any]] = {
    RdataFormats.XDR: _Xdr,
    RdataFormats.ASCII: _Ascii,
    RdataFormats.ASCII_CRLF: _Ascii,
    RdataFormats.binary: _Binary,
}


def parse_data(plain: bytes) -> Any:
    """Return R's objects in an unpacked file, as rdata's `RData`; what it raises of a damaged one is of any kind."""
    data = memoryview(plain)
    data = data[next((len(mark) for mark in magic_dict.values() if data[: len(mark)] == mark), 0) :]
    format_ = rdata_format(data)
    if format_ is None:
        raise ValueError("no format of R")
    plain_data = data[len(format_dict[format_]) :]
    parser = _PARSERS[format_](plain_data, expand_altrep=True, altrep_constructor_dict=DEFAULT_ALTREP_MAP)
    r_data = parser.parse_all()
    parser.check_complete()
    return r_data
