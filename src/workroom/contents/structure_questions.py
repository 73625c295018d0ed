"""Questions about what a document is made of: "how many pages has the handbook?", "which chapters are in it?". Their answer
stands in no passage; it is in what the scan of the document found."""

from __future__ import annotations

import re

LOOKED_AT = 1_000  # characters: such questions are short
LEAST_WORD = 3

_PARTS = (
    "pages?|chapters?|sections?|sheets?|worksheets?|slides?|tables?|pictures?|images?|attachments?|rows?|files?|dateien|"
    "fichiers?|arquivos?|ficheiros?|"
    "seiten?|kapiteln?|abschnitte?n?|tabellenblätter|blätter|folien|tabellen|bilder|anhänge|zeilen|"
    "chapitres?|feuilles?|onglets?|diapositives?|diapos?|tableaux|pièces jointes|lignes|"
    "páginas?|capítulos?|seções|secções|planilhas?|folhas?|slides?|tabelas?|imagens|anexos?|linhas?"
)
_COUNT = r"how many|number of|wie ?viele?|anzahl|combien d(?:e|')|nombre de|quantas?|quantos?|número de"
_WHICH = (
    r"which|what|list(?: the| all)?|welche[nr]?|liste|quels?|quelles?|liste(?:r| des| les)?|quais|que|liste (?:as|os)"
)
ASKED = re.compile(
    rf"\b(?:{_COUNT})\s*(?:the |der |die |d'|as |os )?(?:\w+ )?(?:{_PARTS})\b"
    rf"|\b(?:{_WHICH})\s+(?:the |die |der |les |as |os )?(?:chapters?|sections?|sheets?|slides?|kapiteln?|abschnitte|"
    r"tabellenblätter|folien|chapitres?|sections?|feuilles?|onglets?|diapositives?|capítulos?|seções|secções|planilhas?|folhas?)\b"
    r"|\b(?:table of contents|outline of|inhaltsverzeichnis|gliederung|aufbau de[rs]|table des matières|sommaire|plan du|"
    r"índice|sumário|estrutura d[oae])\b"
    r"|(?:多少|几)\s*(?:页|个?文件|章|节|个?工作表|张幻灯片|张|个?表格|张图片)|哪些(?:章节|章|工作表)|目录|大纲",
    re.IGNORECASE,
)
COUNTING = re.compile(rf"\b(?:{_COUNT})|多少|几", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_COMMON = re.compile(
    rf"(?:{_PARTS}|{_COUNT}|how|many|does|have|has|are|there|the|this|that|what|which|list|number|document|file|wie|viele|"
    r"hat|haben|gibt|sind|das|die|der|des|dem|den|ein|eine|und|mit|welche|datei|dokument|combien|nombre|est|sont|les|une|dans|"
    r"fichier|quel|quels|quelles|quantas|quantos|tem|são|está|uma|arquivo|ficheiro|documento|quais|nos|nas|pdf|docx|xlsx|pptx)",
    re.IGNORECASE,
)


def is_structural(question: str) -> bool:
    return ASKED.search(question[:LOOKED_AT]) is not None


def is_counting(question: str) -> bool:
    return COUNTING.search(question[:LOOKED_AT]) is not None


def names_in(question: str) -> list[str]:
    """Words of the question that a file may be called by, the longest first."""
    words = {word.casefold() for word in _WORD.findall(question[:LOOKED_AT])}
    said = {word for word in words if len(word) >= LEAST_WORD and not _COMMON.fullmatch(word)}
    said |= {run for word in words for run in re.findall(r"[\u3400-\u9fff]{2,}", word)}
    return sorted(said, key=lambda word: (-len(word), word))


def fit(name: str, words: list[str]) -> int:
    """How many of the words are in a file's name."""
    parts = " ".join(_WORD.findall(name.casefold()))
    return sum(word in parts for word in words)
