"""A name of the data is shown as it is, everywhere: no letter that nobody sees, or that turns others, reaches a screen."""

import json
import re
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pytest
import streamlit as st
from google.protobuf.message import Message

from disclosure_core import Chain, Exclusions, MergeLevels, Pair, Scenario, Settings, read_holdout, start
from tests.pages.conftest import App

TURNS = "\u202e"
"""Turns the letters after it: 57.0 reads 0.75."""
PAGES = (
    "data",
    "keys",
    "review",
    "records",
    "safeguards",
    "analyses",
    "compare",
    "methods",
    "report",
    "workshop",
    "glossary",
)


def turned(name):
    return f"{TURNS}{name}\u200b"


def review():
    """A review in which everything that has a name has one that turns the text beside it."""
    n = 120
    frame = pd.DataFrame({
        turned("sex"): [turned("f"), turned("m")] * (n // 2),
        turned("age"): [*range(20, 50)] * (n // 30),
        turned("work"): [turned("cook"), turned("nurse"), turned("cook")] * (n // 3),
        turned("ill"): ([turned("no")] * 9 + [turned("yes")]) * (n // 10),
    })  # fmt: skip
    frame[turned("income")] = [1000 + (i * 37) % 90 for i in range(n)]
    files = {
        f"{turned(name)}.csv": each.to_csv(index=False).encode()
        for name, each in {"o": frame, "s": frame.iloc[::-1].head(100), "t": frame.sample(90, random_state=1)}.items()
    }
    (original, *others), outside = files.items(), frame.sample(60, random_state=2).to_csv(index=False).encode()
    opened = start(original, {turned("one"): [others[0]], turned("two"): [others[1]]})
    sex, age, work, ill, _ = frame.columns
    pair = Pair(sex, turned("f"), turned("cook"))
    exclusions = Exclusions(target_levels={ill: [turned("no")]}, pairs={work: (pair,)})
    asked = Settings(keys=(sex, age), groups={age: 4}, exclusions=exclusions)
    made = opened.review.with_settings(asked).with_steps((MergeLevels(work, 400, turned("rare")),))
    made = replace(
        made,
        reasons={ill: turned("known"), sex: turned("seen")},
        scenarios=(Scenario(turned("a scenario"), exclusions),),
        chains=(Chain(turned("a chain"), made.chains[0].steps),),
        chain=turned("a chain"),
        intruders=tuple(replace(each, name=turned("a neighbour")) for each in made.intruders),
        intruder=turned("a neighbour"),
    )
    opened = opened.with_review(made)
    reading, source = read_holdout(f"{turned(chr(104))}.csv", outside, beside=made)
    return opened.with_holdout(reading, source)


def texts(message, path=""):
    """Give every text that a browser is told to show, with where it stands; ids and values that come back are none."""
    for field, value in message.ListFields():
        where = f"{path}.{field.name}"
        if field.name in ("id", "form_id", "element_id", "user_key", "url_path", "default", "hash", "selection_mode"):
            continue
        for each in value if hasattr(value, "append") else [value]:
            if isinstance(each, Message):
                yield from texts(each, where)
            elif isinstance(each, str) and where.endswith(".json"):
                yield from in_json(where, json.loads(each))
            elif isinstance(each, str):
                yield where, each
            elif isinstance(each, bytes):
                yield from in_bytes(where, each)


def in_bytes(where, data):
    """Give the texts of a table that is sent, and of a component's head."""
    try:
        table = pa.ipc.open_stream(data).read_all()
    except pa.ArrowInvalid:
        yield from in_json(where, json.loads(data.partition(b"\n")[0]))
        return
    for name, column in zip(table.column_names, table.columns, strict=True):
        yield f"{where} head", name
        for each in column.to_pylist():
            if isinstance(each, (str, list)):
                yield f"{where} cell", str(each)


COMES_BACK = ("name", "target", "targets", "chosen", "exclusion", "level", "id", "used", "value")
"""What a table of ours tells of its rows when something is done there; `tests/browser/test_names.py` sees it nowhere."""


def in_json(where, told):
    """Give the texts that a table or button of ours is told, but for those that only come back."""
    if isinstance(told, dict):
        for name, each in told.items():
            if name not in COMES_BACK:
                yield from in_json(f"{where} {name}", each)
    elif isinstance(told, list):
        for each in told:
            yield from in_json(where, each)
    elif isinstance(told, str):
        yield where, told


def without_ids(spec):
    """Return a figure without what a click tells of."""
    if isinstance(spec, dict):
        return {name: without_ids(each) for name, each in spec.items() if name not in ("customdata", "bdata")}
    return [without_ids(each) for each in spec] if isinstance(spec, list) else spec


def drawn(app):
    for block in (app.at.main, app.at.sidebar):
        yield from elements(block)


def elements(block):
    if getattr(block, "proto", None) is not None:
        yield block
    for child in getattr(block, "children", {}).values():
        yield from elements(child)


@pytest.fixture(scope="module")
def odd():
    return review()


@pytest.mark.parametrize("page", PAGES)
def test_no_letter_that_turns_others_is_on_a_page(page, odd):
    st.cache_data.clear()
    app = App()
    app.hold(odd)
    app.session.compare_view = "Methods" if page == "methods" else ""
    app.page("compare" if page == "methods" else page)
    found = set()
    for element in drawn(app):
        proto = element.proto
        for where, text in texts(proto):
            plain = json.dumps(without_ids(json.loads(text)), ensure_ascii=False) if where.endswith(".spec") else text
            if (element.type, where) == ("text_input", ".value"):  # what was typed comes back as it is
                continue
            if re.search(f"[{TURNS}\u200b]", plain):
                found.add((element.type, where, plain[max(0, plain.find(TURNS) - 30) :][:90]))
    assert not found, "\n".join(map(repr, sorted(found)))


@pytest.mark.parametrize("page", ["keys", "review"])
def test_such_names_are_on_the_page_as_their_codes(page, odd):
    st.cache_data.clear()
    app = App()
    app.hold(odd).page(page)
    shown = " ".join(text for element in drawn(app) for _, text in texts(element.proto))
    assert r"u202ework" in shown
