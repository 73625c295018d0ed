"""Every service that a built-in tool uses is there for it in a worker."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from workroom.bootstrap.shared import SharedServices
from workroom.bootstrap.tool_services import tool_services
from workroom.bootstrap.tools import TOOL_PACKAGES

USE = re.compile(r"ctx\.use\((\w+)\)")


def uses() -> Iterator[tuple[ModuleType, str]]:
    for package in TOOL_PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            module = importlib.import_module(found.name)
            for name in sorted(set(USE.findall(inspect.getsource(module)))):
                yield module, name


@pytest.mark.parametrize(
    ("module", "name"), [pytest.param(module, name, id=f"{module.__name__}-{name}") for module, name in uses()]
)
def test_a_service_that_a_tool_uses_is_provided(module: ModuleType, name: str) -> None:
    shared = cast(SharedServices, SimpleNamespace(**dict.fromkeys(field.name for field in fields(SharedServices))))
    assert getattr(module, name) in tool_services(shared)
