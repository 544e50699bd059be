"""A source that the operator named, on the pages: the figures are those of the files, and no address is shown."""

# Inside: records at risk in an engine, for the page.

from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from disclosure_core import Settings, Study, assess, at_risk, demo, partition, read_holdout, replicated_uniques, start
from disclosure_core.engines import duckdb_records
from disclosure_core.holdout.near_misses import near_misses
from disclosure_core.records.look_up import matching
from tests.pages.conftest import APP, App, as_shown

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def app(tmp_path):
    st.cache_resource.clear()
    for name, frame in (("original", demo.original()), ("synthetic", demo.syntheses()[0])):
        plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
        frame.assign(**plain).to_parquet(tmp_path / f"{name}.parquet")
    app = App.__new__(App)
    app.at = AppTest.from_file(str(APP), default_timeout=200)
    app.at.secrets["engines"] = {
        "census": {
            "url": "duckdb://",
            "original": str(tmp_path / "original.parquet"),
            "synthetic": [str(tmp_path / "synthetic.parquet")],
            "missing_codes": {"income": [-8]},
        },
        "broken": {"url": "duckdb:///nowhere/secret-place.db", "original": "a", "synthetic": ["b"]},
    }
    app.at.run()
    return app.sound()


def reviewed(app):
    """Keys and targets are chosen, and the figures of the source are those of the same files."""
    app.page("keys").keys(["sex", "region", "employment"])
    app.targets(["abroad", "marital"])
    settings = Settings(keys=("sex", "region", "employment"), targets=("abroad", "marital"))
    expected = assess(Study(demo.original(), demo.syntheses()[:1], demo.MISSING_CODES), settings)
    app.page("review")
    shown = app.open("review.targets").frame("synthetic").set_index("target")
    assert shown["synthetic"].to_dict() == pytest.approx(expected.summary().set_index("target")["synthetic"].to_dict())


def safer(app):
    """Smaller releases are drawn; the least safeguard is searched, tried and adopted."""
    app.question("release-size")
    assert "where a tenth of a synthesis is released" in app.text()
    app.page("safeguards").click("safe.least.lead")
    app.set("number_input", "safe.least.aim.DiSCO", 90.0).set("number_input", "safe.least.remove", 30.0)
    app.click("safe.least")
    assert "All 2 releases were looked at" in app.text()
    app.click("safe.least.lead").step("Remove replicated uniques").click("safe.add")
    assert "no record, no value changed" in app.text()  # nobody is a replicated unique on these keys
    assert "which writes the safer tables where `disclosure protect --engine`" in app.text()
    app.click("safe.useful")
    assert "Mean S\\_pMSE" in app.at.table[0].value.columns
    app.click("safe.adopt")
    assert "All pages show" in app.text()


def test_a_named_source_goes_through_the_pages(app):
    assert app.at.selectbox(key="upload.engine").options == ["census", "broken"]
    (asked,) = (e for e in app.at.expander if e.label == "Data that stay in their engine")
    assert asked.proto.expanded
    app.click("upload.open_engine")
    assert "· 5,000 original records ·" in app.opened()
    (asked,) = (e for e in app.page("data").at.expander if e.label == "Data that stay in their engine")
    assert not asked.proto.expanded  # what is open stands in the foreground
    reviewed(app)
    app.look("abroad").exclude("abroad = No").tab("review.view", "Where")
    assert "hands out no single cell" not in app.text()
    assert app.tab("review.view", "Figures").frame("after") is not None
    app.page("records")
    assert "are not shown: ask the operator of this server to allow it for this source." in app.text()
    app.question("uniques-outside")
    assert "people outside would be there too; its operator names them" in app.text()
    safer(app)
    app.page("review")
    app.page("report").click("report.verify")
    assert "Counted again by a second counter that shares no code with the first: " in app.text()
    assert " figures, 0 differ" in app.text()
    assert "duckdb://" not in app.text()


