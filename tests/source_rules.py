"""Rules for the source of tests, read from their syntax trees: nothing has to run.

- A test module imports nothing from another test module: what both need is a fixture, or lies in a module beside them.
- Every test can fail by an assertion: `assert`, `pytest.raises`, Playwright's `expect`, or a helper of ours that has one.
- `wait_for_function` gets a function: an expression is evaluated anew at every try, which the pages' content security policy
  forbids from the second on, so such a test passes only where it does not have to wait.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).parent

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Calls that fail a test by themselves.
ASSERTING_CALLS = frozenset({"pytest.raises", "pytest.warns", "pytest.fail", "expect"})
# Methods that fail a test by themselves. A method cannot be resolved without types: the name has to say it.
ASSERTING_METHODS = frozenset({"assertValid", "fine", "refused"})
# An arrow function in a literal, as Python would write that.
JAVASCRIPT_FUNCTION = re.compile(r"""f?["']+(\([^)]*\)|\w+) =>""")


@dataclass(frozen=True)
class Module:
    """A module of the tests. `modules` are all of them, by name."""

    name: str
    tree: ast.Module
    modules: dict[str, Module] = field(repr=False)

    @property
    def is_test(self) -> bool:
        return _is_test_module(self.name)

    @property
    def tests(self) -> Iterator[Function]:
        """Functions and methods that pytest collects."""
        classes = [node for node in self.tree.body if isinstance(node, ast.ClassDef)]
        for node in [*self.tree.body, *(inner for each in classes for inner in each.body)]:
            if isinstance(node, Function) and node.name.startswith("test_") and not _is_fixture(node):
                yield node

    @cached_property
    def functions(self) -> dict[str, Function]:
        return {node.name: node for node in self.tree.body if isinstance(node, Function)}

    @cached_property
    def _imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Wherever they stand."""
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)]

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """Name here → module and name there."""
        return {
            alias.asname or alias.name: (node.module, alias.name)
            for node in self._imports
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }

    def imports_of_test_modules(self) -> Iterator[str]:
        for node in self._imports:
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{name}" for name in names)]
            yield from (name for name in names if name in self.modules and _is_test_module(name))

    def waits_for_expressions(self) -> Iterator[int]:
        """Lines that wait for an expression of JavaScript instead of a function."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".wait_for_function"):
                script = ast.unparse(node.args[0])
                if not JAVASCRIPT_FUNCTION.match(script) and not script.isidentifier():
                    yield node.lineno

    def has_assertion(self, function: Function, seen: frozenset[Function] = frozenset()) -> bool:
        """Whether it asserts something, or calls a function of the tests that does."""
        return any(
            isinstance(node, ast.Assert)
            or (isinstance(node, ast.Raise) and "AssertionError" in ast.unparse(node))
            or (isinstance(node, ast.Call) and self._asserts(node.func, seen | {function}))
            for node in ast.walk(function)
        )

    def _asserts(self, called: ast.expr, seen: frozenset[Function]) -> bool:
        if isinstance(called, ast.Attribute):
            owner = called.value.id if isinstance(called.value, ast.Name) else ""
            return called.attr in ASSERTING_METHODS or f"{owner}.{called.attr}" in ASSERTING_CALLS
        if not isinstance(called, ast.Name):
            return False
        if called.id in ASSERTING_CALLS:
            return True
        module, name = self, called.id
        while name in module.imported and module.imported[name][0] in self.modules:
            there, name = module.imported[name]
            module = self.modules[there]
        function = module.functions.get(name)
        return function is not None and function not in seen and module.has_assertion(function, seen)


def read_modules(folder: Path = HERE, package: str = "tests") -> dict[str, Module]:
    """All modules below `folder`, by name."""
    modules: dict[str, Module] = {}
    for path in sorted(folder.rglob("*.py")):
        name = ".".join((package, *path.relative_to(folder).with_suffix("").parts))
        modules[name] = Module(name, ast.parse(path.read_text(encoding="utf-8")), modules)
    return modules


def _is_test_module(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test_")


def _is_fixture(function: Function) -> bool:
    return any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)
