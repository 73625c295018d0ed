"""The conversations: who answered until now, what was said, who answers from now on, and what is asked. Data, one file of JSON
per language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Annotated

from pydantic import BeforeValidator, Field, TypeAdapter

from workroom.core.wire import Wire
from workroom.evaluations.markers import Marker

FOLDER = resources.files(__package__) / "conversations"
LANGUAGES = tuple(sorted(file.name[:-5] for file in FOLDER.iterdir() if file.name.endswith(".json")))


def _marker(written: object) -> object:
    return Marker.parse(written) if isinstance(written, str) else written


Markers = Annotated[tuple[Annotated[Marker, BeforeValidator(_marker)], ...], Field(min_length=1)]


class Persona(Wire):
    name: str
    instructions: str
    markers: Markers

    def shown(self, text: str) -> list[Marker]:
        return [marker for marker in self.markers if marker.is_in(text)]

    def missing(self, text: str) -> list[Marker]:
        return [marker for marker in self.markers if not marker.is_in(text)]


class Turn(Wire):
    user: str
    answer: str


class Case(Wire):
    """`turns` are the old persona's, `question` is for the new one. `sample` is an answer as it should be: it is never shown to a
    model, but it proves that the markers can all be there at once, and none of the old ones with them."""

    id: str
    old: Persona
    turns: Annotated[tuple[Turn, ...], Field(min_length=2)]
    new: Persona
    question: str
    sample: str
    language: str = ""


def cases(languages: Sequence[str] = LANGUAGES) -> list[Case]:
    return [case for language in languages for case in read(language)]


def found(language: str, case_id: str) -> Case | None:
    """None when it is not among them any more."""
    known = read(language) if language in LANGUAGES else ()
    return next((case for case in known if case.id == case_id), None)


@cache
def read(language: str) -> tuple[Case, ...]:
    there = TypeAdapter(tuple[Case, ...]).validate_json((FOLDER / f"{language}.json").read_bytes())
    return tuple(case.model_copy(update={"language": language}) for case in there)
