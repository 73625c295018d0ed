"""Reads the file of a SentencePiece model into a tokenizer of `tokenizers`, which cannot read it itself.

The file is a protocol buffer. Of its fields these are needed: the pieces (1: text 1, score 2) and the normaliser (3: character
map 2). Everything else is skipped.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tokenizers import Regex, Tokenizer
from tokenizers.models import Unigram
from tokenizers.normalizers import Precompiled, Replace, Sequence, Strip
from tokenizers.pre_tokenizers import Metaspace

from workroom.core.errors import ConfigurationError

LARGEST: Final = 16_000_000  # bytes
PIECES, NORMALISER = 1, 3
TEXT, SCORE = 1, 2
CHARACTER_MAP = 2
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

Field = tuple[int, bytes]


def tokenizer_of(path: Path, remedy: str) -> Tokenizer:
    """Without marks for beginning and end. Raises ConfigurationError for a file that is not such a model."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError("too large")
        fields = list(_fields(path.read_bytes()))
        pieces = [_piece(value) for number, value in fields if number == PIECES]
        normaliser = next(value for number, value in fields if number == NORMALISER)
        character_map = next(value for number, value in _fields(normaliser) if number == CHARACTER_MAP)
        made = Tokenizer(Unigram(pieces, unk_id=0))
        made.normalizer = Sequence([Precompiled(character_map), Strip(), Replace(Regex(" {2,}"), " ")])
        made.pre_tokenizer = Metaspace()
    except Exception:  # `tokenizers` has no kind of its own
        raise ConfigurationError(f"{path.name} cannot be read, or is no SentencePiece model. {remedy}") from None
    return made


def _piece(message: bytes) -> tuple[str, float]:
    values = dict(_fields(message))
    (score,) = struct.unpack("<f", values.get(SCORE, bytes(4)))
    return values[TEXT].decode(), score


def _fields(message: bytes) -> Iterator[Field]:
    """Numbers and raw values of the fields with bytes or 32 bits."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == VARINT:
            _, at = _varint(message, at)
            continue
        length = {FIXED64: 8, FIXED32: 4}.get(kind)
        if kind == BYTES:
            length, at = _varint(message, at)
        if length is None or at + length > len(message):
            raise ValueError("not a protocol buffer")
        if kind != FIXED64:
            yield tag >> 3, message[at : at + length]
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
