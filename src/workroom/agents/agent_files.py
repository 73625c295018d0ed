"""Agents that leave for another installation, and arrive from one: whatever is not known here is said, and the rest comes in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from workroom.agent.tool_sets import TOOL_SETS
from workroom.agents.types import AgentContent, AgentDefinition, AgentFile, ImportWarning, PortableAgent

SAME = tuple(name for name in AgentContent.model_fields if name != "hands_to")


def exported(agent: AgentDefinition, known: Mapping[UUID, AgentDefinition]) -> AgentFile:
    slugs = [known[one].slug for one in agent.hands_to if one in known]
    return AgentFile(agent=PortableAgent(**{name: getattr(agent, name) for name in SAME}, hands_to=slugs))


def imported(
    file: AgentFile, known: Mapping[UUID, AgentDefinition], tools: Collection[str]
) -> tuple[AgentContent, list[ImportWarning]]:
    """Trust does not travel: which tools may be used without asking is said here, by those who may."""
    given = file.agent
    by_slug = {agent.slug: agent.id for agent in reversed(list(known.values()))}
    warnings = [
        *(
            _warn("toolSets", one, "There is no such tool set here; it is left out.")
            for one in given.tool_sets
            if one not in TOOL_SETS
        ),
        *(_warn("toolNames", one, "There is no such tool here (yet).") for one in given.tool_names if one not in tools),
        *(
            _warn("intents", one.name, "Some of its tools are not here (yet).")
            for one in given.intents
            if not set(one.tools) <= set(tools)
        ),
        *(_warn("trustedTools", one, "Trust is not imported; it is given here.") for one in given.trusted_tools),
        *(
            _warn("handsTo", one, "There is no such agent here; it is left out.")
            for one in given.hands_to
            if one not in by_slug
        ),
    ]
    told = {name: getattr(given, name) for name in SAME if name not in ("tool_sets", "trusted_tools")}
    content = AgentContent(
        **told,
        tool_sets=[one for one in given.tool_sets if one in TOOL_SETS],
        hands_to=list(dict.fromkeys(by_slug[one] for one in given.hands_to if one in by_slug)),
    )
    return content, warnings


def _warn(field: str, value: str, message: str) -> ImportWarning:
    return ImportWarning(field=field, value=value, message=message)
