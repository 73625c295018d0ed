"""The embedded default as a `Model`: an answer in pieces, whatever comes in. It never fails; that is what it is for."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, Iterator

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, OpaquePart, Part, TextPart
from workroom.core.money import FREE
from workroom.models.embedded.language import LANGUAGES
from workroom.models.embedded.reply import MODEL, PROVIDER, Reply, reply_to
from workroom.models.ports import Answer, ModelInfo, ModelRequest, TextDelta

log = logging.getLogger(__name__)

PIECES = re.compile(r".{1,40}(?:\s+|$)|.{1,40}", re.DOTALL)


class EmbeddedModel:
    info = ModelInfo(PROVIDER, MODEL, FREE, context_tokens=1_000_000, tools=True, embedded=True)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        try:
            reply = reply_to(request)
        except Exception:  # there is no further fallback
            log.exception("the embedded default could not make sense of a request")
            reply = Reply(LANGUAGES["en"].say("label"))
        for piece in pieces(reply.text):
            yield TextDelta(piece)
        yield Answer(list(_parts(reply)), model=MODEL)


def pieces(text: str) -> Iterator[str]:
    """A few words each, together exactly the text."""
    return (hit[0] for hit in PIECES.finditer(text))


def _parts(reply: Reply) -> Iterator[Part]:
    if reply.text:
        yield TextPart(text=reply.text)
    if reply.proposed is not None:
        proposed = {"tool": reply.proposed.tool, "arguments": reply.proposed.arguments}
        yield OpaquePart(provider=PROVIDER, model=MODEL, data=proposed)
    if reply.call is not None:
        yield CallPart(call_id=new_id(), tool=reply.call.tool, arguments=reply.call.arguments)
