"""Weights as files: found where the header says, and nothing believed that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings.safetensors import LONGEST_HEADER, Tensors

REMEDY = "Install it again."
ENTRY: dict[str, Any] = {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]}


def written(folder: Path, header: object, length: int | None = None, numbers: bytes | None = None) -> Path:
    said = header if isinstance(header, bytes) else json.dumps(header).encode()
    path = folder / "some.safetensors"
    data = np.arange(4, dtype="<f2").tobytes() if numbers is None else numbers
    path.write_bytes((len(said) if length is None else length).to_bytes(8, "little") + said + data)
    return path


@pytest.mark.parametrize("space", range(4))
def test_the_numbers_are_found_behind_the_header_wherever_that_ends(tmp_path: Path, space: int) -> None:
    said = json.dumps({"rows": ENTRY}).encode() + b" " * space
    rows = Tensors.opened(written(tmp_path, said), REMEDY).tensor("rows", "F16")
    assert rows.tolist() == [[0, 1], [2, 3]]
    assert isinstance(rows, np.memmap), "mapped, not copied"
    assert not rows.flags.writeable


@pytest.mark.parametrize(
    ("header", "length", "numbers"),
    [
        (b"", None, b""),
        (b"{}", 0, None),
        (b"{}", 2**60, None),
        (b"{" + b" " * LONGEST_HEADER + b"}", None, None),
        (b"[" * 200_000, None, None),
        (b"\xff\xfe{}", None, None),
        (b'["rows"]', None, None),
        (b'{"rows"', None, None),
    ],
    ids=("empty", "none", "endless", "long", "deep", "no-text", "list", "cut"),
)
def test_what_is_no_such_file_is_refused_in_words(
    tmp_path: Path, header: bytes, length: int | None, numbers: bytes | None
) -> None:
    with pytest.raises(ConfigurationError, match=r"some\.safetensors cannot be read.* Install it again\."):
        Tensors.opened(written(tmp_path, header, length, numbers), REMEDY)


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.safetensors cannot be read"):
        Tensors.opened(tmp_path / "none.safetensors", REMEDY)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        Tensors.opened(tmp_path, REMEDY)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "F32"}, "of the kind F32"),
        ({"dtype": "I64"}, "of the kind I64"),
        ({"shape": [2, 3]}, "ends before|lies"),
        ({"shape": [4]}, "another shape"),
        ({"shape": [-2, -2]}, "another shape"),
        ({"shape": [2.0, 2]}, "another shape"),
        ({"shape": [True, 4]}, "another shape"),
        ({"shape": [2**62, 2**62]}, "another shape"),
        ({"shape": "22"}, "has no rows"),
        ({"data_offsets": [8, 16]}, "ends before"),
        ({"data_offsets": [-8, 0]}, "lies"),
        ({"data_offsets": [8, 0]}, "lies"),
        ({"data_offsets": [0, 4]}, "lies"),
        ({"data_offsets": [0]}, "has no rows"),
        ({"data_offsets": None}, "has no rows"),
        ({"dtype": 16}, "has no rows"),
    ],
    ids=str,
)
def test_a_file_that_lies_is_refused_in_words(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    tensors = Tensors.opened(written(tmp_path, {"rows": ENTRY | changed}), REMEDY)
    wanted = [2, 3] if changed.get("shape") == [2, 3] else [2, 2]
    with pytest.raises(ConfigurationError, match=f"({said}).*Install it again"):
        tensors.tensor("rows", "F16", wanted)


@pytest.mark.parametrize("header", [{}, {"rows": None}, {"rows": []}, {"other": ENTRY}], ids=str)
def test_what_it_does_not_have_is_named(tmp_path: Path, header: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="has no rows"):
        Tensors.opened(written(tmp_path, header), REMEDY).tensor("rows", "F16")


def test_a_shape_is_taken_as_it_is_where_none_is_wanted(tmp_path: Path) -> None:
    tensors = Tensors.opened(written(tmp_path, {"rows": ENTRY | {"shape": [2**62, 2**62]}}), REMEDY)
    with pytest.raises(ConfigurationError, match="ends before"):
        tensors.tensor("rows", "F16")
