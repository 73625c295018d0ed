"""Texts that stand beside the module they describe: `calculator.json` beside `calculator.py`.

A sidecar maps the name of each thing the module defines to its texts by language:

    {"calculate": {"en": {"label": "works out an expression"}, "de": {"label": "…"}}}

Which texts a thing has is up to its kind: a pydantic model that the caller passes. Tools use this today
(`core/tool_texts.py`); skills, connectors and generators are described in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import ModuleType
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from workroom.core.languages import DEFAULT_LANGUAGE

Texts = TypeVar("Texts", bound=BaseModel)


class InvalidSidecar(ValueError):
    """A sidecar that cannot be used; the message names the file and what is wrong with it."""


def read_sidecar(module: ModuleType, kind: type[Texts]) -> Mapping[str, Mapping[str, Texts]]:
    """Reads the texts beside a module, by name and language. A module without a sidecar has none."""
    path = _path_of(module)
    # The module's own loader reads it: a package may be installed as a zip file.
    read = getattr(getattr(module, "__loader__", None), "get_data", None)
    if path is None or read is None:
        return {}
    try:
        content = read(path)
    except OSError:
        return {}
    try:
        texts: dict[str, dict[str, Texts]] = TypeAdapter(dict[str, dict[str, kind]]).validate_json(content)  # type: ignore[valid-type]
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:5])
        raise InvalidSidecar(f"{path} cannot be used: {problems}") from None
    return texts


def in_language(texts: Mapping[str, Texts], language: str) -> Texts | None:
    """The texts in that language, else in the default one, if there are any."""
    return texts.get(language) or texts.get(DEFAULT_LANGUAGE)


def _path_of(module: ModuleType) -> str | None:
    source = getattr(module, "__file__", None)
    return str(PurePath(source).with_suffix(".json")) if source else None
