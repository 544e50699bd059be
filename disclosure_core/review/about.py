"""What a panel asks of a release and no figure can tell: the questions, and which of them are not answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from disclosure_core.holdout.threat_model import ThreatModel

DECISION, DECIDES, RELEASED = "Decision to be taken", "Who takes it", "File that will be released"
STOCHASTIC = "Which of the syntheses is released, and why that one"
RECIPIENTS, GENERATOR, TOLD = "Recipients and access", "Generator, version, seed", "Published about the generator"
LABELLED, PRIVACY_BUDGET = "How the file is labelled as synthetic", "Differential privacy"
POPULATION, INTRUDER = "Population, its size, and the source of that", "Intruder and motive"
SET_APART = "How the holdout was set apart (share, seed)"
REGULATION, GROUP_HARM, NOTE = "Regulation that applies", "Group harm and ethics", "Note"

ABOUT = (
    DECISION,
    DECIDES,
    RELEASED,
    STOCHASTIC,
    RECIPIENTS,
    GENERATOR,
    TOLD,
    LABELLED,
    PRIVACY_BUDGET,
    POPULATION,
    INTRUDER,
    SET_APART,
    REGULATION,
    GROUP_HARM,
    NOTE,
)
"""What a panel asks of a release that no figure can tell (consensus checklist, items 1 to 4 and 14; paper 001)."""


OFFICER = "Officer"
"""What the officer's name is kept under, beside what is said of the release."""

TITLE = "Title"
"""What the title of the report is kept under, likewise."""

USUAL_TITLE = "Disclosure report"
"""The title of a report that nobody gave another."""


def asked_about(n_syntheses: int, holdout: bool) -> tuple[str, ...]:
    """Return what of `ABOUT` there is to ask: one synthesis needs no choice, and no holdout was set apart by nobody."""
    needless = {STOCHASTIC} if n_syntheses < 2 else set()
    return tuple(label for label in ABOUT if label not in needless | (set() if holdout else {SET_APART}))


def not_stated(
    about: Mapping[str, str],
    n_syntheses: int,
    holdout: bool,
    set_apart: str = "",
    threat_model: ThreatModel | None = None,
    released: Sequence[int] = (),
) -> list[str]:
    """Return what was not said of the release; a note is free, and so is what is answered elsewhere and printed there.

    That is how the holdout was set apart, where it was done here, the population, its size and the source of that, and
    the file that is released.
    """
    m = threat_model or ThreatModel()
    elsewhere = {SET_APART} if set_apart else set()
    elsewhere |= {POPULATION} if m.population.strip() and m.population_size is not None and m.source.strip() else set()
    elsewhere |= {RELEASED} if released else set()
    asked = asked_about(n_syntheses, holdout)
    return [label for label in asked if label not in {NOTE, *elsewhere} and not about.get(label, "").strip()]
