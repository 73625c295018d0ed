"""`/api/chat`: a request, its plan, what became of each step; a choice goes on where the plan waits. No client has to
follow events: the answer comes when the plan is carried out, or asks something."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.instance import InstanceId
from workroom.api.run_reader import RunReader
from workroom.api.run_waiting import until_settled
from workroom.api.services import Services
from workroom.core.actions import UiAction
from workroom.core.errors import Conflict, InvalidInput
from workroom.core.ids import new_id
from workroom.core.pauses import Option
from workroom.core.plans import StepOutcome, overall
from workroom.core.results import ResultStatus
from workroom.core.wire import Wire
from workroom.identity.types import Principal
from workroom.runs.chat_sessions import refusal
from workroom.runs.service import LONGEST_PROMPT

router = APIRouter(prefix="/api/chat", tags=["chat"])
SessionId = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class ChatMessage(Wire):
    """`sessionId` is the caller's own name for the conversation. `clientId` makes sending it twice harmless: the second time
    goes on waiting for the same answer."""

    session_id: SessionId
    user_message: str = Field(max_length=LONGEST_PROMPT)
    client_id: str | None = Field(None, min_length=1, max_length=80, pattern=r"^[\w.:-]+$")


class ChatSelection(Wire):
    """`choiceId` is the `id` of one of the choices that the session's last answer offered."""

    session_id: SessionId
    choice_id: str = Field(min_length=1, max_length=200)


class ChatChoice(Wire):
    """`mapActions` preview it; its `id` is the `choiceId` of the follow-up."""

    id: str
    label: str
    confidence: float | None
    map_actions: list[UiAction]
    data: dict[str, Any]

    @classmethod
    def of(cls, option: Option) -> ChatChoice:
        return cls(
            id=option.id,
            label=option.label,
            confidence=option.confidence,
            map_actions=option.actions,
            data=option.data,
        )


class ChatStep(Wire):
    intent: str
    status: ResultStatus
    message: str
    map_actions: list[UiAction]
    choices: list[ChatChoice]

    @classmethod
    def of(cls, step: StepOutcome) -> ChatStep:
        choices = [ChatChoice.of(option) for option in step.options]
        return cls(
            intent=step.intent, status=step.status, message=step.message, map_actions=step.actions, choices=choices
        )


class ChatResponse(Wire):
    """`overallStatus` is the worst of the steps'."""

    request_id: str
    overall_status: ResultStatus
    steps: list[ChatStep]

    @classmethod
    def of(cls, request_id: str, steps: list[StepOutcome]) -> ChatResponse:
        shown = [ChatStep.of(step) for step in steps]
        return cls(request_id=request_id, overall_status=overall([step.status for step in steps]), steps=shown)


@router.post("")
async def chat(
    request: Request,
    body: ChatMessage | ChatSelection,
    instance_id: InstanceId,
    principal: CurrentPrincipal,
    services: AppServices,
) -> ChatResponse:
    """Answers when the plan is carried out or needs a choice; the follow-up with `choiceId` keeps the `requestId`."""
    text = body.user_message if isinstance(body, ChatMessage) else ""
    language = await services.chats.language(principal, instance_id, body.session_id, text)
    with services.chats.waiting_slot(principal, language):
        return await _chat(request, body, instance_id, principal, services, language)


@router.delete("", status_code=204)
async def forget_chat(
    session_id: Annotated[SessionId, Query(alias="sessionId")],
    instance_id: InstanceId,
    principal: CurrentPrincipal,
    services: AppServices,
) -> None:
    """Forgets the session with everything in it; the next message under this name begins with an empty map."""
    await services.chats.delete(principal, instance_id, session_id)


async def _chat(
    request: Request,
    body: ChatMessage | ChatSelection,
    instance_id: UUID,
    principal: Principal,
    services: Services,
    language: str,
) -> ChatResponse:
    if isinstance(body, ChatMessage):
        run = await services.chats.say(
            principal, instance_id, body.session_id, body.user_message, body.client_id, language=language
        )
    else:
        try:
            run = await services.chats.choose(principal, instance_id, body.session_id, body.choice_id)
        except (Conflict, InvalidInput) as error:
            why = refusal(error, language)
            refused = StepOutcome(index=0, intent="question", status=ResultStatus.ERROR, message=why)
            return ChatResponse.of(str(new_id()), [refused])
    reader = RunReader(request, principal, services, run.run_id)
    waiting = await until_settled(reader, run.conversation_id, language)
    return ChatResponse.of(str(run.run_id), await services.chats.outcomes(reader.principal, instance_id, run, waiting))
