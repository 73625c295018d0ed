"""Widgets: what a skill shows in a conversation, beside the words. They live in the result of their call, so they are there again
after a reload, and for everyone who reads the conversation."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from workroom.core.actions import UiAction
from workroom.core.results import ToolResult
from workroom.core.wire import Wire


class Widget(Wire):
    """A payload. The component that draws it has the name of the class; the action's type is that name, in camelCase."""

    @classmethod
    def action_type(cls) -> str:
        return cls.__name__[0].lower() + cls.__name__[1:]

    def action(self) -> UiAction:
        return UiAction(type=self.action_type(), payload=self.model_dump(mode="json"))

    def shown(self, message: str) -> ToolResult:
        """The result of the call that shows it; `message` is what the model reads."""
        return ToolResult(message=message, actions=[self.action()])


def widgets_in(package: ModuleType) -> list[type[Widget]]:
    """All widgets of a package, by name."""
    names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    values = {
        value for name in names for value in vars(importlib.import_module(name)).values() if isinstance(value, type)
    }
    payloads = [value for value in values if issubclass(value, Widget) and value is not Widget]
    return sorted(payloads, key=lambda payload: payload.__name__)
