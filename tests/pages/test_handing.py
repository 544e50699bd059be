"""What a browser says of a button, and what it is told: pure functions, without a page."""

# Inside: steps of handing out a file, of browsers that lose answers.

import ast
import json
import zlib
from pathlib import Path

import pytest

from pages.server import handed
from pages.shared.handing import File, Hand, Look, Told, has_arrived, heard, shown, waiting

PAGE = "p" * 20
SAID = {"page": PAGE, "of": "this review", "n": 3, "open": True, "tries": 4, "inputs": 5, "got": None}


def test_a_question_is_answered_once_and_only_of_its_own_review():
    told = heard(SAID, "this review")
    assert told == Told(PAGE, 3, open=True, tries=4, inputs=5)
    assert waiting(Hand(), told) == (PAGE, 3)
    assert waiting(Hand(answered=(PAGE, 2)), told) == (PAGE, 3)
    assert waiting(Hand(answered=(PAGE, 3)), told) is None
    assert waiting(Hand(answered=(PAGE, 4)), told) is None, "an older state of the page comes back"
    assert waiting(Hand(answered=("q" * 20, 9)), told) == (PAGE, 3), "a reloaded page counts from the start"
    assert waiting(Hand(), heard({**SAID, "open": False}, "this review")) is None
    assert waiting(Hand(), heard(SAID, "another review, or another server")) is None


@pytest.mark.parametrize(
    "said",
    [
        None, [], "told", {}, {**SAID, "page": "../../x" * 5}, {**SAID, "page": 3}, {**SAID, "n": "3"},
        {**SAID, "n": True}, {**SAID, "tries": None}, {**SAID, "inputs": 1.5},
    ],
)  # fmt: skip
def test_whatever_else_a_browser_says_asks_nothing(said):
    assert heard(said, "this review") == Told()


def test_a_file_is_there_until_its_own_sum_is_acknowledged():
    data = b"\n\x00bytes"
    hand = Hand(
        answered=(PAGE, 3), file=File((PAGE, 3), "a.csv", "text/csv", handed.File(data, PAGE, ""), zlib.crc32(data))
    )
    for got in (None, [3], [3, zlib.crc32(data) ^ 1], [2, zlib.crc32(data)], "3"):
        assert not has_arrived(hand, heard({**SAID, "got": got}, "this review")), got
    assert not has_arrived(hand, heard({**SAID, "page": "q" * 20, "got": [3, zlib.crc32(data)]}, "this review"))
    assert has_arrived(hand, heard({**SAID, "got": [3, zlib.crc32(data)]}, "this review"))
    head, _, body = shown("k", "this review", hand, Told(), Look("Save")).partition(b"\n")
    assert body == data
    assert json.loads(head)["file"]["size"] == len(data)
    hand.file.address = "secret"
    head, _, body = shown("k", "this review", hand, Told(), Look("Save")).partition(b"\n")
    assert (json.loads(head)["file"]["address"], body) == ("secret", b"")


def test_a_list_for_several_takes_one_entry_at_a_time():
    """Streamlit's offers *Select all*, and *Select matches*, as the first entry: one Enter chose every column."""
    pages = Path(__file__).parents[2] / "pages"
    calls = [
        (path.name, node)
        for path in pages.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "multiselect"
    ]
    assert len(calls) > 5
    for name, call in calls:
        said = {word.arg: ast.unparse(word.value) for word in call.keywords}
        assert said.get("select_all") == "False", (name, call.lineno)
