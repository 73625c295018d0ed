"""Carrying out what the last answer asked for, and putting the results where the next question will show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workroom.agent.call_executor import CallExecutor, Choose, nothing_to_choose
from workroom.agent.ports import AgentSpec, Emit, Journal, OpenCall, Progress, WorkspaceOverview
from workroom.agent.tool import Tool
from workroom.core.messages import Message, ResultPart, Role


@dataclass
class ToolStep:
    progress: Progress
    spec: AgentSpec
    tools: Mapping[str, Tool]
    journal: Journal
    emit: Emit
    overview: WorkspaceOverview | None = None

    async def act(self, choose: Choose = nothing_to_choose, *, guarded: bool = True) -> None:
        """`choose`: what the user is asked about a result before it counts; `guarded`: against going in circles."""
        progress = self.progress
        await self.journal.rights_asked()
        try:
            calls = CallExecutor(progress, self.spec, self.tools, self.journal, self.emit, choose, guarded)
            results = await calls.carry_out()
        finally:
            if self.overview and any(self._writes(call) for call in progress.open_calls):
                self.overview.invalidate()
        earlier: Sequence[object] = []
        if progress.messages[-1].role is Role.TOOL:  # some calls had finished before a crash or a pause
            earlier = progress.messages.pop().parts
        made = [
            ResultPart(call_id=call.part.call_id, tool=call.part.tool, result=results[call.part.call_id])
            for call in progress.open_calls
        ]
        progress.messages.append(results_message(progress.messages[-1], [*earlier, *made]))
        progress.open_calls = []

    def _writes(self, call: OpenCall) -> bool:
        tool = self.tools.get(call.part.tool)
        return tool is not None and tool.effect != "read"


def results_message(answer: Message, parts: Sequence[object]) -> Message:
    """The results of an answer's calls, in the order in which they were asked for."""
    by_id = {part.call_id: part for part in parts if isinstance(part, ResultPart)}
    ordered = [by_id[call.call_id] for call in answer.calls if call.call_id in by_id]
    return Message(id=answer.id, role=Role.TOOL, parts=list(ordered))
