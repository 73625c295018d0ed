"""Our messages, tools and wishes as pydantic-ai's. Pure: a request in, everything a model call needs out.

Providers refuse a conversation in which a call has no result or a result no call. Ours can have both, after a stop or a
cut history, so the gaps are closed here and stay as they are in what is stored.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic_ai import messages as theirs
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from workroom.core.messages import (
    CallPart,
    FilePart,
    ImagePart,
    Message,
    OpaquePart,
    ResultPart,
    Role,
    SkillPart,
    TextPart,
)
from workroom.models.ports import Forcing, ModelFailed, ModelRequest, ToolSchema
from workroom.models.providers.abilities import accepts_forcing, accepts_temperature
from workroom.models.providers.instructions import CALL_A_TOOL, NO_RESULT
from workroom.models.providers.names import WireNames, to_wire
from workroom.models.providers.opaque import ProviderIdentity, details_of, details_of_text, give_back


@dataclass(frozen=True)
class Outgoing:
    messages: list[theirs.ModelMessage]
    settings: ModelSettings
    parameters: ModelRequestParameters
    names: WireNames


def outgoing(
    request: ModelRequest, profile: Mapping[str, Any], identity: ProviderIdentity, *, thoughts: bool = True
) -> Outgoing:
    """Without `thoughts` no reasoning goes back that the provider has not signed."""
    messages = list(conversation(request.messages, identity, thoughts=thoughts))
    settings = ModelSettings()
    if request.temperature is not None and accepts_temperature(profile):
        settings["temperature"] = request.temperature
    if request.max_output_tokens is not None:
        settings["max_tokens"] = request.max_output_tokens
    if request.forcing is Forcing.NONE:
        settings["tool_choice"] = "none"
    elif request.forcing is Forcing.ANY and request.tools:
        if accepts_forcing(profile):
            settings["tool_choice"] = "required"
        else:
            messages = ordered(messages, CALL_A_TOOL)
    return Outgoing(messages, settings, parameters(request), WireNames(spoken_of(request)))


def parameters(request: ModelRequest) -> ModelRequestParameters:
    schema = request.answer_schema
    return ModelRequestParameters(
        output_mode="text" if schema is None else "native",
        output_object=None if schema is None else OutputObjectDefinition(dict(schema), "answer", strict=False),
        function_tools=[tool(schema) for schema in request.tools],
        instruction_parts=[theirs.InstructionPart(content=request.system)] if request.system else [],
    )


def tool(schema: ToolSchema) -> ToolDefinition:
    # Strict schemas are a dialect of one provider; ours say what is optional.
    return ToolDefinition(
        name=to_wire(schema.name),
        description=schema.description,
        parameters_json_schema=dict(schema.parameters),
        strict=False,
    )


def spoken_of(request: ModelRequest) -> Iterator[str]:
    """Every tool name of a request, so that the way back finds it."""
    yield from (schema.name for schema in request.tools)
    yield from (call.tool for message in request.messages for call in message.calls)


def conversation(
    messages: Sequence[Message], identity: ProviderIdentity, *, thoughts: bool = True
) -> Iterator[theirs.ModelMessage]:
    """Results come right after the answer that asked for them, all of them at once and in its order: some providers count.

    What a model thought goes back while it works on a question; of earlier questions only what is signed."""
    results = {part.call_id: part for message in messages for part in message.parts if isinstance(part, ResultPart)}
    question = max((place for place, message in enumerate(messages) if message.role is Role.USER), default=-1)
    for place, message in enumerate(messages):
        match message.role:
            case Role.ASSISTANT:
                keeps = thoughts and place > question
                if said := [part for part in answer(message, identity) if keeps or not _is_unsigned_thought(part)]:
                    yield theirs.ModelResponse(parts=said, provider_name=identity.provider, model_name=identity.model)
                if message.calls:
                    yield theirs.ModelRequest(parts=list(after(message, results)))
            case Role.USER:
                if content := prompt(message):
                    yield theirs.ModelRequest(parts=[theirs.UserPromptPart(content=content)])
            case Role.TOOL:
                pass  # given with the calls; results without a call are left out


def after(message: Message, results: Mapping[UUID, ResultPart]) -> Iterator[theirs.ModelRequestPart]:
    """The results of its calls, then what was found in files before the next round."""
    yield from (result(call, results.get(call.call_id)) for call in message.calls)
    if message.materials:
        yield theirs.UserPromptPart(content="\n\n".join(part.prompt_text for part in message.materials))


def _is_unsigned_thought(part: theirs.ModelResponsePart) -> bool:
    return isinstance(part, theirs.ThinkingPart) and not part.signature


def prompt(message: Message) -> str | list[theirs.UserContent]:
    """Material first: a question is answered better when it stands behind what it is about."""
    content: list[theirs.UserContent] = [part.prompt_text for part in message.materials]
    for part in message.parts:
        if isinstance(part, FilePart | SkillPart):
            content.append(part.prompt_text)
        elif isinstance(part, TextPart) and part.text:
            content.append(part.text)
        elif isinstance(part, ImagePart):
            content.append(image(part))
    # Small servers understand plain text only, so anything that can be plain text is.
    texts = [item for item in content if isinstance(item, str)]
    return "\n\n".join(texts) if len(texts) == len(content) else content


def image(part: ImagePart) -> theirs.BinaryContent:
    if not part.media_type.startswith("image/"):
        raise ModelFailed(f"A file of type {part.media_type} cannot be shown to a model as an image.", again=False)
    return theirs.BinaryContent(data=base64.b64decode(part.data), media_type=part.media_type)


def answer(message: Message, identity: ProviderIdentity) -> Iterator[theirs.ModelResponsePart]:
    own = [part for part in message.parts if isinstance(part, OpaquePart) and identity.said(part)]
    details = dict(filter(None, map(details_of, own)))
    for_text: dict[str, Any] = {}
    for part in message.parts:
        match part:
            case TextPart() if part.text:
                yield theirs.TextPart(content=part.text, **for_text)
                for_text = {}
            case CallPart():
                yield call(part, details.get(str(part.call_id), {}))
            case OpaquePart() if part in own:
                for_text = details_of_text(part)
                if (kept := give_back(part)) is not None:
                    yield kept


def call(part: CallPart, details: Mapping[str, Any]) -> theirs.ToolCallPart:
    # The name under which the library, and models that learned it, know what could not be read.
    arguments = part.arguments if part.unreadable is None else {theirs.INVALID_JSON_KEY: part.unreadable}
    return theirs.ToolCallPart(
        tool_name=to_wire(part.tool), args=arguments, tool_call_id=str(part.call_id), **dict(details)
    )


def result(call: CallPart, part: ResultPart | None) -> theirs.ToolReturnPart:
    content = NO_RESULT if part is None else part.result.text()
    return theirs.ToolReturnPart(tool_name=to_wire(call.tool), content=content, tool_call_id=str(call.call_id))


def ordered(messages: list[theirs.ModelMessage], order: str) -> list[theirs.ModelMessage]:
    """The order at the very end, in the user's last message if that is the end: many models insist on taking turns."""
    match messages:
        case [*earlier, theirs.ModelRequest(parts=[theirs.UserPromptPart(content=content)])]:
            whole = f"{content}\n\n{order}" if isinstance(content, str) else [*content, order]
            return [*earlier, theirs.ModelRequest(parts=[theirs.UserPromptPart(content=whole)])]
        case _:
            return [*messages, theirs.ModelRequest(parts=[theirs.UserPromptPart(content=order)])]
