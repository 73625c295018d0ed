"""Elements of WordprocessingML. Texts become text nodes and attributes, which lxml escapes; none is ever parsed."""

from __future__ import annotations

from typing import Any

from lxml import etree

from workroom.documents.writers.package import R

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def w(name: str, /, *children: Any, **values: object) -> Any:
    """`<w:name>` with these children; `values` are attributes in the same namespace."""
    element = etree.Element(f"{{{W}}}{name}", nsmap={"w": W, "r": R})
    for key, value in values.items():
        element.set(f"{{{W}}}{key}", str(value))
    element.extend(child for child in children if child is not None)
    return element


def text(content: str) -> Any:
    element = w("t")
    element.text = content
    element.set(SPACE, "preserve")
    return element