def test_another_engine_goes_through_the_pages(app, tmp_path):
    """What is no file of this machine is read by Ibis: all but single records is there."""
    with duckdb.connect(tmp_path / "survey.db") as db:
        db.execute("create table s as from read_parquet(?)", [str(tmp_path / "synthetic.parquet")])
        people = demo.holdout().astype(dict.fromkeys(demo.holdout().select_dtypes("category"), str))
        db.register("people", people)
        db.execute("create table h as from people")
    named = dict(app.at.secrets["engines"])
    url = f"duckdb://{tmp_path}/survey.db"
    more = {"url": url, "synthetic": ["main.s"], "holdout": "main.h", "holdout_is_random": True}
    more["original"] = f"file://{named['census']['original']}"
    app.at.secrets["engines"] = named | {"census": dict(named["census"]) | more}
    app.at.run()
    app.click("upload.open_engine")
    assert type(app.at.session_state["session"].study).__name__ == "TableStudy"
    reviewed(app)
    app.look("abroad").tab("review.view", "Where")
    app.page("records")
    assert "which hands out no record" in app.text()
    app.question("uniques-outside")
    assert "people outside are there too" in app.text()
    safer(app)
    app.page("compare")
    app.page("report").click("report.verify")
    assert " figures, 0 differ" in app.text()
    assert app.fetch("appendix.pdf").startswith(b"%PDF")
    assert str(tmp_path) not in app.text()
    assert not app.at.exception


def test_people_outside_whom_the_operator_named_stand_beside_the_members(app, tmp_path):
    """Baseline, near misses of members and people outside, and the report, of data that stay in DuckDB."""
    frame = demo.holdout()
    plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
    frame.assign(**plain).to_parquet(tmp_path / "outside.parquet")
    named = dict(app.at.secrets["engines"])
    more = {"holdout": str(tmp_path / "outside.parquet"), "holdout_is_random": True}
    app.at.secrets["engines"] = named | {"census": dict(named["census"]) | more}
    app.at.run()
    app.click("upload.open_engine").page("keys").keys(["sex", "region", "employment"])
    app.targets(["household", "marital"])
    app.page("analyses").click("analyses.open.near-misses")
    assert "the best single guess is right for" in app.text()
    shown = app.frame("members")
    app.question("uniques-outside")
    assert "people outside are there too" in app.text()
    here = Study(demo.original(), demo.syntheses()[:1], demo.MISSING_CODES)
    settings = Settings(keys=("sex", "region", "employment"), targets=("household",))
    beside = partition(demo.original(), demo.holdout(), demo.syntheses()[:1], demo.MISSING_CODES)
    expected = near_misses(replace(beside, random=True), settings, "household")
    assert shown["members"].tolist() == as_shown(expected["members"].tolist())
    assert shown["non_members"].tolist() == as_shown(expected["non_members"].tolist())
    assert shown["members"].tolist() == as_shown(
        assess(here, settings).targets["household"].near_misses()["DiSCO"].tolist()
    )
    assert app.page("report").fetch("appendix.pdf").startswith(b"%PDF")
    assert "duckdb://" not in app.text()
    assert not app.at.exception


def test_a_source_that_cannot_be_opened_is_a_sentence_without_its_address(app):
    app.set("selectbox", "upload.engine", "broken").click("upload.open_engine")
    assert "The data source 'broken' cannot be opened; ask its operator" in app.text()
    assert "secret" not in app.text()


def allowed(app):
    named = dict(app.at.secrets["engines"])
    app.at.secrets["engines"] = named | {"census": dict(named["census"]) | {"records": True}}
    app.at.run()
    app.click("upload.open_engine").page("keys").keys(["sex", "age", "region"])
    app.targets(["abroad", "marital"])
    return app.page("review").look("abroad").page("records")


