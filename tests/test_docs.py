"""The documents tell true figures: each is read out of them and computed again."""

# Inside: numbers that the documents name stand in the code once.

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import (
    Exclusions,
    Holdout,
    Pair,
    RemoveReplicated,
    Settings,
    Study,
    Thresholds,
    assess,
    attribute_baseline,
    demo,
    demonstration_holdout,
    identity_by_keys,
    look_up,
    partition,
    search_subsets,
    start_demonstration,
)
from disclosure_core.counting.subsets import Search
from disclosure_core.data.agreement import FREQUENT, RISES
from disclosure_core.data.study import FEW_CODES
from disclosure_core.data.values._numbers import DIGITS
from disclosure_core.engines.study import MOST_VALUES
from disclosure_core.holdout.partition import SMALL_HOLDOUT
from disclosure_core.protection.usefulness import GOOD, POOR
from disclosure_core.review.scenarios import all_flagged
from disclosure_core.rounding import SIGNIFICANT
from pages.shared.searching import AT_ONCE
from pages.workshop import sheets
from tests.saved import to_json
from tests.written import fixed

DOCS = Path(__file__).parents[1] / "docs"


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def table(text: str, first: str) -> pd.DataFrame:
    """Return the table of a Markdown text whose first column is called `first`."""
    lines = re.search(rf"^\| {first} \|.*\n(?:\|.*\n?)+", text, re.MULTILINE).group().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return pd.DataFrame(rows[2:], columns=rows[0]).set_index(first)


FIGURE = r"\d[\d,]*\.\d\d\b|\b\d{1,3},\d{3}\b"
"""A share to two digits, or records in thousands: what a document may only say where a test computes it."""


def true_and_complete(text: str, told: list[str]) -> None:
    """All of `told` stands in the text, and no figure does that is not in `told`."""
    assert [t for t in told if t not in text] == []
    assert set(re.findall(FIGURE, text)) <= set(re.findall(FIGURE, " ".join(told)))


@pytest.fixture(scope="module")
def study():
    return demo.study()


@pytest.fixture(scope="module")
def found(study):
    return assess(study, Settings(keys=demo.KEYS, groups=demo.GROUPS))


@pytest.fixture(scope="module")
def outside(found):
    """Members and non-members, a row a target."""
    return beside(found).summary().set_index("target")


def beside(found):
    joined = partition(demo.original(), demo.holdout(), demo.syntheses(), demo.MISSING_CODES, random=True)
    return attribute_baseline(joined, found.settings)


def of_same_keys(found) -> tuple[str, pd.DataFrame]:
    """Return the column with the largest difference, and what people with the same keys tell, by target."""
    made = beside(found)
    largest = made.summary().set_index("target")["difference"].idxmax()
    same = made.same_keys.set_index("target")
    assert largest == "abroad"
    assert not same.loc["abroad", "leaked"]
    assert set(same.index[same["leaked"]]) == {"marital", "settlement", "education"}
    return largest, same


def test_eight_records_by_hand():
    text = read("by-hand.md")
    original, synthetic = table(text, "original"), table(text, "synthetic")
    assert len(original) == len(synthetic) == 8
    found = assess(Study(original, [synthetic]), Settings(keys=("sex", "area")))
    figures = found.identity.iloc[0].to_dict() | found.targets["smokes"].attribute.iloc[0].to_dict()
    told = table(text, "measure")["figure"]
    assert len(told) == 9
    assert told.to_dict() == {name: f"{figures[name]:.2f} %" for name in told.index}


