"""The other commands, on the demonstration survey as files: what they print is what the core gives of the same review."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import (
    AddLabel,
    Cap,
    Limit,
    MergeLevels,
    RemoveReplicated,
    RoundTo,
    demo,
    open_review,
    partition,
    split,
    start_demonstration,
)
from disclosure_core.sensitivity import threshold
from disclosure_core.sensitivity.combined_release import combined_identity
from tests.commands import disclosure
from tests.saved import from_json, to_json
from tests.written import of_review, rows

KEYS = (
    "--keys",
    "sex,age,region",
    "--targets",
    "marital,income",
    "--group",
    "income=20",
    "--missing-code",
    "income=-8",
)


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """The survey with two syntheses: what `disclosure demo` writes."""
    folder = tmp_path_factory.mktemp("survey")
    assert disclosure("demo", "--output", str(folder), "--quiet").exit_code == 0
    return folder


@pytest.fixture(scope="module")
def files(survey):
    return [str(survey / name) for name in ("original.csv", "synthetic_1.csv", "synthetic_2.csv")]


def call(*arguments, status=0):
    done = disclosure(*arguments)
    assert done.exit_code == status, done.stderr
    return done


def figures(*arguments):
    """Return the tables that a command prints as JSON."""
    return json.loads(call(*arguments, "--quiet", "--json", "-").stdout)["tables"]


@pytest.fixture(scope="module")
def saved(survey, files, tmp_path_factory):
    """A review begun in a pipeline that says something of everything, and the tables that `assess` gave of it."""
    review = tmp_path_factory.mktemp("saved") / "review.json"
    found = figures(
        "assess", *files, *KEYS, "--holdout", survey / "holdout.csv", "--population", 1_000_000,
        "--population-source", "register", "--motive", "profit", "--assume", "same-population=yes",
        "--assume", "membership-is-news=yes", "--scenarios", "paper", "--search", "membership", "--search", "subsets",
        "--exclude", "marital=Widowed", "--exclude-missing", "age", "--exclude-missing", "income",
        "--exclude-pair", "age,16,marital,Single", "--denominator-limit", 40, "--reason", "marital=known", "--reason",
        "missing keys=known", "--reason", "denominators=a rule", "--reason", "income=known", "--one-way", "10,20.5",
        "--two-way", "9,70", "--save", review,
    )  # fmt: skip
    return review, found


@pytest.mark.slow
def test_a_review_begun_in_a_pipeline_goes_on_elsewhere(survey, saved):
    review, found = saved
    assert figures("run", review, "--data", survey) == found
    assert {"scenarios", "holdout", "membership", "subsets_attribute"} <= found.keys()
    opened = open_review(from_json(review.read_text()), survey)
    assert {name: rows(table) for name, table in of_review(opened).items()} == found
    settings = opened.review.settings
    assert settings.thresholds.one_way == (10, 20.5)
    assert settings.thresholds.two_way == (9, 70)
    out = settings.exclusions
    assert (out.levels_of("marital"), out.missing_keys, out.missing_targets, out.denominator_limit) == (
        ("Widowed",), {"age"}, {"income"}, 40,
    )  # fmt: skip
    assert len(out.pairs_of("marital")) == 1
    assert opened.review.threat_model.source == "register"
    assert opened.review.threat_model.beta == 2


@pytest.mark.slow
def test_every_twin_opens_the_same_review(survey, saved, files):
    review, found = saved
    opened = open_review(from_json(review.read_text()), survey)
    membership = figures("membership", review, "--data", survey)
    assert membership["membership"] == found["membership"]
    assert figures("key-subsets", review, "--data", survey)["subsets_identity"] == found["subsets_identity"]
    at = figures("tau", review, "--data", survey, "--tau", 0.83)["tau_curves"]
    expected = rows(threshold.summary(opened.assessment(), 0.83))
    shown = ("target", "original", "synthetic", "min", "max", "sd")
    assert {tuple(row[c] for c in shown) for row in at if row["tau"] == 0.83} == {
        tuple(row[c] for c in shown) for row in expected
    }
    (together,) = figures("combined-release", review, "--data", survey)["combined_identity"]
    assert together == {"syntheses": together["syntheses"], **combined_identity(opened.assessment())}
    unique = figures("anonymity", review, "--data", survey, "--k", 2)["under_k"]
    assert unique[0]["share"] == pytest.approx(demo_unique())
    sizes = figures("release-size", review, "--data", survey, "--repeats", 1, "--targets", "marital")["release_size"]
    whole = next(r["mean"] for r in sizes if (r["measure"], r["share"]) == ("DiSCO", 100))
    assert whole == pytest.approx(opened.assessment().targets["marital"].figures("DiSCO").mean())
    answer = figures("look-up", review, "--data", survey, "--target", "marital", "--know", "age=17")
    seventeen = demo.original().query("age == 17")["marital"].value_counts()
    assert {r["level"]: r["original"] for r in answer["levels"] if r["original"]} == seventeen[seventeen > 0].to_dict()


@pytest.mark.slow
def test_those_said_to_be_released_are_together_everywhere(survey, tmp_path):
    """Any of two is less than any of five: command, condition and the review's own tables speak of the two."""
    review = tmp_path / "two.json"
    opened = start_demonstration()
    stated = replace(opened.review, released={opened.first_set: (1, 3)}, targets=("marital",))
    review.write_text(to_json(stated))
    of_two = combined_identity(opened.assessment(), (1, 3))["any"]
    of_five = combined_identity(opened.assessment())["any"]
    assert of_two < of_five
    assert figures("combined-release", review)["combined_identity"][0]["any"] == of_two
    assert "Syntheses 1 and 3, which are said to be released: repU is" in call("combined-release", review).stderr
    between = (of_two + of_five) / 2
    call("run", review, "--quiet", "--fail-if", f"any(repU)>{between}")
    call("run", review, "--quiet", "--fail-if", f"any(repU)>{of_two - 0.01}", status=1)


