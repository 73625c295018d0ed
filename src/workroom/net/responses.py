"""What comes back: a whole answer, or one that is read piece by piece."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from workroom.net.deadline import Deadline
from workroom.net.errors import AnswerBroken


@dataclass(frozen=True)
class Response:
    """A whole answer. Any status is an answer; what a 404 means is for the caller to say."""

    status: int
    url: str
    """Where it came from in the end, after redirects."""
    headers: Mapping[str, str]
    """Upper and lower case do not matter: `.get("content-type")`."""
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text, in the character set the server names, else UTF-8; never fails."""
        return httpx2.Response(self.status, headers=dict(self.headers), content=self.body).text

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise AnswerBroken("The answer is not the JSON that was expected.") from None


class StreamedResponse:
    """An answer whose body is still to come. Iterate once: `async for piece in answer`."""

    def __init__(self, response: httpx2.Response, deadline: Deadline) -> None:
        self._response = response
        self._deadline = deadline
        self.status = response.status_code
        self.url = str(response.url)
        self.headers: Mapping[str, str] = response.headers

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._deadline.pieces(self._response)

    async def read(self) -> Response:
        """All of it, within the byte limit."""
        body = b"".join([piece async for piece in self])
        return Response(self.status, self.url, self.headers, body)
