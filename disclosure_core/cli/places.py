"""Where a command reads and where it writes: no output is an input, nor another output of the same call."""

from __future__ import annotations

import errno
import os
import re
import sys
import unicodedata
from glob import glob
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_INPUTS, _WRITTEN = "disclosure_core.inputs", "disclosure_core.written"
_STANDARD = Path("-")

_NOT_READ_WHOLE = ("data", "spill_folder")
"""Folders in which other files may lie than those that are read."""

_NAMED_IN_TEXT = ("engine", "original_table", "synthetic_tables", "coarsen", "hierarchies", "steps")
"""Options whose texts may name a file or folder: `duckdb:///people.db`, `job:levels.csv`."""

_TABLES = ("original_table", "synthetic_tables")
"""Options whose texts may be a folder, or a pattern of files: `data/*.parquet`."""


class Output(click.Path):
    """The type of an option that names what a command writes.

    Parameters
    ----------
    endings
        Those that the file may have, where other programs go by them.
    folder
        Whether it is a folder.
    packed
        Whether a folder may also be a .zip that holds what would lie there.
    """

    def __init__(self, *endings: str, folder: bool = False, packed: bool = False, **more: Any) -> None:
        super().__init__(path_type=Path, **more)
        self.endings, self.folder, self.packed = endings, folder, packed

    def holds(self, path: Path) -> bool:
        """Return whether files are written below a place."""
        return self.folder and not (self.packed and path.suffix.lower() == ".zip")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the place, at which a file or folder can be."""
        path = Path(str(super().convert(value, param, ctx)))
        try:
            path.stat()
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                self.fail(f"{path.name[:40]}… is too long a name; choose a shorter one.", param, ctx)
            if error.errno == errno.EACCES:
                self.fail(f"{path} cannot be written ({error.strerror}); choose another place.", param, ctx)
            if error.errno == errno.ELOOP:
                self.fail(f"{path} is a link that leads to itself; choose another place.", param, ctx)
        if not self.folder and path.is_dir():
            self.fail(f"{path} is a folder; name a file.", param, ctx)
        if path.exists() and not os.access(path, os.W_OK) and _stream(path) is None:
            self.fail(f"{path} cannot be written (Permission denied); choose another place.", param, ctx)
        if self.holds(path) and path.exists() and not path.is_dir():
            self.fail(f"{path} is a file; name a folder{', or a .zip file' if self.packed else ''}.", param, ctx)
        if above := next((each for each in path.parents if each.exists() and not each.is_dir()), None):
            self.fail(f"{above} is a file, and holds no other; name a folder.", param, ctx)
        return path


def check(context: click.Context) -> None:
    """Refuse a call that would write over what it reads, or write one file twice."""
    outputs, printed, inputs, of_patterns = {}, [], [], []
    for param in context.command.params:
        value = context.params.get(param.name or "")
        if any("\ud800" <= letter <= "\udfff" for text in _texts(value) for letter in text):
            raise DisclosureError(f"{param.opts[0]} holds letters that are not UTF-8; write it in UTF-8.")
        if isinstance(param.type, Output):
            if value == _STANDARD and not param.type.allow_dash:
                raise DisclosureError(f"{param.opts[0]} writes files, and - is none; name a place.")
            if value is not None and (value == _STANDARD or _stream(value) == _PRINTED):
                printed.append(param.opts[0])
                if not output_is_open():
                    raise DisclosureError(f"{param.opts[0]} is to be printed, and the output is closed; name a file.")
            if value is not None and value != _STANDARD:
                outputs[param.opts[0]] = (value, param.type)
        elif value and param.name not in _NOT_READ_WHOLE:
            inputs += list(_places(value, in_text=param.name in _NAMED_IN_TEXT))
            if param.name in _TABLES:
                inputs += [Path(text) for text in _texts(value) if _is_folder(text)]
                of_patterns += _of_patterns(_texts(value))
    if len(printed) > 1:
        raise DisclosureError(f"{' and '.join(printed[:2])} are both to be printed; name a file for one of them.")
    reviews = [*(path for path in inputs if path.suffix.lower() == ".json"), context.params.get("review")]
    inputs += _of_reviews(filter(None, reviews), context.params.get("data"))
    context.meta[_INPUTS] = inputs = [*inputs, *of_patterns]
    folders = {path.resolve() for path in inputs if path.is_dir()}
    patterns = {path.resolve().parent for path in of_patterns}
    for option, (path, kind) in outputs.items():
        _suits(option, path, kind.endings, _data_endings(), "data")
        if kind.holds(path) or path.suffix.lower() in _data_endings():
            folder = (path if kind.holds(path) else path.parent).resolve()
            if folder in patterns or not folders.isdisjoint((folder, *folder.parents)):
                raise DisclosureError(  # the next call would take what is laid there for data
                    f"{option} would write into {folder}, whose files this call reads; name another folder."
                )
        if not kind.holds(path):
            _is_no_input(path, inputs, f"{option} would write over {path}, which this call reads; name another file.")
    for (one, (path, kind)), (other, (place, its_kind)) in combinations(outputs.items(), 2):
        if _meet(path, place, kind.holds(path), its_kind.holds(place)):
            raise DisclosureError(f"{one} and {other} both write {place}; name another place for one of them.")
    for option, (path, kind) in outputs.items():
        _suits(option, path, kind.endings, _DOCUMENTS, "")


def refuse_inputs(paths: Iterable[Path]) -> None:
    """Refuse to write over what the running command reads."""
    context = click.get_current_context(silent=True)
    inputs = context.meta.get(_INPUTS, ()) if context is not None else ()
    for path in paths:
        _is_no_input(path, inputs, f"{path} is one of the files that this call reads; choose another folder.")


def write_once(path: Path) -> None:
    """Refuse to write a place again that the running command wrote: a file of a folder, and one that is named."""
    context = click.get_current_context(silent=True)
    written: list[Path] = [] if context is None else context.meta.setdefault(_WRITTEN, [])
    if path.exists() and not _takes_all(path) and any(path.samefile(each) for each in written):
        raise DisclosureError(f"This call has written {path} already, which stays; name another file or folder.")
    written.append(path)


def _is_no_input(path: Path, inputs: Iterable[Path], refusal: str) -> None:
    if (path.is_file() or path.is_dir()) and any(_same(path, each) for each in inputs):
        raise DisclosureError(refusal)


def _same(path: Path, read: Path) -> bool:
    """Return whether a file is the one that is read, or a data file in a folder that is."""
    if read.is_dir():
        return path.suffix.lower() in _data_endings() and path.resolve().is_relative_to(read.resolve())
    return path.samefile(read)


def _meet(one: Path, other: Path, one_holds: bool, other_holds: bool) -> bool:
    """Return whether two outputs are one place, or one lies below the other, which is a file.

    Names that differ in their case, or in how a letter is composed, are one place on many systems, and so on all here.
    """
    if (one_holds and other_holds) or _takes_all(one) or _takes_all(other):
        return False
    a, b = (Path(unicodedata.normalize("NFC", str(path.resolve())).casefold()) for path in (one, other))
    return a == b or (not one_holds and a in b.parents) or (not other_holds and b in a.parents)


def output_is_open() -> bool:
    """Return whether this program has an output to print to: started with `>&-` it has none."""
    return getattr(sys, "stdout", None) is not None


_PRINTED = 1
"""The number of the stream to which this program prints."""


def _stream(path: Path) -> int | None:
    from disclosure_core.data.placing import stream

    return stream(path)


def _takes_all(path: Path) -> bool:
    """Return whether a place is no file but takes bytes, such as /dev/null, or a stream of this program."""
    return _stream(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def _data_endings() -> tuple[str, ...]:
    from disclosure_core.data.readers import EXTENSIONS

    return EXTENSIONS


_DOCUMENTS = (".pdf", ".html", ".htm", ".docx", ".py", ".r", ".png", ".svg", ".tex", ".md", ".json")
"""Endings by which a program opens what is no data."""


def _suits(option: str, path: Path, endings: tuple[str, ...], others: tuple[str, ...], kind: str) -> None:
    """Refuse an ending of `others` for what is none of them."""
    ending = path.suffix.lower()
    if endings and ending in others and ending not in (*endings, ".txt"):
        taken = kind or f"a {ending} file"
        raise DisclosureError(
            f"{option} writes a {endings[0]} file, and {path.name} would be taken for {taken}; rename it."
        )


def _places(value: Any, *, in_text: bool = False) -> Iterator[Path]:
    """Give the files and folders that an option or argument names."""
    if isinstance(value, Path):
        if value.exists():
            yield value
    elif isinstance(value, str) and in_text:
        texts = (value, *(value.partition(mark)[2] for mark in (":", "=", ",", "://", ":///")))
        yield from (Path(text) for text in texts if 0 < len(text) < 4096 and "\0" not in text and _is_file(text))
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _places(each, in_text=in_text)


def _of_patterns(texts: Iterable[str]) -> list[Path]:
    """Return the files that patterns name."""
    asked = [text for text in texts if re.search(r"[*?\[]", text)]
    return [Path(each) for text in asked for each in glob(text, recursive=True)]  # noqa: PTH207 (a pattern as given)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _texts(each)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file() or ("/" in text and Path(text).is_dir())
    except OSError:  # a name that no file can have
        return False


def _is_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except OSError:
        return False


def _of_reviews(reviews: Iterable[Path], folder: Path | None) -> list[Path]:
    """Return the files in the folder of --data that saved reviews name."""
    if folder is None:
        return []
    from disclosure_core.data.placing import within
    from disclosure_core.review.matching import named_files
    from disclosure_core.review.value import Review

    found: list[Path] = []
    for path in reviews:
        try:
            names: Mapping[str, Any] = named_files(Review.load(path))
        except DisclosureError:  # what is wrong with it is said when it is read
            continue
        found += [place for name in names if (place := within(folder, name)).exists()]
    return found
