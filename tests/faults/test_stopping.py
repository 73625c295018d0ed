"""Ctrl+C and SIGTERM end everything that was started, at any moment; kill -9 leaves nothing the next start minds."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import httpx2
import psutil
import pytest

from tests.faults.leftovers import is_over, wait_until_gone
from tests.faults.process import STOP_SECONDS, Workroom
from workroom.db.embedded.cluster import cluster_path

Serve = Callable[..., Workroom]


def test_ctrl_c_ends_all_of_it_even_with_a_stream_open(data: Path, serve: Serve) -> None:
    workroom = serve(data)
    assert len(workroom.processes) >= 3, "serve, worker and PostgreSQL"
    with workroom.signed_in() as client, client.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        assert any(line == "event: hello" for line in lines)
        assert workroom.stop() == 0
        with pytest.raises((StopIteration, httpx2.TransportError)):
            while True:
                next(lines)
    assert "Workroom has stopped." in workroom.output
    assert workroom.processes == []
    assert "Traceback" not in workroom.log


def test_sigterm_ends_all_of_it(data: Path, serve: Serve) -> None:
    workroom = serve(data)
    assert workroom.terminate() == 0
    assert workroom.processes == []
    assert "Traceback" not in workroom.log


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_is_still_starting_leaves_nothing(data: Path, serve: Serve, number: signal.Signals) -> None:
    workroom = serve(data, ready=False)
    workroom.wait_until(lambda: workroom.postgres_pid is not None, "running PostgreSQL")
    workroom.process.send_signal(number)
    assert workroom.process.wait(STOP_SECONDS) in (0, 128 + number)
    assert wait_until_gone(data) == []
    assert "Traceback" not in workroom.log


def test_a_killed_server_leaves_nothing_the_next_start_minds(data: Path, serve: Serve) -> None:
    first = serve(data)
    worker, postgres = first.worker_pid, first.postgres_pid
    assert worker
    assert postgres
    orphan = psutil.Process(worker)
    first.command("users", "add", "before@example.org").fine()
    first.kill()
    assert is_over(orphan), "the worker ends with the server that started it"
    assert first.postgres_pid == postgres, "PostgreSQL lives on"

    second = serve(data)
    assert second.postgres_pid == postgres, "and is adopted"
    assert "before@example.org" in second.command("users", "list").fine()
    assert second.stop() == 0
    assert second.processes == [], "what was adopted is stopped as well"


def test_a_stale_pid_that_belongs_to_another_process_by_now(data: Path, serve: Serve) -> None:
    first = serve(data, WORKER="false")
    postgres = first.postgres_pid
    assert postgres
    first.kill()
    os.kill(postgres, signal.SIGKILL)
    assert wait_until_gone(data) == []
    pid_file = cluster_path(data / "postgres") / "postmaster.pid"
    pid_file.write_text(re.sub(r"\A\d+", str(os.getpid()), pid_file.read_text()))

    second = serve(data, WORKER="false")
    assert second.is_ready()
    assert second.postgres_pid not in (None, os.getpid())
