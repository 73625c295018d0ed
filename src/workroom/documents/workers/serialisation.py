"""Sources, selections and errors as JSON between parent and child."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workroom.core.errors import ConfigurationError, InvalidInput, NotFound, StorageFull, WorkroomError
from workroom.core.paths import UnsafePath
from workroom.documents import errors
from workroom.documents.types import ExtractionScope, SourceFile

# What a child may say that went wrong; anything else is a mistake of ours and arrives as a damaged document.
_ERRORS: dict[str, type[WorkroomError]] = {
    kind.__name__: kind
    for kind in (
        errors.DocumentError,
        errors.UnsupportedDocument,
        errors.EncryptedDocument,
        errors.DamagedDocument,
        errors.DocumentTooLarge,
        errors.ContainerLimitError,
        errors.OcrUnavailable,
        NotFound,
        InvalidInput,
        UnsafePath,
        ConfigurationError,
        StorageFull,
    )
}


def source_out(source: SourceFile) -> dict[str, str]:
    return {
        "path": str(source.path),
        "name": source.name,
        "media_type": source.media_type,
        "container_path": source.container_path,
    }


def source_in(values: dict[str, str]) -> SourceFile:
    return SourceFile(**(values | {"path": Path(values["path"])}))  # type: ignore[arg-type]


def wanted_out(wanted: ExtractionScope) -> dict[str, list[Any]]:
    return {name: sorted(getattr(wanted, name)) for name in ("pages", "sections", "sheets", "slides")}


def wanted_in(values: dict[str, list[Any]]) -> ExtractionScope:
    return ExtractionScope(**{name: frozenset(members) for name, members in values.items()})


def error_out(error: WorkroomError) -> dict[str, Any]:
    kind = next(kind for kind in type(error).__mro__ if kind.__name__ in _ERRORS or kind is WorkroomError)
    return {"kind": kind.__name__, "message": error.message, "code": error.code, "details": error.details}


def error_in(values: dict[str, Any]) -> WorkroomError:
    kind = _ERRORS.get(values["kind"], errors.DocumentError)
    error = kind(values["message"], **values["details"])
    error.code = values["code"]
    return error
