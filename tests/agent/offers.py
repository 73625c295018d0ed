"""Shared by tests of what models are told: the tools of the core, and what a workspace may have."""

from __future__ import annotations

import workroom.tools
from workroom.agent.registry import discover
from workroom.agent.tool import WorkspaceContent
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart

TOOLS = discover(workroom.tools).chosen(["core"])
EVERYTHING: frozenset[WorkspaceContent] = frozenset({"files", "notes", "todos"})
HELLO = Message(id=new_id(), role=Role.USER, parts=[TextPart(text="hello")])
