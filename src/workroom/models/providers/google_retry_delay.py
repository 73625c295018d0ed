"""How long Google wants to be left alone: it says so inside the body of its refusal, others in a header."""

from __future__ import annotations

import re
from typing import Any

_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


def in_body(body: Any) -> float | None:
    error = body.get("error") if isinstance(body, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else ():
        asked = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(asked, str) and (found := _SECONDS.fullmatch(asked)):
            return float(found[1])
    return None
