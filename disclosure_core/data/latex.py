r"""A table for LaTeX that fits: one column of a journal where it can, else both (`table*`), else in parts.

Widths are those of Computer Modern at 8 points, which is wider than Times: what fits there fits elsewhere. Units stand
in the note beneath. The document needs booktabs and siunitx, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from disclosure_core.data.latex_letters import escaped, other_scripts

COLUMN, PAGE = 225.0, 340.0
"""Points: a column of two, and the page of one column, of LaTeX's own class `article`, which is among the narrowest."""

TALLEST = 400.0
"""Points for the rows of a table on one page."""

_SEP, _TIGHT, _LINE, _APART = 6.0, 4.0, 9.5, 4.0
"""Points between columns, where these are many, from line to line, and between groups of rows."""

_LEAST = 38.0
"""Points that a column of texts keeps at least, where its words are shorter."""

_LONGEST = 110.0
"""Points: longer words are broken."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A column as it is printed.

    Attributes
    ----------
    label, group
        Its head, and the head that it shares with its neighbours.
    unit
        What its figures count.
    texts
        A cell a row.
    numeric
        Whether these are figures, which stand point below point.
    """

    label: str
    group: str
    unit: str
    texts: Sequence[str]
    numeric: bool

    @property
    def widest(self) -> float:
        """Points that the longest cell takes in one line."""
        return max((wide(text) for text in self.texts), default=0.0)

    @property
    def three_lines(self) -> float:
        """Points that a head of figures takes in three lines."""
        width = self.longest_word
        while len(_broken(self.label, width)) > 3:
            width += 4
        return width if self.numeric else 0.0

    @property
    def longest_word(self) -> float:
        """Points that the head and, of texts, each cell needs at least."""
        words = [word for text in [self.label, *(() if self.numeric else self.texts)] for word in text.split()]
        return min(max(map(wide, words), default=0.0), _LONGEST)


def table(columns: Sequence[Cells], caption: str, note: str, label: str) -> str:
    """Return a table, or its parts one after the other, each in a float with caption, label and note."""
    parts = [(panel, rows) for panel in _panels(columns) for rows in _pages(panel)]
    head = [
        r"% Needs \usepackage[T1]{fontenc} and \usepackage{booktabs,siunitx}; \usepackage{lmodern} as well, where "
        "letters are bitmaps without it (pdffonts says Type 3).",
    ]
    texts = [caption, note, *(t for c in columns for t in (c.label, c.group, *(() if c.numeric else c.texts)))]
    if scripts := other_scripts(texts):
        head.append(
            f"% It has letters of {', '.join(scripts)}: compile with LuaLaTeX or XeLaTeX, which need "
            r"\usepackage{fontspec} in place of fontenc, and \setmainfont{a font that has them}."
        )
    floats = []
    for i, (panel, rows) in enumerate(parts, 1):
        of = rf" ({i}~of~{len(parts)})" if len(parts) > 1 and caption else ""
        name = f"{label}{f'-{i}' if i > 1 else ''}" if caption and label else ""
        floats.append(_float(panel, rows, f"{_titled(caption)}{of}", _note(note, panel), name))
    return "\n".join([*head, *floats])


def unfit(caption: str, why: str) -> str:
    """Return what stands in place of a table that cannot be made."""
    return f"\\par\\noindent\\emph{{{escaped(caption)}}}: not evaluated. {escaped(why)}\\par\n"


def _titled(caption: str) -> str:
    """Return a caption; the dot of "et al." ends no sentence."""
    return escaped(caption).replace("et al. ", r"et al.\ ")


def label_of(caption: str) -> str:
    """Return the name by which a text refers to a table: "tab:exclusions"."""
    words = re.sub(r"[^a-z0-9]+", "-", caption.lower()).strip("-")
    return f"tab:{words[:40].strip('-')}" if words else ""


_ABOVE = r"\setlength{\abovecaptionskip}{0pt}\setlength{\belowcaptionskip}{5pt}"
"""A caption stands above its table: LaTeX's own distances are for one beneath a figure, and let it touch the rule."""


