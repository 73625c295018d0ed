"""When no language model is set up: says so, and what to do, instead of failing in some other way."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from workroom.core.money import FREE
from workroom.models.ports import Answer, ModelFailed, ModelInfo, ModelRequest, TextDelta


class AbsentModel:
    info = ModelInfo("none", "none", FREE)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        raise ModelFailed(
            "No language model is set up. Set WORKROOM_MODEL_URL to an OpenAI-compatible address, such as "
            "http://127.0.0.1:11434/v1, and WORKROOM_MODEL to the model's name, then start again.",
            again=False,
        )
        yield  # makes this a stream
