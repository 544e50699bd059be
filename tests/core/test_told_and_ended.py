"""What is made of a whole review tells how far it is, and is ended by what it tells."""

# Inside: a long step is ended while it works.

from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest

from disclosure_core import Chain, RoundTo, Settings, start
from disclosure_core.data.rewriters import _text
from disclosure_core.export import workbook
from disclosure_core.report import assembled, exhibits
from disclosure_core.results import catalogue
from disclosure_core.review import safer


class Stop(BaseException):
    pass


def small():
    frame = pd.DataFrame({"k": [*range(40)] * 2, "t": ["a", "b", "b", "c"] * 20, "n": [*range(80)]})
    files = [(f"s{i}.csv", frame.to_csv(index=False).encode()) for i in range(2)]
    opened = start(("o.csv", frame.to_csv(index=False).encode()), {"synthetic data": files})
    review = opened.review.with_settings(Settings(keys=("k",), targets=("t",)))
    chain = Chain("tried", (RoundTo("n", 10),))
    return opened.with_review(replace(review, chains=(chain,), chain="tried", searched=frozenset({"subsets"})))


MADE = {
    "PDF": lambda opened, told: assembled.report(opened, "pdf", progress=told),
    "HTML": lambda opened, told: assembled.report(opened, "html", progress=told),
    "workbook": lambda opened, told: workbook.workbook(opened, told),
    "figures": lambda opened, told: list(catalogue.every(opened, of_targets=True, progress=told)),
    "exhibits": lambda opened, told: list(exhibits.files(opened, ("svg",), progress=told)),
    "safer files": lambda opened, told: safer.files(opened, progress=told),
}


EACH = [pytest.param(what, marks=[pytest.mark.slow] if what in ("figures", "exhibits") else []) for what in MADE]


@pytest.mark.parametrize("what", EACH)
def test_it_counts_up_to_all_of_it(what):
    heard = []
    MADE[what](small(), lambda done, of: heard.append((done, of)))
    counted = [told for told in heard if told[1]]
    assert counted, heard
    (of,) = {of for _, of in counted}
    assert counted[0][0] == 0
    assert all(a <= b for (a, _), (b, _) in pairwise(counted))
    assert counted[-1][0] >= of - 1


@pytest.mark.slow
@pytest.mark.parametrize("what", EACH)
def test_what_is_told_can_end_it_at_any_time(what):
    heard = []
    MADE[what](small(), lambda *told: heard.append(told))
    for last in (0, len(heard) // 2, len(heard) - 1):
        left = iter(range(last))

        def told(*_, left=left):
            if next(left, None) is None:
                raise Stop

        with pytest.raises(Stop):
            MADE[what](small(), told)


def test_a_long_text_is_told_of_while_it_is_written(monkeypatch):
    monkeypatch.setattr(_text, "_RECORDS", 10)
    heard = []
    files = safer.files(small(), progress=lambda *told: heard.append(told))
    assert heard == [(0, 2)] * 9 + [(1, 2)] * 9, "80 records, 72 of which are no multiple of ten"
    assert files == safer.files(small())
