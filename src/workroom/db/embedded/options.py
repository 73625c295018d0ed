"""Settings and environment of the server: small when idle, sound when busy.

Measured idle, all processes together (PSS): 16 MB with these, 20 MB with 128 MB of shared buffers, 18 MB with I/O
workers. A connection adds 2 MB, and shared buffers fill up to their 64 MB as data is read.
"""

from __future__ import annotations

import os
from pathlib import Path

PORT = 5432  # only a part of the socket's name: nothing listens on the network

_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "huge_pages": "off",
    "jit": "off",  # compiles for longer than our queries run
    "io_method": "sync",  # no I/O worker processes
    # One server, no replicas: less is written, and loading into a new table skips the log.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "max_wal_size": "512MB",
    "TimeZone": "UTC",
    "log_timezone": "UTC",
    # The log is for the server's own troubles. Statements and the details of errors hold people's data and passwords.
    "logging_collector": "off",
    "log_destination": "stderr",
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}

_NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def server_arguments(cluster: Path, socket_directory: Path, *, durable: bool) -> list[str]:
    # The setting is a list, separated by commas: the quotes make it one name whatever is in it.
    quoted = '"' + str(socket_directory).replace('"', '""') + '"'
    settings = {**_SETTINGS, "unix_socket_directories": quoted, **({} if durable else _NOT_DURABLE)}
    return ["-D", str(cluster), *(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))]


def environment() -> dict[str, str]:
    """Nothing of the user's: PGDATA, PGHOST, PGOPTIONS and the like are meant for other servers."""
    return {"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)}