@pytest.mark.slow
def test_what_is_printed_of_membership_and_of_thresholds(survey, saved):
    """Shares with four digits; and the last half of the way from DCAPd to DiSCO."""
    review, found = saved
    printed = call("membership", review, "--data", survey).stdout
    for row in found["membership"]:
        assert all(f"{row[name]:.4f}" in printed.split() for name in ("F_naive", "F", "worst_F", "worst_F_rel"))
    tables = figures("membership", review, "--data", survey)
    by_number, subsets = pd.DataFrame(tables["by_number_of_keys"]), pd.DataFrame(tables["subsets"])
    means = subsets[subsets["synthesis"] > 0].groupby("n_keys")["F_rel"].mean()
    assert by_number["mean"].tolist() == pytest.approx(means.tolist())
    heads, line = call("tau", review, "--data", survey, "--targets", "marital").stdout.splitlines()[-2:]
    assert [f"τ = {tau:g}" in heads for tau in threshold.SHOWN] == [True] * len(threshold.SHOWN)
    assert line.split()[0] == "marital"


def demo_unique():
    return 100 * (~demo.original().duplicated(["sex", "age", "region"], keep=False)).mean()


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"k": list("aabbc"), "t": [1, 2, 3, 3, 5]})
    for name in ("o.csv", "s.csv", "r.csv"):
        frame.to_csv(name, index=False)


@pytest.mark.parametrize(("given", "status"), [([], 2), (["--population", "5000"], 0)])
def test_the_population_is_a_table_where_its_size_is_given(people, given, status):
    done = disclosure("population", "o.csv", "s.csv", "--keys", "k", *given, "--json", "-", "--quiet")
    assert done.exit_code == status
    if given:
        assert "in_population" in json.loads(done.stdout)["tables"]
    else:
        assert "of which nothing is known" in done.stderr


