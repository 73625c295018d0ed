"""Somebody outside: a server on loopback that counts how often each call reached it."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Outside:
    url: str = ""
    calls: Counter[str] = field(default_factory=Counter)
    """By call id."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reached(self, call_id: str) -> None:
        with self._lock:
            self.calls[call_id] += 1


@contextlib.contextmanager
def counting() -> Iterator[Outside]:
    outside = Outside()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            outside.reached(self.path.strip("/"))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return None

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        outside.url = f"http://127.0.0.1:{server.server_port}"
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield outside
        finally:
            server.shutdown()
            serving.join()
