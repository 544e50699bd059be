"""Make the odd text files of `more/` that a library wrote in a way of its own, and what must hold of each.

    .venv/bin/python tests/fidelity/make_texts.py

As `make_more.py`, whose files need R; the cases stand in `more_texts.json`.
"""

import json
from pathlib import Path

HERE = Path(__file__).parent
ID = range(1, 21)
FIVE = [i % 5 for i in ID]
T = ["b" if i % 3 == 0 else "a" for i in ID]
ROWS = [[str(i), str(x), t] for i, x, t in zip(ID, FIVE, T, strict=True)]
CASES = []


def raw(name, text):
    (HERE / "more" / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def rows(parts=ROWS, sep=",", head=("id", "x", "t")):
    return "".join(sep.join(row) + "\n" for row in [head, *parts])


def case(name, original, kind, why, says=(), synthetic="../files/five.csv", **rest):
    CASES.append(
        {
            "name": f"text: {name}", "original": original, "synthetic": synthetic, "kind": kind, "keys": ["id", "x"],
            "target": "t", "column": "x", "expect": {"repU": 100.0}, "why": why, "says": [says] if says else [], **rest,
        }
    )  # fmt: skip


def changed(row, cell, text, also=None):
    """Return the rows with another text in a cell, and in others."""
    parts = [[*row] for row in ROWS]
    parts[row][cell] = text
    for (i, j), new in (also or {}).items():
        parts[i][j] = new
    return parts


def quotes():
    case("a quote that is never closed", raw("quote_open.csv", rows(changed(3, 1, '"3'))), "refused",
         "the rest of the file would be one cell")  # fmt: skip
    case("a quote that is never closed, in the last column", raw("quote_open_last.csv", rows(changed(3, 2, '"a'))), "refused",
         "each row has as many cells as the header: nothing else would tell")  # fmt: skip
    case("a quote that is never closed, in the last cell", raw("quote_open_end.csv", rows(changed(19, 2, '"'))[:-1]), "refused",
         "an empty cell in quotes has two")  # fmt: skip
    swallowed = rows(changed(3, 1, '"3', {(15, 1): '1"'}))
    case("a quote that swallows records until the next", raw("quote_swallows.csv", swallowed), "refused",
         "12 records were one cell, and nothing was said")  # fmt: skip
    few = rows(changed(3, 1, '"3', {(5, 1): '1"'}))
    case("a quote that swallows one record", raw("quote_swallows_one.csv", few), "said", "a cell may hold a line like a record",
         "Row 5 has a cell of 3 lines in 'x', some of which look like records")  # fmt: skip
    text = "".join(f'{i},{x},"{t}\nmore, and more, of it\n"\n' for i, x, t in ROWS)
    case("line ends in quotes", raw("quote_lines.csv", f"id,x,t\n{text}"), "levels", "a comment of several lines is one cell",
         synthetic="quote_lines.csv", levels=5)  # fmt: skip
    case("single quotes", raw("single_quotes.csv", rows([[f"'{c}'" for c in r] for r in ROWS], head=("'id'", "'x'", "'t'"))),
         "same", "as SQL writes texts", "stand in single quotes: read so")  # fmt: skip
    slashes = rows([[i, f'"\\"{x}\\""', t] for i, x, t in ROWS])
    case("quotes behind backslashes", raw("backslashes.csv", slashes), "said", "MySQL writes a quote so",
         "A backslash stands before a quote 40 times", synthetic="backslashes.csv")  # fmt: skip


def layout():
    case(
        "two marks of UTF-8",
        raw("two_marks.csv", b"\xef\xbb\xbf" * 2 + rows().encode()),
        "same",
        "one was there already",
    )
    case("blanks after delimiters", raw("blanks.csv", rows(sep=", ")), "same", "a person writes so",
         "A blank stands after every delimiter: ignored")  # fmt: skip
    case("blanks before quotes", raw("blanks_quotes.csv", rows([[i, x, f'"{t}, x"'] for i, x, t in ROWS], sep=", ")), "refused",
         "behind a blank a quote is a letter: cells would be cut in two")  # fmt: skip
    case("blanks in names alone", raw("blanks_names.csv", rows(head=("id", "x", " t"))), "said", "another name than in other files",
         "The name ' t' begins or ends with a blank", synthetic="blanks_names.csv")  # fmt: skip
    CASES[-1]["target"] = "x"
    CASES[-1]["keys"] = ["id"]
    twice = rows(ROWS[:10]) + rows(ROWS[10:])
    case("the names once more", raw("header_twice.csv", twice), "same", "two files, one behind the other",
         "Row 12 is the names of the columns once more: ignored")  # fmt: skip
    case("a line below the table", raw("footer.csv", rows() + "20 rows selected.\n"), "refused", "it is no record")
    case("a line below the table, with delimiters", raw("footer_cells.csv", rows() + "Source: survey,,\n"), "said",
         "it may be no record", "The last row holds 'Source: survey' alone")  # fmt: skip
    case("parted by ~", raw("tilde.csv", rows(sep="~")), "same", "as some mainframes write")
    fixed = "".join(f"{i:<6}{x:<6}{t}\n" for i, x, t in [("id", "x", "t"), *ROWS])
    case(
        "fixed places",
        raw("fixed_places.txt", fixed),
        "refused_or_said",
        "no delimiter at all",
        synthetic="fixed_places.txt",
    )
    three = rows([[i, f"{int(x) + 1}.{int(x) + 2}00", t] for i, x, t in ROWS])
    case("three digits after each mark", raw("three_digits.csv", three), "levels", "thousands or fractions: asked",
         "'x' has three digits after the mark in every value, such as '2.300'", synthetic="three_digits.csv", levels=5)  # fmt: skip


quotes()
layout()
(HERE / "more_texts.json").write_text(json.dumps(CASES, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
