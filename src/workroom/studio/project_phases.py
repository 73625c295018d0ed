"""The phases of one project: which it has, what they are called there, and where it stands. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.errors import InvalidInput, NotFound
from workroom.core.languages import LANGUAGES, Language
from workroom.identity.names import clean_name, slug_of
from workroom.studio.phases import PHASE_ALIAS, PHASE_ORDER, PHASES, alias
from workroom.studio.types import LONGEST_NAME, MOST_PHASES, PhaseStatus, Project, ProjectPhase

ALL_PHASES = tuple(ProjectPhase(code=code) for code in PHASE_ORDER)


def visible(project: Project) -> list[str]:
    """Codes, in their order."""
    return [phase.code for phase in project.phases if not phase.hidden]


def phase_name(project: Project, code: str, language: str) -> str:
    own = next((phase.name for phase in project.phases if phase.code == code), "")
    shipped = PHASES.get(code)
    return own or (shipped.names[_known(language)] if shipped else code)


def phase_purpose(code: str, language: str) -> str:
    """Empty for phases that a project has added."""
    return PHASES[code].purposes[_known(language)] if code in PHASES else ""


def status_of(project: Project, code: str) -> PhaseStatus:
    return project.phase_status.get(code, PhaseStatus.PENDING)


def find_phase(project: Project, text: str) -> str:
    """The code of the phase that is called so in this project, or else in any language; a code means its phase, whatever another
    one is called. NotFound names those there are."""
    wanted, codes = alias(text), visible(project)
    if text in codes:
        return text
    own = {alias(name): code for code in codes for name in (code, phase_name(project, code, project.language))}
    if (code := own.get(wanted) or PHASE_ALIAS.get(wanted)) in codes:
        return code
    known = ", ".join(f"{code} ({phase_name(project, code, project.language)})" for code in codes)
    raise NotFound(f"This project has no such phase. It has: {known}.")


def next_phase(project: Project) -> str | None:
    """None after the last one."""
    codes = visible(project)
    at = codes.index(project.current_phase) + 1
    return codes[at] if at < len(codes) else None


def previous_phase(project: Project) -> str | None:
    codes = visible(project)
    at = codes.index(project.current_phase)
    return codes[at - 1] if at else None


def is_forward(project: Project, target: str | None) -> bool:
    """Whether going there completes the current phase; None: after the last one."""
    codes = visible(project)
    return target is None or codes.index(target) > codes.index(project.current_phase)


def moved_to(project: Project, target: str) -> Project:
    """Forward: what is left is completed. Back: what is left waits again."""
    if target == project.current_phase:
        return project
    left = PhaseStatus.COMPLETED if is_forward(project, target) else PhaseStatus.PENDING
    status = {**project.phase_status, project.current_phase: left, target: PhaseStatus.IN_PROGRESS}
    return project.model_copy(update={"current_phase": target, "phase_status": status})


def completed(project: Project) -> Project:
    """The current phase is done, and no other follows it."""
    status = {**project.phase_status, project.current_phase: PhaseStatus.COMPLETED}
    return project.model_copy(update={"phase_status": status})


def arranged(project: Project, given: Sequence[ProjectPhase], used: frozenset[str] = frozenset()) -> list[ProjectPhase]:
    """The phases that are asked for: renamed, hidden, added, in another order. The current one stays, and so do those with
    blocks in them (`used`), at least hidden; the shipped ones can be hidden and not removed."""
    if len(given) > MOST_PHASES:
        raise InvalidInput(f"A project has at most {MOST_PHASES} phases.", field="phases")
    own = {phase.code for phase in project.phases} - set(PHASE_ORDER)
    arranged: list[ProjectPhase] = []
    for phase in given:
        name = clean_name(phase.name, "phases", LONGEST_NAME) if phase.name.strip() else ""
        if not name and phase.code not in PHASE_ORDER:
            raise InvalidInput("A phase of your own needs a name.", field="phases")
        code = phase.code if phase.code in own or phase.code in PHASE_ORDER else _new_code(name, arranged, project)
        arranged.append(ProjectPhase(code=code, name=name, hidden=phase.hidden))
    codes = [phase.code for phase in arranged]
    if len(set(codes)) < len(codes):
        raise InvalidInput("Every phase occurs once.", field="phases")
    if missing := (set(PHASE_ORDER) | (used & own)) - set(codes):
        raise InvalidInput(
            f"These phases can be hidden, but not removed: {', '.join(sorted(missing))}.", field="phases"
        )
    if all(phase.hidden or phase.code != project.current_phase for phase in arranged):
        raise InvalidInput("The current phase cannot be hidden. Go to another one first.", field="phases")
    names = [
        alias(phase_name(project.model_copy(update={"phases": arranged}), code, project.language)) for code in codes
    ]
    if len(set(names)) < len(names):
        raise InvalidInput("Two phases of a project cannot have the same name.", field="phases")
    return arranged


def _new_code(name: str, others: Sequence[ProjectPhase], project: Project) -> str:
    taken = {phase.code for phase in (*others, *project.phases)} | set(PHASE_ORDER)
    base = f"own_{slug_of(name).replace('-', '_')}"
    return next(code for number in range(1, MOST_PHASES + 2) if (code := f"{base}_{number}") not in taken)


def _known(language: str) -> Language:
    return next((one for one in LANGUAGES if one == language), "en")
