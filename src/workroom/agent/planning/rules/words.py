"""What the user wrote, as words: cut, cleaned, and read once from left to right. Coordinates and EGRIDs are one word each,
however they are written; a sign of Chinese is a word of its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

LONGEST = 2_000  # characters that are read
MOST_WORDS = 400

_TAG = re.compile(r"<[^<>]{0,200}>")
_QUOTED = re.compile(r"[\"“„«»][^\"“”„«»\n]{1,200}[\"”“»«]")
_MENTIONED = re.compile(  # as `_QUOTED`, of any length, and up to the end where a quotation is not closed
    r"\"[^\"]*\"?|[“„”][^“”\"]*[“”\"]?|«[^»]*»?|»[^«]*«?|‹[^›]*›?|「[^」]*」?|『[^』]*』?"
    r"|(?<!\w)['‘‚`][^'‘’`\n]{1,200}['‘’`](?!\w)"
)
_HAN = "\u3400-\u9fff\uf900-\ufaff"
_GROUP = r"['’ʼ´`\u00a0\u202f ]"
_PARTED = rf"(?:{_GROUP}|\.)\d{{3}}"
_METRES = rf"\d{{1,3}}{_PARTED}{_PARTED}(?:\.\d{{1,9}})?|\d{{2,3}}{_GROUP}\d{{3}}|\d{{5,9}}(?:\.\d{{1,9}})?"
_DEGREES = r"-?\d{1,3}\.\d{1,15}"
_WHOLE_DEGREES = r"-?\d{1,3}(?:\.\d{1,15})?"
_DEGREES_BY_COMMA = r"-?\d{1,3},\d{1,15}"
_AXIS, _SIDE = r"(?:(?:lat|lon|lng|[enxyo])\s?[:=]?\s?)?", r"(?:\s?°)?(?:\s?[nesow]\b)?"
_NAMED = r"(?:lat|lon|lng)\s?[:=]?\s?"  # then whole degrees are a coordinate, too
_BETWEEN = r"(?:\s{0,3}[,;/|]\s{0,3}|\s{1,3}(?:(?:und|and|et|e)\s{1,3})?)"
_BETWEEN_COMMAS = r"(?:\s{0,3}[;/|]\s{0,3}|,\s{1,3}|\s{1,3})"


def _pair(number: str, between: str, name: str) -> str:
    return rf"(?P<{name}1>{number}){_SIDE}{between}{_AXIS}(?P<{name}2>{number}){_SIDE}"


_WORD = re.compile(
    rf"(?P<pair>(?<![\w.]){_AXIS}(?:{_pair(_METRES, _BETWEEN, 'm')}|{_pair(_DEGREES, _BETWEEN, 'd')}"
    rf"|{_pair(_DEGREES_BY_COMMA, _BETWEEN_COMMAS, 'c')})(?![\w])"
    rf"|\b{_NAMED}(?P<n1>{_WHOLE_DEGREES}){_SIDE}{_BETWEEN}{_NAMED}(?P<n2>{_WHOLE_DEGREES}){_SIDE}(?![\w]))"
    r"|(?P<egrid>\bCH(?:[ -]?\d){9,14}(?!\w))"
    rf"|(?P<word>[{_HAN}]|[^\W_{_HAN}]+n['’]t\b|[^\W_{_HAN}]+)"
    r"|(?P<stop>[!?！？])"
    r"|(?P<pause>[,;\n、，；&+]|[.。…](?=\s|$))"
    r"|(?P<soft>\S)",
    re.IGNORECASE,
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "œ": "oe", "æ": "ae", "'": None, "’": None})
_LINKED = re.compile(r"(?:ung|heit|keit|schaft|tion|tät)s$", re.IGNORECASE)


class WordKind(Enum):
    WORD = auto()
    PAIR = auto()
    EGRID = auto()
    SOFT = auto()  # signs that say nothing
    PAUSE = auto()  # a comma, or a word such as `and`: something else may begin after it
    STOP = auto()  # something else begins


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """`start` and `end` are places in the text. `pair` are the numbers of a coordinate; an `ending` was a part of the word
    before it; what is `quoted` is spoken about rather than said."""

    kind: WordKind
    text: str
    folded: str
    start: int
    end: int
    pair: tuple[float, float] | None = None
    ending: bool = False
    quoted: bool = False

    @property
    def is_break(self) -> bool:
        return self.kind is WordKind.PAUSE or self.kind is WordKind.STOP


@dataclass(frozen=True)
class WordReading:
    text: str
    words: Sequence[QuestionWord]
    cut: bool  # there was more

    def between(self, first: int, last: int) -> str:
        """As it was written, from one word to another, both included; in one line, and brackets come in pairs."""
        start, end = self.words[first].start, self.words[last].end
        passage = self.text[start:end]
        if passage.count("(") > passage.count(")") and self.text[end : end + 1] == ")":
            passage += ")"
        if last + 1 < len(self.words) and self.words[last + 1].ending and _LINKED.search(passage):
            passage = passage[:-1]
        return " ".join(passage.split())


def read(text: str, joins: frozenset[tuple[str, ...]] = frozenset(), endings: Sequence[str] = ()) -> WordReading:
    """`joins` are words after which something else may begin; `endings` are read as words of their own."""
    cleaned = _cleaned(text[:LONGEST])[:LONGEST]
    words: list[QuestionWord] = []
    cut = len(text) > LONGEST
    for match in _WORD.finditer(cleaned):
        if len(words) >= MOST_WORDS:
            cut = True
            break
        words += _split(_word(match), endings)
    return WordReading(cleaned, _quoted(cleaned, _joined(cleaned, words, joins)), cut)


def fold(text: str) -> str:
    """As it is compared: without capitals, accents and the ways there are to write an umlaut."""
    plain = unicodedata.normalize("NFC", text).casefold().translate(_UMLAUTS)
    return "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))


def _cleaned(text: str) -> str:
    """Without tags, and without what cannot be seen or turns the direction of writing."""
    normal = unicodedata.normalize("NFKC", text)
    seen = (char if char == "\n" or unicodedata.category(char)[0] != "C" else _instead(char) for char in normal)
    return _TAG.sub(" ", "".join(seen))


def _instead(char: str) -> str:
    return " " if unicodedata.category(char) == "Cc" else ""


def _word(match: re.Match[str]) -> QuestionWord:
    kinds = {
        "pair": WordKind.PAIR,
        "egrid": WordKind.EGRID,
        "word": WordKind.WORD,
        "stop": WordKind.STOP,
        "pause": WordKind.PAUSE,
    }
    kind = kinds.get(match.lastgroup or "", WordKind.SOFT)
    text = match[0]
    if match["pair"] is not None:
        pair = next((match[f"{form}1"], match[f"{form}2"]) for form in "mdcn" if match[f"{form}1"] is not None)
        return QuestionWord(WordKind.PAIR, text, "", *match.span(), (_number(pair[0]), _number(pair[1])))
    if kind is WordKind.EGRID:
        return QuestionWord(kind, text, re.sub(r"[ -]", "", text).upper(), *match.span())
    return QuestionWord(kind, text, fold(text) if kind is WordKind.WORD else text, *match.span())


def _number(written: str) -> float:
    plain = re.sub(_GROUP, "", written).replace(",", ".")
    if plain.count(".") > 1:  # 2.600.513
        whole, _, rest = plain.replace(".", "", 2).partition(".")
        plain = f"{whole}.{rest}" if rest else whole
    number = float(plain)
    return int(number) if number.is_integer() else number


def _split(word: QuestionWord, endings: Sequence[str]) -> list[QuestionWord]:
    """`Gewässerschutzlayer` are two words, if `layer` is an ending."""
    ending = next((one for one in endings if word.folded.endswith(one) and len(word.folded) >= len(one) + 3), None)
    if ending is None or word.kind is not WordKind.WORD:
        return [word]
    length = next((n for n in range(1, len(ending) + 1) if fold(word.text[-n:]) == ending), None)
    if length is None:
        return [word]
    middle = word.end - length
    base = replace(word, text=word.text[:-length], folded=word.folded[: -len(ending)], end=middle)
    return [base, replace(word, text=word.text[-length:], folded=ending, start=middle, ending=True)]


def _joined(text: str, words: Sequence[QuestionWord], joins: frozenset[tuple[str, ...]]) -> list[QuestionWord]:
    """Nothing begins in the middle of what is quoted, nor after `Grund- und`."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    longest = max(map(len, joins), default=0)
    made: list[QuestionWord] = []
    joining = 0
    for at, word in enumerate(words):
        inside = any(start < word.start < end - 1 for start, end in quoted)
        if not joining and word.kind is WordKind.WORD:
            lengths = [n for n in range(1, longest + 1) if tuple(w.folded for w in words[at : at + n]) in joins]
            joining = 0 if text[: word.start].rstrip().endswith("-") else max(lengths, default=0)
        kind = word.kind
        if joining:
            kind = WordKind.WORD if inside else WordKind.PAUSE
            joining -= 1
        elif inside and word.kind is WordKind.PAUSE:
            kind = WordKind.SOFT
        made.append(word if kind is word.kind else replace(word, kind=kind))
    return made


def _quoted(text: str, words: Sequence[QuestionWord]) -> list[QuestionWord]:
    mentioned = iter([match.span() for match in _MENTIONED.finditer(text)])
    made: list[QuestionWord] = []
    start, end = next(mentioned, (len(text), len(text)))
    for word in words:
        while end <= word.start < len(text):
            start, end = next(mentioned, (len(text), len(text)))
        made.append(replace(word, quoted=True) if start < word.start < end else word)
    return made