@pytest.mark.parametrize(("files", "several"), [(["s.csv"], False), (["s.csv", "r.csv"], True)])
def test_near_misses_have_a_range_where_there_are_several_syntheses(people, files, several):
    done = disclosure("near-misses", "o.csv", *files, "--keys", "k")
    (heads,) = (line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["target"])
    assert ("min" in heads, "max" in heads) == (several, several)


@pytest.mark.slow
def test_the_demonstration_is_written_and_each_file_is_named_beside_the_output(tmp_path):
    done = disclosure("demo", "--output", str(tmp_path / "a"))
    assert (done.exit_code, done.stdout) == (0, "")
    written = {str(path) for path in (tmp_path / "a").iterdir()}
    assert {line.removeprefix("Wrote ") for line in done.stderr.splitlines()} == written
    assert str(tmp_path / "a" / "review.json") in written
    assert disclosure("demo", "--output", str(tmp_path / "b"), "--quiet").output == ""


def test_the_place_for_files_has_to_be_named(files):
    for command in (["demo"], ["split", files[0]]):
        assert "Missing option '--output'" in call(*command, status=2).stderr


def test_any_seed_of_31_bits_is_taken(files, tmp_path):
    call("split", files[0], "--seed", 2**31 - 1, "--output", tmp_path, "--quiet")
    assert (tmp_path / "holdout_80_seed_2147483647.csv").is_file()
    assert (
        "2147483648 is not in the range 0<=x<=2147483647"
        in call("split", files[0], "--seed", 2**31, "--output", tmp_path, status=2).stderr
    )


@pytest.mark.slow
def test_a_split_by_command_is_the_split_in_a_review(survey, files, tmp_path):
    call("split", files[0], "--share", 70, "--seed", 5, "--output", tmp_path)
    training, holdout = tmp_path / "training_70_seed_5.csv", tmp_path / "holdout_70_seed_5.csv"
    parts = split(demo.original(), 0.7, 5)
    assert len(pd.read_csv(training)) == len(parts.training) == 3500
    apart = figures("assess", training, files[1], *KEYS, "--holdout", holdout, "--holdout-is", "random-part")
    review = tmp_path / "split.json"
    at_once = figures("assess", *files[:2], *KEYS, "--split", 70, "--seed", 5, "--save", review)
    assert apart == at_once == figures("run", review, "--data", survey)
    whole = figures("assess", *files[:2], *KEYS)
    assert whole["summary"] != at_once["summary"]
    joint = partition(parts.training, parts.holdout, [demo.syntheses()[0]])
    assert (joint.n_training, joint.n_holdout) == (3500, 1500)


@pytest.mark.slow
def test_safer_files_and_their_log(survey, saved, tmp_path):
    review = from_json(saved[0].read_text())
    (tmp_path / "safer.json").write_text(to_json(review.with_steps((RoundTo("income", 1000),))))
    done = call("protect", tmp_path / "safer.json", "--data", survey, "--output", tmp_path / "out", "--fail-if",
                "after(DiSCO)[income]>99")  # fmt: skip
    written = {p.name for p in (tmp_path / "out").iterdir()}
    assert written == {"safer_synthetic_1.csv", "safer_synthetic_2.csv", "log.txt"}
    income = pd.read_csv(tmp_path / "out" / "safer_synthetic_1.csv")["income"].dropna()
    assert set(income[income != -8] % 1000) == {0}
    assert "Round 'income' to multiples of 1000." in done.stdout
    assert "No safeguard is taken" in call("protect", saved[0], "--data", survey, "--output", tmp_path, status=2).stderr


