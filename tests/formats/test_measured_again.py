"""Safer files are read by a stranger and measured again: every figure is the one that stood there after safeguards.

The original is looked at through the rules by code of the test's own. `.ci/run` has the long run (marked slow).
"""

import io
import struct
from dataclasses import replace
from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import rdata
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from disclosure_core import (
    AddLabel,
    Band,
    BlankClaims,
    Breaks,
    Cap,
    Chain,
    Coarsen,
    DisclosureError,
    Exclusions,
    MergeLevels,
    ReadOptions,
    Recode,
    RemoveReplicated,
    RemoveUniques,
    RoundTo,
    Settings,
    Thresholds,
    protect,
    start,
)
from disclosure_core.data.writers import safer
from tests.fuzz.stata_sas import sas_file, special
from tests.fuzz.structures import Odd
from tests.reading import read_in_process as read
from tests.written import LOG, safer_files

FORMATS = (
    "csv", "csv;", "parquet", "feather", "xlsx", "ods", "sav", "zsav", "por", "xpt", "sas7bdat", "dta", "rds", "rda",
)  # fmt: skip
CODE = -8.0
LABELS = {1.0: "full time", 2.0: "part time", 3.0: "none", 9.0: "Refused"}
LABELLED = ("sav", "zsav", "dta")


def written(frame, form, folder, labels=LABELS):
    """Return a table as somebody's own program writes it: codes with labels and declared missing values where there are."""
    path, sink = str(folder / f"made.{form}"), io.BytesIO()
    texts = frame.assign(WORK=frame["WORK"].map(labels))
    match form:
        case "csv":
            return "x.csv", texts.to_csv(index=False).encode()
        case "csv;":
            return "x.csv", texts.to_csv(index=False, sep=";", decimal=",").encode()
        case "parquet":
            texts.astype({"WORK": "category"}).to_parquet(sink)
        case "feather":
            texts.to_feather(sink)
        case "xlsx":
            texts.to_excel(sink, index=False)
        case "ods":
            texts.to_excel(sink, index=False, engine="odf")
        case "sav" | "zsav":
            pyreadstat.write_sav(
                frame, path, compress=form == "zsav", variable_value_labels={"WORK": labels},
                missing_ranges={"INCOME": [CODE]},
            )  # fmt: skip
        case "por":
            pyreadstat.write_por(texts, path)
        case "xpt":
            pyreadstat.write_xport(texts, path)
        case "sas7bdat":
            sink.write(_sas(texts))
        case "dta":
            frame.to_stata(sink, version=118, write_index=False, value_labels={"WORK": _whole(labels)})
        case "rds":
            rdata.write_rds(path, texts.astype({"SEX": "category", "WORK": "category"}))
        case "rda":
            rdata.write_rda(path, {"made": texts.astype({"SEX": "category", "WORK": "category"})})
    return f"x.{form}", sink.getvalue() or (folder / f"made.{form}").read_bytes()


def _sas(frame):
    """Return a file of SAS, which no library writes."""
    kinds = ["number" if pd.api.types.is_numeric_dtype(column) else "text" for _, column in frame.items()]
    cells = [
        [struct.pack("<d", v) if v == v else special(None) for v in frame[name]]
        if kind == "number"
        else [(v if isinstance(v, str) else "").encode().ljust(16) for v in frame[name]]
        for name, kind in zip(frame, kinds, strict=True)
    ]
    return sas_file(Odd(None, 0), list(frame), kinds, cells, len(frame))


def _whole(labels):
    return {int(code): text for code, text in labels.items()}


@st.composite
def people(draw, few=14, many=40):
    n = draw(st.integers(few, many))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "SEX": rng.choice(["f", "m", "x y", "1"], n, p=[0.45, 0.4, 0.1, 0.05]),
        "WORK": rng.choice(list(LABELS), n, p=[0.5, 0.3, 0.15, 0.05]),
        "AGE": rng.integers(18, 30, n),
        "INCOME": rng.choice([CODE, 0.5, 1.25, 3, 7.5, 12, 99.95, 1000.1, 2500], n),
    })  # fmt: skip


