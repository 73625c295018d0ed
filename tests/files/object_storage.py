"""An S3 server on loopback, small enough to read: what `S3BlobStore` asks for, kept in memory, with faults on demand.

It speaks path style and checks the key but not the signature. The contract tests pass against it as they do against a full
imitation of S3: set WORKROOM_TEST_S3 to that one's address to see it.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

BUCKET, KEY, SECRET = "workroom-tests", "test-key", "test-secret"


@dataclass(frozen=True)
class Object:
    content: bytes
    written: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def etag(self) -> str:
        return f'"{hashlib.md5(self.content).hexdigest()}"'


@dataclass(frozen=True)
class Asked:
    """One request as a fault may look at it."""

    method: str
    key: str
    query: dict[str, str]


# Answers what goes wrong with a request: a status instead of an answer, "cut" for half of one, "away" for none.
Fault = Callable[[Asked], int | str | None]


class ObjectStorage:
    def __init__(self) -> None:
        self.objects: dict[str, Object] = {}
        self.unfinished: dict[str, dict[int, bytes]] = {}
        self.asked: list[Asked] = []
        self.fault: Fault = lambda _: None
        self.page = 1000
        self.connections: set[socket.socket] = set()
        self.guard = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.storage = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ObjectStorage:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reset(self) -> None:
        """As new; the address stays."""
        self.fault, self.page = (lambda _: None), 1000
        with self.guard:
            self.objects.clear()
            self.unfinished.clear()
            self.asked.clear()

    def hang_up(self) -> None:
        """On everybody, whatever was being said."""
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def count(self, method: str, part_of_key: str = "") -> int:
        return sum(asked.method == method and part_of_key in asked.key for asked in list(self.asked))


class _Server(ThreadingHTTPServer):
    storage: ObjectStorage
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what some of these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: _Server

    def handle(self) -> None:
        connections = self.server.storage.connections
        connections.add(self.connection)
        try:
            super().handle()
        finally:
            connections.discard(self.connection)

    def do_PUT(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_DELETE(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        _, bucket, *rest = unquote(parts.path).split("/", 2)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        asked = Asked(self.command, rest[0] if rest else "", query)
        storage = self.server.storage
        storage.asked.append(asked)
        fault = storage.fault(asked)
        if fault == "away":
            self.close_connection = True
        elif isinstance(fault, int):
            self._error(fault, "SlowDown" if fault == 503 else "AccessDenied")
        elif f"Credential={KEY}/" not in self.headers.get("Authorization", ""):
            self._error(403, "InvalidAccessKeyId")
        elif bucket != BUCKET:
            self._error(404, "NoSuchBucket")
        else:
            with storage.guard:
                status, headers, content = self._done(asked, body)
            self._send(status, headers, content, cut=fault == "cut")

    def _done(self, asked: Asked, body: bytes) -> tuple[int, dict[str, str], bytes]:
        storage, query = self.server.storage, asked.query
        if not asked.key:
            return self._listed(query) if asked.method == "GET" else self._deleted(body)
        if "uploads" in query:
            upload = f"upload-{len(storage.asked)}"
            storage.unfinished[upload] = {}
            return 200, {}, _xml("InitiateMultipartUploadResult", f"<UploadId>{upload}</UploadId>")
        if "uploadId" in query:
            return self._part(asked, query["uploadId"], body)
        if asked.method == "PUT":
            storage.objects[asked.key] = Object(body)
            return 200, {"ETag": storage.objects[asked.key].etag}, b""
        if asked.method == "DELETE":
            storage.objects.pop(asked.key, None)
            return 204, {}, b""
        return self._read(asked)

    def _part(self, asked: Asked, upload: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        storage = self.server.storage
        if upload not in storage.unfinished:
            return 404, {}, _xml("Error", "<Code>NoSuchUpload</Code>")
        if asked.method == "PUT":
            storage.unfinished[upload][int(asked.query["partNumber"])] = body
            return 200, {"ETag": Object(body).etag}, b""
        parts = storage.unfinished.pop(upload)
        if asked.method == "DELETE":
            return 204, {}, b""
        named = [int(_text(part, "PartNumber")) for part in ElementTree.fromstring(body)]
        made = storage.objects[asked.key] = Object(b"".join(parts[number] for number in named))
        return 200, {}, _xml("CompleteMultipartUploadResult", f"<ETag>{escape(made.etag)}</ETag>")

    def _read(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        found = self.server.storage.objects.get(asked.key)
        if found is None:
            return 404, {}, _xml("Error", "<Code>NoSuchKey</Code>")
        headers = {"ETag": found.etag, "Last-Modified": f"{found.written:%a, %d %b %Y %H:%M:%S} GMT"}
        wanted = self.headers.get("Range")
        if wanted is None:
            return 200, headers, found.content
        first, _, last = wanted.removeprefix("bytes=").partition("-")
        start, size = int(first), len(found.content)
        stop = min(int(last) + 1, size) if last else size
        if start >= size:
            return 416, {"Content-Range": f"bytes */{size}"}, _xml("Error", "<Code>InvalidRange</Code>")
        return 206, headers | {"Content-Range": f"bytes {start}-{stop - 1}/{size}"}, found.content[start:stop]

    def _listed(self, query: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        after = query.get("continuation-token") or query.get("start-after", "")
        files, folders, last = "", dict[str, None](), ""
        keys = [key for key in sorted(self.server.storage.objects) if key.startswith(prefix) and key > after]
        for key in keys[: self.server.storage.page]:
            found, last = self.server.storage.objects[key], key
            below = key[len(prefix) :]
            if delimiter and delimiter in below:
                folders[prefix + below.split(delimiter)[0] + delimiter] = None
                continue
            files += (
                f"<Contents><Key>{escape(key)}</Key><LastModified>{found.written:%Y-%m-%dT%H:%M:%S.000Z}</LastModified>"
                f"<ETag>{escape(found.etag)}</ETag><Size>{len(found.content)}</Size></Contents>"
            )
        more = len(keys) > self.server.storage.page
        token = f"<NextContinuationToken>{escape(last)}</NextContinuationToken>" if more else ""
        prefixes = "".join(f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>" for name in folders)
        text = f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{files}{prefixes}"
        return 200, {}, _xml("ListBucketResult", text)

    def _deleted(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        keys = [_text(found, "Key") for found in ElementTree.fromstring(body) if found.tag.endswith("Object")]
        for key in keys:
            self.server.storage.objects.pop(key, None)
        gone = "".join(f"<Deleted><Key>{escape(key)}</Key></Deleted>" for key in keys)
        return 200, {}, _xml("DeleteResult", gone)

    def _error(self, status: int, code: str) -> None:
        self._send(status, {}, _xml("Error", f"<Code>{code}</Code><Message>told to</Message>"))

    def _send(self, status: int, headers: dict[str, str], content: bytes, *, cut: bool = False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if cut else content)
        self.close_connection = self.close_connection or cut


def _xml(name: str, inside: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?><{name}>{inside}</{name}>'.encode()


def _text(parent: ElementTree.Element, name: str) -> str:
    return next(child.text or "" for child in parent if child.tag.rpartition("}")[2] == name)
