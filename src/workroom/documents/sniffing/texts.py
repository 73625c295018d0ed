"""Which kind of text a text is: what its beginning proves, then what its name says, then what it looks like."""

from __future__ import annotations

import json
import re
from xml.parsers import expat

from workroom.documents.sniffing.names import is_textual

_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<!doctype[^>\[]*(?:\[.*?\])?\s*>)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"\s*<([A-Za-z_][\w:.-]*)(?=[\s/>])")
_HTML_TAGS = frozenset(
    re.findall(r"\w+", "html head body title meta div p table h1 h2 h3 ul ol span center font br script style img")
)
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]{1,60}):(?:[ \t]|$)")
_MAIL = frozenset(
    re.findall(
        r"[\w-]+",
        "from to cc bcc subject date received return-path message-id mime-version delivered-to reply-to sender content-type "
        "dkim-signature x-mailer in-reply-to references content-transfer-encoding",
    )
)
_JSON_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*(?:[\[{"\]]|-?\d[\d.eE+-]*\s*,|(?:true|false|null)\s*,))')
_MARKDOWN = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^#{1,6} \S",
        r"^(?:```|~~~)",
        r"\[[^\]\n]+\]\([^)\n]+\)",
        r"^\|?(?:\s*:?-{3,}:?\s*\|)+",
        r"\*\*\S",
    )
)
_DELIMITERS = ("\t", ";", ",", "|")
_LINES = 30


def kind_of_text(text: str, claim: str | None, *, complete: bool) -> str:
    """The media type of `text`, the beginning of a file whose name claims to be `claim`."""
    claim = claim if claim and is_textual(claim) else None
    if not text.strip():
        return claim or "text/plain"
    proved = _markup(text, claim, complete) or _data(text, claim, complete) or _mail(text, claim)
    if proved:
        return proved
    if claim and claim not in (
        "application/json",
        "application/xml",
        "message/rfc822",
        "image/svg+xml",
        "application/rtf",
    ):
        return claim  # prose may be called Markdown or CSV, but not JSON
    return _table(text) or _markdown(text) or "text/plain"


def _markup(text: str, claim: str | None, complete: bool) -> str | None:
    start = text.lstrip("\ufeff \t\r\n")
    if not start.startswith("<"):
        return None
    if start[:14].lower() == "<!doctype html":
        return "text/html"
    rest = start
    while prologue := _PROLOGUE.match(rest):
        rest = rest[prologue.end() :]
    tag = _TAG.match(rest)
    root = tag.group(1).rpartition(":")[2] if tag else ""
    if root.lower() == "html":
        return "text/html"
    if root == "svg":
        return "image/svg+xml"
    if start.startswith("<?xml"):
        return "application/xml"
    if claim in ("application/xml", "image/svg+xml"):
        return "application/xml" if tag else None
    if claim in (None, "text/plain", "text/html") and root.lower() in _HTML_TAGS:
        return "text/html"
    return "application/xml" if claim in (None, "text/plain") and complete and _is_well_formed(start) else None


def _is_well_formed(text: str) -> bool:
    if "<!" in text and re.search("<!(?:DOCTYPE|ENTITY)", text):  # nothing that could be expanded is parsed to find out
        return False
    try:
        expat.ParserCreate().Parse(text.encode(), True)
    except (expat.ExpatError, ValueError):
        return False
    return True


def _data(text: str, claim: str | None, complete: bool) -> str | None:
    if claim == "application/x-ndjson":
        return claim
    text = text.lstrip("\ufeff")
    if claim != "application/json" and not _JSON_START.match(text):
        return None
    if complete and _parses(text):
        return "application/json" if claim == "application/json" or text.lstrip()[:1] in "[{" else None
    lines = [line for line in text.splitlines()[:4] if line.strip()]
    if len(lines) > 1 and all(_parses(line) and line.lstrip().startswith("{") for line in lines[:2]):
        return "application/x-ndjson"
    if claim == "application/json":
        return claim if text.lstrip()[:1] in tuple("[{") else None
    return "application/json" if not complete and claim in (None, "text/plain") else None


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _mail(text: str, claim: str | None) -> str | None:
    lines = text.lstrip("\ufeff\r\n").splitlines()[:60]
    if lines and lines[0].startswith("From ") and len(lines) > 1 and _HEADER.match(lines[1]):
        return "application/mbox" if claim == "application/mbox" else "message/rfc822"
    fields: list[str] = []
    for line in lines:
        if header := _HEADER.match(line):
            fields.append(header.group(1).lower())
        elif not line.startswith((" ", "\t")) or not fields:
            break
    known = len(_MAIL.intersection(fields))
    # A letter may begin with "From:" and "To:" and be Markdown; what is called a mail needs less of a proof.
    return "message/rfc822" if known >= (1 if claim == "message/rfc822" else 3) else None


def _table(text: str) -> str | None:
    lines = [line for line in text.splitlines()[:_LINES] if line.strip()]
    if len(lines) < 3:
        return None
    for delimiter in _DELIMITERS:
        counts = {re.sub(r'"(?:[^"]|"")*"', "", line).count(delimiter) for line in lines[:-1]}
        if len(counts) == 1 and counts.pop() >= (2 if delimiter == "," else 1) and not _markdown(text):
            return "text/tab-separated-values" if delimiter == "\t" else "text/csv"
    return None


def _markdown(text: str) -> str | None:
    return "text/markdown" if sum(bool(mark.search(text)) for mark in _MARKDOWN) >= 2 else None
