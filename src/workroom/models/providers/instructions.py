"""What we tell models in words, where the wire has no place for it."""

from __future__ import annotations

CALL_A_TOOL = "Call one of your tools now. Do not answer in text yet."
NO_RESULT = "This call was not carried out, so there is no result."
