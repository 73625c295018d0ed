"""Vectors of length one: then the cosine of two is their product."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same directions, each of length one; what has no direction stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    shortened: NDArray[np.float32] = rows / lengths
    return shortened
