"""Files brought to the Data page: read, explained, corrected, or refused with a sentence."""

import re
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path

import pandas as pd
import pytest

from disclosure_core import Settings, Study, assess, demo
from disclosure_core.data.readers import EXTENSIONS
from disclosure_core.review import opening, reading
from tests.core.test_bad_input import BAD
from tests.pages.conftest import App, as_shown
from tests.reading import read_in_process

pytestmark = pytest.mark.slow

TEXT = "sex,age,job,income\n" + "".join(
    f"{'fm'[i % 2]},{20 + i % 30},{['cook', 'nurse', 'NA'][i % 3]},{-8 if i % 7 == 0 else 1000 + i}\n"
    for i in range(90)
)
ORIGINAL = ("people.csv", TEXT.encode())
SYNTHETIC = ("release.csv", TEXT.replace("nurse", "baker").encode("utf-16"))


def test_files_are_read_and_explained(app):
    app.upload(ORIGINAL, SYNTHETIC, ("second.tsv", TEXT.replace(",", "\t").encode()))
    assert "· 2 syntheses of 90 ·" in app.opened()
    files = app.frame("sha256")
    assert files["file"].tolist() == ["people.csv", "release.csv", "second.tsv"]
    assert files["as"].tolist()[:2] == [
        "delimiter comma, decimal point, encoding utf-8", "delimiter comma, decimal point, encoding utf-16"
    ]  # fmt: skip
    assert all(len(h) == 12 for h in files["sha256"])
    said = app.text()
    assert "people\\.csv against release\\.csv, second\\.tsv" in said
    assert "'job'\\: 1 level only in the synthetic data" in said
    assert "Synthesis 2 and the original are the same, record by record" in said


def test_the_settings_of_a_review_are_used_on_next_years_files_and_what_does_not_fit_is_listed(app):
    app.upload(ORIGINAL, SYNTHETIC)
    assert app.at.toggle(key="data.with_settings").value is False  # nobody asked for it
    session = app.session
    session.ask(Settings(keys=("sex", "age"), groups={"income": 4}))
    session.write("about", "officer", "A. B.")
    app.at.run()
    next_year = TEXT.replace("age", "years")
    app.at.file_uploader(key="upload.original").set_value(("next.csv", next_year.encode(), "")).run()
    app.at.file_uploader(key="upload.synthetic").set_value(("s.csv", next_year.encode(), "")).run()
    app.set("toggle", "data.with_settings", True).click("upload.compare")
    assert "another review" in app.text().lower() or app.at.button(key="replace.open")
    app.click("replace.open")
    review = app.session.review
    assert (review.keys, review.groups, review.about["officer"]) == (("sex",), {"income": 4}, "A. B.")
    assert review.original.name == "next.csv"
    said = app.text().replace("\\", "")
    assert "The settings of the review before are used on these files." in said
    assert "These files have no column 'age'; left out: key." in said
    assert app.session.unsaved
    saving = app.hands()["status_bar.save"]
    assert saving.head["help"].startswith("What was changed since it was opened, or saved last, is not saved.")
    assert app.at.toggle(key="data.with_settings").value is False  # the next files are asked about anew


def test_people_outside_come_with_the_files_or_nothing_is_taken(app):
    people = (TEXT.splitlines()[0] + "\n" + "\n".join(TEXT.splitlines()[1:] * 2)).replace("m,", "f,").encode()
    app.at.file_uploader(key="upload.outside").set_value(("others.docx", b"PK", "")).run()
    app.upload(ORIGINAL, SYNTHETIC)
    assert app.session.opened is None
    assert any("others.docx" in e.value.replace("\\", "") for e in app.at.error), [e.value for e in app.at.error]
    app.at.file_uploader(key="upload.outside").set_value(("others.csv", people, "")).run()
    app.click("upload.compare")
    s = app.session
    assert (s.review.holdout.file.name, len(s.now.data.holdout.frame)) == ("others.csv", 2 * len(TEXT.splitlines()[1:]))
    assert "180 people outside of others.csv" in app.opened().replace("\\", "").replace("*", "")
    s.ask(Settings(keys=("sex",)))
    app.at.run()
    app.at.file_uploader(key="upload.synthetic").set_value(("other.csv", TEXT.encode(), "")).run()
    app.click("upload.compare").click("replace.open")  # another release of the same original: the same people outside
    s = app.session
    assert s.review.holdout.file.name == "others.csv"
    s.ask(Settings(keys=("sex",)))
    app.at.file_uploader(key="upload.original").set_value(("next.csv", TEXT.encode(), "")).run()
    assert "others.csv holds people outside of the data that are open" in app.text().replace("\\", "")
    assert app.at.file_uploader(key="upload.outside_1").value is None
    app.at.file_uploader(key="upload.synthetic").set_value(("s.csv", TEXT.encode(), "")).run()
    app.set("toggle", "data.with_settings", True).click("upload.compare").click("replace.open")
    new = app.session
    assert (new.review.keys, new.review.holdout) == (("sex",), None)  # those of the files before are no people of these


