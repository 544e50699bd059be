"""R's answers, figure by figure: the demonstration survey always, SD2011 where the shared reference is there."""

import json
import math
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import Exclusions, Pair, Settings, Study, Thresholds, assess, demo

HERE = Path(__file__).parents[1] / "reference"
SHARED = Path(__file__).parents[3] / "shared" / "reference"
DEMO = json.loads((HERE / "demo_cases.json").read_text())
ANSWERS = json.loads((HERE / "demo_expected.json").read_text())
TOLERANCE = 1e-9
"""R and we add the same few thousand fractions in another order; 2e-13 is the largest difference seen."""

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the SD2011 reference is not part of the project")


@cache
def table(name: str) -> pd.DataFrame:
    """A file of the reference by its name there; the demonstration survey comes from the project's own assets."""
    stem = Path(name).stem
    if name.startswith("demo/"):
        if stem == "synthetic_1_first_1000":
            return demo.syntheses()[0].head(1000)
        return pd.read_parquet(demo.assets() / "demo" / f"{stem}.parquet")
    return pd.read_csv(SHARED / name, keep_default_na=False, na_values=[""])


def spread(value, names):
    """R recycles one value over all names."""
    return dict(zip(names, value if isinstance(value, list) else [value] * len(names), strict=True))


def ask(case) -> tuple[Study, Settings]:
    original = table(case["original"])
    study = Study(original, [table(f) for f in case["synthetic"]], missing_codes=case.get("cont_na", {}))
    keys = [c for c in original.columns if c in case["keys"]]
    targets = case.get("targets") or [case["target"]]
    groups = spread(case.get("ngroups_keys", 0), case["keys"])
    groups |= spread(case.get("ngroups_targets", case.get("ngroups_target", 0)), targets)
    excluded = ("exclude_keys", "exclude_keylevs", "exclude_targetlevs")
    pairs = [Pair(*names) for names in zip(*(case.get(field, []) for field in excluded), strict=True)]
    level = case.get("not_targetlev")
    return study, Settings(
        keys=keys,
        targets=targets,
        groups=groups,
        thresholds=Thresholds(tuple(case.get("thresh_1way", (50, 90))), tuple(case.get("thresh_2way", (4, 80)))),
        exclusions=Exclusions(
            target_levels={targets[0]: [level]} if level else {},
            missing_targets={t for t, used in spread(case.get("usetargetNA", True), targets).items() if not used},
            missing_keys={k for k, used in spread(case.get("usekeysNA", True), keys).items() if not used},
            pairs={targets[0]: pairs},
            denominator_limit=case.get("denom_lim", 5) if case.get("exclude_ov_denom_lim") else None,
        ),
    )


R_IDENTITY = ("UiO", "UiS", "UiOiS", "repU")
R_ATTRIBUTE = ("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom")
R_CAPS = {"baseCAPd": "baseCAPd", "CAPd": "CAPd", "CAPs": "CAPs", "DCAP": "DCAPd", "TCAP": "TCAPi"}
R_KINDS = {
    "excluded target": "target level",
    "missing target": "missing target",
    "missing in  keys": "missing key",
    "set to exclude": "pair",
    "over denom_lim": "denominator",
    "remaining": "remaining",
}


def agree(ours, theirs):
    """R writes NaN over an empty set as null or as text."""
    if theirs is None or isinstance(theirs, str):
        return math.isnan(ours)
    return abs(ours - theirs) <= TOLERANCE


def check(risk, answer):
    for i in range(len(answer["ident"])):
        figures = [(risk.identity.iloc[i][m], answer["ident"][i][m], m) for m in R_IDENTITY]
        figures += [(risk.attribute.iloc[i][m], answer["attrib"][i][m], m) for m in R_ATTRIBUTE]
        figures += [(risk.caps.iloc[i][m], answer["allCAPs"][i][r], m) for r, m in R_CAPS.items()]
        for ours, theirs, measure in figures:
            assert agree(ours, theirs), (i, measure, ours, theirs)
        one, rows = risk.one_way[i], answer["check_1way"][i]
        if not rows:
            assert one is None
        else:
            assert (one.level, one.n_disclosive_level) == (rows[0]["Level"], rows[0]["nLevelDis"])
            assert agree(one.pct_level, rows[0]["PctLevelAll"])
        columns = ["key", "pair", "npairs", "n_both", "n_key_level"]
        two = risk.two_way[i].assign(pair=lambda f: f["target_level"] + "|" + f["key_level"])
        theirs = pd.DataFrame(answer["check_2way"][i] or [], columns=[
            "key", "target_key_levs", "npairs", "key_target_total", "key_total"
        ]).set_axis(columns, axis=1)  # fmt: skip
        assert sorted(map(tuple, two[columns].to_numpy())) == sorted(map(tuple, theirs.to_numpy()))
        for row in answer["exclusions"][i]:
            ours = risk.exclusions[i].loc[row["measure"]]
            assert {k: ours[v] for k, v in R_KINDS.items()} == {k: row[k] for k in R_KINDS}


