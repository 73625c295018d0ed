"""Files of installed packages, found without running any of their code."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def in_package(package: str, name: str) -> Path | None:
    """A file or folder inside it; None where there is none."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return next((path for folder in folders or () if (path := Path(folder) / name).exists()), None)
