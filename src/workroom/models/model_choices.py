"""Which models there are for a person, and which of them a mandate wants to be asked for what."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TypeVar

from workroom.core.changes import ChangeKind
from workroom.core.errors import InvalidInput
from workroom.core.memory_pages import paged
from workroom.core.pages import Page, PageRequest
from workroom.db import Database
from workroom.identity import audit
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.models import chains, store
from workroom.models.embeddings.embedders import chosen, may_embed, offered
from workroom.models.embeddings.local import LocalOffer
from workroom.models.embeddings.offers import EmbeddingOffer
from workroom.models.embeddings.ports import EmbedderInfo
from workroom.models.embeddings.vector_probe import ProbedVectors, keep, learn
from workroom.models.gateway import Gateway, may_use, ref_of
from workroom.models.ports import ModelInfo
from workroom.models.reranking.offers import rerank_offers
from workroom.models.reranking.remote import RemoteReranker
from workroom.models.types import Operation

TARGET = Target("data.model")
LONGEST_CHAIN = 20
TRIAL = ("When does the library open?", ("The library opens at nine.", "Bread is baked in an oven."))


@dataclass(frozen=True)
class ListedModel:
    ref: str
    label: str
    info: ModelInfo
    provider_label: str
    allowed: bool


@dataclass(frozen=True)
class ModelChain:
    """`chosen`: by an administrator; otherwise it follows what is set up."""

    operation: Operation
    models: Sequence[str]
    chosen: bool


@dataclass(frozen=True)
class ListedEmbedder:
    """`dimensions` 0: found out when it is chosen. `counts`: it is the one whose vectors are used now."""

    ref: str
    label: str
    info: EmbedderInfo
    provider_label: str
    allowed: bool
    counts: bool


Listed = TypeVar("Listed", ListedModel, ListedEmbedder)


class ModelChoices:
    def __init__(self, db: Database, gateway: Gateway) -> None:
        self._db = db
        self._gateway = gateway

    async def models(self, principal: Principal, request: PageRequest) -> Page[ListedModel]:
        """Everything that is set up, with whether this person may use it; the embedded default is always there."""
        require(principal, Action.READ, TARGET)
        snapshot = await self._gateway.snapshot(principal)
        listed = [
            ListedModel(offer.ref, offer.label, offer.info, offer.connection.provider.label, may_use(principal, offer))
            for offer in snapshot.offers.values()
        ]
        embedded = self._gateway.embedded
        listed.append(ListedModel(ref_of(embedded), embedded.info.id, embedded.info, embedded.info.provider, True))
        return _listed(listed, request)

    async def embedders(self, principal: Principal, request: PageRequest) -> Page[ListedEmbedder]:
        """Everything that can make vectors here, or may turn out to; those of this process are always there."""
        require(principal, Action.READ, TARGET)
        snapshot = await self._gateway.snapshot(principal)
        counting = chosen(snapshot, principal)
        listed = [
            ListedEmbedder(
                ref, offer.label, offer.info, _whose(offer), may_embed(principal, offer), ref == counting.ref
            )
            for ref, offer in offered(snapshot).items()
        ]
        return _listed(listed, request)

    async def chains(self, principal: Principal) -> Sequence[ModelChain]:
        require(principal, Action.READ, TARGET)
        snapshot = await self._gateway.snapshot(principal)
        chosen = snapshot.configuration.choices.chains
        return [
            ModelChain(
                operation,
                chosen.get(operation) or [offer.ref for offer in chains.default_chain(snapshot.offers, operation)],
                operation in chosen,
            )
            for operation in Operation
        ]

    async def choose(self, principal: Principal, operation: Operation, refs: Sequence[str] | None) -> None:
        """These models, in this order; None goes back to following what is set up. Embedding models are asked before they
        are chosen, since what vectors they give must be known; reranking models as well, since hardly any model is one."""
        require(principal, Action.UPDATE, TARGET)
        learnt: Sequence[ProbedVectors] = ()
        if refs is not None:
            snapshot = await self._gateway.snapshot(principal)
            if operation is Operation.EMBEDDING:
                embedding = offered(snapshot)
                _check(refs, embedding)
                learnt = [await learn(embedding[ref], snapshot) for ref in refs]
            elif operation is Operation.RERANK:
                ranking = rerank_offers(snapshot.configuration, snapshot.day)
                _check(refs, ranking)
                for ref in refs:
                    await RemoteReranker(ranking[ref], snapshot.client(ranking[ref].connection)).rerank(*TRIAL)
            else:
                _check(refs, snapshot.offers)
        async with self._db.unit_of_work(principal.actor) as uow:
            for one in learnt:
                await keep(uow, principal, one)
            await store.put_chain(uow, principal.mandate_id, operation, refs)
            await audit.record(
                uow,
                principal,
                "chainChanged",
                ChangeKind.MODEL,
                principal.mandate_id,
                operation=operation,
                models=list(refs or ()),
            )


def _whose(offer: EmbeddingOffer | LocalOffer) -> str:
    return offer.info.provider if isinstance(offer, LocalOffer) else offer.connection.provider.label


def _check(refs: Sequence[str], offered: Container[str]) -> None:
    if not 1 <= len(refs) <= LONGEST_CHAIN or len(set(refs)) != len(refs):
        raise InvalidInput(f"A chain has 1 to {LONGEST_CHAIN} different models.", field="models")
    for ref in refs:
        if ref not in offered:
            raise InvalidInput(f"There is no model {ref!r} here that can do this.", field="models")


def _listed(models: Sequence[Listed], request: PageRequest) -> Page[Listed]:
    return paged(
        models,
        request,
        key=lambda model: model.ref,
        sorts={
            "label": lambda model: model.label.casefold(),
            "provider": lambda model: f"{model.provider_label.casefold()} {model.label.casefold()}",
            "model": lambda model: model.ref,
        },
        default_sort="provider",
        search=lambda model: f"{model.ref} {model.label} {model.provider_label}",
    )
