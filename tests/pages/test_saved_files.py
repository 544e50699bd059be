"""Whatever a saved file holds: every page stays usable, and what cannot be used is a sentence."""

# Inside: the largest settings that are read.

import copy
import json

import pytest

from disclosure_core import Columns, DisclosureError, Exclusions, KeySet, Pair, Review, Scenario, demo
from disclosure_core.review.parts import SourceFile
from disclosure_core.review.saved import LARGEST
from tests.pages.conftest import App
from tests.saved import from_json, to_json

PAGES = ("data", "keys", "review", "records", "analyses", "report", "glossary")
OUT = Exclusions(
    target_levels={"abroad": ["No"]}, missing_targets={"income"}, missing_keys={"age"},
    pairs={"marital": [Pair("age", "17", "single")]}, denominator_limit=50,
)  # fmt: skip
WHOLE = json.loads(
    to_json(Review(
        original=SourceFile("a.csv", "0" * 64), columns=Columns(missing_codes={"income": ("-8",)}),
        intruders=(KeySet("an intruder", demo.KEYS),), groups=demo.GROUPS, exclusions=OUT,
        scenarios=(Scenario("one", OUT),), reasons={"sex": "seen"}, about={"Officer": "A. N. Other"},
    ))
)  # fmt: skip
ODD = {
    "half a character": "a\ud800b", "NUL": "a\0b", "controls": "a\x01\x1b[31m\x7f\x85b", "no character": "\ufffe\uffff",
    "other way round": "\u202eabc", "lines": "a\nb\r\n\tc", "markup": "<script>$x$ [a](b) :red[c] `d` | e", "long": "x" * 100_000,
}  # fmt: skip


def texts(plain, way=()):
    """Give the way to each text in a file, names of entries too."""
    if isinstance(plain, dict):
        for name, part in plain.items():
            yield (*way, name, None)
            yield from texts(part, (*way, name))
    elif isinstance(plain, list):
        for i, part in enumerate(plain):
            yield from texts(part, (*way, i))
    elif isinstance(plain, str):
        yield way


def changed(way, value):
    """Return the file with another text there, or with another name of the entry."""
    new = copy.deepcopy(WHOLE)
    part = new
    *there, last = way if way[-1] is not None else way[:-1]
    for step in there:
        part = part[step]
    if way[-1] is None:
        part[value] = part.pop(last)
    else:
        part[last] = value
    return json.dumps(new)


WAYS = list(texts(WHOLE))


def test_half_a_character_anywhere_is_a_sentence():
    for way in WAYS:
        with pytest.raises(DisclosureError, match="half a character"):
            pytest.fail(f"{way}: {from_json(changed(way, ODD['half a character']))}")


def test_a_file_of_another_size_is_a_sentence():
    with pytest.raises(DisclosureError, match="larger than 10 MB"):
        from_json(" " * LARGEST + json.dumps(WHOLE))


def everything(odds) -> str:
    """Return a file with odd texts wherever a file may have any text, beside what it had."""
    new = copy.deepcopy(WHOLE)
    for odd in odds:
        new["intruders"][0]["keys"].append(odd)
        new["groups"][odd] = 5
        new["reasons"] |= {odd: odd, "sex": odd}
        new["about"] |= {odd: odd, "Officer": odd, "Purpose of the release": odd}
        new["original"]["name"] = odd
        new["columns"]["missing_codes"] |= {odd: [odd], "income": [odd], "age": [odd]}
        for out in (new["exclusions"], new["scenarios"][0]["exclusions"]):
            out["target_levels"] |= {odd: [odd], "abroad": ["No", odd]}
            out["missing_targets"].append(odd)
            out["missing_keys"].append(odd)
            out["pairs"] |= {odd: [[odd, odd, odd]], "marital": [["age", odd, odd], [odd, "17", "single"]]}
        new["scenarios"].append({"name": odd[:50], "exclusions": WHOLE["exclusions"]})
    return json.dumps(new)


def numbers():
    """Give files with an odd number in each place that holds one."""
    for odd in (0, -1, 0.5, 1e300, 2**53, 2**53 + 1, 10**400, float("nan"), float("inf"), True, None, "5", [5]):
        for place in ("limit", "groups", "two_way", "one_way", "review"):
            new = copy.deepcopy(WHOLE)
            if place == "limit":
                new["exclusions"]["denominator_limit"] = odd
                new["scenarios"][0]["exclusions"]["denominator_limit"] = odd
            elif place == "groups":
                new["groups"]["income"] = odd
            elif place == "review":
                new["review"] = odd
            else:
                new["thresholds"][place] = [odd, 80]
            yield f"{place} {str(odd)[:12]}", json.dumps(new)


def shapes():
    """Give files with a part of another type, and a few that are no such file at all."""
    for name in WHOLE:
        for odd in (None, 5, "x", [], {}, [[[]]], {"a": {"b": []}}, [None], {"": None}):
            if odd != WHOLE[name]:
                yield f"{name} {odd}", json.dumps(WHOLE | {name: odd})
    yield "deep", "[" * 100_000
    yield "deep inside", json.dumps(WHOLE).replace('"seen"', "[" * 50_000 + "]" * 50_000)
    yield "bytes", "\ufffd\ufffd\0"
    yield "empty", ""
    yield "twice", json.dumps(WHOLE) * 2


def refused(text: str) -> str:
    try:
        from_json(text)
    except DisclosureError as error:
        return str(error)
    return ""


def used(app: App, text: str) -> App:
    """Load a saved file on the Data page, which offers it whatever the settings are."""
    app.page("data").saved_review(text)
    if any(button.key == "data.use" for button in app.at.button):  # a file that cannot be read offers nothing
        app.click("data.use")
    return app


@pytest.mark.slow
@pytest.mark.parametrize("half", [True, False], ids=["with half a character", "without"])
def test_odd_texts_leave_every_page_usable(half):
    text = everything([odd for name, odd in ODD.items() if half or name != "half a character"])
    assert bool(refused(text)) == half
    app = used(App().demo(), text)
    assert app.at.error if half else app.at.toast, "nothing is said of it"
    for name in PAGES:
        app.page(name)
        app.text().encode()
    assert app.page("keys").metrics()["UiO"].endswith("%")


@pytest.mark.slow
@pytest.mark.parametrize("made", [numbers, shapes])
def test_odd_numbers_and_shapes_leave_every_page_usable(made):
    app = App().demo()
    taken = 0
    for what, text in made():
        if refusal := refused(text):
            assert len(refusal) < 250, what
            continue
        taken += 1
        used(app, text)
        for name in ("review", "report"):
            app.page(name)
    assert taken > 3