def test_where_the_operator_allows_it_records_are_listed_masked_as_those_of_files(app, monkeypatch):
    settings = Settings(keys=("sex", "age", "region"), targets=("abroad", "marital"))
    here = assess(Study(demo.original(), demo.syntheses()[:1], demo.MISSING_CODES), settings)
    listed = at_risk(here.targets["abroad"].counted[0])
    allowed(app)
    assert f"**{len(listed):,}** records at risk, of 5,000" in app.text()
    assert "The engine is asked for 50 records at a time; the list is not offered as a file." in app.text()
    assert not app.files()
    rows = app.frame("record")
    assert rows["record"].tolist() == listed.frame(0, 50)["record"].tolist()
    assert {value for name in ("sex", "age", "region", "abroad") for value in rows[name]} == {"•••"}
    asked = []
    read = duckdb_records.records_in
    monkeypatch.setattr(duckdb_records, "records_in", lambda *given: (asked.append(given[-2:]), read(*given))[1])
    app.set("toggle", "records.unmasked", True)  # what is looked at is not asked for again
    assert app.frame("record")["region"].tolist() == listed.frame(0, 50)["region"].astype(str).tolist()
    assert not asked
    app.set("number_input", f"records.page.{-(-len(listed) // 50)}", 3)
    assert asked == [(100, 50)]
    assert app.frame("record")["record"].tolist() == listed.frame(100, 50)["record"].tolist()
    app.set("selectbox", "records.by", "same answer, synthetic").set("toggle", "records.down", True)
    narrowed = listed.where({"sex": "Female"}).ordered("same answer, synthetic", descending=True)
    app.set("selectbox", "records.narrow.sex", "Female")
    assert f"**{len(narrowed):,}** of {len(listed):,} records at risk" in app.text()
    app.set("number_input", f"records.page.{-(-len(narrowed) // 50)}", 1)
    assert app.frame("record")["record"].tolist() == narrowed.frame(0, 50)["record"].tolist()
    session = app.at.session_state["session"]
    assert session.rows is not None
    app.page("review")
    assert session.rows is None  # nothing is kept of what was looked at
    app.page("records").at.radio(key="records.view").set_value("Replicated uniques").run()
    found = replicated_uniques(here.tables, 0)
    assert f"**{len(found)}** replicated uniques" in app.text()
    shown = app.frame("synthetic record")
    assert shown["synthetic record"].tolist() == found.frame()["synthetic record"].tolist()[:50]
    app.at.radio(key="records.view").set_value("Look up").run()
    app.set("selectbox", "records.known.sex", 1).set("selectbox", "records.known.region", 1)
    known = {name: here.keys.keys[[k.name for k in here.keys.keys].index(name)].labels[0] for name in ("sex", "region")}
    matched = matching(here.keys, 0, known)
    assert f"The matching synthetic records, 1 to 50 of {len(matched):,}:" in app.text()
    shown = app.frame("record")
    assert list(shown.columns) == ["record", "sex", "age", "region", "abroad"]
    assert shown["record"].tolist() == (matched[:50] + 1).tolist()
    app.set("number_input", f"records.matching_page.{-(-len(matched) // 50)}", 2)
    assert app.frame("record")["record"].tolist() == (matched[50:100] + 1).tolist()


def test_records_of_a_table_that_changed_are_not_shown_and_reading_can_be_stopped(app, tmp_path):
    allowed(app)
    session = app.at.session_state["session"]
    session.stopped.add("records.read")
    session.rows = None
    app.at.run()
    assert "Stopped: no record was read." in app.text()
    app.click("records.read")
    assert len(app.frame("record")) == 50
    demo.original().head(4_000).to_parquet(tmp_path / "original.parquet")
    app.set("selectbox", "records.by", "same answer, synthetic")
    assert "The data changed while they were read, so nothing is reported" in app.text()
    assert "record" not in app.text().split("nothing is reported")[1]
    app.page("data")
    assert "5,000 original records" in app.opened()


