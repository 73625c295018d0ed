"""The PostgreSQL that Workroom brings along: found, initialised, started, adopted and stopped here.

`FolderLock` makes one process the owner of a data folder; that process runs an `EmbeddedPostgres`, the others join it
through `EmbeddedPostgres.find_running`. Roles, databases and the schema inside it are not made here.

    folder.py      is this folder ours to write in?          binaries.py    where the programs are
    lock.py        one owner per data folder                 runas.py       as whom they run when we are root
    pidfile.py     whose server is running?                  cluster.py     initdb and the folder it made
    process.py     wait for a process, signal it             socketdir.py   the short, private home of the socket
    login.py       does it answer, and is it ours?           options.py     settings and environment of the server
    serverlog.py   what its log says went wrong              prepare.py     from an empty folder to a command line
    server.py      all of it together: the supervisor
"""

from workroom.db.embedded.binaries import binary
from workroom.db.embedded.lock import FolderLock, LockOwner
from workroom.db.embedded.pidfile import Endpoint
from workroom.db.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "Endpoint", "FolderLock", "LockOwner", "binary"]
