"""Markdown as blocks: what every writer of documents begins with. What is no Markdown it knows stays text, raw HTML as well.

Beyond CommonMark: tables, ~~struck~~ text, footnotes (`[^1]`), boxes to tick (`- [ ]`). A picture that stands alone is a figure,
and its words are the caption; `Table: …` before or after a table is its caption. `[TOC]` is the table of contents and
`\\pagebreak` begins a page, each on a line of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.footnote import footnote_plugin

Block = dict[str, Any]
DEEPEST = 8  # lists in lists; deeper ones are typeset as text
LINKED = re.compile(r"^(?:https?:|mailto:)", re.IGNORECASE)
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
PAGE_BREAK = re.compile(r"\\(?:pagebreak|newpage)|<!--\s*pagebreak\s*-->", re.IGNORECASE)
CONTENTS = re.compile(r"\[\[?TOC\]?\]|<!--\s*toc\s*-->", re.IGNORECASE)
CAPTION = re.compile(r"(?:Table|Tabelle|Tableau|Tabela|表)\s?[:：]\s*")
STRONG = ("L", "R", "AL")  # kinds of letters by their direction
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
BOX = re.compile(r"\[([ xX])\]\s+")


def blocks_of(markdown: str) -> list[Block]:
    """What is nested deeper than anybody means stays as it was written, a paragraph for each line."""
    parser = (
        MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).use(footnote_plugin, inline=False)
    )
    text = UNPRINTABLE.sub("", markdown)
    try:
        return _Reader().document(SyntaxTreeNode(parser.parse(text)))
    except RecursionError:
        return [_plain_paragraph(line) for line in text.splitlines() if line.strip()]


def printable(text: str) -> str:
    """Without characters that neither fonts nor XML have."""
    return UNPRINTABLE.sub("", text)


class _Reader:
    """Reads one syntax tree. A footnote is read once, where it is first referred to."""

    def __init__(self) -> None:
        self._notes: Mapping[int, Sequence[SyntaxTreeNode]] = {}
        self._numbers: dict[int, int] = {}  # of the notes that were read
        self._is_in_note = False

    def document(self, root: SyntaxTreeNode) -> list[Block]:
        notes = [note for node in root.children if node.type == "footnote_block" for note in node.children]
        self._notes = {note.meta["id"]: note.children for note in notes}
        return self._blocks([node for node in root.children if node.type != "footnote_block"], 0)

    def _blocks(self, nodes: Sequence[SyntaxTreeNode], depth: int) -> list[Block]:
        return _captioned([block for node in nodes for block in self._block(node, depth)])

    def _block(self, node: SyntaxTreeNode, depth: int) -> list[Block]:
        if depth > DEEPEST:
            return [_plain_paragraph(_words(node))]
        match node.type:
            case "heading":
                return [{"kind": "heading", "level": int(node.tag[1]), "inline": self._inline(node.children)}]
            case "paragraph":
                return self._paragraph(node)
            case "fence" | "code_block":
                language = node.info.split(maxsplit=1)[0] if node.info.strip() else ""
                return [{"kind": "code", "language": language, "text": printable(node.content.rstrip("\n"))}]
            case "bullet_list" | "ordered_list":
                start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
                items = [self._item(item, depth + 1) for item in node.children]
                return [{"kind": "list", "start": start, "items": items}]
            case "blockquote":
                return [{"kind": "quote", "blocks": self._blocks(node.children, depth + 1)}]
            case "hr":
                return [{"kind": "rule"}]
            case "table":
                return [self._table(node)]
            case _:
                return [_plain_paragraph(_words(node))]

    def _paragraph(self, node: SyntaxTreeNode) -> list[Block]:
        words = _words(node).strip()
        if PAGE_BREAK.fullmatch(words):
            return [{"kind": "pageBreak"}]
        if CONTENTS.fullmatch(words):
            return [{"kind": "contents"}]
        parts = [part for inline in node.children for part in inline.children if part.type != "softbreak"]
        if parts and all(part.type == "image" for part in parts):
            return [_image(part) for part in parts]
        inline = self._inline(node.children)
        return [{"kind": "paragraph", "inline": inline, "rtl": is_right_to_left(plain_text(inline))}]

    def _item(self, node: SyntaxTreeNode, depth: int) -> list[Block]:
        blocks = self._blocks(node.children, depth)
        first = blocks[0]["inline"] if blocks and blocks[0]["kind"] == "paragraph" else []
        if first and first[0]["kind"] == "text" and (box := BOX.match(first[0]["text"])):
            first[0]["text"] = f"{'☐' if box[1] == ' ' else '☑'} {first[0]['text'][box.end() :]}"
        return blocks

    def _table(self, node: SyntaxTreeNode) -> Block:
        rows = [row for part in node.children for row in part.children]
        head = rows[0].children if rows else []
        aligned = [str(cell.attrs.get("style", "")).removeprefix("text-align:") or "start" for cell in head]
        cells = [[self._inline(cell.children) for cell in row.children] for row in rows]
        return {"kind": "table", "align": aligned, "rows": cells, "caption": []}

    def _inline(self, nodes: Sequence[SyntaxTreeNode]) -> list[Block]:
        return [part for node in nodes for part in self._inline_of(node)]

    def _inline_of(self, node: SyntaxTreeNode) -> list[Block]:
        match node.type:
            case "inline":
                return self._inline(node.children)
            case "text" | "html_inline":
                return [_text(node.content)]
            case "softbreak":
                return [_text(" ")]
            case "hardbreak":
                return [{"kind": "break"}]
            case "code_inline":
                return [{"kind": "code", "text": printable(node.content)}]
            case "strong" | "em" | "s":
                return [{"kind": node.type, "inline": self._inline(node.children)}]
            case "link":
                href = str(node.attrs.get("href", ""))
                href = href if LINKED.match(href) else ""
                return [{"kind": "link", "href": href, "inline": self._inline(node.children)}]
            case "image":
                return [_text(node.content)]  # within a text: what it shows, in words
            case "footnote_ref":
                return list(self._footnote(node.meta["id"]))
            case "footnote_anchor":
                return []
            case _:
                return [_text(_words(node))]

    def _footnote(self, note_id: int) -> Iterator[Block]:
        """The note itself, its paragraphs one below the other. Later references, and those within notes, are its number."""
        if note_id in self._numbers or self._is_in_note:
            if number := self._numbers.get(note_id):
                yield _text(str(number).translate(RAISED))
            return
        self._numbers[note_id] = len(self._numbers) + 1
        self._is_in_note = True
        inline: list[Block] = []
        for node in self._notes.get(note_id, ()):
            inline += [{"kind": "break"}] if inline else []
            inline += self._inline(node.children) if node.type == "paragraph" else [_text(_words(node))]
        self._is_in_note = False
        yield {"kind": "footnote", "inline": inline}


def plain_text(inline: Sequence[Block]) -> str:
    """The words of a line, without footnotes; without recursion, because it may be nested deeper than that allows."""
    words, pending = [], list(reversed(inline))
    while pending:
        part = pending.pop()
        if part["kind"] == "footnote":
            continue
        words.append(" " if part["kind"] == "break" else part.get("text", ""))
        pending += reversed(part.get("inline", []))
    return "".join(words)


def footnotes_in(inline: Sequence[Block]) -> list[list[Block]]:
    """What `plain_text` leaves out, in the order of the text."""
    notes, pending = [], list(reversed(inline))
    while pending:
        part = pending.pop()
        if part["kind"] == "footnote":
            notes.append(part["inline"])
        pending += reversed(part.get("inline", []))
    return notes


def is_right_to_left(text: str) -> bool:
    """By its first letter, as programs decide where a paragraph begins."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in STRONG), "L") != "L"