def _float(columns: Sequence[Cells], rows: Sequence[int], caption: str, note: str, label: str) -> str:
    shown = [replace(c, texts=[c.texts[i] for i in rows]) for c in columns]
    widths = _widths(columns)
    natural = sum(widths) + _SEP * (len(columns) - 1)
    both = "*" * (natural > COLUMN)
    apart = _TIGHT if natural > PAGE + 1 else _SEP
    kinds = [_kind(c, width) for c, width in zip(columns, widths, strict=True)]
    lines = [
        rf"\begin{{table{both}}}",
        r"\centering\fontsize{8}{9.5}\selectfont",
        rf"\setlength{{\tabcolsep}}{{{apart / 2:g}pt}}",
    ]
    lines += [_ABOVE, rf"\caption{{{caption}}}"] if caption else []
    lines += [rf"\label{{{label}}}"] if label else []
    begins, ends = (r"\sbox0{", "}\n\\usebox0") if both else ("", "")  # measured: its note is no wider
    lines += [rf"{begins}\begin{{tabular}}{{@{{}}{' '.join(kinds)}@{{}}}}", r"\toprule"]
    if any(c.group for c in columns):
        lines += _grouped(columns, widths)
    lines += [_row(_head(c.label, width, c.numeric) for c, width in zip(columns, widths, strict=True)), r"\midrule"]
    grouped, before = _is_grouped(columns), ""
    for i, row in enumerate(zip(*(c.texts for c in shown), strict=True)):
        cells = [_cell(text, c.numeric, w) for text, c, w in zip(row, shown, widths, strict=True)]
        if grouped and i:
            if row[0] == before:
                cells[0] = ""
            else:
                lines.append(r"\addlinespace")
        before = row[0]
        lines.append(_row(cells))
    lines += [r"\bottomrule", rf"\end{{tabular}}{ends}"]
    if note:
        width = r"\ifdim\wd0<.6\linewidth .6\linewidth\else\wd0\fi" if both else r"\linewidth"
        lines += [r"\par\smallskip", rf"\parbox{{{width}}}{{\raggedright {note}}}"]
    return "\n".join([*lines, rf"\end{{table{both}}}", ""])


def _note(note: str, columns: Sequence[Cells]) -> str:
    """Return what stands beneath: what the table is of, and the unit of each column, those of one unit together."""
    units: dict[str, list[str]] = {}
    for c in columns:
        if c.unit and c.label not in units.setdefault(c.unit, []):
            units[c.unit].append(c.label)
    if len(units) == 1 and sum(c.numeric for c in columns) == sum(bool(c.unit) for c in columns):
        said = [f"In {unit}." for unit in units]
    else:
        said = [f"{', '.join(labels)}: {unit}." for unit, labels in units.items()]
    return _breakable(" ".join([*([note] if note else []), *said]), _LONGEST)


def _cell(text: str, numeric: bool, width: float) -> str:
    return (text or "{--}") if numeric else _breakable(text, width)


def _breakable(text: str, width: float) -> str:
    """Return a text for a box of this width: a word that is wider may be broken."""
    if all(wide(word) <= width + 0.1 for word in text.split(" ")):
        return escaped(text)
    return " ".join(r"\allowbreak{}".join(map(escaped, _pieces(word, width))) for word in text.split(" "))


def _pieces(word: str, width: float) -> list[str]:
    """Return a word in pieces no wider than this, each up to a mark that parts it where it has one: "target_"."""
    pieces = [""]
    for letter in word:
        if (last := pieces[-1]) and wide(last + letter) > width - 1:
            end = max(map(last.rfind, "_-./")) + 1 or len(last)
            pieces[-1:] = [last[:end], last[end:]]
        pieces[-1] += letter
    return pieces


def _kind(column: Cells, width: float) -> str:
    if not column.numeric:
        return "l" if column.widest <= width + 0.1 else rf">{{\raggedright\arraybackslash}}p{{{width:.0f}pt}}"
    whole = max((len(t.lstrip("-").partition(".")[0]) for t in column.texts), default=1)
    after = max((len(t.partition(".")[2]) for t in column.texts), default=0)
    sign = "-" * any(t.startswith("-") for t in column.texts)
    return f"S[table-format={sign}{max(whole, 1)}{f'.{after}' if after else ''}]"


def _natural(column: Cells) -> float:
    """Points that a column takes: its cells, and its head in as many lines as there are words."""
    if not column.numeric:
        return max(column.widest, column.longest_word)
    dot = any("." in t for t in column.texts)
    sign = any(t.startswith("-") for t in column.texts)
    whole = max((len(t.lstrip("-").partition(".")[0]) for t in column.texts), default=1)
    after = max((len(t.partition(".")[2]) for t in column.texts), default=0)
    return max(4.25 * (whole + after) + 2.4 * dot + 6.6 * sign, column.longest_word, 12.0)


def _widths(columns: Sequence[Cells], room: float = PAGE) -> list[float]:
    """Return the points of each column; where they do not fit, texts are broken into lines, the widest first."""
    widths = [_natural(c) for c in columns]
    easy = [max(width, c.three_lines) for c, width in zip(columns, widths, strict=True)]
    between = _SEP * (len(columns) - 1)
    if sum(easy) + between <= (COLUMN if sum(widths) + between <= COLUMN else room):
        widths = easy
    for group, run in groupby(range(len(columns)), key=lambda i: columns[i].group):  # a shared head has room
        at = list(run)
        need = min(max(map(wide, group.split()), default=0.0), _LONGEST) - _SEP * (len(at) - 1)
        lacking = max(need - sum(widths[i] for i in at), 0.0) if group else 0.0
        for i in at:
            widths[i] += lacking / len(at)
    over = sum(widths) + _TIGHT * (len(columns) - 1) - room
    texts = [i for i, c in enumerate(columns) if not c.numeric]
    while over > 0.5 and texts:
        i = max(texts, key=lambda i: widths[i])
        least = max(min(columns[i].longest_word, 0.4 * room), _LEAST)
        if widths[i] <= least:
            texts.remove(i)
            continue
        less = min(over, widths[i] - least, max(8.0, 0.1 * widths[i]))
        widths[i] -= less
        over -= less
    return widths


