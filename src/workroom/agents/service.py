"""Agents: list, make, change, look at their versions, share, duplicate, throw away and take back.

Functions that take a unit of work are part of their caller's transaction: starting a run asks for its agent there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from workroom.agents import agent_files, store
from workroom.agents.access import AGENT, may, reach, require_agent, require_sharing
from workroom.agents.errors import AgentBuiltin, AgentChanged, AgentExists, AgentGone
from workroom.agents.shipped import shipped
from workroom.agents.types import (
    AgentContent,
    AgentDefinition,
    AgentFile,
    AgentVersion,
    ImportedAgent,
)
from workroom.agents.validation import changed, cleaned
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.import_conflict import ImportConflict
from workroom.core.languages import DEFAULT_LANGUAGE
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require
from workroom.identity.instances import require_instance
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Principal


class Agents:
    def __init__(self, db: Database, tools: Collection[str] = ()) -> None:
        """`tools` are those there are, for saying which of an imported agent are not."""
        self._db = db
        self._tools = tools

    async def list(
        self,
        principal: Principal,
        instance_id: UUID,
        request: PageRequest,
        *,
        deleted: bool = False,
        language: str = DEFAULT_LANGUAGE,
    ) -> Page[AgentDefinition]:
        """`deleted` lists the trash: only what one could have put there oneself."""
        seen = reach(principal, Action.DELETE if deleted else Action.READ, instance_id)
        ours = {} if deleted else shipped(language)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(uow, principal.mandate_id, instance_id, seen, request, ours, deleted=deleted)

    async def get(
        self, principal: Principal, instance_id: UUID, agent_id: UUID, language: str = DEFAULT_LANGUAGE
    ) -> AgentDefinition:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await checked(uow, principal, Action.READ, instance_id, agent_id, language=language)

    async def create(
        self, principal: Principal, instance_id: UUID, content: AgentContent, visibility: Visibility = Visibility.MY
    ) -> AgentDefinition:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await create(uow, principal, instance_id, content, visibility)

    async def change(
        self, principal: Principal, instance_id: UUID, agent_id: UUID, version: int, changes: Mapping[str, Any]
    ) -> AgentDefinition:
        """`version` is the one the change was made from: when another change was faster, nothing is overwritten."""
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.UPDATE, instance_id, agent_id, lock=True)
            if agent.version != version:
                raise AgentChanged(agent.version)
            content = cleaned(changed(agent.content, changes))
            if content == agent.content:
                return agent
            return await _new_version(uow, principal, agent, content)

    async def versions(
        self, principal: Principal, instance_id: UUID, agent_id: UUID, request: PageRequest
    ) -> Page[AgentVersion]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await checked(uow, principal, Action.READ, instance_id, agent_id)
            return await store.versions(uow, principal.mandate_id, agent_id, request)

    async def restore_version(
        self, principal: Principal, instance_id: UUID, agent_id: UUID, number: int
    ) -> AgentDefinition:
        """As it was then, as a new version: nothing of the history is lost."""
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.UPDATE, instance_id, agent_id, lock=True)
            content = await store.version(uow, principal.mandate_id, agent_id, number)
            if content is None:
                raise NotFound("There is no such version of this agent.")
            return await _new_version(uow, principal, agent, content, restored_from=number)

    async def duplicate(
        self,
        principal: Principal,
        instance_id: UUID,
        agent_id: UUID,
        name: str | None,
        language: str = DEFAULT_LANGUAGE,
    ) -> AgentDefinition:
        """One's own, private at first. What only those who may change the workspace can allow is not copied by others."""
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.READ, instance_id, agent_id, language=language)
            wanted: dict[str, Any] = {"name": agent.name if name is None else name}
            if not await _may_trust(uow, principal, instance_id):
                wanted["trusted_tools"] = []
            wanted["hands_to"] = await _reachable(uow, principal, instance_id, agent.hands_to)
            return await create(uow, principal, instance_id, agent.content.model_copy(update=wanted))

    async def share(
        self, principal: Principal, instance_id: UUID, agent_id: UUID, visibility: Visibility
    ) -> AgentDefinition:
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.READ, instance_id, agent_id, lock=True)
            if agent.builtin:
                raise AgentBuiltin
            require_sharing(principal, agent, visibility)
            require_agent(principal, Action.UPDATE, instance_id, agent)
            shared = agent.model_copy(update={"visibility": visibility, "updated_at": now()})
            await store.update(uow, principal.mandate_id, shared)
            await _record(uow, principal, "shared", shared, before=agent.visibility)
            return shared

    async def delete(self, principal: Principal, instance_id: UUID, agent_id: UUID) -> None:
        """Into the trash, where it stays for thirty days (`db/trash.py`). Answers under way go on with what they have."""
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.DELETE, instance_id, agent_id, lock=True)
            gone = agent.model_copy(update={"deleted_at": now()})
            await store.update(uow, principal.mandate_id, gone)
            await _record(uow, principal, "deleted", gone)

    async def restore(self, principal: Principal, instance_id: UUID, agent_id: UUID) -> AgentDefinition:
        """The right to delete is the right to restore; restoring what is not in the trash changes nothing."""
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.DELETE, instance_id, agent_id, lock=True, trash=True)
            if agent.deleted_at is None:
                return agent
            back = agent.model_copy(update={"deleted_at": None})
            await store.update(uow, principal.mandate_id, back)
            await _record(uow, principal, "restored", back)
            return back

    async def export(self, principal: Principal, instance_id: UUID, agent_id: UUID) -> AgentFile:
        async with self._db.unit_of_work(principal.actor) as uow:
            agent = await checked(uow, principal, Action.READ, instance_id, agent_id)
            known = await usable(uow, principal, instance_id)
            return agent_files.exported(agent, known)

    async def import_(
        self,
        principal: Principal,
        instance_id: UUID,
        given: AgentFile,
        on_conflict: ImportConflict = ImportConflict.FAIL,
    ) -> ImportedAgent:
        """Raises AgentExists when one of that name is here that this person may change."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            known = await usable(uow, principal, instance_id)
            content, warnings = agent_files.imported(given, known, self._tools)
            before = _replaceable(principal, instance_id, known.values(), store.slug(content.name))
            if before is None or on_conflict is ImportConflict.KEEP_BOTH:
                return ImportedAgent(agent=await create(uow, principal, instance_id, content), warnings=warnings)
            if on_conflict is ImportConflict.FAIL:
                raise AgentExists(before.id, before.name)
            locked = await checked(uow, principal, Action.UPDATE, instance_id, before.id, lock=True)
            agent = await _new_version(uow, principal, locked, cleaned(content))
            return ImportedAgent(agent=agent, warnings=warnings, replaced=True)


def _replaceable(
    principal: Principal, instance_id: UUID, known: Iterable[AgentDefinition], slug: str
) -> AgentDefinition | None:
    """The agent of that name in this workspace that they may change: their own before those of others."""
    here = [agent for agent in known if agent.slug == slug and agent.instance_id == instance_id]
    changeable = [agent for agent in here if may(principal, Action.UPDATE, agent)]
    return min(changeable, key=lambda agent: agent.owner_id != principal.user_id, default=None)


async def create(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    content: AgentContent,
    visibility: Visibility = Visibility.MY,
) -> AgentDefinition:
    await require_instance(uow, principal, instance_id)
    require(principal, Action.CREATE, Target(AGENT, principal.user_id, frozenset({instance_id})))
    moment = now()
    content = cleaned(content)
    agent = AgentDefinition(
        **dict(content),
        id=new_id(),
        slug=store.slug(content.name),
        version=1,
        owner_id=principal.user_id,
        instance_id=instance_id,
        created_at=moment,
        updated_at=moment,
    )
    if visibility is not Visibility.MY:
        require_sharing(principal, agent, visibility)
        agent = agent.model_copy(update={"visibility": visibility})
    await _require_allowed(uow, principal, agent, None)
    await store.insert(uow, principal.mandate_id, agent)
    await store.add_version(uow, principal.mandate_id, agent, principal.user_id)
    await _record(uow, principal, "created", agent)
    return agent


async def checked(
    uow: UnitOfWork,
    principal: Principal,
    action: Action,
    instance_id: UUID,
    agent_id: UUID,
    *,
    lock: bool = False,
    trash: bool = False,
    language: str = DEFAULT_LANGUAGE,
) -> AgentDefinition:
    """An agent of another workspace, or one in the trash, is as good as none. Shipped ones can be read, and no more."""
    await require_instance(uow, principal, instance_id)
    if (ours := shipped(language).get(agent_id)) is not None:
        if action is not Action.READ:
            raise AgentBuiltin
        return ours
    found = await store.get(uow, principal.mandate_id, agent_id, lock=lock)
    agent = require_agent(principal, action, instance_id, found)
    if agent.deleted_at is not None and not trash:
        raise NotFound("This agent is in the trash.")
    return agent


async def chosen(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, agent_id: UUID, language: str = DEFAULT_LANGUAGE
) -> AgentDefinition:
    """To answer with. NotFound when it is not this person's to use, AgentGone when it is thrown away."""
    try:
        return await checked(uow, principal, Action.READ, instance_id, agent_id, language=language)
    except NotFound:
        found = await store.get(uow, principal.mandate_id, agent_id)
        if found is not None and found.deleted_at is not None:
            require_agent(principal, Action.READ, instance_id, found)
            raise AgentGone(agent_id) from None
        raise


