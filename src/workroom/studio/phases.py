"""The phases of a project, from `phases.json`; order, names and aliases are derived from it. Projects rename, hide and add some
(`project_phases.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Annotated

from pydantic import Field, TypeAdapter

from workroom.core.languages import Language
from workroom.core.wire import Wire

Text = Annotated[str, Field(min_length=1)]
Texts = Mapping[Language, Text]


class StudioPhase(Wire):
    """`purposes` says to people what it is for, `guidance` to the model; `blocks` are those a project begins with."""

    code: str
    names: Texts
    purposes: Texts
    guidance: Text
    blocks: tuple[Texts, ...]


PHASES: Mapping[str, StudioPhase] = {
    phase.code: phase
    for phase in TypeAdapter(tuple[StudioPhase, ...]).validate_json(
        (resources.files(__package__) / "phases.json").read_text("utf-8")
    )
}
PHASE_ORDER: tuple[str, ...] = tuple(PHASES)
FIRST_PHASE = PHASE_ORDER[0]


def alias(text: str) -> str:
    """How names of phases are compared."""
    return " ".join(text.replace("_", " ").replace("-", " ").split()).casefold()


PHASE_ALIAS: Mapping[str, str] = {
    alias(text): phase.code for phase in PHASES.values() for text in (phase.code, *phase.names.values())
}