@pytest.mark.in_child
def test_what_reads_the_files_is_made_ready_as_they_come_and_not_again_once_they_are_read(app, monkeypatch):
    asked = []
    monkeypatch.setattr("pages.data.intake.prepare", lambda *names, limits: asked.append(names))
    app.upload(ORIGINAL, SYNTHETIC)
    app.at.run()
    assert asked == [("people.csv",), ("people.csv", "release.csv")]


def test_names_of_several_methods_are_told_and_made_sets_where_that_is_said(app):
    app.at.file_uploader(key="upload.original").set_value((*ORIGINAL, "")).run()

    def bring(*names: str) -> str:
        app.at.file_uploader(key="upload.synthetic").set_value([(n, SYNTHETIC[1], "") for n in names]).run()
        return app.sound().text().replace("\\", "")

    assert "Their names speak of" not in bring("cart_1.csv", "cart_2.csv")
    assert app.at.toggle(key="upload.several").value is False
    assert "Their names speak of 2 sets (cart, ctree)." in bring("cart_1.csv", "cart_2.csv", "ctree_1.csv")
    app.set("toggle", "upload.several", True)
    assert "Their names speak of" not in app.text()
    app.set("text_input", "upload.set.cart_2.csv.1", "second").click("upload.compare")
    sets = app.session.review.sets
    assert [(each.name, [file.name for file in each.files]) for each in sets] == [
        ("cart", ["cart_1.csv"]),
        ("second", ["cart_2.csv"]),
        ("ctree", ["ctree_1.csv"]),
    ]


def test_no_figure_is_shown_before_keys_are_chosen(app):
    app.upload(ORIGINAL, SYNTHETIC).page("keys")
    assert app.at.info[0].value.startswith("Choose at least one key")
    app.keys(["sex", "age"]).page("review")
    frames = [pd.read_csv(StringIO(t), keep_default_na=False) for t in (TEXT, TEXT.replace("nurse", "baker"))]
    expected = assess(Study(frames[0], frames[1:]), Settings(keys=("sex", "age"))).summary()
    assert app.open("review.targets").frame("synthetic")["synthetic"].tolist() == as_shown(
        expected["synthetic"].tolist()[::-1]
    )


def test_texts_are_offered_as_missing_and_taken_back(app):
    app.upload(ORIGINAL, SYNTHETIC)
    asked = app.box()["text: job = NA"]
    assert (asked["question"], asked["detail"][:10]) == ("Is 'NA' in job “no answer”?", "60 records")
    app.answer("text: job = NA", "missing")
    assert app.column("job")["missing"]["pair"] == ["33.3", "33.3"]
    assert app.column("job")["codes"]["text"] == "NA"
    assert app.box("decided")["texts: job"]["question"] == "Treated as missing: 'NA' in job"
    app.take_back("texts: job")
    assert app.column("job")["missing"] is None


def test_many_texts_are_each_asked_of(app):
    text = ",".join(f"q{i}" for i in range(9)) + "\n" + "\n".join([",".join(["NA"] * 9), ",".join("abcdefghi")] * 20)
    app.upload(("o.csv", text.encode()), ("s.csv", text.encode()), ("t.csv", "\n".join(text.split("\n")[:-4]).encode()))
    assert "· 2 syntheses of 36 to 40 ·" in app.opened()
    assert [name for name in app.box() if name.startswith("text")] == [f"text: q{i} = NA" for i in range(9)]


