"""What a report says of the strongest intruder: one line on page 1 and a table in the appendix; a shareable one, nothing."""

# Inside: bounds as the page Keys sets them.

from dataclasses import replace

import pytest

from disclosure_core import Bounds, Hierarchy, start_demonstration
from disclosure_core.report import blocks
from disclosure_core.review.intruders import with_bounds
from tests.reports import Look, appendix, assemble
from tests.written import fixed


@pytest.fixture(scope="module")
def opened():
    first = start_demonstration()
    review = replace(
        first.review, targets=("abroad", "marital"), hierarchies={"age": Hierarchy.bands(5, 10)},
        searched=frozenset({"strongest"}),
    )  # fmt: skip
    return first.with_review(with_bounds(review, Bounds(at_most=3, at_best={"age": "bands of 5"})))


def texts(found):
    return [str(cell) for block in found for row in (*block.rows, (block.text,), block.items) for cell in row]


def test_page_1_has_one_line_and_the_appendix_every_figure(opened):
    source = assemble(opened, Look())
    found = opened.printed.strongest_intruder()
    worst = found.of("DiSCO", "abroad")
    (line,) = [text for text in texts(blocks(source)) if "for somebody who knows" in text]
    assert line == (
        f"largest DiSCO of abroad, {fixed(worst['figure'])} %, for somebody who knows {worst['knows']}; with all keys as "
        f"they are {fixed(worst['all_keys'])} %"
    )
    (table,) = [block for block in appendix(source) if block.kind == "table" and "The intruder knows" in block.text]
    assert "at most 3 keys; age at best bands of 5" in table.text
    assert table.rows == tuple(
        (
            {"gain": "gain over chance", "beyond": "disclosed beyond the commonest answer"}.get(m, m)
            + (f" of {target}" if target else ""),
            knows, *map(fixed, numbers),
        )
        for m, target, knows, *numbers in found.worst[
            ["measure", "target", "knows", "figure", "all_keys", "chosen", "other"]
        ].itertuples(index=False)
    )  # fmt: skip


def test_a_shareable_report_says_nothing_of_it(opened):
    """Which combination is the largest is decided by exact counts."""
    source = assemble(opened, Look(shareable=True))
    every = " ".join(texts((*blocks(source), *appendix(source))))
    assert "bands of 5" not in every
    assert "trongest intruder" not in every


def test_what_was_not_searched_is_not_in_the_report(opened):
    other = opened.with_review(replace(opened.review, searched=frozenset(), targets=("marital",)))
    assert "Strongest intruder" not in texts(blocks(assemble(other, Look())))
