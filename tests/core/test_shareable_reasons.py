"""What a shareable report says in words is a function of what it may show: safeguards, holdouts, membership, reasons."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from disclosure_core import (
    Chain,
    DisclosureError,
    Motive,
    Recode,
    RemoveReplicated,
    Settings,
    ThreatModel,
    read_holdout,
    start_tables,
)
from disclosure_core.report import members, redaction
from tests.reports import Look, assemble, blocks, report

SHARED = Look(shareable=True, smallest=10, date="2026-01-02")
ASKED = Settings(keys=("k", "l"), targets=("t",))


def people(seed, n, levels="abc"):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "k": rng.choice([*levels], n),
            "l": rng.integers(0, 30, n),
            "t": rng.choice(["x", "y"], n),
            "u": rng.integers(0, 99, n),
        }
    )


def opened_with(original, *synthetic, holdout=None, **more):
    opened = start_tables(original, synthetic)
    if holdout is not None:
        opened = opened.with_holdout(*read_holdout("outside.csv", holdout.to_csv(index=False).encode()))
    return opened.with_review(replace(opened.review.with_settings(ASKED), **more))


def words(opened, look=SHARED):
    return "\n".join(
        " | ".join((b.text, *b.items, *b.columns, *(cell for row in b.rows for cell in row)))
        for b in blocks(assemble(opened, look))
    )


@pytest.mark.parametrize("names", [True, False])
def test_adopted_safeguards_name_no_level_and_no_removal(names):
    original = people(1, 300)
    original.loc[:3, "k"], original.loc[4:6, "k"] = "bishop", "astronaut"
    opened = opened_with(original, original.sample(298, random_state=1))
    steps = (Recode("k", "other", ("bishop", "astronaut")), RemoveReplicated())
    opened = opened.with_review(replace(opened.review, chains=(Chain("tried", steps),), chain="tried"))
    for given in (opened, opened.adopt()):
        data = report(given, "html", replace(SHARED, level_names=names)).decode()
        assert not [word for word in ("bishop", "astronaut", "replicated uniques.", "Remove repl") if word in data]
    safer = opened.adopt()
    removed = safer.study().n_synthetic[0]
    assert removed % 10
    assert f"{removed:,}" not in words(safer)
    assert "bishop" in words(safer, Look())


def test_a_doubt_about_the_holdout_is_said_in_the_internal_version_alone():
    """It begins at 3 or 4 records that are inside: an exact count."""
    original, texts = people(1, 300), []
    for copied in (0, 14):
        holdout = people(2, 200)
        holdout.iloc[:copied] = original.iloc[:copied]
        opened = opened_with(original, people(3, 300), holdout=holdout)
        texts.append(words(opened))
        doubts = opened.attribute_baseline().doubts
        assert bool(doubts) == bool(copied)
        assert redaction.DOUBTED in texts[-1]
        assert not [doubt for doubt in doubts if doubt in texts[-1]]
        assert all(doubt in words(opened, Look()) for doubt in doubts)


def test_a_holdout_that_is_not_evaluated_stops_a_shareable_report():
    """That it is not, and why, follows from exact counts: of records inside, of twins, of a value in one row."""
    original = people(1, 300)
    opened = opened_with(original, people(3, 300), holdout=original)
    with pytest.raises(DisclosureError, match="People outside are not evaluated, which a shareable report cannot say"):
        report(opened, "html", SHARED)
    assert report(opened, "html", Look())


def test_membership_has_no_figure_and_no_reason():
    original, said = people(1, 300), []
    asked = ThreatModel("adults", 100_000, "register", True, True, True, Motive.RECOGNITION)
    for model in (asked, replace(asked, population_size=200)):
        opened = opened_with(
            original, people(3, 300), holdout=people(2, 200), threat_model=model, searched=frozenset({"membership"})
        )
        said.append(words(opened))
        assert members.WITHHELD in said[-1]
        assert not [head for head in ("F_naive |", "F_rel, worst") if head in said[-1]]
    assert "F_rel, worst" in words(opened_with(
        original, people(3, 300), holdout=people(2, 200), threat_model=asked, searched=frozenset({"membership"})
    ), Look())  # fmt: skip


def test_no_number_of_members_stands_beside_their_sum():
    text = words(opened_with(people(1, 300), people(3, 300), holdout=people(2, 200)))
    assert "Members (the training records) and non-members (the holdout)" in text


def test_a_target_that_does_not_meet_has_no_value_in_its_reason():
    original = people(1, 300)
    synthetic = people(3, 300).assign(t=lambda f: f["t"].map({"x": "X1", "y": "Y1"}))
    opened = opened_with(original, synthetic)
    opened = opened.with_review(opened.review.with_settings(Settings(keys=("k", "l"), targets=("t", "u"))))
    text = words(opened)
    assert f"“t”: not evaluated; {redaction.NOT_MET}." in text
    assert not [value for value in ("X1", "Y1", "'x'") if value in text]
    assert "record" in words(opened, Look())


def test_what_regulators_ask_is_printed_without_how_the_review_stands_to_it():
    (table,) = [
        b
        for b in blocks(assemble(opened_with(people(1, 300), people(3, 300)), SHARED))
        if b.columns[:1] == ("Requirement",)
    ]
    assert table.columns == ("Requirement", "What it asks")


def test_a_missing_code_that_few_have_is_said_no_otherwise_than_one_that_one_has():
    texts = set()
    for few in (1, 10):
        original = people(1, 300)
        original["u"] = [-9] * 40 + [-8] * few + [5] * (260 - few)
        original["t"] = ["x", "y"] * 150
        synthetic = original.assign(u=[-9] * 40 + [-8] * 5 + [5] * 255)
        opened = opened_with(original, synthetic)
        columns = replace(opened.review.columns, missing_codes={"u": ("-9", "-8")})
        review = replace(opened.review.with_settings(Settings(keys=("k", "l"), targets=("t", "u"))), columns=columns)
        text = words(opened.with_review(review))
        assert "Missing codes: u: -9, and what few records have." in text
        texts.add("\n".join(line for line in text.splitlines() if "-9" in line))
    assert len(texts) == 1