@pytest.mark.slow
def test_safeguards_on_the_command_line(survey, files, tmp_path):
    steps = ("remove-replicated", "round=income,1000", "merge=condition,200,Rare,Diabetes", "label=says,SYNTHETIC")
    asked = [word for text in steps for word in ("--step", text)]
    done = call("protect", *files, *KEYS, "--missing-code", "income=-8", *asked, "--output", tmp_path / "out",
                "--save", tmp_path / "r.json", "--fail-if", "after(repU)>0")  # fmt: skip
    safer = pd.read_csv(tmp_path / "out" / "safer_synthetic_1.csv")
    assert list(safer.columns)[-1] == "says"
    assert set(safer["says"]) == {"SYNTHETIC"}
    assert "4. Add a column 'says' to the files that says 'SYNTHETIC' in every record." in done.stdout
    review = from_json((tmp_path / "r.json").read_text())
    assert review.steps == (
        RemoveReplicated(), RoundTo("income", 1000), MergeLevels("condition", 200, "Rare", ("Diabetes",)),
        AddLabel("says"),
    )  # fmt: skip
    again = call("protect", tmp_path / "r.json", "--data", survey, "--output", tmp_path / "again", "--quiet")
    assert again.stdout == ""
    for name in ("safer_synthetic_1.csv", "log.txt"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    # The steps of the call stand in the place of the review's, and its own chain stays as it is.
    call("protect", tmp_path / "r.json", "--data", survey, "--step", "cap=age,,80", "--output", tmp_path / "o",
         "--save", tmp_path / "o.json")  # fmt: skip
    chains = {c.name: c.steps for c in from_json((tmp_path / "o.json").read_text()).chains}
    assert list(chains.values()) == [review.steps, (Cap("age", None, 80),)]
    asks = ("protect", *files[:2], *KEYS[:4], "--step", "round=income,1000", "--output", tmp_path / "w")
    said = call(*asks, status=2).stderr
    assert "Error: -8 stands in" in said
    assert "a code that stays apart (--missing-code income=-8)" in said
    assert not (tmp_path / "w").exists()
    call(*asks, "--no-missing-code", "income=-8", "--save", tmp_path / "w.json")
    assert 0 in set(pd.read_csv(tmp_path / "w" / "safer_synthetic_1.csv")["income"])  # -8 is rounded as it was said
    assert from_json((tmp_path / "w.json").read_text()).columns.numbers == {"income": ("-8",)}
    both = ("--no-missing-code", "income=-8", "--missing-code", "income=-8")
    assert "is named by --missing-code and --no-missing-code" in call(*asks, *both, status=2).stderr
    grouped = ("assess", *files[:2], "--keys", "sex", "--targets", "income", "--group", "income=5")
    warned = "Warning: 'income' is grouped with -8 as a number like any other"
    assert warned in call(*grouped).stderr
    for answer in ("--missing-code", "--no-missing-code"):
        assert warned not in call(*grouped, answer, "income=-8").stderr


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("guess", "There is no safeguard 'guess'; choose one of remove-replicated, "),
        ("round=income", "--step 'round=income' cannot be read; write it as round=income,1000."),
        ("round=income,much", "cannot be read; write it as round=income,1000."),
        ("group=income,2.5", "cannot be read; write it as group=income,20."),
        ("cap=income,0,1,2", "cannot be read; write it as cap=income,0,5000."),
        ("merge=condition", "cannot be read; write it as merge=job,10,Other."),
        ("round=income\nx,5", "Did you mean 'income'?"),
        ("round=incomes,5", "Did you mean 'income'?"),
        ("label=income", "There is a column 'income' already"),
    ],
)
def test_a_step_that_cannot_be_read_is_a_sentence(files, tmp_path, step, said):
    done = call("protect", *files[:2], *KEYS, "--step", step, "--output", tmp_path / "out", status=2)
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_names_on_several_lines_are_names(files):
    """As a shell gives a list that was written over several lines."""
    found, same = (call("assess", *files[:2], "--keys", keys).stdout for keys in ("sex,\nage", "sex,age"))
    assert found == same