@pytest.mark.slow
def test_the_workshop(study, found, outside, sets):
    text, settings = read("workshop.md"), found.settings
    growth = identity_by_keys(study, settings).set_index("key")
    rows = found.summary().set_index("target")
    out = replace(settings, exclusions=Exclusions(target_levels={"abroad": ["No"]}))
    after = assess(study, out, found.tables, found).targets["abroad"].figures("DiSCO").mean()
    one = {name: found.targets[name].one_way[0] for name in ("abroad", "condition")}
    pairs = found.targets["marital"].two_way[0].set_index(["key_level", "target_level"])["pct"]
    no = one["abroad"]
    assert len(found.targets["marital"].pairs_listed) == 10
    told = [
        f"With age, {growth.loc['age', 'UiO']:.2f} % are. With region {growth.loc['region', 'UiO']:.2f} %, "
        f"with employment {growth.loc['employment', 'UiO']:.2f} %. Replicated uniques end at {growth['repU'].iloc[-1]:.2f} %.",
        f"`abroad` stands on top: {rows.loc['abroad', 'original']:.2f} % in the original, {rows.loc['abroad', 'synthetic']:.2f} %",
        f"`marital` follows with {rows.loc['marital', 'synthetic']:.2f} %, then `condition` with {rows.loc['condition', 'synthetic']:.2f} %",
        f"`bmi` is last with {rows.loc['bmi', 'synthetic']:.2f} %",
        f"`income` falls from {rows.loc['income', 'original']:.2f} % to {rows.loc['income', 'synthetic']:.2f} %",
        f"carries {no.n_disclosive_level:,} of {no.n_disclosive:,} disclosive records ({no.pct_disclosive:.2f} %), "
        f"and {no.pct_level:.2f} % of all people give it. Without it DiSCO is {after:.2f} %",
        f"for {fixed(pairs['16', 'Single'], 1)} % of the people of 16, and for {fixed(pairs['17', 'Single'], 1)} % of those of 17",
        f"Age 53 and Married, {fixed(pairs['53', 'Married'], 1)} %",
        f"“{one['condition'].level}” carries {one['condition'].n_disclosive_level} of {one['condition'].n_disclosive} "
        f"disclosive records ({one['condition'].pct_disclosive:.2f} %), but {one['condition'].pct_level:.2f} % of the people",
    ]  # fmt: skip
    told += [*intruder_safeguard_and_holdout(outside), *workshop_of_sets(sets)]
    largest, same = of_same_keys(found)
    m, most = same.loc["marital"], same.loc["settlement"]
    told += [
        f"The largest is that of `{largest}`, {outside.loc[largest, 'difference']:.2f} points",
        f"at most {same.loc[largest, 'high']:.1f} points, among the {same.loc[largest, 'compared']:.0f} % of members compared",
        f"For `marital` it is shown, {m['points']:.1f} points ({m['low']:.1f} to {m['high']:.1f}), and for `settlement` and "
        "`education`",
        f"{m['points']:.1f} points for `marital`, {most['points']:.1f} points ({most['low']:.1f} to {most['high']:.1f}) for "
        "`settlement`, the most of all ten",
    ]
    true_and_complete(text, [*told, f"{len(demo.original()):,} fictional people"])
    assert list(rows.index[::-1][:3]) == ["abroad", "marital", "condition"]
    assert rows.index[0] == "bmi"
    assert same["points"].idxmax() == "settlement"
    own = same.index[same["leaked"].astype(bool)]
    assert set(own) == {"settlement", "marital", "education"}  # as the last slide says
    assert [name for name in own if not rows.loc[name, ["one_way", "two_way"]].any()] == ["settlement"]


def intruder_safeguard_and_holdout(outside) -> list[str]:
    """What tasks 4, 6 and 7 tell, by the way that the pages go."""
    opened = start_demonstration()
    known = {"age": "17", "employment": "Student"}
    cells = opened.assessment().tables.targets["marital"][0]
    women, men = (look_up(cells, {**known, "sex": sex}) for sex in ("Female", "Male"))
    assert women.answer == "Single"
    assert men.answer is None
    assert women.n_right == women.n_original
    safer = opened.with_review(opened.review.with_steps((RemoveReplicated(),)))
    removed, before, after = sum(safer.protected().n_removed), opened.assessment(), safer.after_safeguards()
    repU = [a.identity["repU"].mean() for a in (before, after)]
    disco = [a.targets["marital"].figures("DiSCO").mean() for a in (before, after)]
    row = outside.loc["marital"]
    return [
        f"Of the women, {women.n_synthetic} synthetic records match, and all say {women.answer}: true of all "
        f"{women.n_right} of them in the original. Of the men, {men.n_synthetic} match",
        f"{removed:,} of the {sum(before.n_synthetic):,} synthetic records go. repU falls from {repU[0]:.2f} % to "
        f"{repU[1]:.2f} %; DiSCO of `marital` only from {disco[0]:.2f} % to {disco[1]:.2f} %",
        f"{row['members']:.2f} % of the members are disclosed, and {row['non_members']:.2f} % of people who were never "
        f"in the data. The difference is {row['difference']:.2f} points",
    ]


