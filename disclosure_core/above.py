"""What a method of a result or a review calls that lies above it, and how it is found there.

A result is written and drawn by `notebook`, above all results; a review is opened by what knows reviews. The package
says when it is imported where that is (`loaded_by`), and it is loaded when it is first called: no arrow leads up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


class Above(Protocol):
    """The bodies of these methods; `notebook` has them."""

    def json_of(self, result: Any) -> str:
        """Return every table of a result as JSON."""

    def excel_of(self, result: Any) -> bytes:
        """Return every table of a result as one Excel workbook."""

    def left(self, made: str | bytes, path: str | Path | None) -> Any:
        """Return what was made, or write it and return where."""

    def plotted(self, result: Any, path: str | Path | None, look: Mapping[str, Any], *asked: Any) -> Any:
        """Return a figure of a result for the screen, or write it for print and return where."""

    def check_analyses(self, review: Any) -> None:
        """Say which further result, or parameter of one, a review asks for that is not known here."""

    def result_of(self, opened: Any, name: str, asked: Mapping[str, Any]) -> Any:
        """Return a further result of the judged figures of a review, by its name."""

    def verified_of(self, opened: Any) -> Any:
        """Return what the second counter finds of a review's figures."""

    def report_of(self, opened: Any, path: str | Path, look: Mapping[str, Any]) -> Path:
        """Write the report and return where."""

    def opened(
        self, review: Any, data: Any, synthetic: Any, holdout: Any, holdout_is_random: bool | None, *, other_data: bool
    ) -> Any:
        """Return a review with its data."""

    def review_at(self, path: Path) -> Any:
        """Return the review that a file says."""

    def settings_of(self, text: str) -> Any:
        """Return the settings that a text says."""

    def text_of(self, review: Any) -> str:
        """Return a review as text."""


_load: list[Callable[[], Above]] = []


def loaded_by(load: Callable[[], Above]) -> None:
    """Have what lies above loaded so, when it is first called."""
    _load[:] = [load]


def above() -> Above:
    """Return what lies above."""
    (load,) = _load
    return load()