@pytest.mark.slow
def test_several_methods_and_the_limits_of_an_office(survey, files, tmp_path):
    sets = ["--set", "first", files[1], "--set", "second", files[2]]
    limit = ["--limit", "DiSCO=20,100", "--limit", "DCAP=,3", "--limit-owner", "our panel", "--limit-reason", "as ever"]
    keys = [*KEYS[:2], "--targets=marital"]  # a group of what is no target is refused
    holdout = ["--holdout", survey / "holdout.csv"]
    review = tmp_path / "sets.json"
    done = call("assess", files[0], *sets, *keys, *holdout, *limit, "--search", "comparison", "--save", review,
                "--json", tmp_path / "f.json")  # fmt: skip
    assert "Note: The figures are of 'first', one of 2 sets of syntheses." in done.stderr
    told = json.loads((tmp_path / "f.json").read_text())
    assert {"first", "second"} <= told["tables"]["sets"][0].keys()
    assert "The figures are of 'first', one of 2 sets of syntheses." in told["notes"]
    opened = from_json(review.read_text())
    assert [s.name for s in opened.sets] == ["first", "second"]
    assert opened.limits.disco == Limit(20, 100, "our panel", "as ever")
    assert opened.limits.dcap == Limit(None, 3, "our panel", "as ever")
    alone = figures("assess", files[0], files[1], *keys)
    assert told["tables"]["summary"] == alone["summary"]
    # DiSCO is within: both limits would have to be passed; DCAP has one only, and is not evaluated.
    held = ("--quiet", "--fail-if", "limits")
    assert "not evaluated" in call("run", review, "--data", survey, *held, status=1).stderr
    both = ["--limit", "DiSCO=20,100", "--limit", "DCAP=90,3"]
    within = call("assess", files[0], files[1], *keys, *holdout, *both, *held).stderr  # membership is not asked
    assert within == ""
    above = ["--limit", "DiSCO=5,0", "--limit", "DCAP=90,3"]
    assert call("assess", files[0], files[1], *keys, *holdout, *above, *held, status=1).stderr.startswith(
        "Above the office"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("difference(DiSCO)[marital]>-100", "holds for marital: "),
        ("members(repU)>=0", "holds for the keys: "),
        ("F_rel<2", "F_rel<2 holds for the keys: 0."),
        ("worst(DiSCO)[income]>0.01", "holds for income: "),
        ("any(DiSCO)[income]>0.01", "holds for income: "),
        ("max(repU)>0", "holds for the keys: "),
        ("two_way[marital]>=1", "holds for marital: 2.00"),
        ("after(repU)>0", "after(repU)>0 is not evaluated: No safeguard is taken."),
        ("sd(DiSCO)[income]>=0", "holds for income: "),
    ],
)
def test_every_figure_can_stop_a_pipeline(survey, saved, condition, said):
    done = call("run", saved[0], "--data", survey, "--quiet", "--fail-if", condition, status=1)
    assert said in done.stderr
    assert done.stdout == ""


@pytest.mark.slow
def test_what_is_not_evaluated_is_no_pass(files):
    done = call("assess", *files, *KEYS, "--quiet", "--fail-if", "difference(DiSCO)>5", "--fail-if", "F>1", status=1)
    assert "difference(DiSCO)>5 is not evaluated: There is no holdout" in done.stderr
    assert "F>1 is not evaluated: " in done.stderr
    assert "Not evaluated. " in call("membership", *files, *KEYS, status=1).stdout
    assert "not evaluated. There is one synthesis" in call("combined-release", *files[:2], *KEYS, status=1).stderr