async def usable(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, language: str = DEFAULT_LANGUAGE
) -> Mapping[UUID, AgentDefinition]:
    """All agents this person could choose here."""
    made = await store.here(uow, principal.mandate_id, instance_id)
    return {**shipped(language), **{agent.id: agent for agent in made if may(principal, Action.READ, agent)}}


async def _new_version(
    uow: UnitOfWork,
    principal: Principal,
    agent: AgentDefinition,
    content: AgentContent,
    *,
    restored_from: int | None = None,
) -> AgentDefinition:
    made = agent.model_copy(
        update={**dict(content), "version": agent.version + 1, "slug": store.slug(content.name), "updated_at": now()}
    )
    await _require_allowed(uow, principal, made, agent)
    await store.update(uow, principal.mandate_id, made)
    await store.add_version(uow, principal.mandate_id, made, principal.user_id, restored_from)
    await _record(uow, principal, "updated", made)
    return made


async def _require_allowed(
    uow: UnitOfWork, principal: Principal, agent: AgentDefinition, before: AgentDefinition | None
) -> None:
    """What is newly said must be this person's to say."""
    assert agent.instance_id is not None
    trusted = set(agent.trusted_tools) - set(before.trusted_tools if before else ())
    if trusted and not await _may_trust(uow, principal, agent.instance_id):
        raise Forbidden(
            "Only those who may change the workspace let an agent use tools without being asked again. Leave"
            " trustedTools empty, or ask an administrator.",
            field="trustedTools",
        )
    added = [one for one in agent.hands_to if before is None or one not in before.hands_to]
    reachable = await _reachable(uow, principal, agent.instance_id, added)
    if len(reachable) < len(added) or agent.id in agent.hands_to:
        raise InvalidInput("An agent hands over to other agents that are yours to use.", field="handsTo")


