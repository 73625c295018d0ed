"""The kind of wake-up for runs that wait."""

from __future__ import annotations

RUN_JOB = "run"
