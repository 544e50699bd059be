"""The one error a user can cause: a sentence that says what to change; and what stands where there is no figure."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec
from typing import TypeVar

T = TypeVar("T")


class DisclosureError(Exception):
    """What was asked cannot be done; the message is one sentence that says what to change.

    The message never holds values of records, only names and levels that the user gave.

    Examples
    --------
    >>> from disclosure_core import Settings
    >>> try:
    ...     Settings(keys="sex")
    ... except DisclosureError as error:
    ...     print(error)
    Give the keys as a list, even if there is only one: ['sex'].
    """


@dataclass(frozen=True, slots=True)
class NotEvaluated:
    """A figure that cannot be computed from what there is; shown as such, never as 0, blank or a pass.

    Attributes
    ----------
    why
        One sentence: what is in the way.
    needs
        One sentence: what would be needed.

    Examples
    --------
    >>> NotEvaluated("There is no holdout.", "Bring one.").row()
    {'not evaluated': 'There is no holdout.', 'needs': 'Bring one.'}
    """

    why: str
    needs: str

    def row(self) -> dict[str, str]:
        """Return what stands in a table in the place of its figures, one row."""
        return {"not evaluated": self.why, "needs": self.needs}


class NothingEvaluatedError(DisclosureError):
    """Nothing that was asked for can be evaluated; the message says why, and what would be needed.

    Examples
    --------
    >>> print(NothingEvaluatedError(NotEvaluated("The values of 'sex' do not meet.", "Mend it.")))
    The values of 'sex' do not meet. Mend it.
    """

    def __init__(self, found: NotEvaluated) -> None:
        super().__init__(f"{found.why} {found.needs}".strip())
        self.found = found


def not_found(what: str, name: str, where: str, available: Iterable[str]) -> DisclosureError:
    """Return the error for a name that is not there, with the nearest name that is.

    Parameters
    ----------
    what
        What was looked for: "Key", "Target level" …
    name
        The name as the user gave it.
    where
        Where it was looked for: "in the data", "of 'income'" …
    available
        The names that would have been found.
    """
    names = [str(n) for n in available]
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if near:
        hint = f"Did you mean {near[0]!r}?"
    else:
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        shown = ", ".join(map(repr, names[:_NAMED]))
        hint = f"Choose one of {shown}{more}." if names else "There is none to choose."
    return DisclosureError(f"{what} {str(name)!r} is not {where}. {hint}")


_NAMED = 12
"""Names among which to choose that a sentence lists."""


NEEDED = {
    "openpyxl": ("Excel files", "files"),
    "pyreadstat": ("SPSS, Stata and SAS files", "files"),
    "python_calamine": ("Excel and OpenDocument files", "files"),
    "rdata": ("R files", "files"),
    "xlsxwriter": ("Excel workbooks", "files"),
    "fontTools": ("reports as HTML", "report"),
    "jinja2": ("reports", "report"),
    "matplotlib": ("figures for print and reports", "report"),
    "plotly": ("figures on screen", "report"),
    "pypdf": ("reports as PDF", "report"),
    "typst": ("reports as PDF", "report"),
    "markdown_it": ("the dashboard", "app"),
    "segno": ("the code to scan", "app"),
    "streamlit": ("the dashboard", "app"),
    "duckdb": ("data in DuckDB", "duckdb"),
    "ibis": ("data in Spark or a warehouse", "ibis"),
    "pyarrow_hotfix": ("data in Spark or a warehouse", "ibis"),
    "rich": ("data in Spark or a warehouse", "ibis"),
    "sqlglot": ("data in Spark or a warehouse", "ibis"),
    "cyclonedx": ("portable folders", "bundle"),
    "pyspark": ("data in Spark", "spark"),
}
"""What a package is for, and the extra that brings it, by the name under which it is imported."""


def not_installed(error: ModuleNotFoundError) -> DisclosureError:
    """Return the sentence for a package that is not there, with the command that installs it.

    The command goes without an index that has this program: pip takes the extra's needs from what is installed.
    """
    package = (error.name or "a package").partition(".")[0]
    use, extra = NEEDED.get(package, ("", ""))
    what = f'"disclosure-core[{extra}]"' if extra else package.replace("_", "-")
    return DisclosureError(
        f"The package {package!r} is not installed{f'; it is for {use}' if use else ''}. Install it with: "
        f"{pip_command(what)}"
    )


def pip_command(what: str) -> str:
    """Return the command that installs something here, also where this environment has no pip of its own.

    Then the Python that it was made of runs pip: in an environment that is active, `python3` is its own.
    bash, PowerShell and cmd take it: it does not begin with a quote.
    """
    if find_spec("pip") and _plain(sys.executable):
        return f"{sys.executable} -m pip install {what}"
    by_name = "py" if os.name == "nt" else "python3"
    python = base_python() if _plain(base_python()) else by_name
    return f'{python or by_name} -m pip --python "{sys.prefix}" install {what}'


def base_python() -> str:
    """Return the Python that this environment was made of, or nothing where that is not known."""
    return getattr(sys, "_base_executable", None) or ""


def _plain(path: str) -> bool:
    """Return whether a shell takes a path without quotes."""
    return not set(path) & set(" '&()")


def evaluated(make: Callable[[], T]) -> T | NotEvaluated:
    """Return a result, or why there is none: a key that the holdout lacks is no reason to show nothing else."""
    try:
        return make()
    except DisclosureError as error:
        return NotEvaluated(str(error), "")
