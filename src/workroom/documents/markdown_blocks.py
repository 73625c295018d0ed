"""Markdown as blocks for the writers of PDF and DOCX. What is no Markdown it knows stays text; raw HTML is text as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Block = dict[str, Any]
DEEPEST = 8  # lists in lists; deeper ones are typeset as text
LINKED = re.compile(r"^(?:https?:|mailto:)", re.IGNORECASE)
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def blocks_of(markdown: str) -> list[Block]:
    """What is nested deeper than anybody means stays as it was written, a paragraph for each line."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    text = UNPRINTABLE.sub("", markdown)
    try:
        return _blocks(SyntaxTreeNode(parser.parse(text)).children, 0)
    except RecursionError:
        return [{"kind": "paragraph", "inline": [_text(line)]} for line in text.splitlines() if line.strip()]


def printable(text: str) -> str:
    """Without characters that neither fonts nor XML have."""
    return UNPRINTABLE.sub("", text)


def _blocks(nodes: Sequence[SyntaxTreeNode], depth: int) -> list[Block]:
    return [block for node in nodes for block in _block(node, depth)]


def _block(node: SyntaxTreeNode, depth: int) -> list[Block]:
    if depth > DEEPEST:
        return [{"kind": "paragraph", "inline": [_text(_words(node))]}]
    match node.type:
        case "heading":
            return [{"kind": "heading", "level": int(node.tag[1]), "inline": _inline(node.children)}]
        case "paragraph":
            return [{"kind": "paragraph", "inline": _inline(node.children)}]
        case "fence" | "code_block":
            return [{"kind": "code", "text": printable(node.content.rstrip("\n"))}]
        case "bullet_list" | "ordered_list":
            start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            return [
                {"kind": "list", "start": start, "items": [_blocks(one.children, depth + 1) for one in node.children]}
            ]
        case "blockquote":
            return [{"kind": "quote", "blocks": _blocks(node.children, depth + 1)}]
        case "hr":
            return [{"kind": "rule"}]
        case "table":
            return [_table(node)]
        case _:
            return [{"kind": "paragraph", "inline": [_text(_words(node))]}]


def _table(node: SyntaxTreeNode) -> Block:
    rows = [row for part in node.children for row in part.children]
    head = rows[0].children if rows else []
    aligned = [str(cell.attrs.get("style", "")).removeprefix("text-align:") or "start" for cell in head]
    return {
        "kind": "table",
        "align": aligned,
        "rows": [[_inline(cell.children) for cell in row.children] for row in rows],
    }


def _inline(nodes: Sequence[SyntaxTreeNode]) -> list[Block]:
    return [part for node in nodes for part in _inline_of(node)]


def _inline_of(node: SyntaxTreeNode) -> list[Block]:
    match node.type:
        case "inline":
            return _inline(node.children)
        case "text" | "html_inline":
            return [_text(node.content)]
        case "softbreak":
            return [_text(" ")]
        case "hardbreak":
            return [{"kind": "break"}]
        case "code_inline":
            return [{"kind": "code", "text": printable(node.content)}]
        case "strong" | "em" | "s":
            return [{"kind": node.type, "inline": _inline(node.children)}]
        case "link":
            href = str(node.attrs.get("href", ""))
            return [{"kind": "link", "href": href if LINKED.match(href) else "", "inline": _inline(node.children)}]
        case "image":
            return [_text(node.content)]  # nothing is fetched: what it shows, in words
        case _:
            return [_text(_words(node))]


def _text(text: str) -> Block:
    return {"kind": "text", "text": printable(text)}


def _words(node: SyntaxTreeNode) -> str:
    if node.type in ("text", "inline", "fence", "code_block", "code_inline", "html_block", "html_inline"):
        return str(node.content)
    return " ".join(filter(None, map(_words, node.children)))
