"""All tools there are. Packages bring them in by being imported; an agent sees the ones it may use, and no others."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from workroom.agent.tool import Tool


class Registry:
    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        if tool.name in self._tools:
            raise ValueError(f"there are two tools called {tool.name}")
        self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(sorted(self._tools.values(), key=lambda tool: tool.name))

    def chosen(self, sets: Iterable[str] = (), names: Iterable[str] = ()) -> Mapping[str, Tool]:
        """The tools of these sets, and these by name, sorted: a stable list keeps providers' prompt caches warm."""
        wanted_sets, wanted_names = set(sets), set(names)
        return {tool.name: tool for tool in self if tool.sets & wanted_sets or tool.name in wanted_names}


def discover(package: ModuleType) -> Registry:
    """Every tool defined in a module of the package: adding one touches one file."""
    found = Registry()
    for module_info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        module = importlib.import_module(module_info.name)
        for value in vars(module).values():
            if isinstance(value, Tool) and value.run.__module__ == module.__name__:
                found.add(value)
    return found
