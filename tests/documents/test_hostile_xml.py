"""Every XML parser of the package against everything that XML can be made to do (S12).

Each XML part of each kind of document is spoiled in turn. Whatever is then asked of the document: nothing of another file
comes out, nobody is called, nothing grows. A part that cannot be read may cost the document, or only itself.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

import workroom.documents
from tests.documents.samples import MEDIA_TYPES, Parts, parts_of, saved
from workroom.core.errors import NotFound
from workroom.documents.errors import DocumentError
from workroom.documents.kinds import detect
from workroom.documents.text_search import find_in_objects
from workroom.documents.types import ExtractionScope, SourceFile
from workroom.documents.workers.registry import ExtractorRegistry

REGISTRY = ExtractorRegistry()
SECRET = "the-content-of-another-file"
LAUGH = "ha" * 50
# The only places in which XML or HTML is parsed. Whoever adds one adds it here, and makes sure that a kind below goes there.
PARSERS = {"safe_xml.py", "html_blocks.py", "html_tables.py", "sniffing/texts.py"}

ATTACKS = {
    "external entity": ('<!DOCTYPE r [<!ENTITY x SYSTEM "{file}">]>', "&x;"),
    "external entity over the network": ('<!DOCTYPE r [<!ENTITY x SYSTEM "{address}/x">]>', "&x;"),
    "external parameter entity": ('<!DOCTYPE r [<!ENTITY % p SYSTEM "{dtd}"> %p;]>', "&x;"),
    "external document type": ('<!DOCTYPE r SYSTEM "{dtd}">', "&x;"),
    "external document type over the network": ('<!DOCTYPE r PUBLIC "-//x//x" "{address}/x.dtd">', "&x;"),
    "billion laughs": (
        f'<!DOCTYPE r [<!ENTITY l0 "{LAUGH}">'
        + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
        + "]>",
        "&l9;",
    ),
    "quadratic growth": (f'<!DOCTYPE r [<!ENTITY q "{"x" * 50_000}">]>', "&q;" * 5_000),
    "inclusion": ("", '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{file}" parse="text"/>'),
    "stylesheet": ('<?xml-stylesheet type="text/xsl" href="{address}/x.xsl"?>', "x"),
    "schema": ("", '<x xmlns:s="http://www.w3.org/2001/XMLSchema-instance" s:schemaLocation="u {address}/x.xsd"/>'),
}


class Listener:
    """A server on this machine that nobody must call."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.calls = 0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                self._socket.accept()[0].close()
                self.calls += 1

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()
    assert made.calls == 0


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("kind", MEDIA_TYPES)
def test_every_part_of_every_kind(kind: str, attack: str, tmp_path: Path, listener: Listener) -> None:
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.dtd").write_text(f'<!ENTITY x "{SECRET}">')
    names = {
        "{file}": (tmp_path / "secret.txt").as_uri(),
        "{dtd}": (tmp_path / "secret.dtd").as_uri(),
        "{address}": listener.address,
    }
    prolog, payload = ATTACKS[attack]
    for name, value in names.items():
        prolog, payload = prolog.replace(name, value), payload.replace(name, value)
    parts = parts_of(kind, tmp_path)
    spoiled = 0
    for name, content in parts.items():
        if content.lstrip().startswith(b"<"):
            spoiled += 1
            document = saved(kind, {**parts, name: _spoiled(content, prolog, payload)}, tmp_path)
            everything = "\n".join(_everything(document))
            assert SECRET not in everything, name
            assert LAUGH not in everything, name
            assert len(everything) < 700_000, name
    assert spoiled >= 1
    assert listener.calls == 0


def test_the_samples_are_read_when_nobody_spoils_them(tmp_path: Path) -> None:
    """Otherwise the test above would be about documents that are refused anyway."""
    for kind in MEDIA_TYPES:
        parts: Parts = parts_of(kind, tmp_path)
        document = saved(kind, parts, tmp_path)
        found = [each.text for each in REGISTRY.of(document.media_type).extract(document, ExtractionScope())]
        assert "PLACE" in "\n".join(found), kind


def test_there_are_no_other_parsers() -> None:
    root = Path(workroom.documents.__file__).parent
    parsing = re.compile(
        r"etree\.(?!iterwalk)\w*(?:parse|Parser|fromstring|XML|HTML)|\bexpat\b|ElementTree|minidom|\bsax\b"
    )
    found = {str(path.relative_to(root)) for path in root.rglob("*.py") if parsing.search(path.read_text())}
    assert found <= PARSERS


def _spoiled(content: bytes, prolog: str, payload: str) -> bytes:
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", content.decode())
    text = text.replace("PLACE", payload) if "PLACE" in text else re.sub(r"(</[\w:]+>)\s*$", rf"{payload}\1", text)
    return f'<?xml version="1.0"?>{prolog}{text}'.encode()


def _everything(document: SourceFile) -> Iterator[str]:
    """All that can be asked of a document; what is refused says nothing."""
    yield str(detect(document.path, document.name))
    extractor = REGISTRY.of(document.media_type)
    with suppress(DocumentError):
        yield extractor.scan(document).model_dump_json()
    with suppress(DocumentError):
        for found in islice(extractor.extract(document, ExtractionScope()), 500):
            yield found.model_dump_json()
            with suppress(DocumentError, NotFound):
                yield extractor.element(document, found.ref.location).data.decode("latin-1")
    with suppress(DocumentError):
        yield from (hit.model_dump_json() for hit in islice(find_in_objects(extractor, document, "another-file"), 9))
    if hasattr(extractor, "page_image"):
        with suppress(DocumentError, NotFound):
            yield extractor.page_image(document, 0, 500).data.decode("latin-1")
