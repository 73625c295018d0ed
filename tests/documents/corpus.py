"""Real documents for tests: a folder beside the repository, or wherever WORKROOM_TEST_DATA says. None are committed.

Tests over the documents that are there take `documents("pdf")` as their parameters: none where the folder is absent. The
fixture `test_data` skips in that case, and fails where it must not happen (CI).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from workroom.documents.types import SourceFile

ROOT = Path(os.environ.get("WORKROOM_TEST_DATA") or Path(__file__).parents[3] / "shared") / "corpus"


def documents(*suffixes: str, under: str = "") -> Iterator[ParameterSet]:
    """Every document with one of these endings, as a test parameter whose id is its path in the corpus."""
    wanted = {f".{suffix}" for suffix in suffixes}
    for path in sorted((ROOT / under).rglob("*")):
        if path.suffix.lower() in wanted and path.is_file():
            yield pytest.param(path, id=str(path.relative_to(ROOT)))


def source(path: Path, media_type: str) -> SourceFile:
    return SourceFile(path=path, name=path.name, media_type=media_type, container_path=path.name)
