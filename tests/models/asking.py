"""Asking a model and looking at what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass

import pytest

from workroom.core.ids import new_id
from workroom.core.messages import Message, Part, Role, TextPart
from workroom.core.money import FREE
from workroom.models.ports import Answer, Model, ModelFailed, ModelInfo, ModelRequest, TextDelta, ToolSchema
from workroom.models.providers.anthropic import AnthropicModel
from workroom.models.providers.google import GoogleModel
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.testing import ScriptedAnswer, ScriptedProvider
from workroom.net import GuardedClient

KEY = "sk-secret"
SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
TOOL = ToolSchema("notes.read", "Read a note.", SCHEMA)


def known(name: str) -> ModelInfo:
    """What is known of a model whose price nobody cares about here."""
    return ModelInfo("scripted", name, FREE)


Maker = Callable[[str, str, str, GuardedClient], Model]
# A model of each provider, by root address, name and key.
MAKERS: Mapping[str, Maker] = {
    "openai": lambda root, name, key, client: OpenAiCompatibleModel(known(name), f"{root}/v1", key, client),
    "anthropic": lambda root, name, key, client: AnthropicModel(known(name), key, client, root),
    "google": lambda root, name, key, client: GoogleModel(known(name), key, client, root),
}


def message(role: Role, *parts: Part) -> Message:
    return Message(id=new_id(), role=role, parts=list(parts))


def user(text: str) -> Message:
    return message(Role.USER, TextPart(text=text))


def request(*messages: Message) -> ModelRequest:
    return ModelRequest(system="Be brief.", messages=messages or (user("Hello"),), tools=(TOOL,))


def plain(answer: Answer) -> list[object]:
    """The parts without their ids, which are fresh each time."""
    return [part.model_dump(exclude={"call_id"}, exclude_defaults=True) for part in answer.parts]


async def heard(model: Model, asked: ModelRequest) -> tuple[list[str], Answer]:
    """The pieces of text and the answer, which comes last and once."""
    async with aclosing(model.stream(asked)) as stream:
        said = [item async for item in stream]
    *deltas, answer = said
    assert isinstance(answer, Answer)
    assert not any(isinstance(delta, Answer) for delta in deltas)
    return [delta.text for delta in deltas if isinstance(delta, TextDelta)], answer


@dataclass
class Ask:
    provider: ScriptedProvider
    model: Model

    async def __call__(self, said: ScriptedAnswer, asked: ModelRequest | None = None) -> tuple[list[str], Answer]:
        self.provider.script.append(said)
        return await heard(self.model, asked or request())

    async def failure(self, said: ScriptedAnswer) -> ModelFailed:
        with pytest.raises(ModelFailed) as caught:
            await self(said)
        return caught.value
