"""An officer's whole job in a browser, act by act: `python benchmarks/job.py [--steps]`, a row a data set.

An act is a click, a field that is written, or a file that is given; a jump is a page that is chosen in the navigation.
The job: data, syntheses and people outside brought; what the files ask answered; four keys, each with its reason; every
target judged with a reason, a flagged level excluded with one; a safeguard tried and adopted, what it asks confirmed;
the office's limits, the questions about the release, the report downloaded and the review saved. Nothing is answered or
judged by a default, and nothing may be left open: exit status 1 if it is, or above 60 acts or 6 jumps. `--steps` prints
each act.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
from playwright.sync_api import Locator, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.run import ADULT, made  # noqa: E402
from tests.browser import driving  # noqa: E402

ABOUT = {
    "Decision to be taken": "Release for research",
    "Who takes it": "The release panel",
    "File that will be released": "synthetic",
    "Recipients and access": "Researchers, under contract",
    "Generator, version, seed": "synthpop 1.9, seed 1",
    "Population, its size, and the source of that": "Residents, 25,000, census",
}
"""What is said of the release; the rest is not asked of it, in one act."""


MOST_ACTS, MOST_JUMPS = 60, 6


class Hand:
    """Counts what a person does; every method is one act."""

    def __init__(self, tab: driving.Visitor, *, steps: bool) -> None:
        self.tab, self.page, self.steps = tab, tab.page, steps
        self.acts: Counter[str] = Counter()
        self.jumps = 0
        self.at = "Data"

    def did(self, what: str) -> None:
        self.acts[self.at] += 1
        if self.steps:
            print(f"  {sum(self.acts.values()):>3} {self.at}: {what}", flush=True)
        self.tab.settle()

    def give(self, label: str, *files: Path) -> None:
        self.tab.upload(label, *files)
        self.did(f"give {label}")

    def click(self, it: Locator, what: str) -> None:
        it.click()
        self.did(what)

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=re.compile(name)).first, name)

    def write(self, field: Locator, text: str, what: str) -> None:
        field.fill(text)
        field.press("Enter")
        self.did(f"write {what}")

    def unfold(self, words: str) -> None:
        self.click(self.page.get_by_test_id("stExpander").filter(has_text=words).locator("summary"), words)

    def go(self, name: str) -> None:
        self.tab.go(name)
        self.at = name
        self.jumps += 1

    def there(self, it: Locator) -> bool:
        return it.count() > 0 and it.first.is_visible()


def job(hand: Hand, folder: Path, keys: dict[str, str], coarsen: tuple[str, str]) -> None:
    """Do the whole job on the files of a folder."""
    page, role = hand.page, hand.page.get_by_role
    original, synthetic, outside = (next(folder.glob(f"{name}.*")) for name in ("original", "synthetic", "holdout"))
    hand.give("Original data", original)
    hand.give("Synthetic data", synthetic)
    hand.give("People outside", outside)
    hand.press("Compare these files")
    page.get_by_role("heading", name="Files read").wait_for()
    if hand.there(role("button", name=re.compile("^Mend all"))):
        hand.press("^Mend all")
    for _ in range(20):  # what is asked of the data
        left = page.locator(".answers .asked li:not(.given) .options button")
        if not left.count():
            break
        hand.click(left.first, left.first.inner_text())

    hand.go("Keys")
    for key, reason in keys.items():
        hand.click(hand.tab.role(key), f"{key} is a key")
        why = re.compile(rf"^{re.escape(key)}: (.*known|reason|why)")
        hand.write(role("textbox", name=why).first, reason, f"why {key}")

    hand.go("Review")
    targets = [name for name, _, _ in hand.tab.rows()]
    with_flag = page.locator(".bench tbody tr:has(.flag:not(:empty)) button[data-t]")
    first = list(dict.fromkeys((targets[0], *with_flag.evaluate_all("all => all.map(b => b.dataset.t)")[:3])))
    rest = [name for name in targets if name not in first]
    flagged = page.locator(".card tr:has(.flag:not(:empty)) input[role=switch]")
    for i, name in enumerate(first):
        if i:
            hand.click(hand.tab.row(name), f"look at {name}")
        if hand.there(flagged):
            hand.click(flagged.first, "exclude the flagged level")
            hand.write(page.locator(".card tr.on td.why input").first, "Nearly everybody is so", "why it is excluded")
        reason = role("textbox", name="Reason for the verdict")
        hand.write(reason, "Guessing does nearly as well", "why")
        hand.click(page.locator(".verdict button[data-v=acceptable]"), f"acceptable: {name}")
    for name in rest:
        hand.click(page.locator(f".bench tbody tr:has(button[data-t='{name}']) input"), f"tick {name}")
    hand.write(role("textbox", name="Reason for the verdict"), "No gain over chance", "why")
    hand.click(page.locator(".verdict button[data-v='common knowledge']"), "common knowledge: the others")

    hand.go("Safeguards")
    safeguard(hand, *coarsen)

    hand.go("Compare")  # looks at people outside
    hand.go("Report")
    report(hand)
    hand.press("^Save")
    if not page.get_by_text("Nothing is open").count():
        heads = page.get_by_test_id("stMain").locator("p").filter(has_text=re.compile(r"\d+ open")).all_inner_texts()
        raise SystemExit(f"left open: {'; '.join(heads)}")


def safeguard(hand: Hand, column: str, width: str) -> None:
    """Try one step, adopt what it makes, and confirm each verdict that it asks again."""
    role = hand.page.get_by_role
    hand.click(hand.page.get_by_text("Coarsen a column"), "coarsen a column")
    hand.tab.choose_one("Column", column)
    hand.did(f"the column is {column}")
    hand.write(role("spinbutton", name="To multiples of"), width, "multiples")
    hand.press("^Try it")
    hand.press("^Adopt as a set")
    while hand.there(role("button", name=re.compile("^Confirm "))):
        hand.press("^Confirm ")


def report(hand: Hand) -> None:
    """Answer what is open, download the report."""
    role = hand.page.get_by_role
    for _ in range(20):
        if not hand.there(role("button", name=re.compile("^Confirm "))):
            break
        hand.press("^Confirm ")
    hand.unfold("The office's limits of DiSCO")
    hand.write(role("spinbutton", name="Above, % of members"), "20", "first limit")
    hand.write(role("spinbutton", name=re.compile("percentage points of difference")), "5", "second limit")
    hand.write(role("textbox", name="Who set them?"), "Our release panel", "whose")
    hand.write(role("textbox", name="Why these values?"), "As last year", "why")
    hand.unfold("Questions about the release")
    for label, text in ABOUT.items():
        hand.write(role("textbox", name=label, exact=True), text, label)
    hand.press("are not asked")
    hand.write(role("textbox", name="Officer", exact=True), "A. Clerk", "officer")
    hand.press("^Report as PDF")


def adult(folder: Path) -> tuple[dict[str, str], tuple[str, str]]:
    """Files as large as Adult, of its columns."""
    for seed, name in enumerate(("original", "synthetic", "holdout"), 1):
        made(48_842 if name != "holdout" else 12_000, ADULT, seed).to_parquet(folder / f"{name}.parquet")
    return dict.fromkeys(("age", "workclass", "education", "sex"), "neighbours know it"), ("age", "5")


def labelled(folder: Path) -> tuple[dict[str, str], tuple[str, str]]:
    """A survey as SPSS has it: labels of columns and levels, and codes that are no answer."""
    labels = {
        "q1": ("Sex", {1: "Male", 2: "Female"}),
        "q2": ("Age in years", {}),
        "q3": ("Region", {i: f"Region {i}" for i in range(1, 9)}),
        "q4": ("Employment", {1: "Employed", 2: "Retired", 3: "Student", 4: "Other", -9: "Refused"}),
        "q5": ("Marital status", {1: "Single", 2: "Married", 3: "Widowed", -9: "Refused"}),
        "q6": ("Went abroad last year", {1: "Yes", 2: "No"}),
        "q7": ("Satisfaction with life", {i: f"{i} of 7" for i in range(1, 8)} | {-9: "Refused"}),
        "q8": ("Has a long illness", {1: "Yes", 2: "No", -8: "Don't know"}),
        "q9": ("Household members", {}),
        "q10": ("Highest education", {i: f"Level {i}" for i in range(1, 6)}),
    }
    for seed, (name, n) in enumerate((("original", 4000), ("synthetic", 4000), ("holdout", 1000)), 1):
        random = np.random.default_rng(seed)
        frame = pd.DataFrame({q: random.choice([*levels] or range(18, 90), n) for q, (_, levels) in labels.items()})
        frame["q9"] = random.integers(1, 8, n)
        frame["q5"] = np.where(frame["q2"] < 22, 1, frame["q5"])
        frame["q6"] = np.where(random.random(n) < 0.93, 2, 1)
        of_levels = {q: {float(k): v for k, v in levels.items()} for q, (_, levels) in labels.items() if levels}
        pyreadstat.write_sav(
            frame.astype(float), str(folder / f"{name}.sav"), variable_value_labels=of_levels,
            column_labels={q: label for q, (label, _) in labels.items()},
            missing_ranges={"q4": [-9.0], "q5": [-9.0], "q7": [-9.0], "q8": [-8.0]},
        )  # fmt: skip
    return dict.fromkeys(("q1", "q2", "q3", "q4"), "neighbours know it"), ("q2", "5")


def main() -> None:
    """Print acts and jumps of the job on each data set."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--steps", action="store_true", help="print each act")
    asked.add_argument("--only", choices=("adult", "labelled"), help="one of the data sets")
    given = asked.parse_args()
    made_of = {"adult": adult, "labelled": labelled}
    with driving.serving() as address, sync_playwright() as playwright:
        browser = driving.launch(playwright)
        for name, make in made_of.items():
            if given.only not in (None, name):
                continue
            with tempfile.TemporaryDirectory() as folder:
                tab = driving.Visitor(browser, address, width=1366, height=768).open()
                hand = Hand(tab, steps=given.steps)
                job(hand, Path(folder), *make(Path(folder)))
                by = ", ".join(f"{page} {n}" for page, n in hand.acts.items())
                print(f"{name:<10}{hand.acts.total():>4} acts{hand.jumps:>4} jumps   ({by})", flush=True)
                if hand.acts.total() > MOST_ACTS or hand.jumps > MOST_JUMPS:
                    raise SystemExit(f"at most {MOST_ACTS} acts and {MOST_JUMPS} jumps are allowed")
                tab.close()
        browser.close()


if __name__ == "__main__":
    main()
