"""MiniLM is offered where its files lie, can be chosen, and is left when they are gone."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from tests.models.embeddings.small_minilm import as_wide_as_the_real_one
from tests.models.gateways import open_gateway
from tests.world import World
from workroom.core.errors import ConfigurationError, InvalidInput
from workroom.core.pages import PageRequest
from workroom.db import Database
from workroom.identity.types import Action
from workroom.models.embeddings import minilm_files
from workroom.models.embeddings.embedders import Embedders
from workroom.models.embeddings.local import examine_minilm, examine_usual, local_offers
from workroom.models.embeddings.minilm import INFO as MINILM
from workroom.models.embeddings.minilm import LABEL
from workroom.models.embeddings.minilm_files import FILES
from workroom.models.embeddings.multilingual import INFO as MULTILINGUAL
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.gateway import Gateway
from workroom.models.model_choices import ListedEmbedder, ModelChoices
from workroom.models.ports import ModelFailed
from workroom.models.types import Operation
from workroom.settings import Settings
from workroom.usage.service import Budgets

EMBEDDING = Operation.EMBEDDING


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return as_wide_as_the_real_one().written(tmp_path / "minilm")


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed where the tests run."""
    monkeypatch.setattr(minilm_files, "PACKAGE", "no_such_package")


class TestWhereItLies:
    def test_in_the_folder_of_the_setting(self, folder: Path) -> None:
        offer = local_offers(folder)[MINILM.ref]
        assert (offer.ref, offer.label, offer.info) == (MINILM.ref, LABEL, MINILM)
        assert offer.usable

    @pytest.mark.parametrize("missing", FILES)
    def test_not_where_one_of_its_files_is_missing(self, folder: Path, missing: str) -> None:
        (folder / missing).unlink()
        assert MINILM.ref not in local_offers(folder)

    def test_in_a_package_that_is_never_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "site" / minilm_files.PACKAGE
        as_wide_as_the_real_one().written(package / "model")
        (package / "__init__.py").write_text("raise AssertionError('imported')", "utf-8")
        monkeypatch.syspath_prepend(package.parent)
        got = asyncio.run(local_offers(None)[MINILM.ref].embedder.embed(["soup"]))
        assert len(got.vectors[0]) == MINILM.dimensions
        assert MINILM.ref not in local_offers(tmp_path / "elsewhere"), "what somebody names counts, and nothing else"

    def test_nowhere(self, without_package: None) -> None:
        assert set(local_offers(None)) == {MULTILINGUAL.ref, STATIC.ref}


class TestExamining:
    async def test_the_usual_one_is_usable(self, tmp_path: Path) -> None:
        assert await examine_usual(Settings(data=tmp_path)) == "usable"

    async def test_it_is_usable(self, folder: Path, tmp_path: Path) -> None:
        assert await examine_minilm(Settings(data=tmp_path, minilm=folder)) == f"usable, in {folder}"

    async def test_it_is_not_installed(self, tmp_path: Path, without_package: None) -> None:
        assert "not installed" in await examine_minilm(Settings(data=tmp_path))

    async def test_a_folder_without_its_files(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match="unset WORKROOM_MINILM"):
            await examine_minilm(Settings(data=tmp_path, minilm=tmp_path / "empty"))

    async def test_files_that_are_damaged(self, folder: Path, tmp_path: Path) -> None:
        (folder / "model.safetensors").write_bytes(b"")
        with pytest.raises(ConfigurationError, match=r"model\.safetensors cannot be read"):
            await examine_minilm(Settings(data=tmp_path, minilm=folder))


