"""Typed columns, and a table of them as LaTeX and Markdown: label, unit and digits are stated once."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pandas as pd

from disclosure_core.rounding import fixed, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Columns = Mapping[str, "Column"]

LEVELS = " · "
"""What parts the head of several columns from a column's own."""

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "κ": r"$\kappa$", "β": r"$\beta$", "τ": r"$\tau$", "−": r"$-$", "…": r"\dots{}", "·": r"\textperiodcentered{}",
    "ε": r"$\varepsilon$", "\N{NO-BREAK SPACE}": "~",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """How a column of figures or texts is written.

    Attributes
    ----------
    label, unit
        What stands above it; the unit is empty for texts and bare numbers.
    digits
        After the point, of a figure that is no whole number.
    significant
        The same as significant digits, for shares as small as F; None for `digits` after the point.
    """

    label: str
    unit: str = ""
    digits: int = 2
    significant: int | None = None

    @property
    def head(self) -> str:
        """The label with its unit."""
        return f"{self.label}, {self.unit}" if self.unit else self.label

    def places(self, values: Sequence[Any]) -> int:
        """Return how many places after the point show the smallest figure of a column with its digits."""
        if self.significant is None:
            return self.digits
        sizes = [abs(v) for v in values if isinstance(v, float) and math.isfinite(v) and v]
        smallest = min(sizes, default=1.0)
        return min(max(self.significant - 1 - math.floor(math.log10(smallest)), self.significant - 1), 9)


def typed(frame: pd.DataFrame, columns: Columns) -> list[Column]:
    """Return the column of each column of a frame, in its order; one that nobody described is called what it is."""
    return [columns.get(str(name), Column(str(name))) for name in frame.columns]


def to_latex(frame: pd.DataFrame, columns: Columns, caption: str = "") -> bytes:
    r"""Return a table for LaTeX: booktabs, and siunitx for figures, which stand point below point.

    The document needs `\usepackage{booktabs,siunitx}`. Heads with " · " are grouped under what stands before it.
    """
    described, cells = typed(frame, columns), _cells(frame, columns)
    kinds = [_kind(texts) if numeric else "l" for texts, numeric in cells]
    heads = [c.label.split(LEVELS, 1) if LEVELS in c.label else ["", c.label] for c in described]
    lines = [r"% \usepackage{booktabs,siunitx}", r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{escaped(caption)}}}"] if caption else []
    lines += [rf"\begin{{tabular}}{{{' '.join(kinds)}}}", r"\toprule"]
    if any(group for group, _ in heads):
        lines += _grouped([group for group, _ in heads])
    lines.append(_row([f"{{{escaped(own)}}}" for _, own in heads]))
    if any(c.unit for c in described):
        lines.append(_row([f"{{{escaped(c.unit)}}}" for c in described]))
    lines.append(r"\midrule")
    for row in zip(*(texts for texts, _ in cells), strict=True):
        written = (
            (text or "{--}") if numeric else escaped(text) for text, (_, numeric) in zip(row, cells, strict=True)
        )
        lines.append(_row(list(written)))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]).encode()


def to_markdown(frame: pd.DataFrame, columns: Columns, caption: str = "") -> bytes:
    """Return a table as Markdown: heads with their units, figures to the right."""
    described, cells = typed(frame, columns), _cells(frame, columns)
    rows = [[c.head for c in described], ["---:" if numeric else "---" for _, numeric in cells]]
    rows += [list(row) for row in zip(*(texts for texts, _ in cells), strict=True)]
    table = [f"| {' | '.join(_in_markdown(text) for text in row)} |" for row in rows]
    return "\n".join([*([_in_markdown(caption), ""] if caption else []), *table, ""]).encode()


def _cells(frame: pd.DataFrame, columns: Columns) -> list[tuple[list[str], bool]]:
    """Return the texts of each column, and whether it holds figures; what has no answer is empty."""
    found = []
    for i, column in enumerate(typed(frame, columns)):
        series = frame.iloc[:, i]
        numeric = pd.api.types.is_numeric_dtype(series.dtype) and not pd.api.types.is_bool_dtype(series.dtype)
        values = series.tolist()
        places = column.places(values) if pd.api.types.is_float_dtype(series.dtype) else 0
        texts = [
            "" if pd.isna(v) or v in (math.inf, -math.inf)
            else fixed(v, places).replace(",", "").replace("−", "-") if numeric
            else printable(str(v))
            for v in values
        ]  # fmt: skip
        found.append((texts, numeric))
    return found


def _kind(texts: Sequence[str]) -> str:
    whole = max((len(t.lstrip("-").partition(".")[0]) for t in texts), default=1)
    after = max((len(t.partition(".")[2]) for t in texts), default=0)
    sign = "-" * any(t.startswith("-") for t in texts)
    return f"S[table-format={sign}{max(whole, 1)}{f'.{after}' if after else ''}]"


def _grouped(groups: Sequence[str]) -> list[str]:
    heads, rules, at = [], [], 1
    for group, run in groupby(groups):
        n = len(list(run))
        heads.append(rf"\multicolumn{{{n}}}{{c}}{{{escaped(group)}}}" if group else " & " * (n - 1))
        rules += [rf"\cmidrule(lr){{{at}-{at + n - 1}}}"] if group else []
        at += n
    return [_row(heads), " ".join(rules)]


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def escaped(text: str) -> str:
    """Return a text that LaTeX prints as it is."""
    return "".join(_LATEX.get(letter, letter) for letter in printable(text))


def _in_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~$])", r"\\\1", printable(text)) if not re.fullmatch(r"-+:?", text) else text
