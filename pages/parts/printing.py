"""Figures for print: which there are, how they are to look, and the download."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.assessment import identity_by_keys
from disclosure_core.figures import describe
from disclosure_core.scenarios import assessed
from disclosure_core.sizes import MEASURES as SIZED
from pages.parts.outputs import offer

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from disclosure_core import Assessment, Study
    from pages.parts.session import Session

_SIZES = {"85 mm wide": "column", "180 mm wide": "page", "Slide, 16:9": "slide"}


def figures(s: Session, study: Study, result: Assessment) -> None:
    """Ask which figure, and how it is printed, and offer it."""
    from disclosure_core.figures.paper import Look, draw

    left, middle, right = st.columns(3)
    of_all, of_one = _of_all_targets(s, study, result), _of_one_target(s, study, result)
    which = left.selectbox("Figure", [*of_all, *of_one], key="report.figure") or next(iter(of_all))
    target = next(iter(result.targets))
    if which in of_one:
        names = result.summary()["target"].tolist()[::-1]
        target = left.selectbox("Its target", names, key="report.target") or target
    size = middle.selectbox("Size", list(_SIZES), index=1, key="report.size")
    form = right.selectbox("Format", ["PDF", "SVG", "PNG, 300 dpi", "PNG, 600 dpi"], key="report.format")
    title = left.text_input("Title above it", placeholder="None", key="report.figure_title")
    grey = middle.toggle("In greys", key="report.grey")
    ending, _, dots = form.lower().partition(", ")

    def made() -> bytes:
        look = Look(size=_SIZES[size], grey=grey, title=title or "", dpi=int(dots.split()[0]) if dots else 300)
        return draw(of_all[which]() if which in of_all else of_one[which](target), ending, look)

    offer("Download the figure", f"figure.{ending}", made)


def _of_all_targets(s: Session, study: Study, result: Assessment) -> dict[str, Callable[[], describe.Plot]]:
    """Return the figures of all targets, or of the keys, that there are, by name."""
    tau, of_keys, searched = s.tau, s.searched(attributes=False), s.searched()
    found: dict[str, Callable[[], describe.Plot]] = {
        "What is given away": lambda: describe.arrows(result),
        "What each key adds": lambda: describe.growth(identity_by_keys(study, result.settings), study.n_original),
        "How sure a claim must be, every target": lambda: describe.taus(result, None, tau),
    }
    if tau is not None:
        found[f"What is given away, τ = {tau:g}"] = lambda: describe.arrows(result, tau=tau)
    if of_keys is not None:
        found["How many keys it takes"] = lambda: describe.by_number_of_keys(of_keys, study.n_original)
    if searched is not None:
        found["Which keys matter, repU"] = lambda: describe.each_key(searched, study.n_original)
    if study.holds_records:
        found |= _of_the_baseline(s, study, result)
    return found


def _of_one_target(s: Session, study: Study, result: Assessment) -> dict[str, Callable[[str], describe.Plot]]:
    """Return the figures of one target that there are, by name."""
    limit, searched, full = result.settings.exclusions.denominator_limit, s.searched(), s.without_exclusions
    found: dict[str, Callable[[str], describe.Plot]] = {
        "The steps of an intruder": lambda target: describe.steps(result.targets[target]),
        "Denominators": lambda target: describe.sizes(full().targets[target], "original", limit),
        "What claims rest on": lambda target: describe.sizes(full().targets[target], "synthetic"),
        "How sure a claim must be": lambda target: describe.taus(result, target, s.tau),
    }
    if study.holds_records:
        found["Where the risk lies"] = lambda target: describe.contributions(result.targets[target])
    if searched is not None:
        found["Which keys matter, DiSCO"] = lambda target: describe.each_key(searched, study.n_original, target)
    if s.scenarios:
        found["Scenarios"] = lambda target: describe.scenarios(assessed(study, result, s.scenarios), target)
    return found


def _of_the_baseline(s: Session, study: Study, result: Assessment) -> dict[str, Callable[[], describe.Plot]]:
    """Return the figures of the Baseline page that there are, by name."""
    from disclosure_core.anonymity import profile
    from disclosure_core.baseline import MEASURES, attribute_baseline
    from disclosure_core.decision import NotEvaluated
    from disclosure_core.sizes import bands

    found: dict[str, Callable[[], describe.Plot]] = {
        "Who shares keys with how many": lambda: describe.classes(profile(study, s.settings, result.keys))
    }
    if s.holdout is not None:

        def compared(measure: str) -> describe.Plot:
            made = attribute_baseline(s.partition(), s.settings)
            if isinstance(made, NotEvaluated):
                raise DisclosureError(f"{made.why} {made.needs}")
            return describe.quadrants(made.summary(measure, s.limits), measure, s.limits)

        found |= {f"Members and non-members, {m}": partial(compared, m) for m in MEASURES}
    membership = s.membership_found()
    if membership is not None:
        found["Membership by number of keys"] = lambda: describe.by_keys(membership.curve(1.0, "F_rel"), "F_rel")

    def by_share(name: str, rows: list[pd.DataFrame], measure: str) -> describe.Plot:
        return describe.by_share(bands(rows), name, measure)

    for (name, _, asked), rows in s.drawn.items():
        if rows and asked == s.settings.to_json():
            found |= {f"Fewer records, {m} of {name}": partial(by_share, name, rows, m) for m in SIZED}
    return found
