"""Responses: whole, or read as a stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from workroom.net.deadline import Deadline
from workroom.net.errors import InvalidResponse


@dataclass(frozen=True)
class Response:
    """A whole response of any status; what a 404 means is the caller's decision."""

    status: int
    url: str
    """The final URL, after redirects."""
    headers: Mapping[str, str]
    """Case-insensitive: `.get("content-type")`."""
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
        except (ValueError, RecursionError):
            raise InvalidResponse("The answer is not the JSON that was expected.") from None


class StreamedResponse:
    """A response whose body is read once: `async for piece in response`."""

    def __init__(self, response: httpx2.Response, deadline: Deadline) -> None:
        self._response = response
        self._deadline = deadline
        self.status = response.status_code
        self.url = str(response.url)
        self.headers: Mapping[str, str] = response.headers

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._deadline.pieces(self._response)

    async def read(self) -> Response:
        """Read the whole body, within the byte limit."""
        body = b"".join([piece async for piece in self])
        return Response(self.status, self.url, self.headers, body)
