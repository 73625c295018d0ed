"""Slides drawn as SVG: what they may contain, and the lines of text in them."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"


def assert_harmless(root: Any) -> None:
    for element in root.iter():
        assert etree.QName(element).localname in {
            "svg", "defs", "rect", "path", "line", "text", "tspan", "image", "g", "linearGradient", "radialGradient",
            "stop", "clipPath", "marker",
        }  # fmt: skip
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name or value.startswith("data:image/")
            assert "url(" not in value or re.fullmatch(r"url\(#d\d+\)", value)


def lines(root: Any) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
