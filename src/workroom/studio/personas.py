"""Personas of a project: list, add, change, delete, restore.

Functions that take a unit of work are part of their caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.writing_agent import WritingAgent
from workroom.db import Database, UnitOfWork
from workroom.identity.names import clean_name, clean_text
from workroom.identity.types import Action, Principal
from workroom.studio import personas_store as store
from workroom.studio.errors import PersonaChanged
from workroom.studio.projects import PROJECTS
from workroom.studio.types import MOST_PERSONAS, AudiencePersona, PersonaContent

LONGEST_TEXT = 2_000  # of any field


class Personas:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self, principal: Principal, instance_id: UUID, project_id: UUID, *, deleted: bool = False
    ) -> list[AudiencePersona]:
        """Oldest first; with `deleted` those in the trash."""
        async with self._db.unit_of_work(principal.actor) as uow:
            known = await of_project(uow, principal, instance_id, project_id, deleted=True)
        return [persona for persona in known if (persona.deleted_at is not None) is deleted]

    async def add(
        self, principal: Principal, instance_id: UUID, project_id: UUID, content: PersonaContent
    ) -> AudiencePersona:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await add(uow, principal, instance_id, project_id, content)

    async def change(
        self,
        principal: Principal,
        instance_id: UUID,
        project_id: UUID,
        persona_id: UUID,
        version: int,
        changes: Mapping[str, Any],
    ) -> AudiencePersona:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await change(uow, principal, instance_id, project_id, persona_id, version, changes)

    async def delete(self, principal: Principal, instance_id: UUID, project_id: UUID, persona_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await delete(uow, principal, instance_id, project_id, persona_id)

    async def restore(
        self, principal: Principal, instance_id: UUID, project_id: UUID, persona_id: UUID
    ) -> AudiencePersona:
        """Restoring what is not in the trash changes nothing."""
        async with self._db.unit_of_work(principal.actor) as uow:
            persona = await _checked(uow, principal, instance_id, project_id, persona_id, trash=True)
            if persona.deleted_at is None:
                return persona
            _require_room(await store.of_project(uow, principal.mandate_id, project_id))
            return await _save(uow, principal, instance_id, persona.model_copy(update={"deleted_at": None}))


async def of_project(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID, *, deleted: bool = False
) -> list[AudiencePersona]:
    """`deleted`: also those in the trash."""
    await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
    known = await store.of_project(uow, principal.mandate_id, project_id)
    return [persona for persona in known if deleted or persona.deleted_at is None]


async def add(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    content: PersonaContent,
    agent: WritingAgent | None = None,
    *,
    from_outside: bool = False,
) -> AudiencePersona:
    project = await PROJECTS.checked(uow, principal, Action.UPDATE, instance_id, project_id, lock=True)
    _require_room(await store.of_project(uow, principal.mandate_id, project.id))
    moment = now()
    persona = AudiencePersona(
        **_cleaned(content.model_dump()).model_dump(),
        id=new_id(),
        project_id=project.id,
        version=1,
        changed_by=principal.user_id,
        agent_name=agent.name if agent else "",
        from_outside=from_outside,
        created_at=moment,
        updated_at=moment,
    )
    await store.insert(uow, principal.mandate_id, persona)
    await PROJECTS.announce(uow, principal, instance_id, project)
    return persona


async def change(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    persona_id: UUID,
    version: int,
    changes: Mapping[str, Any],
    agent: WritingAgent | None = None,
    *,
    from_outside: bool = False,
) -> AudiencePersona:
    """`changes` by the names of PersonaContent; the others stay. Raises PersonaChanged when `version` is not the newest. What
    came from outside stays so, and so does what an agent leaves of another person's."""
    persona = await _checked(uow, principal, instance_id, project_id, persona_id)
    if persona.version != version:
        raise PersonaChanged(persona.version)
    content = _cleaned({**persona.content.model_dump(), **changes})
    if content == persona.content:
        return persona
    made = {
        **content.model_dump(),
        "version": version + 1,
        "changed_by": principal.user_id,
        "agent_name": agent.name if agent else "",
        "from_outside": persona.from_outside
        or from_outside
        or (agent is not None and persona.changed_by != principal.user_id),
    }
    return await _save(uow, principal, instance_id, persona.model_copy(update=made))


async def delete(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID, persona_id: UUID
) -> AudiencePersona:
    """Into the trash, where it stays for a while."""
    persona = await _checked(uow, principal, instance_id, project_id, persona_id)
    return await _save(uow, principal, instance_id, persona.model_copy(update={"deleted_at": now()}))


async def _checked(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    persona_id: UUID,
    *,
    trash: bool = False,
) -> AudiencePersona:
    await PROJECTS.checked(uow, principal, Action.UPDATE, instance_id, project_id, lock=True)
    known = await store.of_project(uow, principal.mandate_id, project_id)
    found = next((persona for persona in known if persona.id == persona_id), None)
    if found is None or (found.deleted_at is not None and not trash):
        raise NotFound("There is no such persona in this project.")
    return found


async def _save(uow: UnitOfWork, principal: Principal, instance_id: UUID, persona: AudiencePersona) -> AudiencePersona:
    saved = persona.model_copy(update={"updated_at": now()})
    await store.update(uow, principal.mandate_id, saved)
    project = await PROJECTS.checked(uow, principal, Action.READ, instance_id, persona.project_id)
    await PROJECTS.announce(uow, principal, instance_id, project)
    return saved


def _require_room(known: Iterable[AudiencePersona]) -> None:
    if sum(persona.deleted_at is None for persona in known) >= MOST_PERSONAS:
        raise InvalidInput(f"A project has at most {MOST_PERSONAS} personas.")


def _cleaned(values: Mapping[str, Any]) -> PersonaContent:
    try:
        content = PersonaContent.model_validate({name: _plain(name, value) for name, value in values.items()})
    except ValidationError as error:
        where = ", ".join(sorted({str(problem["loc"][0]) for problem in error.errors()}))
        raise InvalidInput(f"A persona has a name, and short texts beside it. Look at: {where}.", field=where) from None
    return content.model_copy(update={"name": clean_name(content.name, "name")})


def _plain(field: str, value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value, field, LONGEST_TEXT)
    return [_plain(field, line) for line in value] if isinstance(value, list) else value
