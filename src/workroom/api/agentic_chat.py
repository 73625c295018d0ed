"""`/api/agentic-chat`: a specialist's answer, what it called, and who goes on. No client has to follow events: the answer comes
when it is complete, or asks for a confirmation."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import Field, model_validator

from workroom.agent.config import Rounds
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.instance import InstanceId
from workroom.api.run_waiting import whole_answer
from workroom.core.languages import Language
from workroom.core.wire import Wire
from workroom.models.ports import Forcing
from workroom.runs.answers import AnswerCall
from workroom.runs.service import LONGEST_PROMPT
from workroom.specialists.types import PastMessage, SpecialistRequest

MOST_MESSAGES = 200

router = APIRouter(prefix="/api/agentic-chat", tags=["chat"])
SpecialistType = Literal[
    "orchestrator",
    "briefing_specialist",
    "swot_specialist",
    "audience_specialist",
    "positioning_specialist",
    "goals_specialist",
    "messages_specialist",
    "project_wizard",
]


class AgenticMessage(Wire):
    """`model` is another word for `assistant`."""

    role: Literal["user", "assistant", "model"]
    content: str = Field(min_length=1, max_length=LONGEST_PROMPT)


class AgenticChatInput(Wire):
    """`messages` is the whole conversation, its last message the client's; with the `workflowId` of an earlier answer only the
    last one counts. `companyName` is how the caller calls the company; answers use the name it has here. `toolForcing` instead
    of the specialist's own (`any`); `maxTurns` bounds its rounds; with `returnToolRequests` its calls are not carried out."""

    specialist_type: SpecialistType
    company_id: UUID
    company_name: str = Field("", max_length=200)
    language: Language = "de"
    messages: Annotated[list[AgenticMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    workflow_id: UUID | None = None
    client_id: str | None = Field(None, min_length=1, max_length=80, pattern=r"^[\w.:-]+$")
    tool_forcing: Forcing | None = None
    return_tool_requests: bool = False
    max_turns: Rounds | None = None

    @model_validator(mode="after")
    def _ends_with_the_client(self) -> AgenticChatInput:
        if self.messages[-1].role != "user":
            raise ValueError("the last message is the client's")
        return self

    def request(self) -> SpecialistRequest:
        *before, last = self.messages
        past = [PastMessage("user" if said.role == "user" else "assistant", said.content) for said in before]
        return SpecialistRequest(
            self.specialist_type,
            self.company_id,
            last.content,
            tuple(past),
            self.workflow_id,
            self.client_id,
            self.language,
            self.tool_forcing,
            self.return_tool_requests,
            self.max_turns,
        )


class AgenticChatOutput(Wire):
    """`nextAgent`: who has taken over and goes on. `workflowId`: the conversation, for the next question."""

    response: str
    tool_calls: list[AnswerCall]
    next_agent: str | None
    workflow_id: UUID


@router.post("")
async def agentic_chat(
    request: Request,
    body: AgenticChatInput,
    instance_id: InstanceId,
    principal: CurrentPrincipal,
    services: AppServices,
) -> AgenticChatOutput:
    """Answers when the specialist, and those it hands over to, have answered, or wait for the client."""
    with services.chats.waiting_slot(principal, body.language):
        asked = await services.specialists.ask(principal, instance_id, body.request())
        answer = await whole_answer(request, principal, services, instance_id, asked, body.language)
    return AgenticChatOutput(
        response=answer.text,
        tool_calls=list(answer.calls),
        next_agent=None if answer.agent == body.specialist_type else answer.agent,
        workflow_id=asked.conversation_id,
    )
