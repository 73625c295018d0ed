"""What can be wrong with agents.

AgentBuiltin         403   a shipped agent is duplicated, not changed
AgentChanged         409   another person made a version meanwhile; nothing was overwritten
AgentExists          409   an agent of this name is here already: an import says whether it replaces it
AgentGone            409   the agent is in the trash, or not there any more, and cannot answer
InstructionsChanged  409   as AgentChanged, of instructions for all agents
"""

from __future__ import annotations

from uuid import UUID

from workroom.core.errors import Conflict, Forbidden


class AgentBuiltin(Forbidden):
    code = "agentBuiltin"

    def __init__(self) -> None:
        super().__init__("This agent is part of the product and stays as it is. Duplicate it, and change the copy.")


class AgentChanged(Conflict):
    code = "agentChanged"

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The agent was changed in the meantime: version {version} is the newest. Nothing was overwritten; look at it,"
            " then change it.",
            version=version,
        )


class AgentExists(Conflict):
    code = "agentExists"

    def __init__(self, agent_id: UUID, name: str) -> None:
        super().__init__(
            f"An agent called “{name}” is here already. Import it again with onConflict=replace to make a new version of that"
            " one, or with onConflict=keepBoth.",
            agentId=str(agent_id),
            name=name,
        )


class AgentGone(Conflict):
    code = "agentGone"

    def __init__(self, agent_id: UUID) -> None:
        super().__init__(
            "This agent is in the trash or not there any more. Choose another one, or have it restored.",
            agentId=str(agent_id),
        )


class InstructionsChanged(Conflict):
    code = "instructionsChanged"

    def __init__(self, version: int) -> None:
        super().__init__(
            "Somebody changed these instructions in the meantime. Nothing was overwritten; read them again, then change them.",
            version=version,
        )
