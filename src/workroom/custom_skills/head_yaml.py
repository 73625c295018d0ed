"""The head of a SKILL.md as YAML: texts, lists and mappings, a few of them, and nothing that grows while it is read. Pure."""

from __future__ import annotations

import re
from typing import Any

import yaml

MOST_NODES = 1_000
DEEPEST = 10
_NULL = "tag:yaml.org,2002:null"
_LINE_BREAKS = re.compile("[\x85\u2028\u2029]")  # YAML reads them as others, unless they are escaped


class HeadLoader(yaml.BaseLoader):  # type: ignore[misc]
    """Reads every value as a text, so that no number or date has to be understood. Refuses aliases and tags."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = self._nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent) or getattr(event, "tag", None) is not None:
            raise yaml.YAMLError("aliases and tags are not read")
        self._depth += 1
        self._nodes += 1
        if self._depth > DEEPEST or self._nodes > MOST_NODES:
            raise yaml.YAMLError("too deep, or too many values")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


class HeadDumper(yaml.SafeDumper):  # type: ignore[misc]
    """Writes texts so that they are read as they were."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _LINE_BREAKS.search(text) else None)


HeadLoader.add_implicit_resolver(_NULL, re.compile(r"(?:~|null|Null|NULL)?\Z"), ["", "~", "n", "N"])
HeadLoader.add_constructor(_NULL, lambda loader, node: None)
HeadDumper.add_representer(str, _text)
