"""Arrays of numpy by what they hold: the names that signatures have, each said once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Counts = Ints
"""Records."""
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]
Signed = npt.NDArray[np.signedinteger[Any]]
"""Codes, in as few bytes as hold them, and −1 and −2 beside them."""
Array = npt.NDArray[Any]
