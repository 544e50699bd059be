"""A source that the operator named, on the pages: the figures are those of the files, and no address is shown."""

from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from disclosure_core import Settings, Study, assess
from disclosure_core.data import demo
from disclosure_core.holdout.near_misses import near_misses
from disclosure_core.holdout.partition import partition
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


def test_a_named_source_goes_through_the_pages(app):
    assert app.at.selectbox(key="upload.engine").options == ["census", "broken"]
    (asked,) = (e for e in app.at.expander if e.label == "Data that stay in their engine")
    assert asked.proto.expanded
    app.click("upload.open_engine")
    assert "· 5,000 original records ·" in app.opened()
    (asked,) = (e for e in app.page("data").at.expander if e.label == "Data that stay in their engine")
    assert not asked.proto.expanded  # what is open stands in the foreground
    app.page("keys").set("multiselect", "keys.keys", ["sex", "region", "employment"])
    app.set("toggle", "keys.all", False).set("multiselect", "keys.targets", ["abroad", "marital"])
    settings = Settings(keys=("sex", "region", "employment"), targets=("abroad", "marital"))
    expected = assess(Study(demo.original(), demo.syntheses()[:1], demo.MISSING_CODES), settings)
    app.page("review")
    shown = app.open("review.targets").frame("synthetic").set_index("target")
    assert shown["synthetic"].to_dict() == pytest.approx(expected.summary().set_index("target")["synthetic"].to_dict())
    app.set("selectbox", "review.target", "abroad").set("toggle", "review.out.abroad = No", True).tab(
        "review.view", "Where"
    )
    assert "hands out no single cell" not in app.text()
    assert app.tab("review.view", "Figures").frame("after") is not None
    app.page("records")
    assert "stay in their engine, which hands out no record" in app.text()
    app.page("baseline")
    assert "people outside would be there too; its operator names them" in app.text()
    app.set("radio", "baseline.view", "Fewer records").click("baseline.draw")
    assert "10 draws; lines are means" in app.text()
    app.page("safeguards")
    assert "The least safeguard is not searched: it needs the records here" in app.text()
    app.click("safe.add")
    assert "synthetic records are removed" in app.text()
    assert "which writes the safer tables where `disclosure protect --engine duckdb`" in app.text()
    app.click("safe.useful")
    assert "Mean S_pMSE (lower is more useful)" in app.text()
    app.click("safe.adopt")
    assert "All pages show" in app.text()
    app.page("review")
    app.page("report").click("report.verify")
    assert "Counted again by a second counter that shares no code with the first: " in app.text()
    assert " figures, 0 differ" in app.text()
    assert "duckdb://" not in app.text()


def test_people_outside_whom_the_operator_named_stand_beside_the_members(app, tmp_path):
    """Baseline, near misses of members and people outside, and the report, of data that stay in DuckDB."""
    frame = demo.holdout()
    plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
    frame.assign(**plain).to_parquet(tmp_path / "outside.parquet")
    named = dict(app.at.secrets["engines"])
    more = {"holdout": str(tmp_path / "outside.parquet"), "holdout_is_random": True}
    app.at.secrets["engines"] = named | {"census": dict(named["census"]) | more}
    app.at.run()
    app.click("upload.open_engine").page("keys").set("multiselect", "keys.keys", ["sex", "region", "employment"])
    app.set("toggle", "keys.all", False).set("multiselect", "keys.targets", ["household", "marital"])
    app.page("review").set("selectbox", "review.target", "household").tab("review.view", "Near")
    assert "The best single guess for everybody is right for" in app.text()
    app.page("baseline")
    assert "people outside are there too" in app.text()
    shown = app.frame("tolerance")
    here = Study(demo.original(), demo.syntheses()[:1], demo.MISSING_CODES)
    settings = Settings(keys=("sex", "region", "employment"), targets=("household",))
    beside = partition(demo.original(), demo.holdout(), demo.syntheses()[:1], demo.MISSING_CODES)
    expected = near_misses(replace(beside, random=True), settings, "household")
    assert shown["members"].tolist() == as_shown(expected["members"].tolist())
    assert shown["non_members"].tolist() == as_shown(expected["non_members"].tolist())
    assert shown["members"].tolist() == as_shown(
        assess(here, settings).targets["household"].near_misses()["DiSCO"].tolist()
    )
    app.page("report").click("report.get.appendix.pdf.make")
    assert "duckdb://" not in app.text()
    assert not app.at.exception


def test_a_source_that_cannot_be_opened_is_a_sentence_without_its_address(app):
    app.set("selectbox", "upload.engine", "broken").click("upload.open_engine")
    assert "The data source 'broken' cannot be opened; ask its operator" in app.text()
    assert "secret" not in app.text()