def test_every_task_of_the_workshop_has_its_time_and_its_page():
    text = read("workshop.md")
    plan = "".join(line for line in text.splitlines(keepends=True) if line.startswith("|"))
    heads = re.findall(r"^## Task (\d): (.+)$", text, re.MULTILINE)
    spans = [tuple(map(int, span)) for span in re.findall(r"^\| (\d+)–(\d+) \|", plan, re.MULTILINE)]
    assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == 45  # as every paper says
    assert [number for number, _ in heads] == list("12345678")
    for number, head in heads:
        assert re.search(rf"Tasks? [^|]*\b{number}\b", plan), number
        assert re.search(r"\(page [A-Z]", head), head


@pytest.mark.slow
def test_the_student_sheet_has_the_tasks_and_no_answer():
    sheet, answers = sheets.student(), sheets.teacher()
    assert re.findall(r"^## Task \d", sheet, re.MULTILINE) == [f"## Task {i}" for i in range(1, 9)]
    assert not re.search(r"Answer|What to say|%", sheet)
    assert "**And `condition`?**" in sheet  # no question goes with its answer
    assert answers.count("*Answer.*") >= 8
    worksheet = sheets.worksheet()
    assert worksheet.count("______ %") == 9
    assert not re.search(r"\d\d\.\d\d", worksheet)
    assert worksheet.count("| 8 | ") == 2  # both tables of records stay
    assert "| f north | |" in worksheet
    papers = {name: data.decode() for name, data in sheets.papers("http://192.0.2.7:8501").items()}
    assert set(papers) == {
        "student-sheet.html",
        "answers.html",
        "by-hand-worksheet.html",
        "by-hand-solution.html",
        "slides.html",
    }
    assert papers["student-sheet.html"].count("http://192.0.2.7:8501") == 1
    assert papers["student-sheet.html"].count('class="line"') == 10 * sheets.LINES
    for (
        name,
        paper,
    ) in papers.items():  # nothing is fetched, nothing is left of Markdown, and only the slides' script runs
        assert not re.search(r"(src|href)=\"(?!data:)|<link|\*\*|^\|", paper, re.MULTILINE)
        assert paper.count("<script") == (name == "slides.html")
    assert not re.search(r"Answer|What to say|\d %", papers["student-sheet.html"])
    assert papers["by-hand-worksheet.html"].count("______ %") == 9


def test_the_slides_ask_before_they_answer_and_leave_nothing_out():
    title, words, *deck = sheets.slides()
    assert (title.kind, words.kind) == ("title", "words")
    assert {s.figure for s in deck if s.kind == "figure"} == set(sheets.FIGURES.values())
    spoken = [slide for slide in deck if slide.kind != "figure"]
    asked = [(a.heading, b.heading) for a, b in itertools.pairwise(spoken) if a.kind == "question"]
    assert len(asked) == sheets.student().count("?**") == 11
    assert all(question == answer for question, answer in asked)
    for slide in (title, words, *deck):
        assert slide.say, f"no note on {slide}"
    figures = [i for i, slide in enumerate(deck) if slide.kind == "figure"]
    assert all(deck[i - 1].kind == "question" and deck[i + 1].kind == "answer" for i in figures)  # seen before told
    again = next(i for i, slide in enumerate(deck) if "Vote again" in slide.body)
    assert any(deck[i].figure == "members-outside-disco" for i in figures if i < again)
    assert deck[-1].body.startswith("- Common knowledge: `abroad`\n- Own answers: `settlement`, `marital`, `education`")
    said = " ".join(f"{slide.body} {slide.say}" for slide in deck)
    tasks = sheets.teacher()[sheets.teacher().index("## Task 1") :]
    for part in tasks.split("\n\n"):
        words = part.removeprefix(sheets.ANSWER).removeprefix(sheets.SAY).removeprefix(sheets.SHOWN).strip()
        assert words in said or words.removeprefix("## ") in {slide.heading for slide in deck}, words


@pytest.fixture(scope="module")
def sets():
    """The survey's three sets side by side, with its holdout."""
    opened = start_demonstration().with_holdout(demonstration_holdout(), Holdout("demonstration"))
    return opened.comparison()


