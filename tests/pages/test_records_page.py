"""The Records page: lists, the look-up, and safeguards, with nothing confidential on screen unasked."""

import pytest

from disclosure_core import Settings, assess, demo
from disclosure_core.records import at_risk, look_up, replicated_uniques
from disclosure_core.safeguards import MergeLevels, RemoveReplicated, protect

SETTINGS = Settings(keys=demo.KEYS, groups=demo.GROUPS)


@pytest.fixture(scope="module")
def base():
    return assess(demo.study(), SETTINGS)


def view(app, name):
    app.at.radio(key="records.view").set_value(name).run()
    return app.sound()


def test_the_list_is_masked_until_the_officer_asks(app, base):
    app.demo().page("records")
    listed = at_risk(base.targets["abroad"].counted[0])
    assert f"**{len(listed):,}** records at risk, of 5,000" in app.text()
    rows = app.frame("record")
    assert rows["record"].tolist() == listed.frame(0, 200)["record"].tolist()
    for name in (*demo.KEYS, "abroad"):
        assert set(rows[name]) == {"•••"}
    app.set("toggle", "records.unmasked", True)
    shown = app.frame("record")
    assert shown["age"].tolist() == listed.frame(0, 200)["age"].astype(str).tolist()
    # It stays as asked on coming back.
    app.page("risk").page("records")
    assert set(app.frame("record")["abroad"]) != {"•••"}


def test_the_list_is_narrowed_ordered_and_paged(app, base):
    app.demo().page("records").set("selectbox", "records.narrow.sex", "Female")
    listed = at_risk(base.targets["abroad"].counted[0])
    some = listed.where({"sex": "Female"})
    assert f"**{len(some):,}** of {len(listed):,} records at risk" in app.text()
    app.set("selectbox", "records.by", "same answer, synthetic").set("toggle", "records.down", True)
    expected = some.ordered("same answer, synthetic", descending=True)
    assert app.frame("record")["record"].tolist() == expected.frame(0, 200)["record"].tolist()
    pages = -(-len(some) // 200)
    app.set("number_input", f"records.page.{pages}", 2)
    assert app.frame("record")["record"].tolist() == expected.frame(200, 200)["record"].tolist()
    labels = [b.label for b in app.at.get("download_button")]
    assert labels == ["These records as CSV", "These records as Parquet"]
    assert f"of {len(some):,} people: as confidential as the original" in app.text()


def test_a_level_that_is_no_key_any_more_is_forgotten(app):
    app.demo().page("records").set("selectbox", "records.narrow.region", "Carrow")
    app.page("keys").set("multiselect", "keys.keys", ["sex", "age"]).page("records")
    assert "records at risk, of 5,000" in app.text()


def test_the_look_up(app, base):
    app.demo().page("records")
    view(app, "Look up")
    assert "synthetic records match and give 3 different answers" in app.text()
    row = at_risk(base.targets["abroad"].counted[0]).frame(0, 1).iloc[0]
    for name in demo.KEYS:
        labels = list(base.keys.keys[[k.name for k in base.keys.keys].index(name)].labels)
        app.set("selectbox", f"records.known.{name}", labels.index(row[name]) + 1)
    known = {name: str(row[name]) for name in demo.KEYS}
    found = look_up(base.targets["abroad"].counted[0].cells, known)
    assert f"abroad is **{found.answer}**, say all {found.n_synthetic} matching" in app.text()
    assert "people with these keys" not in app.text()
    app.set("toggle", "records.truth", True)
    assert f"True of {found.n_right} of the {found.n_original} people with these keys" in app.text()
    app.set("selectbox", "records.known.age", 1).set("selectbox", "records.known.region", 1)
    assert "synthetic record" in app.text()


def test_replicated_uniques(app, base):
    app.demo().page("records")
    view(app, "Replicated uniques")
    found = replicated_uniques(base.tables, 0)
    assert f"**{len(found)}** replicated uniques: repU {base.identity['repU'].iloc[0]:.2f} %" in app.text()
    by_target = app.frame("pct")
    assert by_target["right"].tolist() == found.by_target()["right"].tolist()
    rows = app.frame("synthetic record")
    assert set(rows["age"]) == set(rows["abroad"]) == {"•••"}
    assert rows["record"].tolist() == found.frame()["record"].tolist()[:200]


def test_safeguards_chain_show_their_effect_and_go_back(app, base):
    app.demo().page("records")
    view(app, "Safeguards")
    assert "No safeguard has been tried yet" in app.text()
    app.click("safe.add")
    made = protect(demo.original(), demo.syntheses(), [RemoveReplicated()], SETTINGS, demo.MISSING_CODES)
    done = app.frame("removed")
    assert done["removed"].tolist() == [sum(made.n_removed)]
    effect = app.frame("what") if "before" in app.frame("what").columns else app.at.dataframe[1].value
    effect = effect.set_index("what")
    assert effect.loc["repU", "after"] == 0
    assert effect.loc["repU", "before"] == base.identity["repU"].mean()
    after = assess(made.study, SETTINGS)
    assert effect.loc["DiSCO of marital", "after"] == after.targets["marital"].figures("DiSCO").mean()
    app.set("selectbox", "safe.kind", "Merge small levels").set("selectbox", "safe.column.Merge small levels", "region")
    app.set("number_input", "safe.fewer", 400).click("safe.add")
    made = protect(demo.original(), demo.syntheses(), [RemoveReplicated(), MergeLevels("region", 400)], SETTINGS, demo.MISSING_CODES)  # fmt: skip
    assert app.frame("removed")["changed"].tolist() == [0, sum(made.done[1].changed)]
    assert [b.label for b in app.at.get("download_button")] == ["The safer syntheses and the log"]
    app.click("safe.back")
    assert len(app.frame("removed")) == 1
    app.click("safe.none")
    assert "No safeguard has been tried yet" in app.text()
    # The figures of the other pages are those of the files as they came.
    app.page("risk")
    assert app.metrics()["repU"] == f"{base.identity['repU'].mean():.2f} %"


def test_a_safeguard_that_cannot_be_is_a_sentence(app):
    app.upload(("a.csv", b"sex,t\nf,x\nm,y\n"), ("b.csv", b"sex,t\nf,x\nm,y\n"))
    app.page("keys").set("multiselect", "keys.keys", ["sex"]).page("records")
    view(app, "Safeguards").click("safe.add")
    assert "Nothing would be left of a synthesis" in app.text()
