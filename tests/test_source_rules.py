"""Tests import nothing from each other, and each can fail: the rules in `source_rules.py` hold for every test there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.source_rules import Module, read_modules


@pytest.fixture(scope="module")
def modules() -> dict[str, Module]:
    return read_modules()


def test_no_module_imports_from_a_test_module(modules: dict[str, Module]) -> None:
    imports = [
        f"{module.name} imports {name}" for module in modules.values() for name in module.imports_of_test_modules()
    ]
    assert imports == []


def test_every_test_has_an_assertion(modules: dict[str, Module]) -> None:
    tests = [(module, test) for module in modules.values() if module.is_test for test in module.tests]
    assert len(tests) > 2_000
    without = [f"{module.name}::{test.name}" for module, test in tests if not module.has_assertion(test)]
    assert without == []


def test_waiting_is_for_functions(modules: dict[str, Module]) -> None:
    lines = [f"{module.name}:{line}" for module in modules.values() for line in module.waits_for_expressions()]
    assert lines == []


EXAMPLE = """
import asyncio
import pytest
from tests.example.helpers import check, prepare

def test_asserts(): assert 1
def test_expects_an_error():
    with pytest.raises(ValueError): int("x")
def test_asks_a_helper(): check()
async def test_only_waits(): await asyncio.wait_for(prepare(), 1)
def test_only_calls(): prepare()
@pytest.fixture
def test_data(): return 1
"""
HELPERS = """
async def wait(page): await page.wait_for_function("!history.state?.layer")
async def wait_well(page): await page.wait_for_function("() => !history.state?.layer")
def check(): inner()
def inner(): assert 2
def prepare(): prepare()
"""


def test_the_rules_see_what_breaks_them(tmp_path: Path) -> None:
    (tmp_path / "test_example.py").write_text(EXAMPLE)
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "test_other.py").write_text(
        "from tests.example.test_example import test_data\nfrom tests.example import helpers"
    )
    modules = read_modules(tmp_path, "tests.example")
    example = modules["tests.example.test_example"]
    assert [test.name for test in example.tests if not example.has_assertion(test)] == [
        "test_only_waits",
        "test_only_calls",
    ]
    assert list(modules["tests.example.helpers"].waits_for_expressions()) == [2]
    assert list(example.imports_of_test_modules()) == []
    assert list(modules["tests.example.test_other"].imports_of_test_modules()) == ["tests.example.test_example"]