def of_sets(sets) -> dict[str, dict[str, float]]:
    """Return, by what it is, the figure of each set."""
    rows = sets.table().set_index(["measure", "target"])[list(sets.names)]
    asked = {
        "repU, %": ("repU", ""),
        "DiSCO of abroad, %": ("DiSCO", "abroad"),
        "… above people outside, percentage points": ("DiSCO above people outside", "abroad"),
        "DiSCO of settlement above people outside, percentage points": ("DiSCO above people outside", "settlement"),
        "mean S_pMSE": ("mean S_pMSE", ""),
        "largest S_pMSE": ("largest S_pMSE", ""),
    }
    return {name: rows.loc[at].to_dict() for name, at in asked.items()}


@pytest.mark.slow
def test_the_sets_compared(sets):
    told = table(read("compare.md").split("<!-- figures of the sets -->")[1], "figure").to_dict("index")
    expected = {
        name: {of: fixed(x, sign="points" in name) for of, x in figures.items()}
        for name, figures in of_sets(sets).items()
    }
    assert told == expected
    first, overfitted, coarse = sets.names
    abroad, useful = (expected[name] for name in ("DiSCO of abroad, %", "mean S_pMSE"))
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert (
        f"*coarse* discloses least of `abroad` ({abroad[coarse]} %, against {abroad[first]} % and {abroad[overfitted]} %), "
        f"and its tables mislead: mean S_pMSE {useful[coarse]}, against {useful[first]} and {useful[overfitted]}."
    ) in readme


def workshop_of_sets(sets) -> list[str]:
    """Return what task 8 says, and see that its answer follows from the figures."""
    figures = of_sets(sets)
    first, overfitted, coarse = sets.names
    worse, safer = (sets.differences(first, other) for other in (overfitted, coarse))
    assert not worse[worse["measure"] == "mean S_pMSE"]["clear"].any()  # no more useful …
    of_targets = worse[(worse["measure"] == "DiSCO") & ~worse["above"]]
    assert (of_targets["clear"] & (of_targets["lower"] == first)).all()  # … and discloses more of every target
    less = safer[(safer["measure"] == "DiSCO") & ~safer["above"]].set_index("target")
    assert not less.loc["abroad", "clear"]
    assert safer[safer["measure"] == "mean S_pMSE"][["clear", "lower"]].iloc[0].tolist() == [True, first]
    n = int((less["clear"] & (less["lower"] == coarse)).sum())
    useful, largest, abroad = (figures[k] for k in ("mean S_pMSE", "largest S_pMSE", "DiSCO of abroad, %"))
    own = {name: sets[name].own_answers for name in sets.names}
    assert (len(own[first]), len(own[overfitted]), len(own[coarse])) == (3, 10, 0)
    outside = figures["DiSCO of settlement above people outside, percentage points"]
    assert outside[overfitted] == max(float(x.mean()) for (m, t), x in sets[overfitted].above.items() if m == "DiSCO")
    return [
        f"mean S_pMSE {fixed(useful[overfitted])} against {fixed(useful[first])}, not told apart",
        f"{fixed(outside[overfitted])} percentage points more", f"for {n} of {len(less)} targets",
        f"{fixed(abroad[coarse])} % against {fixed(abroad[first])} %", f"mean S_pMSE {fixed(useful[coarse])}",
        f"its worst table has {fixed(largest[coarse])}",
    ]  # fmt: skip


def test_the_tour(study):
    text = read("tour.md")
    missing = study.overview().set_index("column")["missing_original"]["income"]
    told = [
        f"{study.n_original:,} fictional people, five syntheses of them, and {len(demo.holdout()):,} more people",
        f"Empty cells are missing in any case: {missing:.2f} % of the incomes",
    ]
    true_and_complete(text, told)
    assert study.n_syntheses == 5


