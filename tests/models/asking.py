"""Asking a model and looking at what came of it."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass

import pytest

from workroom.core.ids import new_id
from workroom.core.messages import Message, Part, Role, TextPart
from workroom.core.money import FREE
from workroom.models.ports import Answer, ModelFailed, ModelInfo, ModelRequest, TextDelta, ToolSchema
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.testing import Said, ScriptedProvider

KEY = "sk-secret"
SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
TOOL = ToolSchema("notes.read", "Read a note.", SCHEMA)


def known(name: str) -> ModelInfo:
    """What is known of a model whose price nobody cares about here."""
    return ModelInfo("scripted", name, FREE)


def message(role: Role, *parts: Part) -> Message:
    return Message(id=new_id(), role=role, parts=list(parts))


def user(text: str) -> Message:
    return message(Role.USER, TextPart(text=text))


def request(*messages: Message) -> ModelRequest:
    return ModelRequest(system="Be brief.", messages=messages or (user("Hello"),), tools=(TOOL,))


async def heard(model: OpenAiCompatibleModel, asked: ModelRequest) -> tuple[list[str], Answer]:
    """The pieces of text and the answer, which comes last and once."""
    async with aclosing(model.stream(asked)) as stream:
        said = [item async for item in stream]
    *deltas, answer = said
    assert isinstance(answer, Answer)
    assert all(isinstance(delta, TextDelta) for delta in deltas)
    return [delta.text for delta in deltas if isinstance(delta, TextDelta)], answer


@dataclass
class Ask:
    provider: ScriptedProvider
    model: OpenAiCompatibleModel

    async def __call__(self, said: Said, asked: ModelRequest | None = None) -> tuple[list[str], Answer]:
        self.provider.script.append(said)
        return await heard(self.model, asked or request())

    async def failure(self, said: Said) -> ModelFailed:
        with pytest.raises(ModelFailed) as caught:
            await self(said)
        return caught.value
