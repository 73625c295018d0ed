"""Values of the studio that no database has seen."""

from __future__ import annotations

from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.studio.phases import FIRST_PHASE, PHASE_ORDER
from workroom.studio.project_phases import ALL_PHASES
from workroom.studio.types import PhaseStatus, Project

ME = new_id()


def a_project(phase: str = FIRST_PHASE, **changes: object) -> Project:
    done = dict.fromkeys(PHASE_ORDER[: PHASE_ORDER.index(phase)], PhaseStatus.COMPLETED)
    made = Project(
        id=new_id(),
        name="Velo im Winter",
        description="Ein Ratgeber\n## für Pendlerinnen",
        described_by=ME,
        language="de",
        profile_id=None,
        phases=list(ALL_PHASES),
        current_phase=phase,
        phase_status={**done, phase: PhaseStatus.IN_PROGRESS},
        version=1,
        owner_id=ME,
        changed_by=ME,
        created_at=now(),
        updated_at=now(),
    )
    return made.model_copy(update=changes)
