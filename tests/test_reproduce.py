"""docs/reproduce.md and docs/gallery.md: their lines run, and what comes out is what the papers print."""

import re
import shlex
import shutil
from contextlib import chdir
from pathlib import Path

import matplotlib as mpl
import pytest

from tests.commands import disclosure

DOCS = Path(__file__).parents[1] / "docs"
SD2011 = Path(__file__).parents[2] / "shared" / "reference" / "sd2011"
needs_data = pytest.mark.skipif(not SD2011.is_dir(), reason=f"the reference data of the papers are not at {SD2011}")
CALLED = {"synthetic_s1": "one_1", "synthetic_train": "train_1"}

PRINTED = {
    "five/raab-et-al-2026-section-3-2": [
        "1 48.38 37.34 22.68 14.86", "2 48.38 35.44 22.24 13.96", "3 48.38 35.18 21.98 13.62", "4 48.38 34.90 22.08 13.78",
        "5 48.38 36.14 22.00 14.62",
    ],
    "five/raab-et-al-2026-section-3-3-1": [
        "depress 1 53.30 46.26 64.90 34.18 9.54 16.39 6.14 3 1.16", "depress 2 53.30 44.80 64.00 32.50 10.26 17.45 6.78 4 1.19",
        "depress 3 53.30 44.60 64.02 32.14 9.10 16.20 5.92 4 1.19", "depress 4 53.30 45.80 63.88 33.38 9.20 15.92 5.52 4 1.21",
        "depress 5 53.30 44.52 63.44 31.46 9.34 16.17 5.80 4 1.23",
    ],
    "one/raab-et-al-2026-section-3-2": ["1 48.38 37.34 22.68 14.86"],
    "grouped/raab-et-al-2026-table-2": [
        "ls 21.97 21.97 29.57 12.63 12.63 17.00 36.71", "depress 16.23 16.23 21.85 9.21 9.21 12.40 28.57",
        "income 11.34 11.34 15.27 6.16 6.16 8.29 19.96",
    ],
    "five/raab-2024-table-1": ["depress 1 64.90 34.18 9.54 6.14 3 1.16 16.39", "depress 5 63.44 31.46 9.34 5.80 4 1.23 16.17"],
    "split/raab-2024-table-3": [
        "workab 49.28 31.30 0.26 52.92 33.31 0.29", "marital 34.50 21.30 0.17 41.50 24.94 0.22",
        "ls 11.88 8.60 0.04 19.79 12.53 0.08", "depress 9.45 4.20 0.05 15.98 5.80 0.11", "income 5.53 1.90 0.04 9.06 2.92 0.06",
    ],
}  # fmt: skip
"""What the papers print, but for their misprints, as rows of the table that comes out."""


def rows_of(text):
    return [" ".join(line.strip("| ").split(" | ")) for line in text.splitlines() if line.startswith("| ")]


@needs_data
@pytest.mark.slow
def test_the_commands_give_what_the_papers_print(tmp_path):
    for path in SD2011.glob("*.csv"):
        name = CALLED.get(path.stem, path.stem.replace("synthetic_s5cna", "grouped").replace("synthetic_s5", "five"))
        shutil.copy(path, tmp_path / f"{name}.csv")
    page = (DOCS / "reproduce.md").read_text(encoding="utf-8")
    commands = re.search(r"```bash\n(.*?)```", page, re.DOTALL)[1].splitlines()
    with chdir(tmp_path):
        for command in commands:
            done = disclosure(*shlex.split(command)[1:])
            assert done.exit_code == 0, done.stderr
    for place, rows in PRINTED.items():
        found = rows_of((tmp_path / f"{place}.md").read_text(encoding="utf-8"))
        assert [row for row in found if row in rows] == rows, place
    for folder, name in re.findall(r"`(one|five|grouped|split)/([\w-]+)`", page):
        assert list((tmp_path / folder).glob(f"{name}*")), (folder, name)


@pytest.mark.slow
def test_the_gallery_s_lines_draw_its_figures(tmp_path):
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    (first,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    blocks = re.findall(r"```\{drawn\}\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 12
    mpl.use("agg")
    names = {}
    with chdir(tmp_path):
        exec(first, names)
        for block in blocks:
            exec(block, names)
        names["plt"].close("all")
        drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(drawn) == set(re.findall(r'"(\w+\.svg)"', page))
    assert all(data.startswith(b"<?xml") for data in drawn.values())
    assert all(len(block.strip().splitlines()) <= 6 for block in blocks)