def test_the_ends_of_a_column_stand_beside_its_codes(app):
    app.upload(ORIGINAL, SYNTHETIC)
    assert app.column("age")["codes"] == {"value": "", "hint": "", "note": "Values from 20 to 49"}


def test_a_likely_missing_code_is_offered_never_taken(app):
    app.upload(ORIGINAL, SYNTHETIC)
    asked = app.box()["code: income = -8"]
    assert asked["detail"] == "13 original records; negative, as only such codes are"
    assert [(o["text"], o["dashed"]) for o in asked["options"]] == [("No answer", True), ("A number", False)]
    assert (app.column("income")["codes"]["value"], app.column("income")["codes"]["hint"]) == ("", "-8 ?")
    app.answer("code: income = -8", "missing")
    assert (app.column("income")["codes"]["value"], app.column("income")["codes"]["hint"]) == ("-8", "")
    assert "code: income = -8" not in app.box()


def test_an_identifier_is_left_out_of_keys_and_targets_in_one_click(app):
    def numbered(text: str) -> bytes:
        lines = text.splitlines()
        return "\n".join([f"{lines[0]},id", *(f"{line},P{i:04}" for i, line in enumerate(lines[1:]))]).encode()

    app.upload(("people.csv", numbered(TEXT)), ("release.csv", numbered(SYNTHETIC[1].decode("utf-16"))))
    assert "'id' has 90 levels in 90 records and looks like an identifier" in app.text()
    warned = next(name for name, each in app.box().items() if each["question"].startswith("'id'"))
    assert [o["text"] for o in app.box()[warned]["options"]] == ["Do not count it", "Keep as it is"]
    app.answer(warned, "leave out").page("keys").keys(["sex", "age"])
    assert app.cell("id", "role")["hint"] == ""
    assert app.roles("target") == ["job", "income"]
    # Taken as a key it is dashed.
    app.keys(["sex", "age", "id"])
    assert app.cell("id", "role")["hint"] == "left out"
    app.act("keys.roles", {"do": "suggested"})
    assert app.roles() == ["sex", "age", "job"]
    assert app.roles("left out") == ["id"]
    assert app.page("review").open("review.targets").frame("synthetic")["target"].tolist() != []


def test_days_and_amounts_that_are_read_as_text_are_put_right_not_left_out(app):
    lines = [f"{i % 28 + 1:02}.{i % 12 + 1:02}.{1950 + i % 50};{i + 1}.{i * 7 % 1000:03},50;{i % 3}" for i in range(90)]
    text, other = ("\n".join(["born;wage;group", *each]).encode() for each in (lines, lines[::-1]))
    app.upload(("people.csv", text), ("release.csv", other.replace(b";0\n", b";1\n")))
    asked = {
        each["question"].split("'")[1]: name
        for name, each in app.box().items()
        if "levels in" in each["question"] or "days in" in each["question"]
    }
    offered = {column: [o["text"] for o in app.box()[name]["options"]] for column, name in asked.items()}
    assert offered == {"born": ["Cut it to years", "Keep as it is"], "wage": ["Read it as numbers", "Keep as it is"]}
    app.answer(asked["born"], "year").act("data.answers", {"do": "mend all"})
    assert dict(app.session.review.columns.types) == {"born": "year", "wage": "number"}
    assert {app.session.now.study().columns["wage"].kind.value, app.column("born")["levels"]["pair"][0]} == {
        "number",
        "50",
    }
    assert not {"born", "wage"} & {
        each["question"].split("'")[1] for each in app.box().values() if "'" in each["question"]
    }


