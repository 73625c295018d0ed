"""What tools show in the conversation beside their words."""

from __future__ import annotations

from uuid import UUID

from workroom.core.widgets import Widget


class ProposedFileEdit(Widget):
    """A change to a file that waits for a decision. The page asks for the proposal, with the rights of its reader."""

    file_id: UUID
    proposal_id: UUID
    name: str