@pytest.mark.parametrize(
    ("command", "given", "why"),
    [
        ("membership", (), "The questions about the intruder are not answered"),
        ("combined-release", (), "There is one synthesis"),
        ("scenarios", (), "There is no scenario"),
        ("scenarios", ("--paper",), ""),
    ],
)
def test_a_question_without_an_answer_ends_with_1(people, command, given, why):
    """What is asked for is written, and a pipeline that looks at the status alone does not go on."""
    done = disclosure(command, "o.csv", "s.csv", "--keys", "k", *given, "--quiet", "--json", "f.json")
    assert (done.exit_code, Path("f.json").exists()) == (1 if why else 0, True)
    assert done.stderr.startswith(f"No answer: {why}") if why else done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "3"], "--seed does nothing without --split"),
        (["--title", "x"], "--title does nothing without --report"),
        (["--no-level-names", "--report", "r.pdf"], "does nothing without --shareable"),
        (["--population-source", "x"], "--population-source does nothing without --population"),
        (
            ["--population", "4999"],
            "The population cannot be smaller than the 5,000 records of the original; correct its size.",
        ),
        (["--measure", "DCAP", "--quiet"], "--measure says what is printed, and no table is"),
        (["--open", "--json", "-"], "--open says what is printed, and no table is"),
        (["--holdout", "HERE", "--split", "80"], "two ways to one holdout"),
        (["--exclude", "marital"], "--exclude 'marital' has no value; write it as TARGET=LEVEL."),
        (["--exclude", "marital=Bachelor"], "Target level 'Bachelor' is not"),
        (["--exclude-pair", "age,16"], "has not four parts"),
        (["--release-file", "9"], "The synthesis of --release-file, '9' is not among the syntheses"),
        (["--exclude-missing", "agee"], "Did you mean 'age'?"),
        (["--one-way", "50"], "--one-way '50' is not two numbers"),
        (["--type", "age=letters"], "Type 'letters' is not one that a column can have"),
        (["--type", "agee=category"], "Did you mean 'age'?"),
        (["--assume", "same-population=perhaps"], "The answer to 'same-population' is yes or no, not 'perhaps'."),
        (["--delimiter", "dash"], "--delimiter is one letter or one of comma"),
        (["--fail-if", "distance(DiSCO)>1"], "There is no distance(…); choose one of"),
        (["--fail-if", "difference(Dorig)>1"], "There is no measure 'Dorig' of difference(…)"),
        (["--fail-if", "difference>1"], "Say of which measure: difference(DiSCO)."),
        (["--fail-if", "F_rel[age]>1"], "F_rel belongs to the keys"),
        (["--script", "again.sh"], "A script is a .py or an .R file"),
        (["--heigth", "1"], "No such option"),
        (["--set", "a", "HERE"], "Name the set of each synthetic file"),
        (["--limit", "repU=1,2"], "repU has no limits; choose one of DiSCO, DCAP, F_rel."),
        (["--limit", "DiSCO=20"], "--limit 'DiSCO=20' cannot be read; write it as DiSCO=20,3."),
        (["--limit", "DiSCO=many,3"], "is not a number; write it as DiSCO=20,3."),
        (["--limit", "DiSCO=0.2,3"], "is 0.2 % or 20 % meant? Write the first with its sign, as 0.6%"),
        (["--limit", "F_rel=20"], "A limit of F_rel is from 0 to 1"),
        (["--limit-owner", "x"], "--limit-owner does nothing without --limit"),
    ],
)
def test_what_would_do_nothing_is_an_error(files, arguments, said):
    arguments = [files[0] if part == "HERE" else part for part in arguments]
    assert said in call("assess", *files[:2], *KEYS, *arguments, status=2).stderr


@pytest.mark.slow
def test_files_of_one_name_are_not_mixed_up(files, tmp_path):
    other = tmp_path / "original.csv"
    other.write_bytes(Path(files[1]).read_bytes())
    said = call("assess", files[0], other, *KEYS, "--save", tmp_path / "r.json", status=2).stderr
    assert "Two files are called original.csv" in said
    assert call("assess", files[0], other, *KEYS, "--quiet").exit_code == 0


def test_files_are_read_as_told(tmp_path):
    frame = pd.DataFrame(
        {
            "k=1": ["a", "b"] * 10,
            "born": ["1950-01-02", "1950-07-02"] * 10,
            "pay": ["15", "NA"] * 10,
            "rate": ["1,5", "2,5"] * 10,
        }
    )
    for name in ("o.txt", "s.txt"):
        frame.to_csv(tmp_path / name, sep="|", index=False, encoding="cp1252")
    review = tmp_path / "r.json"
    found = figures(
        "assess", tmp_path / "o.txt", tmp_path / "s.txt", "--keys", "k=1,born", "--delimiter", "bar", "--decimal", ",",
        "--encoding", "cp1252", "--missing-text", "pay=NA", "--type", "born=year", "--exclude", "pay=15", "--exclude", "rate=1.5",
        "--save", review,
    )  # fmt: skip
    assert figures("run", review, "--data", tmp_path) == found
    columns = open_review(from_json(review.read_text()), tmp_path).study().columns
    assert columns["born"].levels == ("1950",)
    assert str(columns["pay"].kind) == "number"
    assert columns["pay"].counts[0, -1] == 10
    assert columns["rate"].labels[:2] == ("1.5", "2.5")


