"""Whether bytes are text, and in which encoding: byte order mark, UTF-8, UTF-16, then by which letters would come out.

Good for a sample of some kilobytes. In short texts a single byte may be read in two ways; then the western reading wins.
"""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes({*range(0x20), 0x7F} - {0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B, 0x85})
_WESTERN = frozenset("äöüÄÖÜßéèêëáàâãåçñíìîïóòôõúùûýæøœÉÈÊÁÀÂÃÅÇÑÍÎÓÔÕÚØÆŒ€„“”‚‘’–—…•«»°§µ¿¡©®™\xa0")
_CENTRAL = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻčďěňřšťůžýáéíúČĎĚŇŘŠŤŮŽÝÁÉÍÚőűŐŰäöüÄÖÜßăâîşţđ„”–’\xa0")
# In the order in which an equal score decides.
_LATIN = (("cp1252", _WESTERN), ("cp1250", _CENTRAL), ("mac_roman", _WESTERN), ("cp850", _WESTERN))
_PAIRS = ("cp932", "euc_jp", "cp949", "gb18030", "big5")
_SINGLE = ("cp1251", "koi8_r", "cp1253")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_SQUARE = re.compile("[\u3001-\u3029\uff01-\uff5e\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]")
# The lead bytes of the everyday characters of each encoding: text that misses them is text in another one.
_EVERYDAY = {"cp932": (0x88, 0x97), "gb18030": (0xB0, 0xD7), "big5": (0xA4, 0xC6), "cp949": (0xB0, 0xC8)}
_IN_A_ROW = re.compile(rb"[\x80-\xff]{3,}")
_LOWER = {"cp1251": re.compile("[а-яё]"), "koi8_r": re.compile("[а-яё]"), "cp1253": re.compile("[ά-ώ]")}


def encoding_of(sample: bytes, *, complete: bool = True) -> str | None:
    """A codec's name, or None for bytes that are no text. `complete` says that the sample ends where the text does."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    if b"\0" in sample:
        return _wide(sample)
    if len(sample) - len(sample.translate(None, _CONTROLS)) > max(1, len(sample) // 100):
        return None
    if b"\x1b$B" in sample or b"\x1b$@" in sample:
        return "iso2022_jp"
    if _is_utf8(sample, complete):
        return "utf-8"
    return _eight_bit(sample)


def _wide(sample: bytes) -> str | None:
    """UTF-16 without a mark: in most languages every other byte is zero."""
    half = len(sample) // 2
    first, second = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
    name = "utf-16-le" if second > first else "utf-16-be"
    if max(first, second) < half * 0.4 or min(first, second) > half * 0.05:
        return None
    text = _decoded(sample[: 2 * half], name)
    return name if text is not None and not any(ord(char) < 9 for char in text) else None


def _is_utf8(sample: bytes, complete: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=complete)
    except UnicodeDecodeError:
        text = sample.decode("utf-8", "replace")
        bad = text.count("\ufffd")
        return sum(char > "\x7f" for char in text) - bad > 10 * bad  # UTF-8 with a few broken places is still UTF-8
    return True


def _eight_bit(sample: bytes) -> str:
    high = [at for at, byte in enumerate(sample) if byte > 0x7F]
    beside = sum(at + 1 < len(sample) and sample[at + 1] > 0x7F for at in high)
    candidates: list[str] = []
    if beside > len(high) * 0.25:
        candidates += _PAIRS
    if sum(map(len, _IN_A_ROW.findall(sample))) > max(12, len(high) * 0.6):  # whole words beyond ASCII, and several
        candidates += _SINGLE
    score, name = _best([(_score_other(sample, name), name) for name in candidates])
    if score > 0.7:
        return name
    score, name = _best([(_score_latin(sample, high, name, usual), name) for name, usual in _LATIN])
    return name if score > 0 and _decoded(sample, name) is not None else "latin-1"


def _best(scored: list[tuple[float, str]]) -> tuple[float, str]:
    return max(scored, key=lambda pair: pair[0], default=(0.0, ""))  # the first among equals


def _score_latin(sample: bytes, high: list[int], name: str, usual: frozenset[str]) -> float:
    text = sample.decode(name, "replace")
    good = 0
    for at in high:
        inside_word = 0 < at < len(text) - 1 and text[at - 1].isalpha() and text[at + 1].isalpha()
        good += text[at] in usual and (text[at].isalpha() or not inside_word or text[at] == "’")
    return good / max(1, len(high))


def _score_other(sample: bytes, name: str) -> float:
    """The share of what lies beyond ASCII that is usual in languages written in this encoding."""
    text = _decoded(sample, name)
    if text is None:
        return 0
    beyond = [char for char in text if char > "\x7f"]
    if name in _LOWER:
        return len(_LOWER[name].findall(text)) / max(1, len(beyond))
    squares = _SQUARE.findall(text)
    if name == "euc_jp":  # its everyday characters are where those of Chinese are; only kana tell them apart
        return len(squares) / max(1, len(beyond)) if len(_KANA.findall(text)) > len(squares) * 0.15 else 0
    first, last = _EVERYDAY[name]
    everyday: int = sum(char < "\u4e00" or first <= char.encode(name)[0] <= last for char in squares)
    return everyday / max(1, len(beyond))


def _decoded(sample: bytes, name: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(name)().decode(sample, final=False)
    except UnicodeDecodeError:
        return None
