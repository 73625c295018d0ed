"""What the queue calls a run that wants to be looked at; the payload is its key."""

from __future__ import annotations

RUN_JOB = "run"
