"""Extractors by media type, discovered in the package of extractors by their attribute `EXTRACTOR`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator

from workroom.documents import extractors
from workroom.documents.ports import Extractor
from workroom.documents.sniffing.names import BY_ENDING, is_textual
from workroom.documents.workers.unsupported import unsupported_error

# The same format under another name: with macros, as a template, as a slide show.
_READ_AS = {
    "docx": "docm dotx dotm",
    "xlsx": "xlsm xltx xltm xlam",
    "pptx": "pptm ppsx potx ppsm potm",
    "odt": "ott",
    "ods": "ots",
    "odp": "otp",
    "xml": "svg",
    "json": "jsonl",
}
_ALIASES = {BY_ENDING[other]: BY_ENDING[one] for one, others in _READ_AS.items() for other in others.split()}
_ALIASES |= {"text/xml": "application/xml", "text/json": "application/json", "application/xhtml+xml": "text/html"}


class ExtractorRegistry:
    def __init__(self, modules: Iterable[str] = ()) -> None:
        """`modules` are names of more modules that have an `EXTRACTOR`."""
        self._by_type = {kind: extractor for extractor in _discover(modules) for kind in extractor.media_types}

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset(self._by_type)

    def of(self, media_type: str) -> Extractor:
        """The extractor for a media type. Raises UnsupportedDocument or another DocumentError that says why there is none."""
        for candidate in (media_type, _ALIASES.get(media_type), "text/plain" if is_textual(media_type) else None):
            if candidate in self._by_type:
                return self._by_type[candidate]
        raise unsupported_error(media_type)


def _discover(modules: Iterable[str]) -> Iterator[Extractor]:
    ours = [f"{extractors.__name__}.{info.name}" for info in pkgutil.iter_modules(extractors.__path__)]
    for name in (*sorted(ours), *modules):
        module = importlib.import_module(name)
        if hasattr(module, "EXTRACTOR"):
            yield module.EXTRACTOR
