"""A `workroom serve` of one's own: started in a data folder, asked, stopped, killed, and never left behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2
import psutil

from tests.faults.command import PROGRAM, Outcome, environment, run
from tests.faults.leftovers import end_all, processes_of
from workroom.db.embedded.cluster import cluster_path
from workroom.db.embedded.pidfile import PidFile
from workroom.db.embedded.socketdir import remove_socket_directory

READY_SECONDS = 60.0
STOP_SECONDS = 90.0
LOOK_AGAIN = 0.05  # there is no event across processes: this is how often we look
# Below the ports the system hands out by itself, so that nothing takes one between our look and the start. Processes of
# one test run, which have one parent, take turns; two runs at once begin apart.
WORKERS = 16
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
PORTS = iter(range(20_000 + os.getppid() % 40 * 10 * WORKERS + WORKER, 32_000, WORKERS))


def free_port() -> int:
    for port in PORTS:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


class Workroom:
    """`with Workroom(folder) as workroom:` is ready inside the block, and gone with all it started after it."""

    def __init__(self, data: Path, *, plugins: Any = (), **settings: object) -> None:
        """`plugins` are folders with packages that are as good as installed."""
        self.data = data
        self._plugins: Sequence[Path] = plugins
        self.port = int(str(settings.get("PORT") or free_port()))
        # The multilingual model would be four fifths of what workers do, and hardly a test is about what it finds.
        self._settings: dict[str, Any] = {"DATA": data, "PORT": self.port, "EMBEDDING": "static", **settings}
        self._process: subprocess.Popen[bytes] | None = None
        self._out = data.with_name(f"{data.name}.out")
        self._err = data.with_name(f"{data.name}.err")

    def __enter__(self) -> Self:
        try:
            self.start()
            self.wait_ready()
        except BaseException:
            self.clean_up()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if self._process and self._process.poll() is None:
                self.stop()
        finally:
            self.clean_up()

    def start(self) -> None:
        """As a terminal does: in a process group of its own, which a Ctrl+C reaches as a whole."""
        self.data.parent.mkdir(parents=True, exist_ok=True)  # for what it says; the data folder it makes itself
        with self._out.open("wb") as out, self._err.open("ab") as err:
            self._process = subprocess.Popen(
                [*PROGRAM, "serve"],
                env=environment(self._settings, *self._plugins),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        self.wait_until(lambda: self.link is not None and self.is_ready(), "ready", seconds)

    def wait_until(self, true: Callable[[], bool], what: str, seconds: float = READY_SECONDS) -> None:
        """Look until it is so; fails at once when `serve` has ended, and in the end when it takes too long."""
        give_up = time.monotonic() + seconds
        while not true():
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = self.process.wait(LOOK_AGAIN)
                raise AssertionError(f"serve ended with {code} before it was {what}: {self.log[-2000:]}")
            assert time.monotonic() < give_up, f"not {what} within {seconds} s: {self.log[-2000:]}"

    def is_ready(self) -> bool:
        with contextlib.suppress(httpx2.TransportError):
            return self.get("/ready").status_code == 200
        return False

    def get(self, path: str) -> httpx2.Response:
        with httpx2.Client(base_url=self.base_url, trust_env=False, timeout=30) as client:
            return client.get(path)

    @contextlib.contextmanager
    def signed_in(self, mandate: str | None = None) -> Iterator[httpx2.Client]:
        """A client with the session of the (mandate's) first administrator, through a link of its own."""
        chosen = ("--mandate", mandate) if mandate else ()
        token = one_time_link(self.command("users", "link", *chosen).fine()).partition("#")[2]
        with httpx2.Client(base_url=self.base_url, trust_env=False, timeout=30) as client:
            client.post("/api/auth/link", json={"token": token}).raise_for_status()
            yield client

    def command(self, *args: str | Path, given: str = "") -> Outcome:
        """Another command on the same data folder."""
        return run(*args, given=given, **self._settings)

    def stop(self) -> int:
        """Ctrl+C, and wait."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(STOP_SECONDS)

    def terminate(self) -> int:
        """What a service manager does."""
        self.process.terminate()
        return self.process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """`kill -9` of `serve` alone: its children learn of it, or do not, by themselves."""
        self.process.kill()
        self.process.wait(STOP_SECONDS)

    def clean_up(self) -> None:
        end_all(self.data)
        if self._process:
            self._process.wait(STOP_SECONDS)
        if self.data.is_dir() and (killed := PidFile.read(self._cluster)) and killed.endpoint:
            sockets = Path(killed.endpoint.host)  # a killed PostgreSQL could not tidy up
            for leftover in sockets.glob(".s.PGSQL.*"):
                leftover.unlink()
            remove_socket_directory(sockets)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "not started"
        return self._process

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str | None:
        """The one-time link it printed, None before that."""
        text = self._out.read_text()
        return one_time_link(text) if "Ctrl+C stops it." in text else None

    @property
    def output(self) -> str:
        return self._out.read_text()

    @property
    def log(self) -> str:
        """Everything on stderr, of all starts."""
        return self._err.read_text()

    @property
    def worker_pid(self) -> int | None:
        for child in psutil.Process(self.pid).children():
            with contextlib.suppress(psutil.Error):
                if "--child" in child.cmdline():
                    return child.pid
        return None

    @property
    def postgres_pid(self) -> int | None:
        found = PidFile.read(self._cluster)
        return found.pid if found and found.is_true(self._cluster) else None

    @property
    def _cluster(self) -> Path:
        return cluster_path(self.data / "postgres")

    @property
    def processes(self) -> list[psutil.Process]:
        """Everything of this data folder that runs now: serve, worker, PostgreSQL and its helpers."""
        return processes_of(self.data)


def one_time_link(text: str) -> str:
    found = re.search(r"http://\S+/enter#\S+", text)
    assert found, f"no one-time link in: {text}"
    return found[0]


def killed(pid: int | None) -> int:
    assert pid is not None
    with contextlib.suppress(ProcessLookupError):  # a worker may have followed its server already
        os.kill(pid, signal.SIGKILL)
    return pid
