"""All tools there are. Packages bring them in by being imported; an agent sees the ones it may use, and no others.

A package of somebody else joins through an entry point of the group `workroom.tools` that names a module or a package:

    [project.entry-points."workroom.tools"]
    weather = "acme_weather.tools"

Its tools are found as ours are. A plugin that cannot be loaded is logged and left out, whole; two tools of one name are an
error, because nobody could say which of them an agent would get.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from workroom.agent.ports import AgentSpec
from workroom.agent.tool import Tool
from workroom.agent.tool_sets import TOOL_SETS, ToolSet
from workroom.core.errors import ConfigurationError

log = logging.getLogger(__name__)

PLUGINS = "workroom.tools"
HAND_OFF = "handOff"


class Registry:
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
        """The tools of these sets, and these by name, sorted: a stable list keeps providers' prompt caches warm."""
        wanted_sets, wanted_names = self._opened(sets), set(names)
        for name in wanted_sets & self._sets.keys():
            wanted_names |= self._sets[name].tools
        return {tool.name: tool for tool in self if tool.sets & wanted_sets or tool.name in wanted_names}

    def of(self, spec: AgentSpec) -> Mapping[str, Tool]:
        """What an agent may use: its own tools within the workspace's, and handing over if there is somebody to hand to."""
        chosen = self.chosen(spec.tool_sets, spec.tool_names)
        if spec.within:
            allowed = self.chosen(spec.within | {one.name for one in self._sets.values() if one.everywhere})
            chosen = {name: tool for name, tool in chosen.items() if name in allowed}
        if spec.colleagues and HAND_OFF in self._tools:
            chosen = {**chosen, HAND_OFF: self._tools[HAND_OFF]}
        return dict(sorted(chosen.items()))

    def _opened(self, sets: Iterable[str]) -> set[str]:
        """These sets and all they include."""
        opened, todo = set[str](), list(sets)
        while todo:
            if (name := todo.pop()) not in opened:
                opened.add(name)
                todo += self._sets[name].includes if name in self._sets else ()
        return opened


def discover(*packages: ModuleType) -> Registry:
    """Every tool defined in a module of the packages: adding one touches one file."""
    return Registry(tool for package in packages for tool in _defined_in(package))


def with_plugins(*packages: ModuleType) -> Registry:
    """The tools of these packages, and those of every plugin that is installed."""
    found = discover(*packages)
    for entry in sorted(entry_points(group=PLUGINS), key=lambda entry: entry.name):
        for tool in _brought_by(entry):
            try:
                found.add(tool)
            except ValueError as error:
                raise ConfigurationError(f"The plugin {entry.name} cannot be used: {error}. Remove one.") from None
    return found


def _brought_by(entry: EntryPoint) -> list[Tool]:
    try:
        module = entry.load()
        if not isinstance(module, ModuleType):
            raise TypeError(f"{entry.value} is not a module")
        return _defined_in(module)
    except Exception:  # whatever a stranger's code does while it is imported, the others go on
        log.exception("a plugin with tools could not be loaded, and is left out", extra={"plugin": entry.name})
        return []


def _defined_in(module: ModuleType) -> list[Tool]:
    """In the module itself and, if it is a package, in the modules directly below it. What a module merely imports is not
    counted again."""
    below = pkgutil.iter_modules(getattr(module, "__path__", ()), module.__name__ + ".")
    modules = [module, *(importlib.import_module(found.name) for found in below)]
    return [
        value
        for each in modules
        for value in vars(each).values()
        if isinstance(value, Tool) and value.run.__module__ == each.__name__
    ]


def _home(tool: Tool) -> str:
    return f"{tool.run.__module__}.{getattr(tool.run, '__name__', '')}"
