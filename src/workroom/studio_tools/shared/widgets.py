"""What tools of the studio show in the conversation: the block that was written, and a judgement."""

from __future__ import annotations

from uuid import UUID

from workroom.core.widgets import Widget
from workroom.studio.types import BlockStatus, DimensionResult


class WrittenBlock(Widget):
    """A block that an agent wrote; `phase` is the code of its phase. The page opens it in the editor."""

    project_id: UUID
    block_id: UUID
    name: str
    phase: str
    status: BlockStatus
    version: int


class EvaluatedContent(Widget):
    """A judgement that was kept; `names` are those of the blocks that were judged, `average` that of the scores."""

    project_id: UUID
    evaluation_id: UUID
    names: list[str]
    results: list[DimensionResult]
    average: float