@pytest.mark.parametrize("case", DEMO, ids=lambda c: c["name"])
def test_the_demonstration_survey_agrees_with_r(case):
    found = assess(*ask(case))
    answers = ANSWERS[case["name"]]
    for target, answer in (answers.get("targets") or {case.get("target"): answers}).items():
        check(found.targets[target], answer)


def test_the_denominator_of_TCAPi_is_neither_iS_nor_DiS_once_something_is_excluded():
    """It is what exclusions leave on both sides, as in R; with a denominator limit it passes 100 %."""
    synthetic = pd.DataFrame({"k": [*"aaaaaa", "b"], "t": [*"xxxxxx", "y"]})
    original = pd.DataFrame({"k": list("aabbbb"), "t": list("xxyzzz")})
    out = Exclusions(denominator_limit=3)  # takes the synthetic cell of a, not the original one
    risk = assess(Study(original, [synthetic]), Settings(keys=("k",), targets=("t",), exclusions=out)).targets["t"]
    assert risk.attribute["DiSCO"].tolist() == [50.0]  # a, a and b's y
    assert risk.caps["TCAPi"].tolist() == [100 * 3 / 4]  # of b, b, b, b alone
    fewer = original.iloc[[0, 1, 2]]
    risk = assess(Study(fewer, [synthetic]), Settings(keys=("k",), targets=("t",), exclusions=out)).targets["t"]
    assert risk.caps["TCAPi"].tolist() == [300.0]


def sd2011_cases():
    if not SHARED.is_dir():
        return []
    return [c for c in json.loads((SHARED / "cases.json").read_text()) if c["name"].startswith("sd2011/")]


@needs_shared
@pytest.mark.parametrize("case", sd2011_cases(), ids=lambda c: c["name"])
def test_sd2011_agrees_with_r(case):
    answers = json.loads((SHARED / "expected.json").read_text())[case["name"]]
    found = assess(*ask(case))
    for target, answer in (answers.get("targets") or {case.get("target"): answers}).items():
        check(found.targets[target], answer)


@needs_shared
def test_the_readme_says_how_many_tables_agree():
    """A table is one target of one call of R's function."""
    answers = json.loads((SHARED / "expected.json").read_text())
    assert {name: answers[name] for name in ANSWERS} == ANSWERS
    tables = sum(len(answer.get("targets") or [1]) for answer in answers.values())
    assert f"on {tables} reference tables" in (HERE.parents[1] / "README.md").read_text(encoding="utf-8")


SD_KEYS = ["sex", "age", "region", "placesize"]


def test_the_logic_of_table_2_on_the_demonstration_survey():
    study = demo.study()
    for risk in assess(study, Settings(keys=demo.KEYS, groups=demo.GROUPS)).targets.values():
        caps, disco = risk.caps, risk.attribute["DiSCO"]
        # The syntheses are as large as the original: the same numerator over the same number of records.
        pd.testing.assert_series_equal(caps["DCAPs"], caps["DCAPd"], check_names=False)
        pd.testing.assert_series_equal(caps["TCAPs"], disco, check_names=False)
        # N_s ≥ N_b, and N_bp counts the records with one answer only.
        assert (caps["DCAPb"] >= caps["DCAPs"]).all()
        assert (caps["TCAPb"] >= caps["TCAPs"]).all()
        assert (caps["TCAP"] - 100 * disco / risk.attribute["DiS"]).abs().max() < TOLERANCE
        assert (caps["TCAPi"] - 100 * disco / risk.attribute["iS"]).abs().max() < TOLERANCE


@needs_shared
@pytest.mark.parametrize(
    ("limit", "UiO", "repU", "DiSCO"),
    [
        (None, 48.38, 14.86, {"income": 6.14, "depress": 9.54, "ls": 13.78, "marital": 35.18, "workab": 52.10}),
        (1, 50.26, 16.36, {"income": 3.36, "depress": 7.02, "ls": 9.84, "marital": 15.40, "workab": 20.48}),
    ],
)
def test_the_vignette(limit, UiO, repU, DiSCO):
    original, synthetic = table("sd2011/original.csv"), table("sd2011/synthetic_s1.csv")
    study = Study(original, [synthetic], missing_codes={"income": [-8]})
    # The vignette groups income in its first table only.
    groups = {"income": 20} if limit is None else {}
    found = assess(study, Settings(keys=SD_KEYS, groups=groups, exclusions=Exclusions(denominator_limit=limit)))
    assert found.summary().set_index("target")["synthetic"].round(2).to_dict() == DiSCO
    assert list(found.summary()["target"]) == list(DiSCO)
    shown = found.targets["depress"].identity.loc[1]
    assert (round(shown["UiO"], 2), round(shown["repU"], 2)) == (UiO, repU)
    if limit is None:
        check = found.targets["workab"].one_way[0]
        assert (check.level, round(check.pct_level, 2)) == ("NO", 88.64)
        assert (check.n_disclosive_level, check.n_disclosive) == (2482, 2605)
        assert len(found.targets["workab"].two_way[0]) == 26
        assert len(found.targets["marital"].two_way[0]) == 4
        assert dict(found.summary()[["target", "flag"]].to_numpy())["workab"] == "1- and 2-way"
