"""Colours: those of a theme, by the names a master gives them, and what is made of them (lighter, darker, see-through)."""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass, replace
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.slide_pictures.places import whole

_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_WHOLE = 100_000  # of a percentage
_USUAL = {
    "dk1": "000000", "lt1": "FFFFFF", "dk2": "44546A", "lt2": "E7E6E6", "accent1": "4472C4", "accent2": "ED7D31",
    "accent3": "A5A5A5", "accent4": "FFC000", "accent5": "5B9BD5", "accent6": "70AD47", "hlink": "0563C1",
    "folHlink": "954F72",
}  # fmt: skip
_NAMES = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}


@dataclass(frozen=True)
class Colour:
    red: float  # 0 to 1
    green: float
    blue: float
    alpha: float = 1.0

    @property
    def hex(self) -> str:
        return "#" + "".join(
            f"{round(255 * min(1.0, max(0.0, part))):02x}" for part in (self.red, self.green, self.blue)
        )

    @property
    def opacity(self) -> float | None:
        return self.alpha if self.alpha < 1 else None


BLACK, WHITE = Colour(0, 0, 0), Colour(1, 1, 1)


class Palette:
    def __init__(self, theme: Any, mapping: dict[str, str]) -> None:
        """`mapping` is what a master calls the colours of its theme: `bg1` is `lt1`."""
        self._mapping = _NAMES | mapping
        self._scheme = dict(_USUAL)
        scheme = None if theme is None else theme.find(".//{*}clrScheme")
        for entry in [] if scheme is None else scheme:
            for child in entry:
                value = child.get("lastClr") or child.get("val") or ""
                if _HEX.fullmatch(value):
                    self._scheme[local_name(entry)] = value

    def named(self, name: str) -> Colour:
        name = self._mapping.get(name, name)
        return of_hex(self._scheme.get(self._mapping.get(name, name), "000000"))

    def colour(self, holder: Any, placeholder: Colour | None = None) -> Colour | None:
        """The one in `holder`; `placeholder` is what a theme's own definitions are asked for."""
        for child in holder if holder is not None else ():
            found = self._base(child, placeholder)
            if found is not None:
                for change in child:
                    found = _changed(found, local_name(change), whole(change, "val", _WHOLE) / _WHOLE)
                return found
        return None

    def _base(self, element: Any, placeholder: Colour | None) -> Colour | None:
        kind, value = local_name(element), element.get("val") or ""
        if kind == "srgbClr":
            return of_hex(value)
        if kind == "schemeClr":
            return (placeholder or BLACK) if value == "phClr" else self.named(value)
        if kind == "sysClr":
            return of_hex(element.get("lastClr") or ("FFFFFF" if value == "window" else "000000"))
        if kind == "prstClr":
            return _of_name(value)
        if kind == "scrgbClr":
            red, green, blue = (max(0.0, whole(element, part) / _WHOLE) ** (1 / 2.2) for part in "rgb")
            return Colour(red, green, blue)
        if kind == "hslClr":
            hue = whole(element, "hue") / 21_600_000
            red, green, blue = colorsys.hls_to_rgb(hue, whole(element, "lum") / _WHOLE, whole(element, "sat") / _WHOLE)
            return Colour(red, green, blue)
        return None


def _changed(colour: Colour, change: str, by: float) -> Colour:
    parts = (colour.red, colour.green, colour.blue)
    if change == "alpha":
        return replace(colour, alpha=min(1.0, max(0.0, by)))
    if change in ("shade", "tint"):
        lost = 1 - by if change == "tint" else 0.0
        red, green, blue = (part * by + lost for part in parts)
        return Colour(red, green, blue, colour.alpha)
    if change in ("lumMod", "lumOff", "satMod"):
        hue, light, strong = colorsys.rgb_to_hls(*(min(1.0, max(0.0, part)) for part in parts))
        light = min(1.0, light * by if change == "lumMod" else light + by if change == "lumOff" else light)
        strong = min(1.0, strong * by if change == "satMod" else strong)
        return Colour(*colorsys.hls_to_rgb(hue, max(0.0, light), max(0.0, strong)), colour.alpha)
    return colour


def of_hex(value: str) -> Colour:
    if not _HEX.fullmatch(value):
        return BLACK
    return Colour(*(int(value[place : place + 2], 16) / 255 for place in (0, 2, 4)))


def _of_name(name: str) -> Colour:
    from PIL import ImageColor

    full = re.sub(r"^(dk|lt|med)(?=[A-Z])", lambda short: {"dk": "dark", "lt": "light"}.get(short[1], "medium"), name)
    try:
        red, green, blue = ImageColor.getrgb(full.lower())[:3]
    except ValueError:
        return BLACK
    return Colour(red / 255, green / 255, blue / 255)
