"""Skills: tools whose result is a widget in the conversation. One file each, with the texts of its tool in the sidecar. The
payload is a `Widget`; the page draws it with the component of the same name in `web/src/lib/widgets`."""

from __future__ import annotations

import importlib
import pkgutil

from workroom.core.widgets import Widget


def widgets() -> list[type[Widget]]:
    """The payloads of all skills, by name."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    values = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    payloads = [value for value in values if issubclass(value, Widget) and value is not Widget]
    return sorted(payloads, key=lambda payload: payload.__name__)
