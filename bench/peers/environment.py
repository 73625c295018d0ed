"""A throw-away virtual environment with the peers in it. Without an index to install from there are no peers: we say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PINS = ROOT / "bench" / "peers.txt"
PEERS = {
    "LangGraph, SQLite saver": "bench.peers.langgraph_sqlite",
    "openai-agents, no store": "bench.peers.openai_agents_sdk",
    "pydantic-ai, no store": "bench.peers.pydantic_ai_agent",
}


def ask_all() -> dict[str, float]:
    """CPU seconds per round by peer; empty when they cannot be installed."""
    with tempfile.TemporaryDirectory(prefix="wr-peers-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        installing = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(PINS)]
        done = subprocess.run(installing, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
            print(f"The peers cannot be installed here, so there is nothing to compare a round with: {last}\n")
            return {}
        return {name: _ask(python, module) for name, module in PEERS.items()}


def _ask(python: str, module: str) -> float:
    """Without the tester's own modules, keys and settings for tracing; the result is the last line."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    words = [python, "-W", "ignore", "-m", module]
    env = {**kept, "PYTHONPATH": str(ROOT)}
    said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env).stdout
    return float(json.loads(said.strip().splitlines()[-1]))