def test_completion():
    assert "_DISCLOSURE_COMPLETE=bash_complete" in call("completion", "bash").stdout
    assert "_DISCLOSURE_COMPLETE=zsh_complete" in call("completion", "zsh").stdout


@pytest.mark.slow
def test_a_limit_below_1_is_taken_with_its_sign_and_means_are_called_means(files):
    said = call("assess", *files, *KEYS, "--limit", "DiSCO=0.6%,0.15", "--limit-owner", "us").stdout
    assert "means over the syntheses" in said
    assert "means over" not in call("assess", *files[:2], *KEYS).stdout
    asked = call("assess", *files, *KEYS, "--limit", "DiSCO=0.6,0.15", "--limit-owner", "us", status=2).stderr
    assert "is 0.6 % or 60 % and 0.15 % or 15 % meant? Write the first with its sign, as 0.6%" in asked


@pytest.mark.slow
def test_the_file_that_is_released_is_named_saved_judged_and_printed(survey, files, tmp_path):
    review, report = tmp_path / "r.json", tmp_path / "r.html"
    call("assess", *files, *KEYS, "--release-file", "synthetic_2.csv", "--save", review, "--report", report)
    assert from_json(review.read_text()).released == {"synthetic data": (2,)}
    by_number = json.loads(call("assess", *files, *KEYS, "--release-file", "2", "--json", "-").stdout)
    (released,) = by_number["released"]
    assert released == {
        "file": "synthetic_2.csv",
        "role": "Synthesis 2",
        "sha256": hashlib.sha256(Path(files[2]).read_bytes()).hexdigest(),
    }
    printed = re.sub(r"\s+", " ", report.read_text(encoding="utf-8"))
    assert f"synthetic_2.csv (Synthesis 2), 5,000 records, fingerprint {released['sha256']}" in re.sub(
        "<[^>]*>", "", printed
    )
    again = json.loads(call("run", review, "--data", survey, "--json", "-").stdout)
    assert again["released"] == [released]
    # Its own figure stands beside the mean: what it has alone. (Bands of income are those of all files.)
    row = next(r for r in again["answer"]["rows"] if (r["measure"], r["target"]) == ("DiSCO", "marital"))
    own = figures("assess", files[0], files[2], *KEYS)["summary"]
    alone = next(r for r in own if (r["comparison"], r["target"]) == ("DiSCO against Dorig", "marital"))
    assert row["released"][0]["members"] == pytest.approx(alone["synthetic"])


@pytest.mark.parametrize(
    ("command", "more", "said"),
    [
        ("anonymity", ("--exclude", "abroad=No"), "--exclude does nothing in `disclosure anonymity`: it counts every"),
        ("anonymity", ("--limit", "DiSCO=1,1"), "It acts on --save or --fail-if limits alone"),
        ("key-subsets", ("--population", "9000"), "--population does nothing in `disclosure key-subsets`"),
        ("tau", ("--assume", "same-population=yes"), "--assume same-population=yes does nothing in `disclosure tau`"),
        ("tau", ("--one-way", "1,1"), "--one-way does nothing in `disclosure tau`"),
        (
            "tau",
            ("--limit", "DiSCO=1,1", "--fail-if", "limits", "--limit-owner", "x"),
            "--limit-owner does nothing in `disclosure tau`. It acts on --save alone; add that, or remove",
        ),
        ("assess", ("--sheet", "Data"), "--sheet does nothing here: no file is a workbook. Remove it."),
        (
            "assess",
            ("--exclude", "sex=Female"),
            "The exclusion 'sex = Female' moves no figure: its column is not among",
        ),
        ("assess", ("--targets", "marital", "--group", "income=5"), "Grouping 'income' moves no figure: it is neither"),
        ("key-subsets", ("--all", "--budget", "3"), "--all and --budget say how far to search; give one of them."),
    ],
)
def test_what_would_do_nothing_is_refused(files, command, more, said):
    keys = KEYS[:2] if "--targets" in more else KEYS
    assert said in call(command, *files[:2], *keys, *more, status=2).stderr


