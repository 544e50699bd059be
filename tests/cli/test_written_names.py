"""A column of any name can be named in every option: with the mark that its grammar uses, in quotes, with blanks."""

import pandas as pd
import pytest

from disclosure_core import start
from tests.commands import disclosure, look

ODD = ("a=b", "a=b=c", "=x", "x=", "n,m", 'q"q', "br[ack]et", " sp ", "c:d", "#1\n2")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Files of people with odd columns beside a column `a`, whose name begins two of them."""
    place = tmp_path_factory.mktemp("odd")
    for k, file in enumerate(("o.csv", "s.csv")):
        people = {"a": list("pqr") * 8, "sex": list("fm") * 12} | {name: ["u=v", "w", "z", "z"] * 6 for name in ODD}
        pd.DataFrame(people).iloc[k:].to_csv(place / file, index=False)
    return [place / "o.csv", place / "s.csv"]


LIST = ",".join(f' "{name}" '.replace('q"q', 'q""q') for name in ODD)


def each(option, text):
    """Return an option once for each name."""
    return [word for name in ODD for word in (option, text.format(name))]


def test_targets_of_any_name_are_excluded_and_judged(data):
    asked = [*each("--exclude", "{}=u=v"), *each("--reason", "{}=it is so"), *each("--fail-if", "DiSCO[{}]>=0")]
    done = disclosure("assess", *data, "--keys", "a,sex", "--targets", LIST, *asked)
    assert [f"DiSCO[{name}]>=0 holds" in done.stderr for name in ODD if "\n" not in name] == [True] * 9, done.stderr


def test_a_figure_calls_a_column_of_any_name_otherwise(data):
    opened = start(("o.csv", data[0]), {"one = two": [("s.csv", data[1])]})
    names = [*ODD, "one = two", "no column"]
    options = {"figure_look": [f"label:{name}=New = name" for name in names], "figure_width": None, "grey": False}
    assert look(options, opened).labels == dict.fromkeys(names, "New = name")


def test_keys_of_any_name_are_read_otherwise_and_coarsened(data, tmp_path):
    read = [*each("--missing-text", "{}=z"), *each("--mend", "{}=case")]
    idle = disclosure("tau", *data, "--keys", "sex", "--targets", "a", *read).stderr
    assert idle.count("moves nothing in `disclosure tau`") == 2 * len(ODD)
    known = disclosure("look-up", *data, "--keys", f"a,{LIST}", "--target", "sex", *each("--know", "{}=u=v"))
    assert "c:d = u=v" in known.stdout
    may = disclosure("protect", *data, "--keys", f"sex,{LIST}", "--targets", "a", "--aim", "DiSCO<=100", "--output", tmp_path, "--may", " sp :merge:7", "--may", "c:d:merge:7")  # fmt: skip
    assert "The aim is reached by the data as they came" in may.stderr


def test_of_two_names_the_longer_is_taken_and_the_shorter_stands_in_quotes(data):
    call = ["look-up", *data, "--keys", 'a,"a=b"', "--target", "sex", "--know"]
    assert "(a=b = u=v)" in disclosure(*call, "a=b=u=v").stdout
    assert "(a = p)" in disclosure(*call, '"a"=p').stdout
    assert "'b=u' is not" in disclosure(*call, '"a"=b=u').stderr