def test_a_type_can_be_changed(app):
    app.upload(ORIGINAL, SYNTHETIC)
    as_read = app.column("age")["holds"]
    assert (as_read["value"], as_read["options"][0]) == ("", ["", "number"])
    assert as_read["why"] == "number: every value is a whole number"
    app.act("data.columns", {"do": "holds", "column": "age", "value": "category"})
    assert app.column("age")["holds"]["value"] == "category"
    assert app.column("age")["codes"]["kind"] == "text"  # a category has no missing codes
    app.act("data.columns", {"do": "holds", "column": "age", "value": "date"})
    assert "Not every value of 'age' is a date such as 2020\\-01\\-31" in app.text()
    assert app.column("age")["holds"]["value"] == "category"
    app.act("data.columns", {"do": "holds", "column": "age", "value": ""})
    assert app.column("age")["holds"]["value"] == ""


def test_a_wrong_delimiter_can_be_corrected(app):
    data = ("x.csv", b"a;b\n1,5;x\n2,5;y\n")
    app.open("upload.options").set("selectbox", "upload.decimal", "point")
    app.at.session_state["upload.options"] = False  # folded away again: the choice stays
    app.upload(data, data)
    assert [row["cells"]["holds"]["options"][0][1] for row in app.part("data.columns")["rows"]] == ["category"] * 2


FILES = [(name, data) for name, data, *more in BAD if len(more) == 1 and name.endswith(EXTENSIONS)]


@pytest.mark.in_child
@pytest.mark.parametrize("ending", sorted({Path(name).suffix for name, _ in FILES}))
def test_after_bad_input_the_session_goes_on(app, ending, monkeypatch):
    # The sentences of the formats, without a process for each; those of the process itself are tried below.
    monkeypatch.setattr(
        reading, "read", lambda source, name, options, limits, waiting: read_in_process(source, name, options, limits)
    )
    monkeypatch.setattr(opening, "prepare", lambda *names, limits: None)
    app.demo()
    app.at.file_uploader(key="upload.synthetic").set_value([(*SYNTHETIC, "")]).run()
    for name, data in (file for file in FILES if Path(file[0]).suffix == ending):
        app.at.file_uploader(key="upload.original").set_value((name, data, "")).run()
        app.at.button(key="upload.compare").click().run()
        assert any(name in error.value.replace("\\", "") for error in app.sound().at.error), name
        assert "· 5,000 original records ·" in app.opened(), name
    # What was open is still open, and other files can be brought.
    app.page("keys")
    assert app.metrics()["UiO"] == "25.06 %"
    app.page("data").upload(ORIGINAL, SYNTHETIC)
    assert "· 90 original records ·" in app.opened()


def test_a_refusal_says_what_was_read_and_stays_until_other_files_come(app):
    sink = BytesIO()
    with pd.ExcelWriter(sink) as book:
        pd.DataFrame({"Note": ["made by us"]}).to_excel(book, sheet_name="Cover", index=False)
        pd.read_csv(StringIO(TEXT)).to_excel(book, sheet_name="People", index=False)
    workbook = ("people.xlsx", sink.getvalue())
    app.demo()
    for _ in range(2):  # said at once, and still there after looking elsewhere
        app.at.file_uploader(key="upload.original").set_value((*workbook, "")).run()
        app.at.file_uploader(key="upload.synthetic").set_value([(*SYNTHETIC, "")]).run()
        app.click("upload.compare")
        for _ in range(2):
            (error,) = (e.value.replace("\\", "") for e in app.at.error)
            assert "people.xlsx (sheet 'Cover' of 'Cover', 'People') has 'Note'; release.csv has 'sex', 'age'" in error
            assert error.endswith("Nothing was taken: the demonstration survey is still under review.")
            assert "· 5,000 original records ·" in app.opened()
            app.page("review").page("data")
    app.open("upload.options").set("text_input", "upload.sheet", "People")
    app.upload(workbook, SYNTHETIC)
    assert not app.at.error
    assert app.frame("sha256")["as"].tolist() == ["sheet People", "delimiter comma, decimal point, encoding utf-16"]


def test_a_file_that_is_no_table_is_told_by_its_name(app):
    app.at.file_uploader(key="upload.original").set_value(("Notes.docx", b"PK", "")).run()
    app.at.file_uploader(key="upload.synthetic").set_value([(*SYNTHETIC, "")]).run()
    app.click("upload.compare")
    assert "Notes\\.docx is of a format that is not read here; bring one of" in app.at.error[0].value


