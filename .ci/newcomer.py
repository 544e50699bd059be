"""The newcomer's walk: README's one command on an empty machine, then the tour, the workshop and the command line.

    .venv/bin/python .ci/newcomer.py [--newest | INTERPRETER …]

For each interpreter (default: the oldest and the newest that pyproject.toml names and this machine has) what is
committed is cloned into an empty folder, README's command is run there as it stands, the pages are walked through in
Chromium as the documents tell, and each example of docs/command-line.md is run in a shell. A figure that a document
tells of a page and the page does not show ends the walk.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from contextlib import contextmanager
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import TimeoutError as Missing
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser import driving  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 900
COUNT = re.compile(r"\d[\d,]* of (?:all |the )?\d[\d,]*")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
"""What a document tells to click stands in bold; what ends a sentence is the head of a paragraph, or a question."""
FIGURE = re.compile(r"(\d[\d,]*\.\d\d?) (?:%|points)")


def figures(document: str, begins: str, ends: str) -> list[str]:
    """Return the shares that a part of a document tells."""
    text = (ROOT / document).read_text(encoding="utf-8")
    part = text[text.index(begins) :]
    found = FIGURE.findall(part[: part.index(ends, 1)])
    assert found, (document, begins)
    return found


def forms(told: str) -> list[str]:
    """Return how a page may show what a document tells: a share has one decimal in a table of ours."""
    if not re.fullmatch(r"\d[\d,]*\.\d\d", told):
        return [re.escape(told)]
    share = Decimal(told.replace(",", ""))
    ends = {share.quantize(Decimal("0.1"), way) for way in (ROUND_HALF_UP, ROUND_HALF_DOWN)}  # of a figure of its own
    return [re.escape(told), *(re.escape(f"{end:,}") for end in ends)]


def found_on(tab: driving.Visitor, told: list[str]) -> set[str]:
    """Return which of these the page shows; what a picture or a table shows is text in the page, too."""
    text = tab.page.evaluate(
        """() => {
            const roots = [...document.querySelectorAll("*")].flatMap(each => each.shadowRoot ?? [])
            const tables = roots.flatMap(root => [...root.children]).filter(each => !each.matches("style, link"))
            const drawn = [document, ...roots].flatMap(root => [...root.querySelectorAll("text, canvas td")])
            return [document.body, ...tables].map(each => each.innerText).join(" ")
                + drawn.map(each => each.textContent).join(" ")
        }"""
    )
    return {each for each in told if any(re.search(rf"(?<![\d.,]){form}(?![\d,]|\.\d)", text) for form in forms(each))}


def shown(tab: driving.Visitor, told: list[str], where: str) -> None:
    """See that the page shows each of these figures."""
    end = time.monotonic() + driving.PATIENCE / 1000
    while missing := set(told) - found_on(tab, told):
        if time.monotonic() > end:
            raise SystemExit(f"{where}: the page does not show {', '.join(missing)}")
        time.sleep(0.5)
    print(f"   {where}: {', '.join(dict.fromkeys(told))}", flush=True)


def by_the_words(tab: driving.Visitor, document: str, begins: str, ends: str, *press: str) -> None:
    """See that each label that a part of a document has in bold is on the page, in its order; press those named."""
    text = (ROOT / document).read_text(encoding="utf-8")
    part = text[text.index(begins) :]
    labels = [bold for bold in BOLD.findall(part[: part.index(ends, 1)]) if bold[-1] not in ".?:"]
    assert labels, (document, begins)
    assert set(press) <= set(labels), (document, begins, labels, press)
    for label in labels:
        on_page = tab.page.get_by_text(re.compile(rf"^\W*{re.escape(label)}\W*( …|: .*)?$"))
        named = tab.page.get_by_role("button", name=label).or_(tab.page.get_by_role("combobox", name=label))
        found = on_page.or_(named).filter(visible=True).first
        try:
            found.wait_for()
        except Missing:
            raise SystemExit(f"{document}, {begins!r}: {label!r} is to be clicked, and is not on the page") from None
        if label in press:
            found.click()
            tab.settle()
    print(f"   {document}, {begins}: {', '.join(labels)}", flush=True)


def tour(tab: driving.Visitor, folder: Path) -> None:
    """Do what README's tour says, and what docs/tour.md and docs/workshop.md tell of the same pages."""
    assert "the demonstration survey" in tab.opened()
    shown(tab, figures("docs/tour.md", "## 1.", "## 2."), "Data")
    by_the_words(tab, "docs/tour.md", "Your own data come in", "## 2.", "Open other data", "Your own files")
    by_the_words(tab, "README.md", "Your own data:", "## Files")
    tab.go("Keys")
    shown(tab, figures("README.md", "2. **Keys.**", "3. **Review"), "Keys")
    tab.go("Review")
    told = figures("README.md", "3. **Review, on the left.**", "4. **Review, on the right")
    shown(tab, told, "Review, on the left")
    tab.look("abroad")
    shown(
        tab,
        figures("docs/workshop.md", "*Answer.* In the order of DiSCO, `abroad` stands on top", "*What to say.*"),
        "Workshop, task 2",
    )
    switch = tab.page.get_by_role("switch", name="Exclude No")
    shown(tab, figures("README.md", "The 1-way check says", "Switch **Exclude No** on"), "Review, on the right")
    switch.click()
    tab.settle()
    shown(tab, figures("README.md", "Switch **Exclude No** on", "5. Look at")[-1:], "Exclude No")
    shown(tab, figures("README.md", "5. Look at the table again", "6. **Next: list records"), "the next in line")
    by_the_words(tab, "docs/tour.md", "Switch **Exclude No** on", "## 5.")
    by_the_words(tab, "docs/tour.md", "## 5.", "## 6.", "Scenarios")
    by_the_words(tab, "README.md", "5. Look at the table again", "6. **Next: list records", "Undo")
    tab.go("Records")
    by_the_words(tab, "docs/tour.md", "## 6.", "## 7.")
    tab.go("Safeguards")
    tab.go("Compare")
    seven, eight = "7. **Compare: people outside.**", "8. **Compare: methods.**"
    by_the_words(tab, "README.md", seven, eight, "People outside", "Bring a holdout", "Take the survey's own holdout")
    shown(tab, figures("README.md", seven, "\n8. "), "Compare, people outside")
    by_the_words(tab, "README.md", eight, "9. **Report", "Methods")
    by_the_words(tab, "docs/tour.md", "**Usefulness**", "## 9.", "Usefulness")
    tab.go("Report")
    with tab.page.expect_download() as waiting:
        tab.page.get_by_role("button", name="Report as PDF").click()
    waiting.value.save_as(folder / "report.pdf")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF")
    assert tab.complaints == tab.elsewhere == [], (tab.complaints, tab.elsewhere)
    print(f"   Report: {(folder / 'report.pdf').stat().st_size:,} bytes of PDF", flush=True)