@pytest.mark.slow
def test_choosing_keys(study, found):
    text = read("choosing-keys.md")
    few = table(text, "keys")
    told = []
    for names in few.index:
        asked = assess(study, Settings(keys=names.split(", "), targets=("condition",)))
        risk = asked.targets["condition"]
        identity = asked.identity.mean()
        figures = identity["UiO"], risk.figures("iS").mean(), identity["repU"], risk.figures("DiSCO").mean()
        told.append(f"| {names} | {' | '.join(f'{x:.2f}' for x in figures)} |")
    assert few["UiO"].astype(float).is_monotonic_increasing
    assert few["iS"].astype(float).is_monotonic_decreasing
    for name in ("repU", "DiSCO of condition"):  # the largest stands in between
        assert few[name].astype(float).max() > few[name].astype(float).iloc[[0, -1]].max()
    groups = table(text, "groups of age")
    for n in groups.index:
        asked = replace(found.settings, groups=demo.GROUPS | {"age": 0 if n == "none" else int(n)})
        other = assess(study, asked)
        identity, disco = other.identity.mean(), other.targets["condition"].figures("DiSCO").mean()
        told.append(f"| {n} | {identity['UiO']:.2f} | {identity['repU']:.2f} | {disco:.2f} |")
    parts = search_subsets(study, found.settings)
    most = parts.by_size("UiO").set_index("n_keys")["max"]
    all_keys = {name: parts.worst("DiSCO", name).keys == parts.keys for name in found.targets}
    assert [name for name, whole in all_keys.items() if not whole] == ["abroad"]
    abroad = parts.worst("DiSCO", "abroad")
    eight = search_subsets(study, Settings(keys=few.index[-1].split(", "), targets=("condition",)))
    worst = eight.worst("DiSCO", "condition")
    assert abroad.keys == ("sex", "age", "region")
    assert worst.keys == ("sex", "age", "region", "settlement")
    assert worst.figure > 3 * worst.all_keys
    told += [
        f"the worst pair makes {most[2]:.2f} % of the people unique, the worst three make {most[3]:.2f} %, all four {most[4]:.2f} %",
        f"`abroad` is {abroad.figure:.2f} % with sex, age and region alone, and {abroad.all_keys:.2f} % with employment",
        f"DiSCO of `condition` is {worst.all_keys:.2f} %. The worst of their {eight.coverage.n_searched} subsets",
        f"is sex, age, region and settlement, with {worst.figure:.2f} %",
    ]  # fmt: skip
    true_and_complete(text, told)


def test_the_sets_of_keys_can_be_asked_for(study):
    for names in table(read("choosing-keys.md"), "set")["keys"]:
        asked = [re.fullmatch(r"(\w+)(?: in (\d+) groups)?", name).groups() for name in names.split(", ")]
        settings = Settings(keys=[name for name, _ in asked], groups={name: int(n) for name, n in asked if n})
        assert len(assess(study, settings).keys.keys) == len(asked)


@pytest.mark.slow
def test_reading_the_flags(study, found, outside):
    text = read("reading-flags.md")
    flagged = found.summary().set_index("target").query("flag != ''")

    def disco(target: str, out: Exclusions) -> float:
        return (
            assess(study, replace(found.settings, exclusions=out), found.tables).targets[target].figures("DiSCO").mean()
        )

    def without(target: str, *levels: str) -> str:
        return f"{disco(target, Exclusions(target_levels={target: levels})):.2f} %"

    def young(target: str, level: str) -> str:
        pairs = [Pair("age", age, level) for age in ("16", "17")]
        return f"DiSCO falls from {flagged.loc[target, 'synthetic']:.2f} % to {disco(target, Exclusions(pairs={target: pairs})):.2f} %"

    every = all_flagged(found)
    told = [
        f"| {name} | {r.flag} | {r.synthetic:.2f} % | {disco(name, every):.2f} % |" for name, r in flagged.iterrows()
    ]
    assert set(table(text, "target").index) == set(flagged.index)
    for name in ("abroad", "condition"):
        check = found.targets[name].one_way[0]
        told.append(
            f"“{check.level}” carries {check.n_disclosive_level:,} of {check.n_disclosive:,} disclosive records "
            f"({check.pct_disclosive:.2f} %), "
        )
        told += [f"{check.pct_level:.2f} % of all people", f"DiSCO falls to {without(name, check.level)}"]
    listed = {}
    for name in ("marital", "education", "abroad"):
        listed[name] = pd.concat(found.targets[name].two_way).drop_duplicates(["key", "key_level", "target_level"])
        told.append(f"- `{name}`: {len(listed[name])} pairs")
    assert set(listed["abroad"]["target_level"]) == {"No"}
    assert listed["education"][["key_level", "target_level"]].to_numpy().tolist() == [
        ["16", "Primary"],
        ["17", "Primary"],
    ]
    share = {n: rows.set_index("key_level")["pct"] for n, rows in listed.items()}
    told += [
        f"Single goes with age 16 ({share['marital']['16']:.2f} %) and with age 17 ({share['marital']['17']:.2f} %)",
        f"with being a student ({share['marital']['Student']:.2f} %)",
        f"Age 53 and Married ({share['marital']['53']:.2f} %)",
        f"Primary goes with age 16 ({share['education']['16']:.2f} %) and with age 17 ({share['education']['17']:.2f} %)",
        young("marital", "Single"),
        young("education", "Primary"),
    ]  # fmt: skip
    no = assess(study, replace(found.settings, exclusions=Exclusions(target_levels={"abroad": ["No"]})), found.tables)
    assert no.targets["abroad"].flags == (0, 0)
    assert listed["marital"].set_index("key_level").loc["17", "n_key_level"] == 31
    assert "they are only 31" in text
    assert found.targets["settlement"].flags == (0, 0)
    told.append(f"`settlement` has no flag and a DiSCO of {found.targets['settlement'].figures('DiSCO').mean():.2f} %")
    for name in ("marital", "settlement", "condition"):
        row = outside.loc[name]
        told.append(
            f"| {name} | {row['members']:.2f} % | {row['non_members']:.2f} % | {row['difference']:.2f} percentage points |"
        )
    true_and_complete(text, told)


