"""How long a provider wants to be left alone. Most say it in a header, Google inside the body of its refusal."""

from __future__ import annotations

import re
from typing import Any

from pydantic_ai.exceptions import ModelAPIError

_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


def seconds(error: ModelAPIError) -> float | None:
    return error.retry_after if error.retry_after is not None else _in_body(error.body)


def _in_body(body: Any) -> float | None:
    error = body.get("error") if isinstance(body, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else ():
        asked = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(asked, str) and (found := _SECONDS.fullmatch(asked)):
            return float(found[1])
    return None
