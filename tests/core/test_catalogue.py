"""The catalogue of figures: every one that a review can give is described, and printed; the others say why not."""

# Inside: the scale of each axis, as it is printed.

import io
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pypdf
import pytest

from disclosure_core import (
    DisclosureError,
    Hierarchy,
    Holdout,
    NotEvaluated,
    Review,
    Settings,
    Sought,
    ThreatModel,
    demo,
    demonstration_holdout,
    start,
    start_demonstration,
)
from disclosure_core.figures import screen
from disclosure_core.figures.paper import draw
from disclosure_core.figures.shapes import CurvePlot
from disclosure_core.figures.sheet import Scale
from disclosure_core.results import FewerRecords, catalogue
from disclosure_core.review.scenarios import paper_scenarios

TARGETS = ("abroad", "marital", "household")


def said_in(figure):
    """Return what a plotly figure says, without what it leaves open."""
    if isinstance(figure, dict):
        return {name: kept for name, part in figure.items() if (kept := said_in(part)) not in (None, {}, [])}
    return [said_in(part) for part in figure] if isinstance(figure, list | tuple) else figure


def asking_for_all():
    """A review that asks for all that there is, of two targets."""
    first = start_demonstration()
    first = first.with_holdout(demonstration_holdout(), Holdout("demonstration"))
    review = replace(
        first.review, targets=TARGETS, tau=0.8, searched=frozenset({"membership", "subsets", "strongest", "least"}),
        sought=Sought(("DiSCO<20",), {"age": Hierarchy.bands(5, 10)}),
        threat_model=ThreatModel(population_size=1_000_000, same_population=True, news=True),
    )  # fmt: skip
    asking = first.with_review(review)
    asking = asking.with_review(replace(review, scenarios=paper_scenarios(asking.assessment())))
    return asking.with_review(FewerRecords.with_in_report(FewerRecords.with_asked(asking.review, repeats=1), True))


opened = pytest.fixture(scope="module")(asking_for_all)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(catalogue.CATALOGUE))
def test_every_figure_is_described_drawn_and_printed(opened, name, monkeypatch):
    target = "household" if name == "near-misses" else "marital"
    if name == "strongest-gain":  # it is not evaluated at a τ
        opened = opened.with_review(replace(opened.review, tau=None))
    plot = catalogue.figure(opened, name, target if catalogue.CATALOGUE[name].of_a_target else None)
    assert not isinstance(plot, NotEvaluated), plot
    assert plot.title
    assert plot.sentence
    drawn = screen.draw(plot, "#101922", narrow=True)
    assert drawn.data
    checked = go.Figure(drawn.to_dict())  # which drawing leaves out, since it takes longer than all the rest
    assert said_in(checked.to_dict()) == said_in(drawn.to_dict())
    if isinstance(plot, CurvePlot):  # the marks at both ends are whole
        assert all(trace.cliponaxis is False for trace in drawn.data if "markers" in trace.mode)
    layout = drawn.to_dict()["layout"].items()
    turned = [axis["title"].get("text") or "" for at, axis in layout if at.startswith("yaxis") and "title" in axis]
    for line in "<br>".join(turned).split("<br>"):  # the figure's height cuts what is longer
        assert 6 * len(line) <= drawn.layout.height - 70, line
    scales, lines = [], Scale.draw
    monkeypatch.setattr(Scale, "draw", lambda scale, *a, **more: (scales.append(scale), lines(scale, *a, **more)))
    (page,) = pypdf.PdfReader(io.BytesIO(draw(plot, "pdf"))).pages
    assert not page.images
    assert all(scale.start < scale.end and 0 < scale.step <= scale.end - scale.start for scale in scales)


@pytest.mark.slow
def test_where_nothing_is_given_away_every_figure_is_drawn_all_the_same(tmp_path):
    """All axes begin and end at 0 there."""
    frame = pd.DataFrame({"k": ["a"] * 20, "j": ["c"] * 20, "t": list("xy") * 10})
    for name in ("o.csv", "s.csv", "u.csv"):
        frame.to_csv(tmp_path / name, index=False)
    first = start(("o.csv", tmp_path / "o.csv"), {"synthetic data": [(n, tmp_path / n) for n in ("s.csv", "u.csv")]})
    review = first.review.with_settings(Settings(keys=("k", "j"), targets=("t",)))
    asking = first.with_review(replace(review, tau=1.0, searched=frozenset({"subsets", "strongest"})))
    assert asking.assessment().summary()["synthetic"].tolist() == [0]
    assert "measures-by-size" not in [entry.name for entry in catalogue.offered(asking)]
    FewerRecords.of(asking, repeats=1)  # of other draws than the review asks for
    assert "measures-by-size" not in [entry.name for entry in catalogue.offered(asking)]
    FewerRecords.of(asking)
    names = [entry.name for entry in catalogue.offered(asking)]
    assert {"dorig-disco", "fewer-records-disco", "measures-by-size"} <= set(names)
    for name in names:
        plot = catalogue.figure(asking, name, "t" if catalogue.CATALOGUE[name].of_a_target else None)
        assert isinstance(plot, NotEvaluated) == (name == "contributions")
        if not isinstance(plot, NotEvaluated):
            assert screen.draw(plot, "#101922").data
            assert draw(plot, "svg")


@pytest.mark.slow
def test_all_are_offered(opened):
    assert [entry.name for entry in catalogue.offered(opened)] == [
        n for n in catalogue.CATALOGUE if n != "strongest-gain"
    ]
    at_no_tau = opened.with_review(replace(opened.review, tau=None))
    assert {entry.name for entry in catalogue.offered(at_no_tau)} >= {"strongest-gain", "strongest-disco"}
    assert [name for name, *_ in catalogue.every(opened)] == [
        name for name, entry in catalogue.CATALOGUE.items() if not entry.of_a_target
    ]


@pytest.mark.slow
def test_what_is_not_there_says_why(opened):
    few = start_demonstration()
    missing = set(catalogue.CATALOGUE) - {entry.name for entry in catalogue.offered(few)}
    assert {
        "given-away-tau",
        "members-outside-disco",
        "membership-keys",
        "scenarios",
        "each-key-repu",
        "measures-by-size",
    } <= missing
    for name in missing:
        plot = catalogue.figure(few, name)
        assert isinstance(plot, NotEvaluated)
        assert plot.why.endswith(".")
    with pytest.raises(DisclosureError, match="Figure 'dorig' is not in the catalogue"):
        catalogue.figure(few, "dorig")
    with pytest.raises(DisclosureError, match="Target 'martial' is not among the targets. Did you mean 'marital'?"):
        catalogue.figure(opened, "steps", "martial")


@pytest.mark.parametrize(
    ("n", "label", "band"), [(1, "synthetic", ""), (3, "synthetic, mean", "smallest to largest synthesis")]
)
def test_shared_keys_have_a_band_where_there_are_several_syntheses(n, label, band):
    opened = Review.of(demo.KEYS).open(demo.original(), demo.syntheses()[:n])
    plot = catalogue.figure(opened, "shared-keys")
    (_, synthetic) = plot.panels[0].curves
    assert (synthetic.name, bool(synthetic.low), plot.band) == (label, n > 1, band)
