"""One running workspace for all commands, in a folder whose name is as awkward as real ones are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.leftovers import end_all
from tests.faults.process import Workroom
from tests.quick_disk import open_quick_folder


@pytest.fixture(scope="session")
def workspace() -> Iterator[Workroom]:
    """Started from nothing, in a path with spaces and umlauts."""
    with open_quick_folder() as folder:
        try:
            with Workroom(folder / "Müllers Büro – “Übersicht” 100 %" / "data's") as workroom:
                yield workroom
        finally:
            end_all(folder)
