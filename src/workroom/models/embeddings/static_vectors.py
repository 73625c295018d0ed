"""The static vectors themselves: one for each token of a vocabulary, averaged over a text. Loaded by `static.py`, late.

Only two files of the package `wordllama` are used, found without importing it: the weights, mapped into memory so that all
processes share one copy, and the tokenizer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings.normalisation import normalised
from workroom.models.embeddings.package_files import in_package
from workroom.models.embeddings.safetensors import Tensors

PACKAGE = "wordllama"
WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR, SHAPE = "embedding.weight", (32_000, 256)
REMEDY = "Install Workroom again."


@dataclass(frozen=True)
class StaticVectors:
    table: NDArray[np.float16]
    tokenizer: Tokenizer

    @classmethod
    def load(cls) -> StaticVectors:
        tokenizer = Tokenizer.from_file(str(_file(TOKENIZER)))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return cls(Tensors.opened(_file(WEIGHTS), REMEDY).tensor(TENSOR, "F16", SHAPE), tokenizer)

    def of(self, texts: Sequence[str], most_tokens: int) -> tuple[NDArray[np.float32], int]:
        """A row per text, and how many tokens they have together."""
        encoded = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        rows = np.zeros((len(texts), self.table.shape[1]), np.float32)
        count = 0
        for row, found in zip(rows, encoded, strict=True):
            ids, times = np.unique(np.array(found.ids[:most_tokens], np.int32), return_counts=True)
            if len(ids):
                count += int(times.sum())
                # What is said four times counts twice: with the plain average, words like `de` decide (nDCG@10 of
                # questions to paragraphs: English .908 → .922, Spanish .666 → .688, Turkish .558 → .595).
                row[:] = np.sqrt(times, dtype=np.float32) @ self.table[ids].astype(np.float32)
        return normalised(rows), count


def _file(name: str) -> Path:
    found = in_package(PACKAGE, name)
    if found is None:
        raise ConfigurationError(f"{PACKAGE}/{name} is missing. {REMEDY}")
    return found
