"""How values look on the wire: camelCase, produced by one alias rule; unknown fields are refused, never ignored."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


def wire_name(name: str) -> str:
    """The one rule: camelCase, and the currency as it is written: `cost_chf` is `costCHF`."""
    return to_camel(name).replace("Chf", "CHF")


class Wire(BaseModel):
    """Base of everything that crosses HTTP: Python names inside, camelCase outside."""

    model_config = ConfigDict(
        alias_generator=wire_name,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        extra="forbid",
        frozen=True,
    )
