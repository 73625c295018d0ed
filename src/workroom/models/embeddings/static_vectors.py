"""The static vectors themselves: one for each token of a vocabulary, averaged over a text. Loaded by `static.py`, late.

Only two files of the package `wordllama` are used, found without importing it: the weights, mapped into memory so that all
processes share one copy, and the tokenizer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings.lengths import normalised

# Several files are indexed at once, in several processes: one text must not take all cores from everybody else. The
# tokenizer reads this when it is first used.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from tokenizers import Tokenizer

PACKAGE = "wordllama"
WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR = "embedding.weight"
HEADER_BYTES = 8
LONGEST_HEADER = 1_000_000


@dataclass(frozen=True)
class StaticVectors:
    table: NDArray[np.float16]
    tokenizer: Tokenizer

    @classmethod
    def load(cls) -> StaticVectors:
        tokenizer = Tokenizer.from_file(str(_file(TOKENIZER)))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return cls(tensor(_file(WEIGHTS), TENSOR), tokenizer)

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


def tensor(path: Path, name: str) -> NDArray[np.float16]:
    """A half-precision matrix of a safetensors file: the length of a header, the header in JSON, then the numbers."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(HEADER_BYTES), "little")
        if not 0 < length <= LONGEST_HEADER:
            raise ConfigurationError(f"{path.name} is not what it should be. Install Workroom again.")
        entry = json.loads(file.read(length))[name]
    if entry["dtype"] != "F16":
        raise ConfigurationError(f"{path.name} has numbers of the kind {entry['dtype']}. Install Workroom again.")
    start = HEADER_BYTES + length + entry["data_offsets"][0]
    return np.memmap(path, np.dtype("<f2"), "r", offset=start, shape=tuple(entry["shape"]))


def _file(name: str) -> Path:
    spec = find_spec(PACKAGE)  # finds it without running any of its code
    folders = spec.submodule_search_locations if spec else None
    found = next((path for folder in folders or () if (path := Path(folder) / name).is_file()), None)
    if found is None:
        raise ConfigurationError(f"{PACKAGE}/{name} is missing. Install Workroom again.")
    return found
