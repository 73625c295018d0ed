"""Elements of DrawingML and PresentationML. Texts become text nodes and attributes, which lxml escapes; none is ever parsed."""

from __future__ import annotations

from typing import Any

from lxml import etree

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def a(name: str, /, *children: Any, **values: object) -> Any:
    return _element(A, name, children, values)


def p(name: str, /, *children: Any, **values: object) -> Any:
    return _element(P, name, children, values)


def _element(space: str, name: str, children: tuple[Any, ...], values: dict[str, object]) -> Any:
    element: Any = etree.Element(f"{{{space}}}{name}", nsmap={"a": A, "p": P, "r": R})
    for key, value in values.items():
        if value is not None:
            element.set(key, str(value))
    element.extend(child for child in children if child is not None)
    return element