def test_an_original_with_several_tables_is_refused(app):
    from tests.core.test_bad_input import zipped

    app.at.file_uploader(key="upload.original").set_value(
        ("two.zip", zipped(("a.csv", ORIGINAL[1]), ("b.csv", ORIGINAL[1])), "")
    ).run()
    app.at.file_uploader(key="upload.synthetic").set_value([(*SYNTHETIC, "")]).run()
    app.at.button(key="upload.compare").click().run()
    assert app.at.error[0].value == "two\\.zip holds 2 tables; give the original as a file with one\\."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCLOSURE_FOLDER", str(tmp_path))
    return tmp_path


def test_the_servers_folder(folder):
    from tests.pages.conftest import App

    demo.original().to_parquet(folder / "original.parquet")
    demo.syntheses()[0].to_parquet(folder / "synthetic.parquet")
    demo.holdout().to_parquet(folder / "others.parquet")
    app = App()
    app.at.radio(key="upload.where").set_value("In the server's folder").run()
    names = ["original.parquet", "others.parquet", "synthetic.parquet"]
    assert app.at.selectbox(key="upload.folder_original").options == names
    app.set("selectbox", "upload.folder_original", "original.parquet")
    app.set("selectbox", "upload.folder_outside", "others.parquet")
    app.set("multiselect", "upload.folder_synthetic", ["synthetic.parquet"]).click("upload.compare")
    assert "· 5,000 original records ·" in app.opened()
    session = app.session
    assert (session.review.holdout.file.name, len(session.now.data.holdout.frame)) == ("others.parquet", 1_250)
    app.set("selectbox", "upload.folder_original", "synthetic.parquet")
    assert app.at.selectbox(key="upload.folder_outside").value is None
    assert "others.parquet holds people outside of the data that are open" in app.text().replace("\\", "")


def test_a_codebook_in_the_servers_folder_is_chosen_among_the_files_and_offered(folder):
    (folder / "o.csv").write_text("sex,t\n1,5\n2,6\n1,5\n")
    (folder / "s.csv").write_text("sex,t\n1,5\n2,6\n2,5\n")
    (folder / "metadata.json").write_text(
        '{"columns": {"sex": {"sdtype": "categorical"}, "t": {"sdtype": "numerical"}}}'
    )
    (folder / "other.json").write_text("{}")
    app = App().page("data")
    app.at.radio(key="upload.where").set_value("In the server's folder").run()
    assert app.at.multiselect(key="upload.folder_synthetic").options == ["o.csv", "s.csv", "metadata.json"]
    app.set("selectbox", "upload.folder_original", "o.csv")
    app.set("multiselect", "upload.folder_synthetic", ["s.csv", "metadata.json"]).click("upload.compare")
    opened = app.session.now
    assert [str(c.kind) for c in opened.study().columns.values()] == ["number", "number"]
    app.click("data.came_with_0")
    opened = app.session.now
    assert [str(c.kind) for c in opened.study().columns.values()] == ["category", "number"]


def test_an_empty_folder_says_so(folder):
    from tests.pages.conftest import App

    app = App()
    app.at.radio(key="upload.where").set_value("In the server's folder").run()
    assert "holds no data file" in app.at.info[0].value


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("DISCLOSURE_MAX_MB", "larger than the 1 MB allowed"),
        ("DISCLOSURE_MAX_ROWS", "has 200,090 rows, more than the 1 allowed"),
        ("DISCLOSURE_MAX_COLUMNS", "has 4 columns, more than the 1 allowed"),
        ("DISCLOSURE_MAX_MEMORY_MB", "MB of memory, more than is allowed"),
    ],
)
def test_the_operators_limits(monkeypatch, variable, said):
    from tests.pages.conftest import App

    large = ("people.csv", ORIGINAL[1] + b"f,20,cook,1\n" * 200_000)
    monkeypatch.setenv(variable, "1")
    app = App().upload(large, SYNTHETIC)
    assert said in app.at.error[0].value.replace("\\", "")


