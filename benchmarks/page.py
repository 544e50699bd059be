"""Every benchmark of this checkout beside another's, as one page: `python benchmarks/page.py CHECKOUT > page.md`.

Each checkout runs its own scripts, the two in turn on the same machine; of some rounds the smallest figure of a line
counts. What only one of them measures has a dash. Nothing else should run meanwhile; it takes most of an hour.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]

SCRIPTS = {
    "On the page": "browser.py",
    "From a file to a study": "reading.py",
    "The least safeguard": "least.py",
    "The strongest intruder": "strongest.py",
    "Usefulness": "usefulness.py",
}

FIGURE = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?) (ms|s|MB)\b")


def printed(checkout: Path, script: str, *arguments: str) -> str:
    """Return what a script of a checkout prints; nothing where it has none of that name."""
    path = checkout / "benchmarks" / script
    if not path.exists():
        return ""
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    command = [sys.executable, str(path), *arguments]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{path}: {done.stderr.strip().rpartition(chr(10))[2]}", file=sys.stderr)
    return done.stdout


def figures(text: str) -> dict[tuple[str, int], tuple[str, float, str]]:
    """Return the first time or size of each line, by the words before it, whatever numbers are in them."""
    found: dict[tuple[str, int], tuple[str, float, str]] = {}
    times: Counter[str] = Counter()
    for line in text.splitlines():
        if match := FIGURE.search(line):
            words = line[: match.start()].strip(" :,(")
            key = re.sub(r"\d[\d,.]*", "#", words)
            found[key, times[key]] = words, float(match[1].replace(",", "")), match[2]
            times[key] += 1
    return found


def smallest(texts: list[str]) -> dict[tuple[str, int], tuple[str, float, str]]:
    """Return the smallest figure of each line over some rounds."""
    found: dict[tuple[str, int], tuple[str, float, str]] = {}
    for key, each in itertools.chain.from_iterable(figures(text).items() for text in texts):
        if key not in found or each[1] < found[key][1]:
            found[key] = each
    return found


def table(before: list[str], after: list[str]) -> list[str]:
    """Return a table's lines: words, figure before and now, and their ratio."""
    old, new = smallest(before), smallest(after)
    rows = ["| | before | now | now / before |", "|---|---:|---:|---:|"]
    for key in dict.fromkeys([*new, *old]):
        was, now = old.get(key), new.get(key)
        words, _, unit = now or was or ("", 0.0, "")
        ratio = f"{now[1] / was[1]:.2f}" if now and was and was[1] else "—"
        cells = [f"{each[1]:,g} {unit}" if each else "—" for each in (was, now)]
        rows.append(f"| {words} | {' | '.join(cells)} | {ratio} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=SCRIPTS, action="append", help="some of them")
    parser.add_argument("--smoke", action="store_true", help="small data")
    asked = parser.parse_args()
    before = asked.before.resolve()
    sizes = ["--records", "20000"] if asked.smoke else ["--records", "1e6"]
    if not asked.only:
        print("\n## The core, as ratios to a bare count\n", flush=True)
        ratios = ["--before", str(before), "--rounds", str(asked.rounds), "--processor", *sizes]
        print(printed(ROOT, "run.py", *ratios), flush=True)
    for head, script in SCRIPTS.items():
        if asked.only and head not in asked.only:
            continue
        more = (["100000"] if script == "reading.py" else ["--smoke"]) if asked.smoke else []
        texts: dict[Path, list[str]] = {before: [], ROOT: []}
        for _, checkout in itertools.product(range(asked.rounds), texts):
            texts[checkout].append(printed(checkout, script, *more))
        print(f"\n## {head}\n\n" + "\n".join(table(texts[before], texts[ROOT])), flush=True)


if __name__ == "__main__":
    main()
