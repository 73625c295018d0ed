"""The kinds of documents about a company, one file each in `kinds/`: what it is for, what it builds on and its headings, in five
languages. A company has at most one document of each kind."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import TopologicalSorter
from importlib import resources
from typing import Annotated

from pydantic import Field

from workroom.core.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from workroom.core.wire import Wire

HEADING_LEVEL = 2  # of the headings of a document: `## …`
Text = Annotated[str, Field(min_length=1)]
Texts = dict[Language, Text]


class HeadingTexts(Wire):
    """`about` says in a line what belongs under the heading."""

    title: Texts
    about: Texts


class DocumentKind(Wire):
    kind: str = ""  # the name of its file
    name: Texts
    purpose: Texts
    builds_on: tuple[str, ...]
    headings: tuple[HeadingTexts, ...]


def _read() -> Mapping[str, DocumentKind]:
    """By name, each after those it builds on."""
    folder = resources.files(__package__) / "kinds"
    listed = sorted(folder.iterdir(), key=lambda file: file.name)
    files = {file.name.removesuffix(".json"): file for file in listed if file.name.endswith(".json")}
    read = {
        kind: DocumentKind.model_validate_json(file.read_text("utf-8")).model_copy(update={"kind": kind})
        for kind, file in files.items()
    }
    order = TopologicalSorter({kind: one.builds_on for kind, one in read.items()}).static_order()
    return {kind: read[kind] for kind in order}


KINDS: Mapping[str, DocumentKind] = _read()


def in_language(texts: Texts, language: str) -> str:
    return next(texts[one] for one in (language, DEFAULT_LANGUAGE) if one in LANGUAGES and one in texts)
