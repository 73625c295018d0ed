"""`python -m workroom.api.openapi` prints the API's description; the web app's client is generated from it."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from workroom.api.application import describe


@cache
def description() -> dict[str, Any]:
    """The description as data, worked out once per process: it takes a second. Do not change it."""
    return describe().openapi()


def text() -> str:
    return json.dumps(description(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
