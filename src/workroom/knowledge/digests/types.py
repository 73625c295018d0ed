"""Values of digests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from workroom.contents.parts import PartSelection
from workroom.contents.types import ContentKey
from workroom.core.places import DocumentPlace, numbered
from workroom.core.wire import Wire
from workroom.models.ports import ModelInfo

VERSION = 1  # raised when models are asked otherwise: what was said before does not count then


@dataclass(frozen=True)
class DigestRequest:
    """How it is wanted: only with regard to something, in a language; nothing said: all of it, as it is written."""

    focus: str = ""
    language: str = ""

    @property
    def key(self) -> str:
        return hashed("summary", " ".join(self.focus.split()).casefold(), self.language.strip().casefold())


@dataclass(frozen=True)
class DigestKey:
    """What a model is asked of a content: `part` says what of it, `asked` how, `model` who is asked first. Without a model it
    can only be looked up."""

    key: ContentKey
    part: str
    asked: str
    model: str | None


@dataclass(frozen=True)
class StoredDigest:
    """What was said, as JSON, and which model said it."""

    digest: str
    model: str


@dataclass(frozen=True)
class Stretch:
    """Some of a document in one go: so many objects of the selection, from `after` on; None: all of them."""

    selection: PartSelection
    after: tuple[int, int] = (0, 0)
    objects: int | None = None

    @property
    def key(self) -> str:
        return f"Stretch(wish={self.selection.key}, after={self.after!r}, objects={self.objects!r})"


@dataclass(frozen=True)
class DigestPart:
    """What one model call reads. `place` has no path: equal contents share what is said of them. `opens` are fields of
    OpenFile. `sampled`: only the beginnings of its sections are read."""

    place: DocumentPlace
    stretches: tuple[Stretch, ...]
    opens: Mapping[str, Any] = field(default_factory=dict)
    sampled: bool = False

    @property
    def key(self) -> str:
        keys = ", ".join(stretch.key for stretch in self.stretches)
        return f"part:{hashed(f'({keys},)' if len(self.stretches) == 1 else f'({keys})')}"

    @property
    def label(self) -> str:
        return label_of(self.place)


class PartDigest(Wire):
    """What a part says. `problem`: why that is not known."""

    place: DocumentPlace
    opens: dict[str, Any] = Field(default_factory=dict)
    text: str = ""
    sampled: bool = False
    problem: str = ""

    @property
    def label(self) -> str:
        return label_of(self.place)


class Digest(Wire):
    """`text` is the whole in a few words; empty when it could not be had, and `notes` say why."""

    text: str
    parts: list[PartDigest]
    notes: list[str] = Field(default_factory=list)


class Finding(Wire):
    """An answer about one element. `how`: a model has seen it, a model has read its text, or only its text was recognised."""

    text: str
    how: str


def label_of(place: DocumentPlace) -> str:
    """`Dismissals, pages 47-81`: how models are told which part it is. Marks are made from it, so it stays as it is."""
    part = f"part {place.piece} of {place.pieces}" if place.piece is not None else ""
    pages = numbered(place.kind, place.numbers) if place.kind in ("page", "slide") else ""
    return ", ".join(filter(None, [place.title, pages, part]))


def hashed(*words: str) -> str:
    return hashlib.sha256("\0".join([str(VERSION), *words]).encode()).hexdigest()


def named(model: ModelInfo) -> str:
    return f"{model.provider}/{model.id}"
