"""The catalogue of a mandate: looked at, compared, brought up to date and put back as it was, without a release.

Nothing is changed but by a revision, and nothing while there is a problem with what was entered. To undo a revision is a new
one with the opposite changes; it is refused where the same models were changed since.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.memory_pages import paged
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.models import revision_store, store
from workroom.models.catalogue import Catalogue, CatalogueChange, Disagreement, ModelDescription, shipped
from workroom.models.catalogue_input import Examination, InputFault, InputLocation, InputPart, InputProblem
from workroom.models.gateway import Gateway
from workroom.models.provider_input import MOST_MODELS
from workroom.models.revision_store import Revision, RevisionOrigin

TARGET = Target("data.model")
MOST_NAMED = 20  # models in one line of the audit log


class EntryState(StrEnum):
    """Compared with what the product ships."""

    SHIPPED = "shipped"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class ListedEntry:
    """One that was taken out is shown as it was shipped."""

    provider: str
    model: str
    described: ModelDescription
    state: EntryState


@dataclass(frozen=True)
class Check:
    """`counts`: models per provider."""

    revision: int
    disagreements: Sequence[Disagreement]
    counts: Mapping[str, int]


@dataclass(frozen=True)
class CatalogueEdit:
    """One model as it shall be: `after` in the JSON of the files, None to take it out; `reset`: as it was shipped, and then
    there is no `after`."""

    provider: str
    model: str
    after: Mapping[str, Any] | None = None
    reset: bool = False


@dataclass(frozen=True)
class FilePair:
    """A provider's whole part of the catalogue: what the files do not name is taken out."""

    provider: str
    prices: str
    strategies: str


Update = Sequence[CatalogueEdit] | FilePair


@dataclass(frozen=True)
class Preview:
    """What would change, as of `revision`; nothing while there are problems."""

    revision: int
    changes: Sequence[CatalogueChange]
    problems: Sequence[InputProblem]


class ModelCatalogue:
    def __init__(self, db: Database, gateway: Gateway) -> None:
        self._db = db
        self._gateway = gateway

    async def list(self, principal: Principal, request: PageRequest) -> Page[ListedEntry]:
        require(principal, Action.READ, TARGET)
        day = now().date()
        return paged(
            _listed((await self._gateway.snapshot(principal)).configuration.catalogue),
            request,
            key=lambda listed: f"{listed.provider}/{listed.model}",
            sorts={
                "model": lambda listed: f"{listed.provider}/{listed.model}",
                "label": lambda listed: listed.described.entry.label.casefold(),
                "context": lambda listed: f"{listed.described.entry.context_tokens:012d}",
                "price": lambda listed: f"{listed.described.entry.price(day).input:020.9f}",
                "state": lambda listed: listed.state.value,
            },
            default_sort="model",
            search=lambda listed: f"{listed.provider}/{listed.model} {listed.described.entry.label}",
        )

    async def check(self, principal: Principal) -> Check:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            newest = await revision_store.newest(uow, principal.mandate_id)
            catalogue = await revision_store.catalogue(uow, principal.mandate_id)
        counts = {provider: len(models) for provider, models in catalogue.entries.items()}
        return Check(newest, catalogue.disagreements(), counts)

    async def preview(self, principal: Principal, update: Update) -> Preview:
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            # The revision first: what changes in between is then noticed when it is applied.
            return await _previewed(uow, principal, update)

    async def apply(self, principal: Principal, update: Update, revision: int) -> int:
        """Answers with the newest revision. `revision` is the one it was previewed on: when another change was faster, nothing
        is changed."""
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.raise_version(uow, principal.mandate_id)  # one after the other, from here on
            found = await _previewed(uow, principal, update)
            if found.problems:
                raise InvalidInput(
                    "There is something wrong with these entries. Nothing was changed; look at the preview, and mend them.",
                    code="catalogueProblems",
                    problems=len(found.problems),
                )
            if found.revision != revision:
                raise Conflict(
                    "Somebody has changed the catalogue in the meantime. Nothing was changed; compare again, then apply.",
                    code="catalogueChanged",
                    revision=found.revision,
                )
            if not found.changes:
                return revision
            origin = RevisionOrigin.FILE if isinstance(update, FilePair) else RevisionOrigin.EDIT
            await revision_store.add(
                uow, principal.mandate_id, revision + 1, found.changes, origin, principal.user_id, now()
            )
            await _record(uow, principal, "catalogueChanged", revision + 1, found.changes)
            return revision + 1

    async def revisions(self, principal: Principal, request: PageRequest) -> Page[Revision]:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            return await revision_store.listed(uow, principal.mandate_id, request)

    async def changes(self, principal: Principal, revision: int) -> Sequence[CatalogueChange]:
        """What a revision has changed."""
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            return await _changes(uow, principal, revision)

    async def undo(self, principal: Principal, revision: int) -> int:
        """Answers with the new revision."""
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.raise_version(uow, principal.mandate_id)
            changes = [change.inverse for change in await _changes(uow, principal, revision)]
            since = await revision_store.changed_since(uow, principal.mandate_id, revision)
            later = [change.ref for change in changes if (change.provider, change.model) in since]
            if later:
                raise Conflict(
                    f"These were changed again since: {', '.join(later[:MOST_NAMED])}. Undo the later revision first, or"
                    " change them by hand.",
                    code="catalogueLater",
                    models=later[:MOST_NAMED],
                )
            overfull = _overfull(await revision_store.catalogue(uow, principal.mandate_id), changes)
            if overfull:
                raise Conflict(
                    f"That would make more than {MOST_MODELS} models of {', '.join(overfull)}. Nothing was changed; take some"
                    " out first, then undo this.",
                    code="catalogueProblems",
                    providers=overfull,
                )
            number = await revision_store.newest(uow, principal.mandate_id) + 1
            await revision_store.add(
                uow,
                principal.mandate_id,
                number,
                changes,
                RevisionOrigin.UNDO,
                principal.user_id,
                now(),
                undone=revision,
            )
            await _record(uow, principal, "catalogueUndone", number, changes)
            return number


