"""Another search by words, run with the Python of its own environment: `python -m bench.peers.searching JSON`.

The file has a language, paragraphs and questions. It gets what it offers for the language: stop words and a stemmer.
"""

# Checked where the peers are not installed.
# mypy: disable-error-code="import-not-found,import-untyped"
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SHOWN = 10
STEMMERS = {"de": "german", "en": "english", "es": "spanish", "fr": "french", "pt": "portuguese", "ro": "romanian",
            "ru": "russian", "tr": "turkish"}  # fmt: skip


def main(path: str) -> None:
    import bm25s
    import Stemmer

    asked = json.loads(Path(path).read_text("utf-8"))
    name = STEMMERS.get(asked["language"])
    stemmer = Stemmer.Stemmer(name) if name else None

    def lexed(texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords=_stopwords(asked["language"]), stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    index.index(lexed(asked["paragraphs"]), show_progress=False)
    found, scores = index.retrieve(
        lexed(asked["questions"]), k=min(SHOWN, len(asked["paragraphs"])), show_progress=False
    )
    ranked = [
        [int(one) for one, score in zip(*row, strict=True) if score > 0] for row in zip(found, scores, strict=True)
    ]
    print(json.dumps(ranked))


def _stopwords(language: str) -> str | list[str]:
    from bm25s.tokenization import tokenize

    try:
        tokenize("", stopwords=language, show_progress=False)
    except ValueError:  # none for this language
        return []
    return language


if __name__ == "__main__":
    main(*sys.argv[1:])
