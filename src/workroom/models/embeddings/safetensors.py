"""Weights of a model as they lie on disk: the length of a header, the header in JSON, then the numbers, mapped into memory so
that all processes share one copy. Everything a file claims about itself is checked before a number of it is read."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workroom.core.errors import ConfigurationError

HEADER_BYTES: Final = 8
LONGEST_HEADER: Final = 1_000_000
KINDS: Final[Mapping[str, np.dtype[Any]]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}


@dataclass(frozen=True)
class Tensors:
    """`remedy` is what to do about a file that is not what it should be."""

    name: str
    remedy: str
    header: Mapping[str, Any]
    numbers: NDArray[np.uint8]

    @classmethod
    def opened(cls, path: Path, remedy: str) -> Tensors:
        try:
            with path.open("rb") as file:
                length = int.from_bytes(file.read(HEADER_BYTES), "little")
                header = json.loads(file.read(length)) if 0 < length <= LONGEST_HEADER else None
            if isinstance(header, dict):
                return cls(path.name, remedy, header, np.memmap(path, np.uint8, "r", HEADER_BYTES + length))
        except (OSError, ValueError, RecursionError):
            pass
        raise ConfigurationError(f"{path.name} cannot be read, or is not what it should be. {remedy}")

    def tensor(self, name: str, kind: str, shape: Sequence[int] | None = None) -> NDArray[Any]:
        """Numbers of this kind and, if one is given, of this shape; anything else is refused."""
        match self.header.get(name):
            case {"dtype": str(found), "shape": [*sizes], "data_offsets": [int(start), int(end)]}:
                if found != kind:
                    raise self._wrong(f"has numbers of the kind {found} for {name}, not {kind}")
                if not all(_is_size(size) for size in sizes) or (shape is not None and sizes != list(shape)):
                    raise self._wrong(f"has {name} in another shape than it should have")
                if not 0 <= start <= end <= len(self.numbers) or end - start != math.prod(sizes) * KINDS[kind].itemsize:
                    raise self._wrong(f"ends before {name} does, or says wrongly where it lies")
                return self.numbers[start:end].view(KINDS[kind]).reshape(sizes)
            case _:
                raise self._wrong(f"has no {name}")

    def _wrong(self, what: str) -> ConfigurationError:
        return ConfigurationError(f"{self.name} {what}. {self.remedy}")


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
