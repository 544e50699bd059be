"""An adopted set is signed for by the bytes that are handed out, in every format; who made it, and of what, stays with it."""

import json
import time
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from disclosure_core import Cap, Chain, RemoveReplicated, Settings, start
from disclosure_core.review.about import OFFICER, TITLE
from tests.formats.test_measured_again import FORMATS, written
from tests.reports import Look, assemble, blocks
from tests.saved import from_json
from tests.saved import to_json as saved
from tests.written import LOG, about, safer_files, to_evidence


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(7)
    return [
        pd.DataFrame(
            {
                "SEX": rng.choice(["f", "m"], 60), "WORK": rng.choice([1.0, 2.0, 3.0], 60),
                "AGE": rng.integers(18, 70, 60), "INCOME": rng.choice([500.0, 900.0, 1500.0, 2600.0], 60),
            }
        )
        for _ in range(3)
    ]  # fmt: skip


def adopted(people, form, folder):
    steps = (RemoveReplicated(), Cap("INCOME", None, 2000.0))
    original, *synthetic = [written(frame, form, folder) for frame in people]
    named = [(f"set{i}_{name}", data) for i, (name, data) in enumerate(synthetic, 1)]
    opened = start(original, named)
    review = replace(
        opened.review.with_settings(Settings(keys=("SEX", "AGE"), targets=("WORK",))), chains=(Chain("a", steps),), chain="a",
        about={OFFICER: "A. Officer", TITLE: "Release 7"},
    )  # fmt: skip
    return opened.with_review(review).adopt("safe"), [data for _, data in named]


@pytest.mark.parametrize("form", FORMATS)
def test_every_face_names_the_bytes_that_are_handed_out(people, form, tmp_path):
    opened, unprotected = adopted(people, form, tmp_path)
    plain = json.loads(opened.to_json())
    if form in ("xlsx", "ods", "sav", "xpt"):
        time.sleep(2.1)  # the clock of a zip goes in steps of two seconds
    handed = {n: d for n, d in safer_files(opened.with_review(opened.review)).items() if n != LOG}
    marks = {name: sha256(data).hexdigest() for name, data in handed.items()}
    assert {f["name"]: f["sha256"] for f in plain["files"] if f["role"].startswith("Synthesis ")} == marks
    assert [f["records"] for f in plain["files"] if f["role"].startswith("Synthesis ")] == [*opened.study().n_synthetic]
    before = [f["sha256"] for f in plain["files"] if f["role"].startswith("Unprotected synthesis ")]
    assert before == [sha256(data).hexdigest() for data in unprotected]
    assert len(plain["safeguards"]) == 2
    if form != "csv":
        return  # the faces below take the same list
    page1 = dict(next(b for b in blocks(assemble(opened, Look())) if b.kind == "facts").rows)
    assert all(mark in page1["Safer files"] for mark in marks.values())
    assert not any(mark in page1["Safer files"] for mark in before)
    assert all(said in page1["Safeguards"] for said in plain["safeguards"])
    assert json.loads(to_evidence(opened))["figures"] == plain
    sheet = about(opened, ())
    assert all(sheet["is"].str.contains(mark).any() for mark in marks.values())


def test_what_is_released_of_an_adopted_set_is_the_safer_file(people, tmp_path):
    opened, _ = adopted(people, "csv", tmp_path)
    one = opened.with_review(replace(opened.review, released={"safe": (2,)}))
    (named,) = json.loads(one.to_json())["released"]
    assert named["sha256"] == sha256(safer_files(one)["safer_set2_x.csv"]).hexdigest()
    page1 = dict(next(b for b in blocks(assemble(one, Look())) if b.kind == "facts").rows)
    assert named["sha256"] in page1["Released"]
    assert f"{one.study().n_synthetic[1]:,} records" in page1["Released"]
    shared = [f for b in blocks(assemble(one, Look(shareable=True, smallest=3))) for f in (*b.items, *map(str, b.rows))]
    assert not any("Unprotected" in text for text in shared)


def test_safeguards_that_are_tried_are_in_no_fingerprint(people, tmp_path):
    opened, _ = adopted(people, "csv", tmp_path)
    tried = opened.with_review(opened.review.with_steps((Cap("INCOME", None, 900.0),), "more"))
    assert json.loads(tried.to_json())["files"] == json.loads(opened.to_json())["files"]


def test_officer_and_title_are_kept_with_the_review(people, tmp_path):
    opened, _ = adopted(people, "csv", tmp_path)
    again = from_json(saved(opened.review))
    assert (again.title, again.about[OFFICER]) == ("Release 7", "A. Officer")
    assert assemble(opened, Look()).title == "Release 7"
    assert assemble(opened, Look(title="Another")).title == "Another"
