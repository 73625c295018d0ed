"""One running workspace for all commands, in a folder whose name is as awkward as real ones are."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.leftovers import end_all
from tests.faults.process import Workroom


@pytest.fixture(scope="session")
def workspace() -> Iterator[Workroom]:
    """Started from nothing, in a path with spaces and umlauts."""
    folder = Path(tempfile.mkdtemp(prefix="wr-")).resolve()
    folder.chmod(0o755)
    try:
        with Workroom(folder / "Müllers Büro – “Übersicht” 100 %" / "data's") as workroom:
            yield workroom
    finally:
        end_all(folder)
        shutil.rmtree(folder)