def _panels(columns: Sequence[Cells]) -> Iterator[Sequence[Cells]]:
    """Give a table whose columns do not fit side by side in several, each with the names of its rows."""
    if _fits(columns):
        yield columns
        return
    first = next((i for i, c in enumerate(columns) if any("." in text for text in c.texts) and c.numeric), 1)
    names, rest = columns[: max(first, 1)], columns[max(first, 1) :]
    while len(names) > 1 and sum(_widths(names)) > PAGE / 2:
        names, rest = names[:-1], [names[-1], *rest]
    runs = [list(run) for _, run in groupby(rest, key=lambda c: c.group or c.label)]
    for n in range(2, len(runs) + 1):
        cuts = [round(i * len(runs) / n) for i in range(n + 1)]
        panels = [[*names, *(c for run in runs[a:b] for c in run)] for a, b in pairwise(cuts)]
        if n == len(runs) or all(map(_fits, panels)):
            yield from panels
            return


def _fits(columns: Sequence[Cells]) -> bool:
    return sum(_widths(columns)) + _TIGHT * (len(columns) - 1) <= PAGE + 1


def _is_grouped(columns: Sequence[Cells]) -> bool:
    """Return whether several rows beneath each other have one name, which is then printed once."""
    runs = [len(list(run)) for _, run in groupby(columns[0].texts)] if columns else []
    return len(runs) > 1 and min(runs) > 1 and not columns[0].numeric


def _pages(columns: Sequence[Cells]) -> Iterator[range]:
    """Give the rows of each page; where it can, a page ends with a group."""
    n, widths = len(columns[0].texts) if columns else 0, _widths(columns)
    grouped = _is_grouped(columns)
    tall = []
    for i in range(n):
        lines = [_lines(c.texts[i], w) for c, w in zip(columns, widths, strict=True) if not c.numeric]
        begins = grouped and i > 0 and columns[0].texts[i] != columns[0].texts[i - 1]
        tall.append(_LINE * max([1, *lines]) + _APART * begins)
    start = 0
    while start < n or (start == 0 and n == 0):
        stop, room = start, TALLEST
        while stop < n and (tall[stop] <= room or stop == start):
            room -= tall[stop]
            stop += 1
        if grouped and stop < n:
            whole = next((i for i in range(stop, start, -1) if columns[0].texts[i] != columns[0].texts[i - 1]), stop)
            stop = whole
        yield range(start, stop)
        start = max(stop, 1)  # a table without rows has one page


def _lines(text: str, width: float) -> int:
    return len(_broken(text, width)) if wide(text) > width + 0.1 else 1


def _broken(text: str, width: float) -> list[str]:
    lines: list[str] = []
    words = [piece for word in text.split() for piece in (_pieces(word, width) if wide(word) > width + 0.1 else [word])]
    for word in words:
        if lines and wide(f"{lines[-1]} {word}") <= width + 0.1:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _head(label: str, width: float, numeric: bool) -> str:
    """Return a head in as many lines as it takes."""
    return f"{{{_stacked(_broken(label, width), 'c' if numeric else 'l')}}}"


def _stacked(lines: Sequence[str], side: str) -> str:
    if len(lines) == 1:
        return escaped(lines[0])
    inside = r" \\ ".join(map(escaped, lines))
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{inside}\end{{tabular}}"


def _grouped(columns: Sequence[Cells], widths: Sequence[float]) -> list[str]:
    heads, rules, at = [], [], 0
    for group, run in groupby(columns, key=lambda c: c.group):
        n = len(list(run))
        width = sum(widths[at : at + n]) + _SEP * (n - 1)
        stacked = _stacked(_broken(group, width), "c")
        heads.append(rf"\multicolumn{{{n}}}{{c}}{{{stacked}}}" if group else " & " * (n - 1))
        rules += [rf"\cmidrule(lr){{{at + 1}-{at + n}}}"] if group else []
        at += n
    return [_row(heads), " ".join(rules)]


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


_WIDTHS = {
    c: w
    for letters, w in (
        ("ijl.,;:'!|·", 0.278),
        ("frt()[]-/` ", 0.39),
        ("cesz", 0.46),
        ("abdghknopquvxy0123456789*", 0.54),
        ("ABCDEFGHJKLNOPQRSTUVXYZ&", 0.75),
        ("I", 0.361),
        ("mwMW%@—…", 0.9),
    )
    for c in letters
}
"""Of letters of Computer Modern, in sizes of the type."""


def wide(text: str) -> float:
    """Return about how many points a line takes at 8 points, rather too many than too few."""
    return 8 * 1.063 * sum(_WIDTHS.get(c, 0.78) for c in text)
