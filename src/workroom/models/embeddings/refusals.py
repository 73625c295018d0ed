"""An HTTP status instead of vectors, for a person: what happened, what to do, and whether another try may help.

Refusals of a key are never quoted: some providers repeat the key in them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from workroom.core.errors import OutgoingRefused, WorkroomError
from workroom.core.tokens import Usage
from workroom.models.ports import ModelFailed
from workroom.models.providers.arguments import clean
from workroom.models.providers.google_retry_delay import in_body
from workroom.net import Response
from workroom.net.errors import HostUnknown, ResponseTooLarge, TlsFailed

QUOTE_LENGTH = 300
PASSING = frozenset({408, 409, 425})
NO_CREDIT = frozenset({"insufficient_quota", "billing_not_active"})


@dataclass(frozen=True)
class Refusals:
    """`provider` and `model` as a person knows them; `secret` never leaves."""

    provider: str
    model: str
    secret: str

    def answered(self, answer: Response) -> ModelFailed:
        body = _json(answer.body)
        status, after = answer.status, _after(answer, body)
        if status == 429 and _code(body) in NO_CREDIT:
            text = f"The account at {self.provider} has no credit left or reached its limit. Top it up, or choose another model."
        elif status == 429:
            text = f"{self.provider} takes no more requests at the moment. Try again later."
            return ModelFailed(text, again=True, after=after)
        elif status >= 500 or status in PASSING:
            text = f"{self.provider} has a problem of its own ({status}). Try again later."
            return ModelFailed(text, again=True, after=after)
        elif status in (401, 403):
            text = f"The key for {self.provider} was refused. Check the key, and that it may use {self.model}."
        elif status == 404:
            text = f"The model {self.model} does not exist at {self.provider}. Check its name and the address, or choose another."
        else:
            text = f"{self.provider} did not accept the texts ({status}): {self._quote(body)}"
        return ModelFailed(text, again=False)

    def on_the_way(self, error: WorkroomError, used: Usage) -> ModelFailed:
        """`used` if the answer had begun."""
        if isinstance(error, ModelFailed):
            return error
        hopeless = isinstance(error, OutgoingRefused | TlsFailed | ResponseTooLarge | HostUnknown)
        return ModelFailed(error.message, again=not hopeless, used=used)

    def _quote(self, body: Any) -> str:
        error = body.get("error", body) if isinstance(body, dict) else None
        said = error.get("message") if isinstance(error, dict) else error
        text = said if isinstance(said, str) and said.strip() else "it did not say why"
        hidden = text.replace(self.secret, "…") if self.secret else text
        return clean(" ".join(hidden.split()))[:QUOTE_LENGTH]


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _code(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    return str(error.get("code") or error.get("type") or "") if isinstance(error, dict) else ""


def _after(answer: Response, body: Any) -> float | None:
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() else in_body(body)
