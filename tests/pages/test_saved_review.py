"""A saved review taken up on the page gives every figure that the core gives of it."""

from hypothesis import HealthCheck, given, settings

from disclosure_core.review.opening import open_review
from disclosure_core.review.saved import to_json
from tests.core.test_review_value import FILES, figures, reviews
from tests.pages.conftest import App


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(reviews())
def test_the_page_repeats_every_figure(review):
    app = App()
    split = review.holdout is not None and review.holdout.file is None
    app.upload(("original.csv", FILES["original.csv"]), ("one.csv", FILES["one.csv"]), ("two.csv", FILES["two.csv"]))
    app.saved_review(to_json(review))
    app.click("data.use")
    if review.holdout is not None and not split:
        app.page("baseline")
        app.click("baseline.bring").at.file_uploader(key="baseline.holdout").set_value(
            ("holdout.csv", FILES["holdout.csv"], "")
        ).run()
        app.click("baseline.use")
    for page in ("keys", "review"):
        app.page(page)
    assert figures(app.at.session_state["session"].now) == figures(open_review(review, FILES))