STEPS = st.one_of(
    st.just(RemoveReplicated()),
    st.just(RemoveUniques()),
    st.builds(MergeLevels, st.sampled_from(["SEX", "WORK"]), st.sampled_from([2, 4, 9]), st.sampled_from(["Other", "Andere Å", "7"]),
              st.sampled_from([(), ("x y",), ("Refused",)])),
    st.builds(Coarsen, st.sampled_from(["AGE", "INCOME"]), st.integers(2, 12)),
    st.builds(Cap, st.sampled_from(["AGE", "INCOME"]), st.sampled_from([None, 1.25, 20]), st.sampled_from([12.0, 24.0, 25.5, 99.95])),
    st.builds(RoundTo, st.sampled_from(["AGE", "INCOME"]), st.sampled_from([0.1, 2.5, 3, 5, 10, 100])),
    st.builds(Breaks, st.sampled_from(["AGE", "INCOME"]), st.sampled_from([(20,), (19.5, 24, 28), (0, 1.25, 100)])),
    st.builds(Band, st.sampled_from(["AGE", "INCOME"]), st.sampled_from(["5", "0.5", "10"])),
    st.builds(Recode, st.just("SEX"), st.sampled_from(["Other", "f"]), st.sampled_from([("f", "m"), ("1", "f")])),
    st.builds(BlankClaims, st.sampled_from(["WORK", "INCOME", "SEX"])),
    st.builds(AddLabel, st.sampled_from(["label", "says"]), st.just("SYNTHETIC, no person")),
)  # fmt: skip


def through(frame, steps, made, codes):
    """Return the original as texts and numbers after the rules, by the words of the steps; intervals are read as they stand."""
    columns = {"SEX": frame["SEX"].tolist(), "WORK": [LABELS.get(v) for v in frame["WORK"]],
               "AGE": frame["AGE"].tolist(), "INCOME": frame["INCOME"].tolist()}  # fmt: skip
    columns = {name: [None if v is None or v != v else v for v in values] for name, values in columns.items()}
    for step in steps:
        if isinstance(step, RemoveReplicated | RemoveUniques | BlankClaims | AddLabel):
            continue
        values = columns[step.column]
        if isinstance(step, MergeLevels):
            held = {v: values.count(v) for v in set(values) - {None}}
            values = [v if v is None or held[v] >= step.fewer or v in step.keep else step.into for v in values]
        elif isinstance(step, Recode):
            values = [step.into if v in step.levels else v for v in values]
        elif isinstance(step, Breaks | Band):
            is_code = step.column == "INCOME" and codes
            values = [
                v if v is None or (is_code and v in codes) or isinstance(v, str) else by_hand(step, v) for v in values
            ]
        elif isinstance(step, Coarsen):
            now = made.study.columns[step.column]
            levels = now.levels
            if not any(level.startswith("[") for level in levels):
                continue
            values = [None if v is None else interval(v, levels) for v in values]
        else:
            values = [v if v is None or (step.column == "INCOME" and v in codes) else changed(step, v) for v in values]
        columns[step.column] = values
    # One number is written in one way, as 24 and 24.0 in one file would be texts.
    written_ = {n: [f"{v:.15g}" if isinstance(v, int | float) else v for v in values] for n, values in columns.items()}
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in written_.items()})


def changed(step, value):
    if isinstance(step, Cap):
        value = step.low if step.low is not None and value < step.low else value
        return step.high if step.high is not None and value > step.high else value
    unit = Fraction(str(step.to))
    steps = Fraction(str(value)) / unit
    return float((-1 if steps < 0 else 1) * floor(abs(steps) + Fraction(1, 2)) * unit)  # half away from zero


def by_hand(step, value):
    """Return the interval of a number by the words of a step."""
    number = Fraction(str(value))
    if isinstance(step, Band):
        low = number // Fraction(step.level) * Fraction(step.level)
        return f"[{float(low):.15g},{float(low + Fraction(step.level)):.15g})"
    below = [b for b in step.breaks if Fraction(str(b)) <= number]
    above = [b for b in step.breaks if Fraction(str(b)) > number]
    return (
        f"[{below[-1]:.15g},{above[0]:.15g})"
        if below and above
        else f"<{above[0]:.15g}"
        if above
        else f">={below[-1]:.15g}"
    )


def interval(value, levels):
    """Return the interval among levels that a number is in, as somebody who reads them finds it."""
    if isinstance(value, str):
        return value
    plain = f"{value:.15g}"
    if plain in levels:
        return plain
    for level in levels:
        if level.startswith("["):
            low, high = (float(end) for end in level[1:-1].split(","))
            if low <= value < high or (level.endswith("]") and value == high):
                return level
    raise AssertionError(f"{value} is in none of {levels}")


def flagged(check):
    """Return what the 1-way check flags; of levels with as many records, the first is that of the data's order."""
    return sorted(repr(replace(c, also=())) for c in (() if check is None else (check, *check.also)))


def figures(found):
    """Return every figure of an assessment."""
    said = {"identity": found.identity, "summary": found.summary()}
    for name, risk in found.targets.items():
        said |= {f"attribute {name}": risk.attribute, f"caps {name}": risk.caps, f"identity {name}": risk.identity}
        said |= {f"exclusions {name} {i}": frame for i, frame in enumerate(risk.exclusions)}
        said |= {f"two way {name} {i}": frame for i, frame in enumerate(risk.two_way)}
        said[f"one way {name}"] = pd.DataFrame({"said": [flagged(check) for check in risk.one_way]})
    return said


