"""What writers say themselves, in the language of the document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class WriterWords:
    """`figure` and `table` stand before a number, `after_number` behind it."""

    contents: str
    figure: str
    table: str
    after_number: str
    missing_picture: str


WORDS: Mapping[str, WriterWords] = {
    "de": WriterWords("Inhalt", "Abbildung ", "Tabelle ", ": ", "[Bild fehlt: {name}]"),
    "en": WriterWords("Contents", "Figure ", "Table ", ": ", "[Picture missing: {name}]"),
    "fr": WriterWords("Table des matières", "Figure ", "Tableau ", "\u202f: ", "[Image manquante\u202f: {name}]"),
    "pt": WriterWords("Sumário", "Figura ", "Tabela ", ": ", "[Imagem ausente: {name}]"),
    "zh": WriterWords("目录", "图 ", "表 ", "：", "[缺少图片：{name}]"),
}

# As programs name languages.
LOCALES: Mapping[str, str] = {"de": "de-CH", "en": "en-GB", "fr": "fr-CH", "pt": "pt-BR", "zh": "zh-CN"}
