"""The original itself beside the syntheses: a random sample of it, or all of it coarsened, by the same rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from disclosure_core.comparison.candidates import DETAIL, MOST_DETAIL, Candidate, candidate
from disclosure_core.counting.assessment import assess
from disclosure_core.counting.restrict import restrict_to_study
from disclosure_core.counting.settings import Settings
from disclosure_core.data.study import Study
from disclosure_core.errors import DisclosureError, NotEvaluated, evaluated
from disclosure_core.holdout.baseline import attribute_baseline
from disclosure_core.holdout.identity_baseline import identity_baseline
from disclosure_core.holdout.partition import partition
from disclosure_core.protection.safeguards import Protected, protect
from disclosure_core.protection.usefulness import usefulness, usefulness_after
from disclosure_core.review.data import missing_levels, missing_values
from disclosure_core.rounding import fixed

if TYPE_CHECKING:
    import pandas as pd

    from disclosure_core.counting.subsets import Progress
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import Chain, Sample

DRAWS = 5
"""Samples that are drawn of one share, so that their spread is seen."""


def drawn(original: pd.DataFrame, sample: Sample) -> list[pd.DataFrame]:
    """Return random samples of records without replacement, in the order of the original."""
    n_all = len(original)
    n = round(n_all * sample.share / 100)
    if n < 1:
        raise DisclosureError(f"A sample of {sample.share:g} % of {n_all:,} records holds none; choose a larger share.")
    random = np.random.default_rng(sample.seed)
    rows = (np.sort(random.choice(n_all, n, replace=False)) for _ in range(DRAWS))
    return [original.iloc[mine].reset_index(drop=True) for mine in rows]


def sampled(opened: Opened, sample: Sample, progress: Progress | None, *, outside: bool) -> Candidate:
    """Return the figures of random samples of the original, in the place of syntheses."""
    base = opened.review.ancestry(opened.first_set)[0]
    study, original = opened.study(base), opened.frames(base)[0]
    frames = drawn(original, sample)
    absent = missing_levels(opened.review, opened.data, base, study)
    mine = Study(original, frames, study.missing_codes, absent)
    settings, lost = restrict_to_study(mine, opened.review.settings)
    attributes = identity = None
    if outside:
        people = opened.outside_table(base).frame()
        joined = evaluated(lambda: partition(original, people, frames, study.missing_codes, absent))
        if not isinstance(joined, NotEvaluated):
            joined = replace(joined, random=opened.by_lot)
        attributes = evaluated(lambda: attribute_baseline(joined, settings))
        identity = evaluated(lambda: identity_baseline(joined, settings))
    found = candidate(
        sample.name,
        sample.name,
        assess(mine, settings),
        usefulness(mine, progress=progress),
        attributes=attributes,
        identity=identity,
        differences=lost,
    )
    nothing = np.full(DRAWS, np.nan)  # detail lost is of safeguards: a sampled record is whole
    said = (
        f"{sample.name!r}: {DRAWS} random samples without replacement, seed {sample.seed}, of {len(frames[0]):,} of "
        f"{len(original):,} records each. They are true records and no synthesis: each replicated unique is a person "
        "who is unique in the original. People in the data are all people of the original; of them "
        f"{sample.share:g} % are in a sample. Its S_pMSE is about {fixed(1 - sample.share / 100)} on average, whatever "
        "its size: S_pMSE allows for the number of records."
    )
    figures = {**found.figures, (DETAIL, ""): nothing, (MOST_DETAIL, ""): nothing}
    return replace(found, figures=figures, own_answers=None, reference=said)


def made_coarser(opened: Opened, chain: Chain) -> tuple[Protected, Study]:
    """Return the original after a chain of safeguards, and as it is, each as a synthesis; the last is kept."""
    base = opened.review.ancestry(opened.first_set)[0]
    judged = Settings(keys=opened.review.keys, groups=opened.review.grouping)

    def make() -> tuple[Protected, Study]:
        study, original = opened.study(base), opened.frames(base)[0]
        absent = missing_levels(opened.review, opened.data, base, study)
        declared = missing_values(opened.data, base)
        made = protect(original, [original], chain.steps, judged, study.missing_codes, declared, absent)
        return made, Study(original, [original], study.missing_codes, absent)

    found: tuple[Protected, Study] = opened.once(
        "coarser", base, opened.review.columns, judged.to_json(), repr(chain.steps), make=make
    )
    return found


def coarsened(opened: Opened, chain: Chain, progress: Progress | None) -> Candidate:
    """Return the figures of the original itself after a chain of safeguards, in the place of a synthesis."""
    made, as_it_is = made_coarser(opened, chain)
    settings, lost = restrict_to_study(made.study, opened.review.settings)
    name = f"original, {chain.name}"
    found = candidate(
        name,
        name,
        assess(made.study, settings),
        usefulness_after(as_it_is, made, progress),
        differences=lost,
        detail=made.detail,
    )
    return replace(
        found,
        reference=f"{name!r}: the original itself after these safeguards, and no synthesis. People outside the data "
        "are not evaluated for it.",
    )