def test_a_limit_that_is_told_is_that_of_the_code():
    one, two = (f"({int(a)} records, {int(b)} %)" for a, b in (Thresholds().one_way, Thresholds().two_way))
    good, poor = int(GOOD), int(POOR)
    told = {
        "docs/files.md": [
            f"of 64 bits {DIGITS} significant digits count",
            f"a mend raises that share by {RISES:.0f} points or more",
            f"that at least {FREQUENT:.0f} % of the original's records have",
        ],
        "docs/measures.md": [
            f"**1-way** {one}", f"**2-way** {two}", f"fewer than {FEW_CODES} times is a warning",
            f"taken to {SIGNIFICANT} significant digits",
            f"read S_pMSE below {good} as good and above {poor} as poor",
        ],
        "docs/reading-flags.md": ["The thresholds ({:g} and {:g}, {:g} and {:g})".format(*Thresholds().one_way, *Thresholds().two_way)],
        "docs/glossary.md": [f"read below {good} as good and above {poor} as poor"],
        "docs/compare.md": [f"read below {good} as good and above {poor} as poor"],
        "docs/scale.md": [f"its distinct values on each side, at most {MOST_VALUES:,}"],
        "docs/decisions/engines.md": [f"Above {MOST_VALUES:,} distinct numbers"],
        "pages/shared/words/by_number.md": [f"Up to {AT_ONCE} keys this is computed at once"],
        "pages/shared/words/holdout.md": [f"with fewer than {SMALL_HOLDOUT} people held out"],
        "pages/shared/words/each_key.md": [
            f"searched up to {Search().exhaustive} keys", f"about {Search().budget:,} subsets in all",
        ],
        "pages/data/intake.py": [f"holds {len(demo.original()):,} fictional people and five syntheses"],
        "disclosure_core/cli/demo.py": [f"{len(demo.original()):,} fictional people, five syntheses, a holdout"],
    }  # fmt: skip
    assert demo.N_SYNTHESES == len(demo.syntheses()) == 5
    for name, sentences in told.items():
        text = (DOCS.parent / name).read_text(encoding="utf-8")
        assert [sentence for sentence in sentences if sentence not in text] == [], name


def test_the_glossary_explains_every_measure_on_the_pages():
    words = read("glossary.md")
    pages = " ".join(p.read_text(encoding="utf-8") for p in (DOCS.parent / "pages" / "shared" / "words").glob("*.md"))
    named = set(re.findall(r"\b(UiO|UiS|UiOiS|repU|Dorig|iS|DiS|DiSCO|DiSDiO|CAPd|DCAPd)\b", pages))
    assert named
    assert [name for name in named if not re.search(rf"^\| [^|]*\b{name}\b[^|]* \|", words, re.MULTILINE)] == []


