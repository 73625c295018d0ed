"""Layer normalisation of a network in numpy: each row with mean 0 and spread 1, then scaled and moved by what was learnt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class LayerNorm:
    weight: Rows
    bias: Rows
    epsilon: float

    def of(self, rows: Rows) -> Rows:
        centred = rows - rows.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=1, keepdims=True) + np.float32(self.epsilon))
        normal: Rows = centred / spread * self.weight + self.bias
        return normal
