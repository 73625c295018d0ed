"""The error for the owner of a document when the child that parsed it died."""

from __future__ import annotations

import signal

from workroom.documents.errors import DamagedDocument, DocumentError, DocumentTooLarge

_OUT_OF_MEMORY = (b"memory allocation of", b"bad_alloc", b"MemoryError", b"out of memory", b"Cannot allocate memory")


def crash_error(code: int | None, stderr_tail: bytes) -> DocumentError:
    """`code` as processes report it, negative for a signal; `stderr_tail` is looked at and never shown."""
    if code is not None and -code == signal.SIGXCPU:
        return too_slow()
    if (code is not None and -code == signal.SIGKILL) or any(words in stderr_tail for words in _OUT_OF_MEMORY):
        return DocumentTooLarge("This document needs more memory than is allowed. Split it into smaller ones.")
    return DamagedDocument(
        "This document is damaged in a way that ends the program that reads it. "
        "Open it in the program it comes from and save it again."
    )


def too_slow() -> DocumentError:
    return DocumentTooLarge("Reading this document takes longer than is allowed. Ask for single pages, or split it.")


def too_much() -> DocumentError:
    return DocumentTooLarge("More comes out of this document than is allowed. Ask for single pages, or split it.")
