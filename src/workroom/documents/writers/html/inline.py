"""Text within a paragraph, and the footnotes at the end of the page with links back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workroom.documents.writers.addresses import web_address
from workroom.documents.writers.html.elements import Markup, element, joined, text
from workroom.documents.writers.markdown_blocks import Block, plain_text

DEEPEST = 20


class HtmlInlineWriter:
    def __init__(self) -> None:
        self._notes: list[Markup] = []

    def markup(self, parts: Sequence[Block]) -> Markup:
        return joined(*self._parts(parts, 0, is_link=False))

    def notes(self) -> Markup:
        """The section of all footnotes; empty where there are none."""
        if not self._notes:
            return Markup()
        items = [
            element(
                "li",
                note,
                text(" "),
                element("a", text("↩"), href=f"#reference-{number}", role="doc-backlink", aria_label=str(number)),
                id=f"note-{number}",
            )
            for number, note in enumerate(self._notes, start=1)
        ]
        return element("section", element("ol", *items), class_="footnotes", role="doc-endnotes")

    def _parts(self, parts: Sequence[Block], depth: int, *, is_link: bool) -> Iterator[Markup]:
        for part in parts:
            match part["kind"]:
                case "text":
                    yield text(part["text"])
                case "code":
                    yield element("code", text(part["text"]))
                case "break":
                    yield element("br")
                case "footnote":
                    yield self._reference(part)
                case _ if depth > DEEPEST:
                    yield text(plain_text([part]))
                case "strong" | "em" | "s" as name:
                    yield element(name, *self._parts(part["inline"], depth + 1, is_link=is_link))
                case "link":
                    address = None if is_link else web_address(part["href"])
                    inner = list(self._parts(part["inline"], depth + 1, is_link=is_link or address is not None))
                    yield element("a", *inner, href=address, rel="noopener noreferrer") if address else joined(*inner)

    def _reference(self, part: Block) -> Markup:
        number = len(self._notes) + 1
        self._notes.append(Markup())  # it counts before those within it
        self._notes[number - 1] = joined(*self._parts(part["inline"], 0, is_link=False))
        link = element("a", text(str(number)), id=f"reference-{number}", href=f"#note-{number}", role="doc-noteref")
        return element("sup", link)
