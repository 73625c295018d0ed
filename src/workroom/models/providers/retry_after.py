"""How long a provider wants to be left alone. Most say it in a header, Google inside the body of its refusal."""

from __future__ import annotations

from pydantic_ai.exceptions import ModelAPIError

from workroom.models.providers.google_retry_delay import in_body


def seconds(error: ModelAPIError) -> float | None:
    return error.retry_after if error.retry_after is not None else in_body(error.body)