def test_of_many_keys_not_every_subset_can_be_asked_for(tmp_path):
    names = [f"k{i}" for i in range(21)]
    for name in ("o.csv", "s.csv"):
        (tmp_path / name).write_text(",".join([*names, "t"]) + "\n" + ",".join("1" * 22) + "\n" + ",".join("2" * 22))
    asked = [tmp_path / "o.csv", tmp_path / "s.csv", "--keys", ",".join(names), "--all"]
    said = "There are 2,097,151 subsets of 21 keys, too many for --all; name 20 keys at most"
    assert said in call("key-subsets", *asked, status=2).stderr


def test_a_saved_review_says_how_files_are_read_and_a_split_keeps_values(files, tmp_path):
    call("assess", *files[:2], *KEYS, "--save", tmp_path / "review.json", "--quiet")
    again = [tmp_path / "review.json", "--data", Path(files[0]).parent, "--delimiter", "tab"]
    assert "A saved review says how its files are read; remove --delimiter." in call("tau", *again, status=2).stderr
    said = call("split", files[0], "--output", tmp_path, "--decimal", ",", status=2).stderr
    assert "--decimal does nothing in `disclosure split`" in said


@pytest.mark.slow
def test_every_face_has_what_is_excluded_without_a_reason_beside_the_judged(files, tmp_path):
    out = ["--exclude", "abroad=No"]
    asked = [*files[:2], "--keys", "sex,age,region", "--targets", "abroad"]
    for command, table, more in (
        ("tau", "tau_curves", ()), ("key-subsets", "subsets_attribute", ()), ("strongest-intruder", "strongest", ()),
        ("combined-release", "combined_attributes", [files[2]]), ("release-size", "release_size", ["--repeats", "1"]),
    ):  # fmt: skip
        plain, given = (
            figures(command, *asked, *more, *reasons) for reasons in ((), [*out, "--reason", "abroad=known"])
        )
        both = figures(command, *asked, *more, *out)
        assert both[table] == plain[table], command  # judged: as if it were not excluded
        assert both[f"{table}_all_excluded"] == given[table] != plain[table], command
    done = call(
        "assess", *asked, *out, "--figures", tmp_path / "figures", "--json", tmp_path / "j.json", "--fail-if", "DiSCO<1"
    )
    assert "Warning: 1 exclusion has no reason: the judged figures do without it" in done.stderr
    assert (tmp_path / "figures" / "dorig-disco-all-excluded_180mm.svg").exists()
    written = json.loads((tmp_path / "j.json").read_text(encoding="utf-8"))
    assert any("has no reason" in said for said in written["warnings"])
    (row,) = [r for r in written["tables"]["summary_all_excluded"] if r["target"] == "abroad"]
    assert row["synthetic"] < 1 < written["tables"]["attribute"][0]["DiSCO"]


def test_a_command_still_writes_what_it_wrote_before_its_question_was_declared(files):
    curves = figures("tau", *files, *KEYS)["curves"]
    assert [row["tau"] for row in curves if row["target"] == "marital"] == list(threshold.TAUS)
    alone = figures("population", *files, "--keys", "sex,age,region", "--population", "1000000")["in_population"]
    assert figures("anonymity", *files, *KEYS, "--population", "1000000")["in_population"] == alone
    assert "in_population" not in figures("anonymity", *files, *KEYS)