def _captioned(blocks: list[Block]) -> list[Block]:
    """Tables with the captions that stand beside them: above, or below where no other table follows."""
    kept: list[Block] = []
    pending: list[Block] | None = None  # the caption that stands above
    for at, block in enumerate(blocks):
        following = blocks[at + 1]["kind"] if at + 1 < len(blocks) else ""
        if block["kind"] == "table":
            kept.append(block | {"caption": pending} if pending else block)
            pending = None
        elif (caption := _caption(block)) and following == "table":
            pending = caption
        elif caption and kept and kept[-1]["kind"] == "table" and not kept[-1]["caption"]:
            kept[-1] = kept[-1] | {"caption": caption}
        else:
            kept.append(block)
    return kept


def _caption(block: Block) -> list[Block]:
    inline = block["inline"] if block["kind"] == "paragraph" else []
    if not inline or inline[0]["kind"] != "text" or not (start := CAPTION.match(inline[0]["text"])):
        return []
    return [_text(inline[0]["text"][start.end() :]), *inline[1:]]


def _plain_paragraph(words: str) -> Block:
    return {"kind": "paragraph", "inline": [_text(words)], "rtl": is_right_to_left(words)}


def _image(node: SyntaxTreeNode) -> Block:
    source = str(node.attrs.get("src", ""))
    return {"kind": "image", "source": source, "text": printable(node.content)}


def _text(text: str) -> Block:
    return {"kind": "text", "text": printable(text)}


def _words(node: SyntaxTreeNode) -> str:
    if node.type in ("text", "inline", "fence", "code_block", "code_inline", "html_block", "html_inline", "image"):
        return str(node.content)
    return " ".join(filter(None, map(_words, node.children)))
