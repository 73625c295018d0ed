"""A warmed-up interpreter that becomes the program: each command is a process of its own, without half a second of imports.

`python -m tests.faults.warm` imports `workroom.cli`, then forks for every line it reads: the child gets the wanted
environment, files as its standard streams, and runs `workroom.cli.main` as `python -m workroom` would. It has no
threads and no event loop, which is what makes forking it safe. It ends when its input does.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any


class Warm:
    """The side of the tests."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONUTF8": "1"},
            text=True,
        )
        atexit.register(self.close)

    def run(self, args: list[str], env: dict[str, str], files: list[str], seconds: float) -> int:
        """The exit code; negative when a signal ended it, as after too many seconds."""
        assert self._process.stdin
        assert self._process.stdout
        order = {"args": args, "env": env, "files": files, "seconds": int(seconds), "cwd": os.getcwd()}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def main() -> None:
    import asyncpg  # noqa: F401
    import uvloop  # noqa: F401

    import workroom.app
    import workroom.cli  # noqa: F401

    orders, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    for line in orders:
        pid = os.fork()
        if pid == 0:
            os.close(orders.fileno())
            os.close(answers.fileno())
            _become(json.loads(line))
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _become(order: dict[str, Any]) -> None:
    from workroom.cli import main as program

    code = 1
    try:
        signal.alarm(order["seconds"])
        for number, name in enumerate(order["files"]):
            os.dup2(os.open(name, os.O_RDONLY if number == 0 else os.O_WRONLY), number)
        os.environ.clear()
        os.environ.update(order["env"])
        os.chdir(order["cwd"])
        sys.argv = ["workroom", *order["args"]]
        program()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
