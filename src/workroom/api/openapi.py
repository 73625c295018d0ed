"""`python -m workroom.api.openapi` prints the API's description; the web app's client is generated from it."""

from __future__ import annotations

import json
import sys

from workroom.api.application import describe


def text() -> str:
    return json.dumps(describe().openapi(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