def task(number: int) -> str:
    """Return where a task of the workshop begins, as its page has it."""
    return f"## Task {number}:"


def told(number: int, begins: str = "*Answer.*", ends: str = "\n## ") -> list[str]:
    """Return the shares and counts that a task's answer tells, and what is to be said of it."""
    text = (ROOT / "docs" / "workshop.md").read_text(encoding="utf-8")
    part = text[text.index(task(number)) + 1 :].partition("\n## ")[0]
    part = part[part.index(begins) :].partition(ends)[0]
    found = [
        *re.findall(r"\d[\d,]*\.\d\d?", part),
        *(re.sub(" (all|the) ", " ", count) for count in COUNT.findall(part)),
    ]
    assert found, (number, begins)
    return found


def workshop(tab: driving.Visitor, folder: Path) -> None:
    """Do the workshop's eight tasks in their order, as its page tells them, and see every figure of the answers."""
    tab.press("Menu")
    by_the_words(tab, "docs/workshop.md", "On a projector, choose", "\n## ")
    tab.page.keyboard.press("Escape")
    tab.go("Keys")
    tab.page.get_by_text("As keys are added", exact=True).click()
    shown(tab.settle(), told(1), "Workshop, task 1")
    tab.go("Review").look("abroad")
    shown(tab, told(2, ends="*What to say.*"), "task 2")
    switch = tab.page.get_by_role("switch", name="Exclude No")
    shown(tab, told(3, "The answer “No” carries", " Without it")[:2], "task 3, before")
    switch.click()
    shown(tab.settle(), told(3, "Without it", "*What to say.*"), "task 3, without No")
    by_the_words(tab, "docs/workshop.md", task(3), "*Answer.*")
    tab.look("marital")
    shown(tab, told(3, "Age 16 and Single", "*What to say.*"), "task 3, marital")
    tab.look("condition")
    shown(tab, told(3, "“No condition” carries"), "task 3, condition")
    tab.go("Review").look("abroad")
    switch.click()
    tab.settle().go("Compare").page.get_by_text("People outside", exact=True).click()
    tab.settle().press("Bring a holdout").press("Take the survey's own holdout")
    shown(tab, told(4), "task 4")
    tab.go("Review").look("abroad")
    switch.click()
    tab.settle()
    reason = tab.page.get_by_role("combobox", name="Reason: abroad No")
    reason.fill("neighbours know abroad")
    reason.press("Enter")
    tab.settle().go("Report")
    for name in ("sex", "age", "region", "employment"):
        box = tab.page.get_by_role("textbox", name=re.compile(f"^{name}(:|$)"))
        box.fill(f"neighbours know {name}")
        box.press("Enter")
        tab.settle()
    with tab.page.expect_download() as waiting:
        tab.page.get_by_role("button", name="Report as HTML").click()
    waiting.value.save_as(folder / "workshop.html")
    said = (folder / "workshop.html").read_text(encoding="utf-8")
    assert all(f"neighbours know {name}" in said for name in ("sex", "age", "region", "employment", "abroad"))
    print("   task 5: the report holds the reasons", flush=True)
    tab.go("Review").look("abroad")
    switch.click()
    tab.settle()
    tab.go("Compare").page.get_by_text("Methods", exact=True).click()
    tab.settle()
    answer = told(8)
    seen = found_on(tab, answer)
    tab.choose_one("Other", "coarse")
    seen |= found_on(tab, answer)
    by_the_words(tab, "docs/workshop.md", task(8), "*Answer.*", "All figures")
    table = tab.settle().page.get_by_test_id("stDataFrame").first
    table.wait_for()
    for _ in range(20):  # a table draws the rows that are in view
        seen |= found_on(tab, answer)
        table.hover()
        tab.page.mouse.wheel(0, 60)
        time.sleep(0.2)
    tab.page.get_by_text("Usefulness", exact=True).first.click()
    tab.settle()
    for name in ("synthetic data", "overfitted", "coarse"):
        tab.choose_one("Synthesis set on all pages", f"Set: {name}")
        seen |= found_on(tab, answer)
    if set(answer) - seen:
        raise SystemExit(f"task 8: the pages do not show {', '.join(set(answer) - seen)}")
    print(f"   task 8: {', '.join(answer)}", flush=True)
    tab.choose_one("Synthesis set on all pages", "Set: synthetic data")
    tab.go("Records")
    tab.page.get_by_text("Look up", exact=True).first.click()
    tab.settle()
    tab.choose_one("Target", "marital")
    for key, level in (("sex", "Female"), ("age", "17"), ("employment", "Student")):
        tab.choose_one(key, level)
    tab.page.get_by_text("Show whether it is true").click()
    tab.settle()
    shown(tab, ["all 19 matching", "True of 17 of the 17 people"], "task 6, a woman")
    tab.choose_one("sex", "Male")
    shown(tab, ["17 synthetic records match and give"], "task 6, a man")
    tab.go("Safeguards").page.get_by_role("radio", name="Remove records").click()
    tab.settle().press("Try it")
    answer = [each.partition(" of ")[0] for each in told(7) if each != "0.00"]  # as text its cell is a plain 0
    shown(tab, answer, "task 7")


