"""Ports, hosts and settings that cannot be used: the sentence names the variable and the way out."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.faults.command import run
from tests.faults.process import free_port


def test_a_taken_port_is_not_exchanged_in_silence_but_the_next_free_one_is_offered(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free_port()))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = run("serve", DATA=tmp_path / "data", PORT=port)
    outcome.refused(4, f"127.0.0.1:{port}", "in use", "is free: `workroom serve --port ")
    offered = int(outcome.err.partition("--port ")[2].partition("`")[0])
    assert offered > port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", offered))
    assert not (tmp_path / "data" / "postgres").exists(), "nothing was begun"


def test_a_server_that_others_can_reach_needs_a_login(tmp_path: Path) -> None:
    outcome = run("serve", DATA=tmp_path / "data", PORT=free_port(), HOST="0.0.0.0", LOGIN="local")
    outcome.refused(3, "0.0.0.0", "WORKROOM_LOGIN=password", "127.0.0.1")
    assert not (tmp_path / "data").exists()


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    outcome = run("serve", DATA=tmp_path / "data", PORT=free_port(), HOST="192.0.2.1", LOGIN="password")
    outcome.refused(4, "Cannot listen on 192.0.2.1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "abc"),
        ("PORT", "0"),
        ("PORT", "70000"),
        ("LOGIN", "maybe"),
        ("LOG_LEVEL", "loud"),
        ("SESSION_DAYS", "-1"),
        ("PUBLIC_URL", "work.example.org"),
        ("WORKER", "perhaps"),
    ],
)
def test_an_unusable_setting_is_named(tmp_path: Path, name: str, value: str) -> None:
    settings: dict[str, Any] = {"DATA": tmp_path / "data", "PORT": free_port(), name: value}
    outcome = run("serve", **settings)
    outcome.refused(3, f"WORKROOM_{name} is not usable")
    assert not (tmp_path / "data").exists()


def test_the_same_for_every_command_that_reads_settings(tmp_path: Path) -> None:
    run("users", "list", DATA=tmp_path, PORT="abc").refused(3, "WORKROOM_PORT")
