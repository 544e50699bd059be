"""A column's label stands where a person meets the column: in choosers, tables, hovers and helps of every page."""

import json

import pytest

from tests.core.test_missing_levels import people
from tests.core.test_naming import LABELS, written

pytestmark = pytest.mark.slow

JOB, PAY = "job · Employment", "pay · Monthly income, net"


@pytest.fixture
def labelled(app, tmp_path):
    original, synthetic, holdout = (path.read_bytes() for path in written(tmp_path, "sav"))
    app.upload(("o.sav", original), ("s.sav", synthetic))
    app.page("keys").keys(["q1", "job"])
    app.holdout = ("h.sav", holdout, "")
    return app


def helps(frame):
    """Return the help of each column of a table."""
    return {name: said.get("help") for name, said in json.loads(frame.proto.columns).items() if said}


def test_choosers_and_tables_of_every_page_tell_labels(labelled):
    app = labelled.page("review")
    app.session.target = "pay"
    app.at.run()
    assert {row["title"] for row in app.part("review.bench")["rows"]} == {PAY, "town"}
    assert app.part("review.card")["title"] == PAY
    app.open("review.targets")
    assert dict(zip(*(app.frame("target")[c] for c in ("target", "label")), strict=True)) == {
        "pay": LABELS["pay"],
        "town": "",
    }
    # Records: what is known, and the headings of the lists.
    app.page("records")
    seen = 0
    for view in app.at.radio(key="records.view").options:
        app.set("radio", "records.view", view)
        text = [s.label.replace("\\", "") for s in app.at.selectbox]
        if view.startswith("Look"):
            assert JOB in text
        for frame in app.at.dataframe:
            if "job" in frame.value.columns:
                assert helps(frame)["job"] == "Employment"
                seen += 1
            if "level" in frame.value.columns:
                assert helps(frame)["level"] == LABELS["pay"]
                seen += 1
    assert seen > 1
    # People outside.
    app.page("compare").set("radio", "compare.view", "People outside").click("baseline.bring").at.file_uploader(
        key="baseline.holdout"
    ).set_value(app.holdout).run()
    app.click("baseline.use")
    frame = app.frame("non_members")
    assert dict(zip(frame["target"], frame["label"], strict=True)) == {"pay": LABELS["pay"], "town": ""}
    app.page("safeguards").step("Put numbers into groups")
    assert PAY in app.at.selectbox(key="safe.column.Put numbers into groups").options


def test_no_safeguard_is_offered_that_no_column_is_for(app):
    texts = [people(seed, 60)[["town"]].assign(job="x").to_csv(index=False).encode() for seed in (1, 2)]
    app.upload(("o.csv", texts[0]), ("s.csv", texts[1]))
    app.page("keys").keys(["town"]).page("safeguards").set("button_group", "safe.group", "Coarsen a column")
    assert app.at.selectbox(key="safe.kind").options == [
        "Merge small levels",
        "Merge levels of your choice",
        "Write a column less exactly",
    ]


def test_refused_counts_as_missing_where_the_page_excludes_missing_values(labelled):
    """Of the target, and of a key: by a count of the file's codes."""
    app = labelled
    job = people(1, 600)["job"]
    absent = ~job.isin([1, 2])
    row = next(row for row in app.page("data").part("data.columns")["rows"] if row["name"] == "job")
    assert row["cells"]["missing"]["sort"] == pytest.approx(100 * absent.mean())
    assert row["cells"]["codes"]["text"] == "Refused, Don't know"
    assert row["label"] == "Employment"
    app.page("keys").keys(["q1", "town"])
    assert app.cell("job", "levels")["number"] == 2  # as on Data: what counts as missing is no level of it
    app.page("review").session.look_at("job")
    app.at.run()
    session = app.session
    assert app.part("review.card")["missing"]["words"] == "with Refused, Don't know"
    app.exclude("job missing")
    assert session.review.exclusions.missing_targets == {"job"}
    taken = session.now.assessment().targets["job"].exclusions[0].loc["original", "missing target"]
    assert taken == absent.sum()
    app.reason("job missing", "no answer is known").tab("review.view", "Figures")
    assert app.frame("missing target").set_index("measure").loc["original", "missing target"] == absent.sum()
