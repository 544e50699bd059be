"""Whatever a text or a saved review holds, four times its size takes about four times as long: nobody waits for a day.

Each family once stopped the server: an expression that tried every start, lines that were copied again for each line
above them, errors that were all written out where one is shown.
"""

import gc
import time
from contextlib import suppress

import pytest

from disclosure_core import DisclosureError
from tests import saved
from tests.reading import read_in_process

TEXTS = {
    "one word that is not UTF-8": lambda n: b"a,b\n" + b"\xe9" * n + b",1\n",
    "one word of doubtful letters": lambda n: b"a,b\n" + b"\xe9a\xb3" * (n // 3) + b",1\n",
    "lines that are not UTF-8": lambda n: b"a\n" + b"\xe9\xe9\n" * (n // 3),
    "comments above": lambda n: b"#a\n" * (n // 3) + b"a,b\n1,2\n",
    "comments of several cells above": lambda n: b"#a,b,\n#\n" * (n // 8) + b"a,b\n1,2\n",
    "comments with quotes above": lambda n: b'#a,"\n' * (n // 5) + b"a,b\n1,2\n",
    "a comment, then blanks": lambda n: b"#a\n" + b" " * n + b"\na,b\n1,2\n",
    "a comment, then blank lines": lambda n: b"#a\n" + b"\n" * n + b"\na,b\n1,2\n",
    "lines of odd blanks": lambda n: b"\x0b\n" * (n // 2) + b"#x\na,b\n1,2\n",
    "short rows": lambda n: b"a,b\n" + b"12,34\n" * (n // 6),
    "rows all different": lambda n: b"a,b\n" + b"".join(b"%d,x%d\n" % (i, i) for i in range(n // 12)),
    "an open quote": lambda n: b'a,b\n1,"' + b"x,y\n" * (n // 4),
    "quotes": lambda n: b"a,b\n" + b'"",""""\n' * (n // 8),
    "a row too wide at the end": lambda n: b"a,b\n" + b"1,2\n" * (n // 4) + b"1,2,3\n",
    "a wide header": lambda n: b"a," * (n // 2) + b"b\n",
    "one cell": lambda n: b"a,b\n1," + b"x" * n + b"\n",
    "marks": lambda n: b"\xef\xbb\xbf" * (n // 3) + b"a,b\n1,2\n",
    "a name that numbers nothing": lambda n: b"a,b\nx," + b"-" * n + b"na\nx,1\nx,2\nx,3\nx,4\n",
}

REVIEWS = {
    "objects": '{"review": 3, "targets": [%s{}]}' % ("{}," * 30_000),
    "sets": '{"review": 3, "sets": [%s{}]}' % ("{}," * 30_000),
    "a bare list": "[%s{}]" % ("{}," * 300_000),
    "depth": '{"review": 3, "targets": ' + "[" * 900_000,
    "9 MB of objects": "{}," * 3_000_000,
}


def seconds(work) -> float:
    """Return the processor time that some work takes, the least of three: other processes do not count."""
    took = []
    for _ in range(3):
        gc.collect()
        begun = time.process_time()
        with suppress(DisclosureError):
            work()
        took.append(time.process_time() - begun)
    return min(took)


@pytest.mark.parametrize("family", TEXTS)
def test_the_time_of_a_text_grows_with_its_size(family):
    small, large = (TEXTS[family](n) for n in (100_000, 400_000))
    assert seconds(lambda: read_in_process(large, "x.csv")) < 8 * seconds(lambda: read_in_process(small, "x.csv")) + 0.1


@pytest.mark.parametrize("family", REVIEWS)
def test_no_saved_review_takes_long(family):
    with pytest.raises(DisclosureError):
        saved.from_json(REVIEWS[family])
    assert seconds(lambda: saved.from_json(REVIEWS[family])) < 3


def test_a_review_of_everything_is_far_below_the_limits():
    """Of 200 targets, each with 20 pairs excluded for a reason."""
    from disclosure_core import Exclusions, Pair, Review

    names = [f"question {i}" for i in range(200)]
    left_out = Exclusions()
    for name in names:
        left_out = left_out.with_pairs(name, {Pair("age", str(j), "level") for j in range(20)})
    text = saved.to_json(Review(targets=tuple(names), exclusions=left_out))
    assert saved.from_json(text).exclusions == left_out
    assert len(text) < saved.LARGEST