async def _reachable(uow: UnitOfWork, principal: Principal, instance_id: UUID, wanted: Collection[UUID]) -> list[UUID]:
    if not wanted:
        return []
    known = await usable(uow, principal, instance_id)
    return [one for one in wanted if one in known]


async def _may_trust(uow: UnitOfWork, principal: Principal, instance_id: UUID) -> bool:
    instance = await require_instance(uow, principal, instance_id)
    return decide(principal, Action.UPDATE, Target("data.instance", instance.created_by, frozenset({instance_id})))


async def _record(
    uow: UnitOfWork, principal: Principal, action: str, agent: AgentDefinition, *, before: Visibility | None = None
) -> None:
    """History, and a hint for those who see the agent, or saw it until now. Of a private one history keeps no name."""
    seen = {agent.visibility, before or agent.visibility}
    group = agent.instance_id if seen != {Visibility.MY} else None
    await audit.record(
        uow,
        principal,
        action,
        ChangeKind.AGENT,
        agent.id,
        owner_id=agent.owner_id,
        instance_id=group,
        details={"name": agent.name} if group else {},
        version=agent.version,
        visibility=agent.visibility,
    )
    if Visibility.ALL in seen:
        change = Change(
            mandate_id=principal.mandate_id, kind=ChangeKind.AGENT, id=agent.id, owner_id=agent.owner_id, everybody=True
        )
        await uow.announce(change)