def _listed(catalogue: Catalogue) -> Iterator[ListedEntry]:
    origin = shipped()
    for provider in {**origin.entries, **catalogue.entries}:
        for model in {**origin.entries.get(provider, {}), **catalogue.entries.get(provider, {})}:
            was, now_is = origin.described(provider, model), catalogue.described(provider, model)
            described = now_is or was
            if described is not None:
                yield ListedEntry(provider, model, described, _state(was, now_is))


def _state(was: ModelDescription | None, now_is: ModelDescription | None) -> EntryState:
    if was == now_is:
        return EntryState.SHIPPED
    if now_is is None:
        return EntryState.REMOVED
    return EntryState.ADDED if was is None else EntryState.CHANGED


async def _previewed(uow: UnitOfWork, principal: Principal, update: Update) -> Preview:
    newest = await revision_store.newest(uow, principal.mandate_id)
    catalogue = await revision_store.catalogue(uow, principal.mandate_id)
    examination = Examination()
    if isinstance(update, FilePair):
        changes = _of_files(examination, catalogue, update)
    else:
        changes = _of_edits(examination, catalogue, update)
    for provider in _overfull(catalogue, changes):
        examination.note(InputLocation(InputPart.ENTERED, provider), InputFault.TOO_MANY, f"1 … {MOST_MODELS}")
    return Preview(newest, [] if examination.problems else changes, examination.problems)


def _overfull(catalogue: Catalogue, changes: Sequence[CatalogueChange]) -> builtins.list[str]:
    """Providers that would have more models than there may be. What has too many already may still become less."""
    return [
        provider
        for provider, models in catalogue.changed(changes).entries.items()
        if len(models) > max(MOST_MODELS, len(catalogue.entries.get(provider, ())))
    ]


def _of_files(examination: Examination, catalogue: Catalogue, files: FilePair) -> builtins.list[CatalogueChange]:
    """What the files say otherwise in their order, then what they do not name any more."""
    _require_known(files.provider)
    described = examination.files(files.provider, files.prices, files.strategies)
    gone = [model for model in catalogue.entries[files.provider] if model not in described]
    wanted = {**described, **dict.fromkeys(gone)}
    return [
        CatalogueChange(files.provider, model, before, after)
        for model, after in wanted.items()
        if (before := catalogue.described(files.provider, model)) != after
    ]


def _of_edits(
    examination: Examination, catalogue: Catalogue, edits: Sequence[CatalogueEdit]
) -> builtins.list[CatalogueChange]:
    changes: dict[str, CatalogueChange] = {}
    named = set()
    for edit in edits:
        _require_known(edit.provider)
        if edit.reset and edit.after is not None:
            raise InvalidInput("A model is either reset or described: send `reset` without `after`.", field="reset")
        if (edit.provider, edit.model) in named:
            examination.note(InputLocation(InputPart.ENTERED, edit.model), InputFault.TWICE)
        named.add((edit.provider, edit.model))
        if edit.reset:
            after = shipped().described(edit.provider, edit.model)
        else:
            after = None if edit.after is None else examination.described(edit.provider, edit.model, edit.after)
        change = CatalogueChange(edit.provider, edit.model, catalogue.described(edit.provider, edit.model), after)
        if change.before != change.after:
            changes[change.ref] = change
    return list(changes.values())


def _require_known(provider: str) -> None:
    if provider not in shipped().entries:
        raise InvalidInput(f"The catalogue knows {', '.join(shipped().entries)}.", field="provider")


async def _changes(uow: UnitOfWork, principal: Principal, revision: int) -> Sequence[CatalogueChange]:
    found = await revision_store.changes(uow, principal.mandate_id, revision)
    if found is None:
        raise NotFound("There is no such revision of the catalogue.")
    return found


async def _record(
    uow: UnitOfWork, principal: Principal, action: str, revision: int, changes: Sequence[CatalogueChange]
) -> None:
    models = [change.ref for change in changes[:MOST_NAMED]]
    await audit.record(
        uow,
        principal,
        action,
        ChangeKind.MODEL,
        principal.mandate_id,
        revision=revision,
        count=len(changes),
        models=models,
    )
