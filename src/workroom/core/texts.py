"""Sentences of ours, in the languages there are: files of JSON in the folder `texts` of a package, one per language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

from workroom.core.languages import DEFAULT_LANGUAGE


@cache
def texts(package: str, language: str) -> Mapping[str, str]:
    """In a language without a file of its own: the default one."""
    folder = resources.files(package) / "texts"
    file = folder / f"{language}.json"
    found: dict[str, str] = json.loads(
        (file if file.is_file() else folder / f"{DEFAULT_LANGUAGE}.json").read_text("utf-8")
    )
    return found


def say(package: str, key: str, language: str, **values: object) -> str:
    return texts(package, language)[key].format(**values)
