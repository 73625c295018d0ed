"""A throw-away virtual environment with peers in it. Without an index to install from there are no peers: we say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LOOPS = ROOT / "bench" / "peers.txt"
READERS = ROOT / "bench" / "readers.txt"
SEARCHERS = ROOT / "bench" / "searchers.txt"
PEERS = {
    "LangGraph, SQLite saver": "bench.peers.langgraph_sqlite",
    "openai-agents, no store": "bench.peers.openai_agents_sdk",
    "pydantic-ai, no store": "bench.peers.pydantic_ai_agent",
}


@dataclass(frozen=True)
class Peers:
    """The Python they are installed for."""

    python: str

    def ask(self, module: str, *words: str) -> Any:
        """Without the tester's own modules, keys and settings for tracing; the result is the last line."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        command = [self.python, "-W", "ignore", "-m", module, *words]
        env = {**kept, "PYTHONPATH": str(ROOT)}
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env).stdout
        return json.loads(said.strip().splitlines()[-1])


@contextmanager
def installed(pins: Path) -> Iterator[Peers | None]:
    """None when they cannot be installed."""
    with tempfile.TemporaryDirectory(prefix="wr-peers-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        installing = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(pins)]
        done = subprocess.run(installing, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
            print(f"The peers of {pins.name} cannot be installed here, so there is nothing to compare with: {last}\n")
        yield None if done.returncode else Peers(python)


def ask_all() -> dict[str, float]:
    """CPU seconds per round by agent loop."""
    with installed(LOOPS) as peers:
        return {name: float(peers.ask(module)) for name, module in PEERS.items()} if peers else {}
