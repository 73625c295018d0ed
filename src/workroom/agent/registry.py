"""The registry of tools: discovers those of our package and of plugins, and selects which of them an agent may use.

A plugin joins through an entry point of the group `workroom.tools` that names a module or a package:

    [project.entry-points."workroom.tools"]
    weather = "acme_weather.tools"

Its tools are discovered as ours are, each with the texts of its module's sidecar (`forecast.json` beside `forecast.py`). A
plugin that cannot be loaded is logged and left out, whole; two tools of one name are an error, because it would be undefined
which of them an agent gets.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from workroom.agent.ports import AgentSpec
from workroom.agent.tool import Tool
from workroom.agent.tool_sets import TOOL_SETS, ToolSet
from workroom.core.errors import ConfigurationError
from workroom.core.sidecars import InvalidSidecar, read_sidecar
from workroom.core.tool_texts import ToolTexts, phrases_by_language

log = logging.getLogger(__name__)

PLUGINS = "workroom.tools"
HAND_OFF = "handOff"


class Registry:
    """Tools by name, and the sets that a workspace or an agent selects them by."""

    def __init__(self, tools: Iterable[Tool] = (), sets: Mapping[str, ToolSet] = TOOL_SETS) -> None:
        self._tools: dict[str, Tool] = {}
        self._sets = sets
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        if (known := self._tools.get(tool.name)) is not None:
            raise ValueError(f"there are two tools called {tool.name}: in {_home(known)} and in {_home(tool)}")
        self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(sorted(self._tools.values(), key=lambda tool: tool.name))

    def chosen(self, sets: Iterable[str] = (), names: Iterable[str] = ()) -> Mapping[str, Tool]:
        """The tools of these sets and of these names, sorted: a stable list keeps providers' prompt caches warm."""
        all_sets, all_names = self._with_included(sets), set(names)
        for name in all_sets & self._sets.keys():
            all_names |= self._sets[name].tools
        return {tool.name: tool for tool in self if tool.sets & all_sets or tool.name in all_names}

    def of(self, spec: AgentSpec) -> Mapping[str, Tool]:
        """The tools an agent may use: its own within the workspace's, and `handOff` if it has agents to hand over to."""
        chosen = self.chosen(spec.tool_sets, spec.tool_names)
        if spec.within:
            allowed = self.chosen(
                spec.within | {tool_set.name for tool_set in self._sets.values() if tool_set.everywhere}
            )
            chosen = {name: tool for name, tool in chosen.items() if name in allowed}
        if spec.colleagues and HAND_OFF in self._tools:
            chosen = {**chosen, HAND_OFF: self._tools[HAND_OFF]}
        return dict(sorted(chosen.items()))

    def phrases(self, names: Iterable[str] | None = None) -> dict[str, list[str]]:
        """By language, how people begin requests for these tools, or for any tool."""
        wanted = self._tools.keys() if names is None else set(names)
        return phrases_by_language(tool.texts for tool in self if tool.name in wanted)

    def _with_included(self, sets: Iterable[str]) -> set[str]:
        """These sets and all they include, directly or not."""
        reached, pending = set[str](), list(sets)
        while pending:
            if (name := pending.pop()) not in reached:
                reached.add(name)
                pending += self._sets[name].includes if name in self._sets else ()
        return reached


def discover(*packages: ModuleType) -> Registry:
    """The tools defined in the modules of the packages, with their texts: a new tool is one file and its sidecar."""
    return Registry(tool for package in packages for tool in _defined_in(package))


def with_plugins(*packages: ModuleType) -> Registry:
    """The tools of these packages and of every installed plugin."""
    registry = discover(*packages)
    for entry in sorted(entry_points(group=PLUGINS), key=lambda entry: entry.name):
        for tool in _tools_of_plugin(entry):
            try:
                registry.add(tool)
            except ValueError as error:
                raise ConfigurationError(f"The plugin {entry.name} cannot be used: {error}. Remove one.") from None
    return registry


def _tools_of_plugin(entry: EntryPoint) -> list[Tool]:
    try:
        module = entry.load()
        if not isinstance(module, ModuleType):
            raise TypeError(f"{entry.value} is not a module")
        return _defined_in(module)
    except Exception:  # foreign code may raise anything while it is imported; the other plugins still load
        log.exception("a plugin with tools could not be loaded, and is left out", extra={"plugin": entry.name})
        return []


def _defined_in(module: ModuleType) -> list[Tool]:
    """The tools of the module itself and, if it is a package, of the modules directly below it."""
    submodules = pkgutil.iter_modules(getattr(module, "__path__", ()), module.__name__ + ".")
    modules = [module, *(importlib.import_module(submodule.name) for submodule in submodules)]
    return [tool for each in modules for tool in _with_texts(each)]


def _with_texts(module: ModuleType) -> list[Tool]:
    """The tools that this module defines, not merely imports, each with its texts."""
    tools = [value for value in vars(module).values() if isinstance(value, Tool) and _is_defined_in(module, value)]
    texts = read_sidecar(module, ToolTexts)
    if unknown := texts.keys() - {tool.name for tool in tools}:
        raise InvalidSidecar(f"the sidecar of {module.__name__} describes tools it does not define: {sorted(unknown)}")
    return [replace(tool, texts=texts.get(tool.name, {})) for tool in tools]


def _is_defined_in(module: ModuleType, tool: Tool) -> bool:
    return tool.run.__module__ == module.__name__


def _home(tool: Tool) -> str:
    return f"{tool.run.__module__}.{getattr(tool.run, '__name__', '')}"
