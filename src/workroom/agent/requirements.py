"""What has to be set up before a tool can be used, such as a search service. Where it is
missing, agents do not have the tool: their models are not told of it, and lists for people say why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar


class Requirement(Protocol):
    """A service that an organisation, or the operator for all of them, sets up."""

    async def is_set_up(self, principal: Any) -> bool: ...


class Requiring(Protocol):
    """A tool, as far as it matters here."""

    @property
    def requires(self) -> type[Requirement] | None: ...


AnyTool = TypeVar("AnyTool", bound=Requiring)


async def without_unusable(
    tools: Mapping[str, AnyTool], services: Mapping[type, object], principal: Any
) -> Mapping[str, AnyTool]:
    """The tools whose requirements are met for this principal."""
    required = {tool.requires for tool in tools.values() if tool.requires is not None}
    met = {one: await is_met(one, services, principal) for one in required}
    return {name: tool for name, tool in tools.items() if tool.requires is None or met[tool.requires]}


async def is_met(requirement: type[Requirement], services: Mapping[type, object], principal: Any) -> bool:
    service: Any = services.get(requirement)
    return service is not None and await service.is_set_up(principal)