class TestChoosingIt:
    @pytest.fixture
    async def gateway(self, world: World, db: Database, folder: Path) -> AsyncIterator[Gateway]:
        settings = Settings(data=world.services.settings.data, minilm=folder)
        async with open_gateway(settings, db) as gateway:
            yield gateway

    @pytest.fixture
    def choices(self, db: Database, gateway: Gateway) -> ModelChoices:
        return ModelChoices(db, gateway)

    @pytest.fixture
    def embedders(self, db: Database, gateway: Gateway) -> Embedders:
        return Embedders(db, gateway, Budgets(db))

    @pytest.fixture
    def lab(self, world: World) -> UUID:
        return world.instances["lab"].id

    async def listed(self, world: World, choices: ModelChoices) -> dict[str, ListedEmbedder]:
        page = await choices.embedders(world["bob"].principal, PageRequest(limit=200))
        return {item.ref: item for item in page.items}

    @pytest.mark.requirement("C5")
    async def test_it_is_offered_and_counts_only_when_it_is_chosen(
        self, world: World, choices: ModelChoices, embedders: Embedders, lab: UUID
    ) -> None:
        alice, bob = world["alice"].principal, world["bob"].principal
        shown = (await self.listed(world, choices))[MINILM.ref]
        assert (shown.label, shown.provider_label, shown.allowed, shown.counts) == (LABEL, "embedded", True, False)
        assert (await embedders.embedder(bob, lab)).info == MULTILINGUAL
        await choices.choose(alice, EMBEDDING, [MINILM.ref])
        assert [ref for ref, item in (await self.listed(world, choices)).items() if item.counts] == [MINILM.ref]
        embedder = await embedders.embedder(bob, lab)
        assert embedder.info == MINILM
        got = await embedder.embed(["the lease ends"])
        assert len(got.vectors[0]) == 384
        assert not got.cost
        await choices.choose(alice, EMBEDDING, None)
        assert (await embedders.embedder(bob, lab)).info == MULTILINGUAL

    async def test_no_role_is_needed_for_what_stays_here(
        self, world: World, choices: ModelChoices, embedders: Embedders, lab: UUID
    ) -> None:
        await choices.choose(world["alice"].principal, EMBEDDING, [MINILM.ref])
        bob = world["bob"].principal
        without = replace(bob, rules=tuple(rule for rule in bob.rules if rule.action is not Action.USE))
        assert (await embedders.embedder(without, lab)).info == MINILM

    @pytest.mark.requirement("C5")
    async def test_when_its_files_are_gone_the_usual_one_counts_and_the_list_says_so(
        self, world: World, choices: ModelChoices, embedders: Embedders, lab: UUID, folder: Path
    ) -> None:
        bob = world["bob"].principal
        await choices.choose(world["alice"].principal, EMBEDDING, [MINILM.ref])
        shutil.move(folder, folder.with_name("away"))
        assert (await embedders.embedder(bob, lab)).info == MULTILINGUAL
        assert await embedders.named(bob, lab, MINILM.ref) is None
        listed = await self.listed(world, choices)
        assert MINILM.ref not in listed
        assert listed[MULTILINGUAL.ref].counts
        chain = next(chain for chain in await choices.chains(bob) if chain.operation is EMBEDDING)
        assert (list(chain.models), chain.chosen) == ([MINILM.ref], True), "the choice stays, and is shown as not there"
        shutil.move(folder.with_name("away"), folder)
        assert (await embedders.embedder(bob, lab)).info == MINILM

    async def test_vectors_it_made_before_are_searched_after_another_was_chosen(
        self, world: World, choices: ModelChoices, embedders: Embedders, lab: UUID
    ) -> None:
        named = await embedders.named(world["bob"].principal, lab, MINILM.ref)
        assert named is not None
        assert named.info == MINILM

    async def test_one_that_is_damaged_is_not_chosen(self, world: World, choices: ModelChoices, folder: Path) -> None:
        (folder / "tokenizer.json").write_bytes(b"{}")
        with pytest.raises(ModelFailed, match=r"tokenizer\.json"):
            await choices.choose(world["alice"].principal, EMBEDDING, [MINILM.ref])
        chain = next(one for one in await choices.chains(world["bob"].principal) if one.operation is EMBEDDING)
        assert not chain.chosen

    async def test_it_makes_vectors_and_nothing_else(self, world: World, choices: ModelChoices) -> None:
        with pytest.raises(InvalidInput, match="can do this"):
            await choices.choose(world["alice"].principal, Operation.AGENT, [MINILM.ref])
