"""Chains of safeguards, each made by `protect` and counted by the plain counter: the oracle of the least safeguard."""

import pandas as pd

from disclosure_core import DisclosureError, Settings, protect


def records(made):
    """What `protect` made, the original first: dicts of values by column, None is missing."""
    return [
        [
            {name: None if pd.isna(v) else v for name, v in r.items()}
            for r in table.frame().astype(object).to_dict("records")
        ]
        for table in (made.original, *made.tables)
    ]


def costs(chains, original, synthetic, keys, may, figure, codes=None):
    """Return (detail lost, figure) of every chain that removes no more than it may; `figure` takes what was made, and the chain."""
    found = []
    for steps in chains:
        try:
            made = protect(original, synthetic, steps, Settings(keys=keys), codes)
        except DisclosureError as error:
            assert "no record left" in str(error)  # noqa: PT017
            continue
        removed = max(100 * n / len(s) for n, s in zip(made.n_removed, synthetic, strict=True))
        if removed <= may.remove + 1e-9:
            found.append((round(float(made.detail.means.mean()), 7), round(figure(made, steps), 7)))
    return found


def unbeaten(found):
    """Return the costs that no other beats in both, the least detail lost first."""
    best = []
    for lost, figure in sorted(found):
        if not best or figure < best[-1][1]:
            best.append((lost, figure))
    return best
