"""What a new installation is called, in the language of its first start."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.world import World
from workroom.core.pages import PageRequest
from workroom.first_start import NAMES, ensure_first_user, machine_language
from workroom.identity.mandates import operator
from workroom.settings import Settings


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_CH.UTF-8"}, "de"),
        ({"LANG": "fr"}, "fr"),
        ({"LC_ALL": "pt_BR", "LANG": "de_CH"}, "pt"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP"}, "en"),
        ({}, "en"),
    ],
)
def test_the_machine_says_its_language(environment: dict[str, str], language: str) -> None:
    assert machine_language(environment) == language


async def test_the_first_mandate_and_workspace_are_named_in_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data=world.services.settings.data, language="de")
    services = replace(world.services, settings=settings)

    async def none(*_: Any) -> list[Any]:
        return []

    with monkeypatch.context() as patched:
        patched.setattr(type(services.mandates), "all", none)
        await ensure_first_user(services)
    (mandate,) = [one for one in await services.mandates.all() if one.name == NAMES["de"][0]]
    instances = await services.instances.list(operator(mandate.id), PageRequest())
    assert [instance.name for instance in instances.items] == ["Arbeitsbereich"]
