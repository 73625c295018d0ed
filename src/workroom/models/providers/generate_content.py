"""The library's model for Google's Gemini API, on our HTTP client and with nothing taken from the environment.

The SDK below the library passes its stream through several generators and closes only the outermost; the connection would
be given back whenever the garbage collector comes by. So what a call opened is noted, and closed with the call.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from google.genai import Client
from google.genai.types import HttpOptions
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import RunContext

from workroom.models.output_limit import stream_limits
from workroom.models.ports import ModelInfo
from workroom.models.providers.abilities import ONE_SYSTEM_PROMPT
from workroom.models.providers.headers import NO_KEY, only
from workroom.net import GuardedClient

API_VERSION = "v1beta"

# It would announce every call.
logging.getLogger("google_genai").setLevel(logging.WARNING)


class OpenStream(Protocol):
    async def aclose(self) -> None: ...


_opened: ContextVar[list[OpenStream] | None] = ContextVar("opened", default=None)


class TidyGoogleModel(GoogleModel):
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        opened: list[OpenStream] = []
        stream = super().request_stream(messages, model_settings, model_request_parameters, run_context)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(_close, opened)
            token = _opened.set(opened)
            try:
                streamed = await stack.enter_async_context(stream)
            finally:
                _opened.reset(token)
            yield streamed


def gemini_model(info: ModelInfo, base_url: str, api_key: str, client: GuardedClient) -> TidyGoogleModel:
    http = client.http_client(stream_limits(info))
    limits = http.timeout

    async def patience(request: Any) -> None:
        """The SDK has one time limit for everything; ours say more."""
        request.extensions["timeout"] = limits.as_dict()

    plain = only({"x-goog-api-key": api_key or NO_KEY}, "x-server-timeout")
    http.event_hooks = {"request": [plain, patience], "response": [_note]}
    options = HttpOptions(
        base_url=base_url,
        api_version=API_VERSION,
        httpx_async_client=http,
        timeout=int((limits.read or 0) * 1000) or None,
    )
    sdk = Client(vertexai=False, api_key=api_key or NO_KEY, http_options=options)
    return TidyGoogleModel(info.id, provider=GoogleProvider(client=sdk), profile=ONE_SYSTEM_PROMPT)


async def _note(response: OpenStream) -> None:
    opened = _opened.get()
    if opened is not None:
        opened.append(response)


async def _close(opened: list[OpenStream]) -> None:
    for response in opened:
        await response.aclose()