def measured_again(form, original, syntheses, steps, out, groups, keys, folder):
    given_ = [written(frame, form, folder) for frame in (original, *syntheses)]
    names = [f"{i}{name}" for i, (name, _) in enumerate(given_)]
    opened = start((names[0], given_[0][1]), {"set": [(n, d) for n, (_, d) in zip(names[1:], given_[1:], strict=True)]})
    codes = {CODE} & set(original["INCOME"])
    texts = tuple(f"{code:.15g}" for code in sorted(codes))
    columns = replace(opened.review.columns, missing_codes={"INCOME": texts} if texts else {})
    opened = opened.with_review(replace(opened.review, columns=columns))
    asked = Settings(keys=keys, groups=groups, exclusions=out, thresholds=Thresholds((1, 30), (0, 30)))
    review = opened.review.with_settings(asked)
    opened = opened.with_review(replace(review, chains=(Chain("c", tuple(steps)),), chain="c"))
    try:
        after, made = opened.after_safeguards(), opened.protected()
    except DisclosureError:
        assume(False)
    files_now = [(name, data) for name, data in safer_files(opened).items() if name != LOG]
    there = through(original, steps, made, codes)
    again = start(("original.csv", there.to_csv(index=False).encode()), {"safer": files_now})
    still = {n: tuple(f"{v:.15g}" for v in values) for n, values in made.study.missing_codes.items()}
    again = again.with_review(replace(again.review, columns=replace(again.review.columns, missing_codes=still)))
    again = again.with_review(again.review.with_settings(after.settings))
    here, now = figures(after), figures(again.assessment())
    assert list(here) == list(now)
    for name, frame in here.items():
        pd.testing.assert_frame_equal(now[name], frame, check_dtype=False, rtol=0, atol=1e-9, obj=f"{name} ({form})")
    return opened, again


CASES = given(
    st.data(), st.sampled_from(FORMATS), people(), st.lists(people(), min_size=1, max_size=2),
    st.lists(STEPS, min_size=1, max_size=3), st.integers(0, 7), st.sampled_from([{}, {"AGE": 3}, {"INCOME": 4}]),
    st.sampled_from([("SEX", "AGE"), ("AGE", "INCOME"), ("WORK", "SEX")]),
)  # fmt: skip


def check(data, form, original, syntheses, steps, missing, groups, keys, folder):
    rng = np.random.default_rng(missing)
    frames = [original, *syntheses]
    if missing & 1:  # not every format has whole numbers with gaps
        for frame in frames:
            frame.loc[rng.integers(0, len(frame), 2), "INCOME"] = np.nan
    if missing & 2 and form not in LABELLED:
        for frame in frames:
            frame.loc[rng.integers(0, len(frame), 1), "WORK"] = np.nan
    names = [s.column for s in steps if isinstance(s, AddLabel)]
    assume(len(names) == len(set(names)))
    out = (
        Exclusions(target_levels={"WORK": ["none"]}, missing_targets={"INCOME"}, denominator_limit=5)
        if missing & 4
        else Exclusions()
    )
    present = set(original["WORK"].map(LABELS)) | {v for f in syntheses for v in f["WORK"].map(LABELS)}
    assume(not missing & 4 or ("none" in present and "WORK" not in keys))
    if missing & 4 and "INCOME" in keys:
        out = replace(out, missing_targets=frozenset())
    measured_again(form, original, syntheses, steps, out, groups, keys, folder)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))  # 2 s each
@CASES
def test_safer_files_have_the_figures_that_stood_there(
    tmp_path_factory, data, form, original, syntheses, steps, missing, groups, keys
):
    check(data, form, original, syntheses, steps, missing, groups, keys, tmp_path_factory.mktemp("made"))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_blanks_come_back_as_missing_in_every_format(form, tmp_path):
    """Of a text, codes with labels and a number, also of a whole one."""
    rng = np.random.default_rng(3)
    frames = [
        pd.DataFrame({
            "SEX": rng.choice(["f", "m"], 30), "WORK": rng.choice(list(LABELS), 30), "AGE": rng.integers(18, 24, 30),
            "INCOME": rng.choice([CODE, 0.5, 7.5, 1000.1], 30),
        })
        for _ in range(2)
    ]  # fmt: skip
    for target, keys in (
        ("WORK", ("AGE", "INCOME")),
        ("INCOME", ("AGE", "WORK")),
        ("AGE", ("WORK", "INCOME")),
        ("SEX", ("AGE", "INCOME")),
    ):
        opened, again = measured_again(
            form, frames[0], frames[1:], [BlankClaims(target)], Exclusions(), {}, keys, tmp_path
        )
        assert opened.protected().done[0].changed[0] > 0
        old, new = (o.study().columns[target].counts[1, -1] for o in (opened, again))
        assert new == old + opened.protected().done[0].changed[0]


