"""A saved review taken up on the page gives every figure that the core gives of it."""

# Inside: what opens a saved review is replaced, so that it fails.

import json
from hashlib import sha256
from pkgutil import resolve_name

import pytest
from hypothesis import HealthCheck, given, settings

from disclosure_core import open_review
from pages.data import saved_review
from tests.core.test_review_value import FILES, figures, reviews
from tests.pages.conftest import App
from tests.saved import to_json

pytestmark = pytest.mark.slow


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(reviews())
def test_the_page_repeats_every_figure(review):
    app = App()
    split = review.holdout is not None and review.holdout.file is None
    app.upload(("original.csv", FILES["original.csv"]), ("one.csv", FILES["one.csv"]), ("two.csv", FILES["two.csv"]))
    app.saved_review(to_json(review))
    app.click("data.use")
    if review.holdout is not None and not split:
        app.question("uniques-outside")
        app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(
            ("holdout.csv", FILES["holdout.csv"], "")
        ).run()
        app.click("baseline.use")
    for page in ("keys", "review"):
        app.page(page)
    assert figures(app.session.now) == figures(open_review(review, FILES))


@pytest.mark.in_child
def test_the_server_parses_no_letter_of_a_strangers_review(monkeypatch):
    """What it is given comes back from a child as this program writes it, whatever stood in the file."""
    understood = []
    real = resolve_name("disclosure_core.review.saved:parts_of")
    monkeypatch.setattr("disclosure_core.review.saved.parts_of", lambda text: understood.append(text) or real(text))
    app = App().demo()
    own = to_json(app.session.review)
    stranger = json.dumps(dict(reversed(json.loads(own).items())), indent=7)
    app.page("data").saved_review(stranger)
    [parsed] = understood
    assert parsed != stranger
    assert json.loads(parsed).items() <= json.loads(own).items()
    assert parsed == json.dumps(json.loads(parsed), ensure_ascii=False)  # as this program writes it
    app.saved_review("{},")
    assert understood == [parsed]
    assert "valid JSON" in app.text()


def test_the_fingerprint_of_a_file_is_made_once(monkeypatch):
    made = []
    monkeypatch.setattr(saved_review, "sha256", lambda content: made.append(len(content)) or sha256(content))
    app = App().upload(*FILES.items())
    review = app.session.review
    files = [review.original.name, *(f.name for s in review.sets for f in s.files)]
    app = App().saved_review(to_json(review), *((name, FILES[name]) for name in files))
    for _ in range(3):
        app.at.run()
    assert sorted(made) == sorted(len(FILES[name]) for name in files)
    app.click("data.open_saved")
    assert app.session.review.original == review.original
