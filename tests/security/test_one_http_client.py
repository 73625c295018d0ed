"""Outgoing HTTP has one door: nothing outside `net/` imports an HTTP client or opens a connection (S3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import workroom

SOURCE = Path(workroom.__file__).parent

MODULES = {
    "aiohttp",
    "aiosmtplib",
    "http.client",
    "httpcore",
    "httpcore2",
    "httpx",
    "httpx2",
    "niquests",
    "opendal",
    "pycurl",
    "requests",
    "smtplib",
    "urllib.request",
    "urllib3",
    "websockets",
    "xmlrpc.client",
}
CALLS = {
    "anyio.connect_tcp",
    "asyncio.open_connection",
    "socket.create_connection",
}
METHODS = {"create_connection", "sock_connect"}
IMPORTERS = {"__import__", "importlib.import_module"}

# Path below src/workroom → why it may. Keep it short, and keep the reasons true.
ALLOWED: dict[str, str] = {
    "mail/smtp_server.py": "SMTP is no HTTP; its host is a setting of the operator, never a user's word",
    "files/s3_bucket.py": "opendal has its own client; its endpoint is a setting of the operator, never a user's word",
}


def violations(code: str) -> Iterator[str]:
    """What in this module could open an outgoing connection."""
    tree = ast.parse(code)
    names = dict(_imported(tree))
    for meaning in names.values():
        yield from (meaning for module in MODULES | CALLS if meaning == module or meaning.startswith(f"{module}."))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            meaning = _meaning(node, names)
            if meaning in CALLS or _within(meaning, MODULES):
                yield meaning
        if isinstance(node, ast.Call):
            meaning = _meaning(node.func, names)
            first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if meaning in IMPORTERS and isinstance(first, str) and _within(first, MODULES):
                yield first
            if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
                yield f".{node.func.attr}()"


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Every imported name with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                # `import a.b` binds `a`, but loads `a.b`.
                yield alias.asname or alias.name, alias.name
                if alias.asname is None:
                    top = alias.name.partition(".")[0]
                    yield top, top
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _meaning(node: ast.expr, names: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{_meaning(node.value, names)}.{node.attr}"
    return ""


def _within(name: str, modules: set[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def modules() -> list[str]:
    paths = (path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
    return sorted(str(path) for path in paths if path.parts[0] != "net")


def test_only_net_opens_connections() -> None:
    """One test for all modules: they are many, and looking at one costs less than a test of its own."""
    wrong = []
    for path in modules():
        found = sorted(set(violations((SOURCE / path).read_text(encoding="utf-8"))))
        if path in ALLOWED and not found:
            wrong.append(f"{path} no longer needs its exception: take it off the list")
        elif found and path not in ALLOWED:
            wrong.append(f"{path} uses {', '.join(found)}: ask workroom.net.GuardedClient instead")
    assert not wrong, "\n".join(wrong)


def test_exceptions_are_for_files_that_exist() -> None:
    assert set(ALLOWED) <= set(modules())


@pytest.mark.parametrize(
    "code",
    [
        "import httpx2",
        "import httpx2 as h",
        "import httpx, json",
        "from httpx2 import AsyncClient",
        "from httpx2._client import AsyncClient as C",
        "import httpcore2",
        "import aiohttp.client",
        "import requests",
        "from opendal import AsyncOperator",
        "def f():\n    import requests",
        "import urllib.request",
        "from urllib import request",
        "from urllib.request import urlopen",
        "import urllib\nurllib.request.urlopen('http://x')",
        "import http.client",
        "from http import client",
        "from http.client import HTTPSConnection",
        "import socket\nsocket.create_connection(('x', 80))",
        "from socket import create_connection",
        "import socket as s\ns.create_connection",
        "import asyncio\nasync def f():\n    await asyncio.open_connection('x', 80)",
        "from asyncio import open_connection as o",
        "async def f(loop):\n    await loop.create_connection(None, 'x', 80)",
        "import anyio\nasync def f():\n    await anyio.connect_tcp('x', 80)",
        "import importlib\nimportlib.import_module('httpx2')",
        "from importlib import import_module\nimport_module('requests.sessions')",
        "__import__('aiohttp')",
    ],
)
def test_a_planted_violation_is_found(code: str) -> None:
    assert list(violations(code))


@pytest.mark.parametrize(
    "code",
    [
        "import socket\nsocket.socket()",
        "import asyncio\nasync def f():\n    await asyncio.start_server(None)",
        "from urllib.parse import urlsplit",
        "import urllib.parse",
        "from http import HTTPStatus",
        "from http.cookiejar import CookieJar",
        "from workroom.net import GuardedClient",
        "from fastapi import Request, requests as fastapi_requests",
        "request = {}\nrequest.get('x')",
        "import asyncpg\nasyncpg.create_pool()",
    ],
)
def test_what_is_harmless_is_not_reported(code: str) -> None:
    assert not list(violations(code))