def test_a_number_of_a_text_file_is_written_as_it_stands_there():
    """12 beside 12.0 would be read as texts, and measured as two levels."""
    (reading,) = read(b'x,y\n12.0,"5,0"\n13.5,"7,25"\n12.0,"5,0"\n99.0,"1,5"\n', "x.csv")
    made = protect(reading.frame, [reading.frame], [Cap("x", high=12)], Settings())
    data = safer(reading, made.synthetic[0], made.changes[0]).data
    assert data.splitlines()[1:] == [b'12.0,"5,0"', b'12.0,"7,25"', b'12.0,"5,0"', b'12.0,"1,5"']
    (again,) = read(data, "x.csv")
    assert again.frame["x"].tolist() == [12.0] * 4


def test_a_safer_text_file_spells_the_numbers_of_a_column_in_one_way():
    """15.0 and 40 stood together: the end of a cap stood nowhere in the file before."""
    (reading,) = read(b"x;y\n15.0;1.50\n55.0;2.25\n15.0;9.75\n", "x.csv", ReadOptions(delimiter=";"))
    made = protect(reading.frame, [reading.frame], [Cap("x", high=40)], Settings())
    data = safer(reading, made.synthetic[0], made.changes[0]).data
    assert [line.split(b";")[0] for line in data.splitlines()[1:]] == [b"15.0", b"40.0", b"15.0"]
    (plain,) = read(b"x\n15\n55\n", "x.csv")
    made = protect(plain.frame, [plain.frame], [Cap("x", high=40)], Settings())
    assert safer(plain, made.synthetic[0], made.changes[0]).data == b"x\n15\n40\n"
    (comma,) = read(b"x;z\n1,50;a\n2,25;b\n9,75;a\n", "x.csv")
    made = protect(comma.frame, [comma.frame], [Cap("x", high=4)], Settings())
    assert safer(comma, made.synthetic[0], made.changes[0]).data.splitlines()[1:] == [b"1,50;a", b"2,25;b", b"4,00;a"]


@pytest.mark.parametrize("form", ["csv", "xlsx", "parquet", "sav", "dta", "rds"])
def test_a_column_that_was_converted_is_written_in_one_unit(form, tmp_path):
    """Of minutes beside hours a cap at two hours wrote 2 between 15 and 90."""
    hours = pd.DataFrame({"k": range(12), "x": [1.5, 0.25, 3.0, -8.0] * 3})
    minutes = hours.assign(x=[90.0, 15.0, 180.0, -8.0] * 3)
    name = f"x.{form}"
    if form == "csv":
        minutes.astype(int).to_csv(tmp_path / name, index=False)
    elif form == "xlsx":
        minutes.to_excel(tmp_path / name, index=False)
    elif form == "parquet":
        minutes.to_parquet(tmp_path / name)
    elif form == "sav":
        pyreadstat.write_sav(minutes, tmp_path / name)
    elif form == "dta":
        minutes.to_stata(tmp_path / name, write_index=False)
    else:
        rdata.write_rds(tmp_path / name, minutes)
    opened = start(("o.csv", hours.to_csv(index=False).encode()), {"set": [(name, (tmp_path / name).read_bytes())]})
    columns = replace(opened.review.columns, mends={"x": ("units",)}, missing_codes={"x": ("-8",)})
    opened = opened.with_review(replace(opened.review, columns=columns))
    review = opened.review.with_settings(Settings(keys=("k",), targets=("x",)))
    now = safer_files(opened.with_review(review.with_steps((Cap("x", None, 2),), "c")))
    (again,) = read(now[f"safer_{name}"], name)
    assert again.frame["x"].astype(float).tolist() == [1.5, 0.25, 2.0, -8.0] * 3
    assert b"Written in the original's unit, for a step changed some values: x." in now[LOG]
    (asitcame,) = (
        d for n, d in safer_files(opened.with_review(review.with_steps((AddLabel(),), "c"))).items() if n != LOG
    )
    assert read(asitcame, name)[0].frame["x"].astype(float).tolist() == minutes["x"].tolist()


@pytest.mark.parametrize("form", FORMATS)
def test_levels_merged_under_the_name_of_one_of_them_are_one_level(form, tmp_path):
    """In SPSS files a level without a label became two: "f", and "f_" of those that were merged into it."""
    rng = np.random.default_rng(0)
    frames = [
        pd.DataFrame({
            "SEX": rng.choice(["f", "m", "1"], n), "WORK": rng.choice(list(LABELS), n), "AGE": rng.integers(18, 24, n),
            "INCOME": rng.choice([0.5, 12.0], n),
        })
        for n in (15, 30)
    ]  # fmt: skip
    measured_again(
        form, frames[0], frames[1:], [Recode("SEX", "f", ("1", "f"))], Exclusions(), {}, ("AGE", "INCOME"), tmp_path
    )