def test_every_section_of_the_measures_that_is_cited_is_there():
    sections = re.findall(r"^## (\d+)\.", read("measures.md"), re.MULTILINE)
    root = DOCS.parent
    cited = [
        (path.name, found)
        for folder in ("disclosure_core", "pages")
        for path in [*(root / folder).rglob("*.py"), *(root / folder).rglob("*.md")]
        for found in re.findall(r"measures\.md`? (\d+)", path.read_text(encoding="utf-8"))
    ]
    assert len(cited) > 20
    assert [c for c in cited if c[1] not in sections] == []


def test_dcapd_may_rise_with_an_exclusion_or_fall_below_disco(study, found):
    """`measures.md` 4 once said that DCAPd is always the larger."""
    text = read("measures.md")
    assert "As long as nothing is excluded, DCAPd ≥ DiSCO" in text
    assert "always" not in text.lower().partition("dcapd ≥ disco")[0][-60:]
    for risk in found.targets.values():
        assert (risk.figures("DCAPd") >= risk.figures("DiSCO")).all()
    yes, limit = (
        assess(study, replace(found.settings, exclusions=out), found.tables)
        for out in (Exclusions(target_levels={"abroad": ["Yes"]}), Exclusions(denominator_limit=1))
    )
    before, after = (a.targets["abroad"].figures("DCAPd").mean() for a in (found, yes))
    assert f"from {fixed(before)} to {fixed(after)} on the demonstration survey" in text
    assert any((risk.figures("DCAPd") < risk.figures("DiSCO")).any() for risk in limit.targets.values())


def test_sources_are_told_as_they_are():
    """Table 3 is of a paper by one author, and not by the expert panel."""
    texts = {p: p.read_text("utf-8") for p in [DOCS.parent / "README.md", *DOCS.rglob("*.md"), *(DOCS.parent / "pages").rglob("*.md")]}  # fmt: skip
    assert [p for p, text in texts.items() if re.search(r"Raab and others|panel's companion", text)] == []
    # Of what the holdout reproduces, this is the source.
    named = "Table 3 of G. M. Raab, *Privacy risk from synthetic data: practical proposals*"
    assert {p.name for p, text in texts.items() if named in text} == {"review.md", "baseline.md"}


@pytest.mark.slow
def test_the_reference_begins_with_code_that_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("review.json").write_text(to_json(start_demonstration().review), encoding="utf-8")
    names = {"original": demo.original(), "synthetic_1": demo.syntheses()[0], "synthetic_2": demo.syntheses()[1]}
    for block in re.findall(r"```python\n(.*?)```", read("api/index.md"), re.DOTALL):
        exec(block, names)
    assert names["after"].tables is names["found"].tables
    assert Path("report.pdf").read_bytes().startswith(b"%PDF")


def test_installing_is_told_as_in_the_readme():
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    start = re.search(r"<!-- start command -->\n```bash\n(.+)\n", readme).group(1)
    assert start in read("install.md")


PAGES = sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as a Git host and the documentation's site make them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_test_that_the_threat_model_names_is_there():
    text = read("threats.md")
    tests = DOCS.parent / "tests"
    named = set(re.findall(r"`(test_\w+)`", text))
    there = set(
        re.findall(r"^def (test_\w+)", "".join(p.read_text("utf-8") for p in tests.rglob("*.py")), re.MULTILINE)
    )
    assert len(named) >= 10
    assert named - there == set()
    assert [
        path for path in re.findall(r"`((?:tests|pages)/[\w./]+)`", text) if not (DOCS.parent / path).exists()
    ] == []
    # And no claim stands without what tried it.
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 20
    assert [row[0] for row in rows if not re.search(r"`(test_\w+|tests/[\w./]+)`", row[2])] == []


@pytest.mark.parametrize("name", PAGES)
def test_no_link_is_dead(name):
    for target, _, anchor in re.findall(r"\]\((?!http)([^)#]*)(#([^)]+))?\)", read(name)):
        page = (DOCS / name).parent / target if target else DOCS / name
        assert page.exists(), target
        assert not anchor or anchor in anchors(page), f"{target}#{anchor}"
