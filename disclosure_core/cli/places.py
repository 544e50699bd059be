"""Where a command reads and where it writes: no output is an input, nor another output of the same call."""

from __future__ import annotations

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

_NAMED_IN_TEXT = ("engine", "original_table", "synthetic_tables", "coarsen")
"""Options whose texts may name a file or folder: `duckdb:///people.db`, `job:levels.csv`."""


class Output(click.Path):
    """The type of an option that names what a command writes.

    Parameters
    ----------
    endings
        Those that the file may have, where other programs go by them.
    folder
        Whether it is a folder, or a .zip that holds what would lie there.
    """

    def __init__(self, *endings: str, folder: bool = False, **more: Any) -> None:
        super().__init__(dir_okay=folder, writable=True, path_type=Path, **more)
        self.endings, self.folder = endings, folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the place; a file is no folder."""
        path = Path(str(super().convert(value, param, ctx)))
        if self.folder and path.is_file() and path.suffix.lower() != ".zip":
            self.fail(f"{path} is a file; name a folder, or a .zip file.", param, ctx)
        return path


def check(context: click.Context) -> None:
    """Refuse a call that would write over what it reads, or write one file twice.

    Raises
    ------
    DisclosureError
        When it would.
    """
    outputs, inputs = {}, []
    for param in context.command.params:
        value = context.params.get(param.name or "")
        if any("\ud800" <= letter <= "\udfff" for text in _texts(value) for letter in text):
            raise DisclosureError(f"{param.opts[0]} holds letters that are not UTF-8; write it in UTF-8.")
        if isinstance(param.type, Output):
            if value == _STANDARD and not param.type.allow_dash:
                raise DisclosureError(f"{param.opts[0]} writes files, and - is none; name a place.")
            if value is not None and value != _STANDARD:
                outputs[param.opts[0]] = (value, param.type)
        elif value and param.name not in _NOT_READ_WHOLE:
            inputs += list(_places(value, in_text=param.name in _NAMED_IN_TEXT))
    inputs += _of_reviews(inputs, context.params.get("data"))
    context.meta[_INPUTS] = inputs
    named: dict[Path, str] = {}
    for option, (path, kind) in outputs.items():
        _suits(option, path, kind.endings)
        if kind.folder and path.suffix.lower() != ".zip":
            continue
        _is_no_input(path, inputs, f"{option} would write over {path}, which this call reads; name another file.")
        other = named.setdefault(path.resolve(), option)
        if other != option and not _takes_all(path):
            raise DisclosureError(f"{other} and {option} both write {path}; name another file for one of them.")


def refuse_inputs(paths: Iterable[Path]) -> None:
    """Refuse to write over what the running command reads.

    Raises
    ------
    DisclosureError
        When one of the places is such a file.
    """
    context = click.get_current_context(silent=True)
    inputs = context.meta.get(_INPUTS, ()) if context is not None else ()
    for path in paths:
        _is_no_input(path, inputs, f"{path} is one of the files that this call reads; choose another folder.")


def write_once(path: Path) -> None:
    """Refuse to write a place again that the running command wrote: a file of a folder, and one that is named.

    Raises
    ------
    DisclosureError
        When it was written.
    """
    context = click.get_current_context(silent=True)
    written: set[Path] = set() if context is None else context.meta.setdefault(_WRITTEN, set())
    if path.resolve() in written and not _takes_all(path):
        raise DisclosureError(f"This call has written {path} already, which stays; name another file or folder.")
    written.add(path.resolve())


def _is_no_input(path: Path, inputs: Iterable[Path], refusal: str) -> None:
    if path.exists() and not _takes_all(path) and any(_same(path, each) for each in inputs):
        raise DisclosureError(refusal)


def _same(path: Path, read: Path) -> bool:
    """Return whether a file is the one that is read, or a data file in a folder that is."""
    from disclosure_core.data.readers import EXTENSIONS

    if read.is_dir():
        return path.suffix.lower() in EXTENSIONS and path.resolve().is_relative_to(read.resolve())
    return path.samefile(read)


def _takes_all(path: Path) -> bool:
    """Return whether a place is no file but takes bytes, such as /dev/null."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _suits(option: str, path: Path, endings: tuple[str, ...]) -> None:
    """Refuse the ending of a data file for what is none."""
    from disclosure_core.data.readers import EXTENSIONS

    ending = path.suffix.lower()
    if endings and ending in EXTENSIONS and ending not in (*endings, ".txt"):
        raise DisclosureError(
            f"{option} writes a {endings[0]} file, and {path.name} would be taken for data; rename it."
        )


def _places(value: Any, *, in_text: bool = False) -> Iterator[Path]:
    """Give the files and folders that an option or argument names."""
    if isinstance(value, Path):
        if value.exists():
            yield value
    elif isinstance(value, str) and in_text:
        texts = (value, *(value.partition(mark)[2] for mark in (":", "=", "://", ":///")))
        yield from (Path(text) for text in texts if 0 < len(text) < 4096 and "\0" not in text and _is_file(text))
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _places(each, in_text=in_text)


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


def _of_reviews(inputs: Iterable[Path], folder: Path | None) -> list[Path]:
    """Return the files in the folder of --data that a saved review names."""
    if folder is None:
        return []
    from disclosure_core.data.placing import within
    from disclosure_core.review.matching import named_files
    from disclosure_core.review.value import Review

    found: list[Path] = []
    for path in inputs:
        if path.suffix.lower() == ".json":
            try:
                names: Mapping[str, Any] = named_files(Review.load(path))
            except DisclosureError:  # what is wrong with it is said when it is read
                continue
            found += [place for name in names if (place := within(folder, name)).exists()]
    return found
