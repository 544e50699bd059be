"""What the Report page prints of the Baseline page is drawn by the printer from the figures of the core."""

import io

import pypdf

from disclosure_core import Settings, assess, demo
from disclosure_core.baseline import attribute_baseline
from disclosure_core.figures.paper import draw
from disclosure_core.gate import Gate
from disclosure_core.membership import membership
from disclosure_core.sizes import by_size
from pages.parts import printing
from pages.parts.session import Session


def test_each_is_drawn():
    settings = Settings(keys=demo.KEYS, targets=("marital", "abroad"))
    study = demo.study()
    s = Session(study, "survey", settings)
    s.bring_holdout(demo.holdout(), "more people")
    s.gate = Gate(population_size=1_000_000, same_population=True, news=True)
    found = membership(s.partition(), settings, s.gate)
    s.membership = s.membership_asked(), found
    result = assess(study, settings)
    s.drawn["marital", 1, settings.to_json()] = [step.rows for step in by_size(result, ["marital"], repeats=1)]
    made = printing._of_the_baseline(s, study, result)
    assert len(made) == 1 + 2 + 1 + 9
    for name, plot in made.items():
        (page,) = pypdf.PdfReader(io.BytesIO(draw(plot(), "pdf"))).pages
        assert not page.images, name
    points = made["Members and non-members, DCAP"]().points
    rows = attribute_baseline(s.partition(), settings).summary("DCAP").iloc[::-1]
    assert [p.x for p in points] == rows["members"].tolist()
    plot = made["Fewer records, DCAPs of marital"]()
    assert plot.panels[0].curves[0].name == "DCAPs"
    assert plot.at[-1] == 100