def test_sets_that_the_operator_named_are_compared_beside_people_outside(app, tmp_path):
    """Every page has the sets, and Compare the figures of the same sets as files."""
    places = {}
    for name, frame in (("outside", demo.holdout()), ("second", demo.syntheses()[1]), ("third", demo.syntheses()[2])):
        plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
        places[name] = str(tmp_path / f"{name}.parquet")
        frame.assign(**plain).to_parquet(places[name])
    named = dict(app.at.secrets["engines"])
    sets = {"CART *1*": [str(tmp_path / "synthetic.parquet")], "two": [places["second"], places["third"]]}
    more = {"synthetic": sets, "holdout": places["outside"], "holdout_is_random": True}
    app.at.secrets["engines"] = named | {"census": dict(named["census"]) | more}
    app.at.run()
    app.click("upload.open_engine").page("keys").keys(["sex", "age", "region"])
    app.targets(["abroad", "marital"])
    assert app.at.selectbox(key="status_bar.set").options == ["Set: CART *1*", "Set: two"]
    app.page("compare").set("radio", "compare.view", "Methods").click("compare.start")
    assert "this may take a while" not in app.text()  # it is there: it is not offered once more
    app.set("radio", "compare.part", "All figures")
    here = start(tmp_path / "original.parquet", sets)
    reading, source = read_holdout("outside.parquet", tmp_path / "outside.parquet")
    here = here.with_holdout(reading, replace(source, random=True))
    settings = Settings(keys=("sex", "age", "region"), targets=("abroad", "marital"))
    review = replace(here.review, columns=replace(here.review.columns, missing_codes={"income": ("-8",)}))
    expected = here.with_review(review.with_settings(settings)).comparison().table()
    shown = app.at.session_state["session"].now.comparison().table()
    pd.testing.assert_frame_equal(shown, expected, atol=1e-9, rtol=0)
    assert "CART" in app.text()
    app.set("selectbox", "status_bar.set", "two").question("uniques-outside")
    assert "people outside are there too" in app.text()
    app.page("review")
    risk = assess(Study(demo.original(), demo.syntheses()[1:3]), settings)
    figures = app.open("review.targets").frame("synthetic").set_index("target")["synthetic"]
    assert figures.to_dict() == pytest.approx(risk.summary().set_index("target")["synthetic"].to_dict())
    app.page("report")
    assert "duckdb://" not in app.text()


def test_an_engine_without_room_says_whom_to_ask_and_the_pages_go_on(app, tmp_path):
    n = 300_000
    wide = pd.DataFrame({"id": np.random.default_rng(1).integers(0, 2**40, n).astype(str), "k": np.arange(n) % 50})
    wide.to_parquet(tmp_path / "wide.parquet")
    place, spill = str(tmp_path / "wide.parquet"), tmp_path / "spill"
    (spill / f"disclosure-spill-{2**22 - 1}-x").mkdir(parents=True)  # of a server that was killed
    url = f"duckdb://?memory_limit=300MB&temp_directory={spill}"
    tight = {"url": "duckdb://?memory_limit=12MB", "original": place, "synthetic": [place]}
    app.at.secrets["engines"] = {"tight": tight, "roomy": tight | {"url": url}, **dict(app.at.secrets["engines"])}
    app.at.run()
    app.set("selectbox", "upload.engine", "tight").click("upload.open_engine")
    assert any(
        "room for this question" in e.value and "ask the operator of this source" in e.value for e in app.at.error
    )
    assert "300,000 original records" in app.opened()
    app.page("keys").page("data").set("selectbox", "upload.engine", "roomy").click("upload.open_engine")
    app.click("replace.open").page("data")
    assert not app.at.error
    assert "id" in [row["name"] for row in app.part("data.columns")["rows"]]
    assert [path.name for path in spill.iterdir() if path.name.endswith("-x")] == []
    app.page("keys").keys(["k"])
    assert app.metrics()


def of_another(app, **source):
    app.at.secrets["engines"] = {"other": source | {"records": True}}
    app.at.run()
    return app.click("upload.open_engine").page("keys").keys(["sex", "age"])


def test_a_folder_that_grows_is_listed_once_and_one_that_loses_a_file_is_a_sentence(app, tmp_path):
    folder = tmp_path / "original"
    folder.mkdir()
    whole = pd.read_parquet(tmp_path / "original.parquet")
    for name, part in (("a", whole.iloc[:3_000]), ("b", whole.iloc[3_000:])):
        part.to_parquet(folder / f"{name}.parquet")
    of_another(app, url="duckdb://", original=str(folder), synthetic=[str(tmp_path / "synthetic.parquet")])
    whole.to_parquet(folder / "c.parquet")
    app.page("review")
    assert not app.at.error
    assert app.at.session_state["session"].now.assessment().n_original == 5_000
    (folder / "b.parquet").unlink()
    app.page("keys").keys(["sex", "age", "region"])
    assert ["The data changed while they were read" in e.value for e in app.at.error] == [True]
    app.page("records")
    assert ["The data changed while they were read" in e.value for e in app.at.error] == [True]
    app.page("glossary").page("data").click("upload.open_engine").click("replace.open").page("data")
    assert "8,000 original records" in app.opened()  # as it is now
