"""One call of a pydantic-ai model as our port wants it: text as it comes, then one whole answer, or ModelFailed.

Only the library's model layer is used, never its agent: the loop, the tools and what is stored are ours.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model as LibraryModel
from pydantic_ai.models import StreamedResponse

from workroom.core.errors import WorkroomError
from workroom.models.ports import Answer, HiddenDelta, ModelFailed, ModelRequest, StreamItem, TextDelta, ThoughtDelta
from workroom.models.providers.failures import Failures, refuses_thoughts
from workroom.models.providers.incoming import (
    finished,
    hidden_text_of,
    parts_of,
    refusal,
    text_of,
    thought_of,
    usage_of,
)
from workroom.models.providers.opaque import ProviderIdentity
from workroom.models.providers.outgoing import Outgoing, outgoing

log = logging.getLogger(__name__)


class ThoughtsRefused(Exception):
    """The server does not take back the reasoning that its model wrote."""


@dataclass
class Adapter:
    model: LibraryModel
    identity: ProviderIdentity
    failures: Failures
    _keeps_thoughts: bool = False  # the server has refused to be given thoughts back

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        while True:
            try:
                async with aclosing(self._stream(request, thoughts=not self._keeps_thoughts)) as items:
                    async for item in items:
                        yield item
                return
            except ThoughtsRefused:
                self._keeps_thoughts = True

    async def _stream(self, request: ModelRequest, *, thoughts: bool) -> AsyncGenerator[StreamItem, None]:
        stream: StreamedResponse | None = None
        try:
            out = outgoing(request, self.model.profile, self.identity, thoughts=thoughts)
            async with self._open(out) as stream:
                async for event in stream:
                    if text := text_of(event):
                        yield TextDelta(text)
                    elif thought := thought_of(event):
                        yield ThoughtDelta(thought)
                    elif hidden := hidden_text_of(event):
                        yield HiddenDelta(hidden)
                response = stream.get()
            answer = self._answer(response, out)
        except Exception as error:
            if stream is None and thoughts and refuses_thoughts(error):
                raise ThoughtsRefused from None
            failed = self._explained(error)
            if stream is not None:
                failed.used = usage_of(stream.usage)
            raise failed from None
        if declined := refusal(response):
            yield TextDelta(declined)
        # The connection is given back by now: the consumer need not exhaust the stream.
        yield answer

    def _open(self, out: Outgoing) -> AbstractAsyncContextManager[StreamedResponse]:
        # `direct` leaves this step to its callers.
        messages = self.model.prepare_messages(out.messages, out.parameters)
        return model_request_stream(
            self.model,
            messages,
            model_settings=out.settings,
            model_request_parameters=out.parameters,
            instrument=False,
        )

    def _answer(self, response: ModelResponse, out: Outgoing) -> Answer:
        parts = parts_of(response, out.names, self.identity)
        if not parts and response.finish_reason == "content_filter":
            text = f"The content filter of {self.failures.provider} withheld the answer. Word the question differently."
            raise ModelFailed(text, again=False)
        if not parts and response.finish_reason == "error":
            raise ModelFailed(f"{self.identity.model} did not manage an answer. Try again.", again=True)
        if not finished(response):
            raise self.failures.not_understood()
        name = response.model_name or self.identity.model
        return Answer(parts, usage_of(response.usage), name, cut=response.finish_reason == "length")

    def _explained(self, error: Exception) -> ModelFailed:
        if not isinstance(error, ModelAPIError | WorkroomError):
            # Not the provider's words but the library's, about something unforeseen.
            trace = self.failures.hidden("".join(traceback.format_exception(error)))
            log.warning("a model's answer was not understood", extra={"model": self.identity.model, "trace": trace})
        return self.failures.explain(error)