@pytest.mark.in_child
def test_a_file_that_ends_its_library_is_a_sentence_and_nothing_is_taken(app):
    damaged = Path(__file__).parents[1] / "core" / "files" / "damaged_1.sav"
    app.upload(ORIGINAL, SYNTHETIC).upload((damaged.name, damaged.read_bytes()), SYNTHETIC)
    app.click("replace.open")
    (told,) = (e.value.replace("\\", "") for e in app.at.error)
    assert told.startswith(
        "damaged_1.sav is damaged: the process that read it broke off, and nothing was taken from it."
    )
    assert "is still under review" in told


def figures_of(original: bytes, synthetic: bytes) -> list[float]:
    frames = [pd.read_csv(BytesIO(data), keep_default_na=False) for data in (original, synthetic)]
    found = assess(Study(frames[0], frames[1:]), Settings(keys=("sex", "age")))
    return as_shown(found.summary()["synthetic"].tolist()[::-1])


def shown_figures(app) -> list[float]:
    app.page("keys").keys(["sex", "age"])
    return app.page("review").open("review.targets").frame("synthetic")["synthetic"].tolist()


def test_files_of_one_name_and_other_content_are_those_of_who_brought_them_and_of_when(app):
    first, second = TEXT.encode(), TEXT.replace("cook", "baker", 7).replace("fm", "mm").encode()
    releases = [TEXT.replace("nurse", "cook", 9).encode(), TEXT.replace("NA", "cook", 20).encode()]
    other = App()
    app.upload(("people.csv", first), ("release.csv", releases[0]))
    other.upload(("people.csv", second), ("release.csv", releases[1]))
    expected = figures_of(first, releases[0]), figures_of(second, releases[1])
    assert expected[0] != expected[1]
    assert (shown_figures(app), shown_figures(other)) == expected
    assert (shown_figures(app), shown_figures(other)) == expected  # each after the other was there
    # The same visitor brings others under the names that are open.
    app.page("data").upload(("people.csv", second), ("release.csv", releases[1]))
    for button in [b for b in app.at.button if b.key == "replace.open"]:
        button.click().run()
    assert app.frame("sha256")["sha256"].tolist() == [sha256(data).hexdigest()[:12] for data in (second, releases[1])]
    assert shown_figures(app) == expected[1]
    review = app.session.review
    files = (review.original, *review.sets[0].files)
    assert [file.sha256 for file in files] == [sha256(data).hexdigest() for data in (second, releases[1])]


@pytest.mark.in_child
def test_whatever_a_page_has_read_or_made_has_the_limits_of_the_server():
    """They are what sends plain text to a process of its own."""
    asked = re.compile(
        r"\b(?:start|open_review|read|prepare|whole|safer\.files|outside\.as_files)\((?!\)|PAGE|MOST_ROWS)", re.ASCII
    )
    calls = 0
    for path in sorted((Path(__file__).parents[2] / "pages").rglob("*.py")):
        code = path.read_text()
        for call in asked.finditer(code):
            if code[: call.start()].endswith(("def ", "environment.", "Hierarchy.")):
                continue
            calls += 1
            depth, ends = 1, call.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(code[ends], 0)
                ends += 1
            assert "configuration.limits()" in code[call.start() : ends], (path.name, code[call.start() : ends])
    assert calls >= 8


def test_long_names_keep_their_ends_where_one_is_chosen(app):
    names = [f"variable_with_a_rather_long_name_{i:02}" for i in range(60)]
    line = ",".join("ab"[i % 2] for i in range(60))
    rows = [",".join(names), *[line, line.replace("a", "c")] * 20]
    csv = "\n".join(rows).encode()
    app.upload(("o.csv", csv), ("s.csv", csv.replace(b"c,", b"a,", 40)))
    for page, table in (("data", "data.columns"), ("keys", "keys.roles")):
        shown = app.page(page).part(table)["rows"]
        assert [row["shown"][-3:] for row in shown] == [f"_{i:02}" for i in range(60)]
        assert [row["whole"] for row in shown] == names
        assert max(len(row["shown"]) for row in shown) <= 24