def shell(environment: Path, folder: Path) -> None:
    """Run the examples of docs/command-line.md, line by line, in one shell: those that name a condition may hold.

    README's command brings the dashboard; the examples count in DuckDB too, an extra of its own.
    """
    extra = ["python3", "-m", "pip", "--python", str(environment), "install", "-q", f"{environment.parent}[duckdb]"]
    subprocess.run(extra, check=True)
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```bash\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    script = "".join(f"echo '$ '{_quoted(line[:90])} >&2\n{line}\n" for line in lines)
    more = {"PATH": f"{environment / 'bin'}:{os.environ['PATH']}"}
    begun = time.monotonic()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=os.environ | more,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode or "Traceback" in done.stderr:
        raise SystemExit(
            f"an example of docs/command-line.md ends with status {done.returncode}:\n{done.stderr[-2000:]}"
        )
    print(f"   {len(lines)} lines of docs/command-line.md in {time.monotonic() - begun:.0f} s", flush=True)


def _quoted(line: str) -> str:
    return "'" + line.replace("'", "'\\''") + "'"


def _is_free(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


@contextmanager
def started(python: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Clone what is committed into an empty folder, run README's command there, and give where the page is."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder / "clone")], check=True)
    readme = (folder / "clone" / "README.md").read_text(encoding="utf-8")
    command = re.search(r"<!-- start command -->\n```bash\n(.+)\n```", readme).group(1)
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(python)
    port = (
        8501 if _is_free(8501) else driving.free_port()
    )  # where README says that it is, unless somebody else is there
    command += "" if port == 8501 else f" --port {port}"
    more = {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "STREAMLIT_SERVER_HEADLESS": "true",
    }
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    begun = time.monotonic()
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder / "clone",
            env=environment | more,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            while True:
                if server.poll() is not None or time.monotonic() - begun > PATIENCE:
                    raise SystemExit(f"README's command did not start the app:\n{(folder / 'log').read_text()[-2000:]}")
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.3)
            print(f"   README's command: {time.monotonic() - begun:.0f} s to the page", flush=True)
            yield f"http://127.0.0.1:{port}", folder / "clone" / ".venv"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=driving.PATIENCE / 1000)


def interpreters() -> list[Path]:
    """Return the oldest and the newest Python that the project names and this machine has."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    versions = sorted((3, int(m)) for c in named if (m := re.sub(r".*:: 3\.(\d+)$", r"\1", c)).isdecimal())
    found = []
    for major, minor in versions:
        places = [
            *sorted((Path.home() / ".pyenv" / "versions").glob(f"{major}.{minor}.*/bin/python3")),
            *filter(None, [shutil.which(f"python{major}.{minor}")]),
        ]
        if places:
            found.append(Path(places[0]))
    return list(dict.fromkeys([found[0], found[-1]]))


def main() -> None:
    """Walk with each interpreter."""
    asked = [Path(name) for name in sys.argv[1:]]
    for python in interpreters()[-1:] if sys.argv[1:] == ["--newest"] else asked or interpreters():
        print(f"-- {python}", flush=True)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            with started(python, folder) as (address, environment), sync_playwright() as playwright:
                browser = driving.launch(playwright)
                tour(driving.Visitor(browser, address).open(), folder)
                workshop(driving.Visitor(browser, address).open(), folder)
                browser.close()
            (folder / "work").mkdir()
            shell(environment, folder / "work")


if __name__ == "__main__":
    main()
