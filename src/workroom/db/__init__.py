"""The doors to PostgreSQL: unit of work, listener, heartbeat, locks, migrator. No module outside this package opens a connection.

address.py         where the database is and as whom to connect
database.py        the pool and `unit_of_work(actor)`, the only way to rows
listener.py        LISTEN, with reconnection
wakeups.py         notifications that wake workers
leases.py          which worker has a row of work; heartbeat.py keeps its leases
work_scheduler.py  claims and works on leased rows; admission.py says how much a process can carry
locks.py           advisory locks, for what several machines must not do at once
migrator.py        numbered SQL files, forward only, under an advisory lock
roles.py           the roles a DBA creates, and the check that we run as the right one
trash.py           what was thrown away long ago goes
backup.py          dump and restore
embedded/          the PostgreSQL that `workroom serve` starts for itself
"""

from workroom.db.address import DatabaseAddress
from workroom.db.database import Database, UnitOfWork

__all__ = ["Database", "DatabaseAddress", "UnitOfWork"]
