"""Other readers of documents, each run with the Python of their own environment: `python -m bench.peers.reading NAME PATH`.

What unstructured wants to download at its first use, a language model, is replaced by an empty one: it does less then.
"""

# Checked where the peers are not installed.
# mypy: disable-error-code="import-not-found,import-untyped"
from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.memory import highest


def markitdown() -> Callable[[str], int]:
    from markitdown import MarkItDown

    converter = MarkItDown(enable_plugins=False)
    return lambda path: len(converter.convert(path).markdown)


def unstructured() -> Callable[[str], int]:
    import spacy
    from unstructured.nlp import tokenize
    from unstructured.partition.docx import partition_docx

    def empty() -> Any:
        language = spacy.blank("en")
        language.add_pipe("sentencizer")
        return language

    tokenize._load_spacy_model = empty
    return lambda path: sum(len(element.text) for element in partition_docx(path))


def python_docx() -> Callable[[str], int]:
    """Paragraphs of the body alone: no tables, no headings, no order."""
    from docx import Document

    return lambda path: sum(len(paragraph.text) for paragraph in Document(path).paragraphs)


READERS = {"markitdown": markitdown, "unstructured": unstructured, "python-docx": python_docx}


def main(name: str, path: str) -> None:
    read = READERS[name]()
    before = time.process_time()
    characters = read(path)
    seconds = time.process_time() - before
    print(json.dumps({"seconds": seconds, "megabytes": highest(), "characters": characters}))


if __name__ == "__main__":
    main(*sys.argv[1:])
