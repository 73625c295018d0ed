"""Elements of HTML. Texts and values of attributes are escaped here, and nowhere else; none is ever parsed."""

from __future__ import annotations

from html import escape

EMPTY = ("br", "hr", "img", "meta")


class Markup(str):
    """Text of HTML, already escaped."""

    __slots__ = ()


def text(content: str) -> Markup:
    return Markup(escape(content, quote=False))


def element(name: str, /, *children: Markup, **values: object) -> Markup:
    """`<name>` with these children. An attribute whose value is None is left out; `class_` is `class`."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in values.items()
        if value is not None
    )
    end = "" if name in EMPTY else f"</{name}>"
    return Markup(f"<{name}{said}>{''.join(children)}{end}")


def joined(*parts: Markup) -> Markup:
    return Markup("".join(parts))
