"""Whether somebody can tell from the synthetic data that a person was in the training data.

First the questions that say whether the figure means anything, then F_β of "this person's keys occur in the synthetic
data, so the person was a member", beside what guessing alone achieves.
"""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.arrays import Floats
from disclosure_core.counting.count import count_keys
from disclosure_core.counting.halves import halved
from disclosure_core.counting.nodes import KeyNodes
from disclosure_core.counting.subsets import Progress, Search, Subset, at_subsets, plan
from disclosure_core.errors import DisclosureError, NotEvaluated
from disclosure_core.holdout.fscores import prevalence
from disclosure_core.holdout.membership_figures import ANY_SYNTHESIS, Membership

if TYPE_CHECKING:
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.holdout.partition import Partition
    from disclosure_core.holdout.threat_model import ThreatModel


def refusal(
    joined: Partition | NotEvaluated, threat_model: ThreatModel, n_records: int | None = None
) -> NotEvaluated | None:
    """Return why there is no membership figure, or None where there is one to be computed; as `membership`."""
    reason = threat_model.refusal()
    if reason is not None:
        return reason
    if isinstance(joined, NotEvaluated):
        return joined
    if _prevalence(joined, threat_model, n_records)[1] == 1:
        return NotEvaluated(
            "Everyone in the population is a member, so membership discloses nothing.",
            "Membership is no secret of a census: read the attribute figures.",
        )
    return None


def population_share(joined: Partition | NotEvaluated, threat_model: ThreatModel) -> float | None:
    """Return t = n / N where membership is evaluated; None where it is not."""
    if refusal(joined, threat_model) is not None:
        return None
    assert not isinstance(joined, NotEvaluated)
    return _prevalence(joined, threat_model, None)[1]


def _prevalence(joined: Partition, threat_model: ThreatModel, n_records: int | None) -> tuple[int, float]:
    """Return n, the records that will be synthesised in the end, and t = n / N."""
    N = threat_model.population_size
    assert N is not None  # else `ThreatModel.refusal` says so before
    n_all = joined.n_training + joined.n_holdout
    if n_records is None:
        n_records = joined.n_training if threat_model.training_alone else n_all
    if isinstance(n_records, bool) or not isinstance(n_records, Integral) or n_records < 1:
        raise DisclosureError("The records that will be synthesised must be a whole number, 1 or more.")
    prevalence(n_all, N)  # all of them live in the population
    return int(n_records), prevalence(int(n_records), N)


def membership(
    joined: Partition | NotEvaluated,
    settings: Settings,
    threat_model: ThreatModel,
    n_records: int | None = None,
    search: Search | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Membership | NotEvaluated:
    """Return how well members can be told from non-members, or why that is not evaluated.

    Parameters
    ----------
    joined
        What `partition` returned.
    settings
        Keys and groups; neither targets nor exclusions act.
    threat_model
        The answers; where they do not fit, they are the reason.
    n_records
        Records that will really be synthesised, n of t = n / N. None: the whole original, training data and holdout;
        the training data where the threat model says so.
    search
        How far to search the subsets of the keys.
    seed
        Of the halves for `honest_worst`.
    progress
        Called with subsets done and in all; what it raises ends the search.

    Raises
    ------
    DisclosureError
        When a key is not in the original and the syntheses, the number of records is not a whole number above 0, or the
        population is smaller than it, or than training data and holdout.

    Source
    ------
    consensus.md 2, n = `|O|` (2.2); match exactly, all records, no sampling (2.6 B).

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 30, 41, 41], "job": ["nurse", "nurse", "cook", "baker"]})
    >>> from disclosure_core import Settings, ThreatModel, partition
    >>> outside = pd.DataFrame({"age": [30, 41], "job": ["cook", "nurse"]})
    >>> membership(partition(frame, outside, [frame]), Settings(keys=["age"]), ThreatModel()).why
    'The questions about the intruder are not answered.'
    """
    reason = refusal(joined, threat_model, n_records)
    if reason is not None:
        return reason
    assert not isinstance(joined, NotEvaluated)
    lacking = joined.lacks(settings.keys)
    if lacking is not None:
        return lacking
    n_records, t = _prevalence(joined, threat_model, n_records)
    keys = count_keys(joined.joint, settings)
    names = tuple(key.name for key in keys.keys)
    subsets, coverage = plan(names, search)
    people, sizes = _halves(keys, seed)
    matches: dict[Subset, Floats] = {}
    nodes = KeyNodes.of_subsets(keys, joined.n_syntheses)
    for subset, at in at_subsets(nodes, subsets, progress):
        found = nodes.found(at)  # shape (m, n_q); of several syntheses a row more, for a match in any
        matches[subset] = (np.vstack([found, found.any(axis=0)]) if len(found) > 1 else found) @ people
    by_size = sorted(matches, key=lambda subset: (len(subset), subset))
    searched = [tuple(names[i] for i in subset) for subset in by_size]
    # Shape (n_subsets, rows, 4): members and non-members of one half, then of the other.
    counts = np.array([matches[subset] for subset in by_size])
    n_rows = counts.shape[1]
    numbers = [*range(1, joined.n_syntheses + 1), *([ANY_SYNTHESIS] if n_rows > joined.n_syntheses else [])]
    flat = counts.reshape(-1, 4)
    in_training, in_holdout = flat[:, 0] + flat[:, 2], flat[:, 1] + flat[:, 3]
    rates = pd.DataFrame(
        {
            "keys": [w for w in searched for _ in range(n_rows)],
            "n_keys": [len(w) for w in searched for _ in range(n_rows)],
            "synthesis": numbers * len(searched),
            "n_match_training": in_training.astype(np.int64),
            "n_match_holdout": in_holdout.astype(np.int64),
            "a": in_training / joined.n_training,
            "b": in_holdout / joined.n_holdout,
        }
    )
    halves = np.divide(flat, sizes, out=np.zeros(flat.shape), where=sizes > 0)
    return Membership(
        names, threat_model, n_records, t, joined.n_training, joined.n_holdout, coverage, rates, halves, joined.doubts
    )


def _halves(keys: KeyTable, seed: int) -> tuple[Floats, Floats]:
    """Return members and non-members of one half of the people and of the other, shape (n_q, 4), and their numbers."""
    rng = np.random.default_rng(seed)
    sides = ((keys.original, keys.d_q), (keys.synthetic[-1], keys.s_q[-1]))
    one = [halved(records, counts, rng, 1).by_combination(np.float64)[:, 0] for records, counts in sides]
    people = np.stack([*one, *(counts - half for (_, counts), half in zip(sides, one, strict=True))], axis=1)
    return people, people.sum(axis=0)
