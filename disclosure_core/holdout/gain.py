"""What a figure says beyond what was known anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from disclosure_core.holdout.intervals import Floats


def relative_gain(figure: npt.ArrayLike, baseline: npt.ArrayLike) -> Floats:
    """Return (figure − baseline) / (1 − baseline): 0 no better than the baseline, 1 perfect; NaN where that is 1.

    Of F and F_naive of one β it is F_rel; of shares of members and non-members it is Anonymeter's R. Both figures are
    from 0 to 1. Near a high baseline it explodes (0.95 against 0.90 gives 0.5).

    Source
    ------
    consensus.md 2.4, equations (11) and (14), and 3.4, equation (22); paper 001, equation (1).
    """
    f, b = np.asarray(figure, dtype=float), np.asarray(baseline, dtype=float)
    return np.divide(f - b, 1 - b, out=np.full(np.broadcast(f, b).shape, np.nan), where=b < 1)
