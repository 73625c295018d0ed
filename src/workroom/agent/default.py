"""The agent everybody begins with."""

from __future__ import annotations

from workroom.agent.ports import AgentSpec

ASSISTANT = AgentSpec(
    instructions=(
        "You are the assistant of a workspace where people work on their own documents, data and notes. "
        "Use the tools you have when they help."
    )
)
