"""Parts only their provider understands: reasoning, signatures, details of a call.

They are kept as the library writes them, and given back only to the provider and model they came from; a newer library
that cannot read an old one drops it. Providers do without, they refuse what is not theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import ModelResponsePart, TextPart, ToolCallPart

from workroom.core.messages import OpaquePart
from workroom.models.providers.arguments import cleaned

_DETAILS = ("id", "provider_name", "provider_details")


@dataclass(frozen=True)
class ProviderIdentity:
    """Who speaks: opaque parts of anybody else mean nothing to them."""

    provider: str
    model: str

    def said(self, part: OpaquePart) -> bool:
        return (part.provider, part.model) == (self.provider, self.model)

    def opaque(self, **data: Any) -> OpaquePart:
        return OpaquePart(provider=self.provider, model=self.model, data=cleaned(data))


def keep(part: ModelResponsePart, identity: ProviderIdentity) -> OpaquePart:
    return identity.opaque(part=_adapter().dump_python(part, mode="json", exclude_none=True))


def keep_details(
    part: ToolCallPart | TextPart, identity: ProviderIdentity, *, call: UUID | None = None
) -> OpaquePart | None:
    """What a provider wants to see again with a call of its own, or with the text that follows; most want nothing."""
    if not part.provider_details:
        return None
    dumped = _adapter().dump_python(part, mode="json", exclude_none=True)
    details = {name: dumped[name] for name in _DETAILS if name in dumped}
    return identity.opaque(call=str(call), details=details) if call else identity.opaque(text=details)


def give_back(kept: OpaquePart) -> ModelResponsePart | None:
    if "part" not in kept.data:
        return None
    try:
        return _adapter().validate_python(kept.data["part"])
    except ValidationError:
        return None


def details_of(kept: OpaquePart) -> tuple[str, dict[str, Any]] | None:
    """The id of a call, and what its provider wants to see again with it."""
    call, details = kept.data.get("call"), kept.data.get("details")
    return (call, _known(details)) if isinstance(call, str) and isinstance(details, dict) else None


def details_of_text(kept: OpaquePart) -> dict[str, Any]:
    """What its provider wants to see again with the text that follows."""
    details = kept.data.get("text")
    return _known(details) if isinstance(details, dict) else {}


def _known(details: dict[str, Any]) -> dict[str, Any]:
    return {name: details[name] for name in _DETAILS if name in details}


@cache
def _adapter() -> TypeAdapter[ModelResponsePart]:
    return TypeAdapter(ModelResponsePart)
