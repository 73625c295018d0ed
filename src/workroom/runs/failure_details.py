"""What is told of a failed model call beside its message: provider, model, and the provider's own words."""

from __future__ import annotations

from collections.abc import Mapping

from workroom.core.errors import WorkroomError
from workroom.models.ports import ModelFailed


def failure_details(error: WorkroomError) -> Mapping[str, str]:
    """Empty for errors of our own: their details are for the client that sent the request."""
    if not isinstance(error, ModelFailed):
        return {}
    return {name: value for name, value in error.details.items() if isinstance(value, str)}
