"""Restore: the database's content replaced by a backup's, in one transaction, while the workspace runs.

The file is read, turned into SQL and run in small parts; nothing is written to disk but the new tables. They are filled
beside the old ones, which stay in use. Only at the end are the old ones locked and dropped: sessions that still work with
them are ended, and connect again to the new ones. The transaction is committed when every program has said that all went
well; whatever happens before that, to any of the processes, undoes all of it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import zipfile
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from workroom.core.errors import InvalidInput
from workroom.db.backup import DUMP
from workroom.db.migrator import LOCK_KEY
from workroom.db.programs import PART, Program, running
from workroom.db.roles import OWNER

# Not as a superuser: an untrusted file could otherwise run programs on this machine.
_BEGIN = f"""begin;
select pg_advisory_xact_lock({LOCK_KEY});
set role {OWNER};
alter schema workroom rename to workroom_before;
"""
# A lock is given up after half a second, and with it all others: so there is no deadlock with those that wait for us.
# Who was signed in then is not signed in now, and a used link stays used.
_END = f"""
set role {OWNER};
do $$
declare
    old text := (select string_agg(format('%I.%I', schemaname, tablename), ', ')
        from pg_catalog.pg_tables where schemaname = 'workroom_before');
    holder record;
begin
    perform set_config('lock_timeout', '500ms', true);
    for attempt in 1..600 loop
        begin
            execute 'lock table ' || old || ' in access exclusive mode';
            return;
        exception when lock_not_available or deadlock_detected then
            for holder in select distinct l.pid, a.usename, a.application_name
                from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
                where c.relnamespace = 'workroom_before'::regnamespace and l.granted and l.pid <> pg_backend_pid()
            loop
                begin
                    perform pg_terminate_backend(holder.pid);
                exception when insufficient_privilege then
                    if attempt = 600 then
                        raise 'session % (% %) uses the tables and cannot be ended by %: end it, then restore again',
                            holder.pid, holder.usename, holder.application_name, current_user;
                    end if;
                end;
            end loop;
        end;
    end loop;
    raise 'the tables are in use all the time: stop the workspace''s other programs, then restore again';
end $$;
drop schema workroom_before cascade;
truncate workroom.sessions, workroom.login_links;
do $$ begin
    if to_regclass('workroom.mails') is not null then -- a backup may be older; the links in mails are void with it
        truncate workroom.mails;
    end if;
end $$;
\\echo loaded
"""


async def replace_content(url: str, source: Path, committing: Callable[[], object] = lambda: None) -> None:
    """`source` is a file that `read_manifest` accepted. `committing` is called when it may be too late to turn back."""
    options = ("--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    async with (
        running("pg_restore", "--no-owner", "--file=-", reads=True) as archive,
        running("psql", *options, url=url, reads=True) as session,
    ):
        unpacking = asyncio.create_task(_unpack(source, archive))
        try:
            await session.feed(_text(_BEGIN))
            await session.feed(archive.parts())
            await unpacking
        finally:
            unpacking.cancel()
            await asyncio.wait([unpacking])
        await session.feed(_text(_END))
        await session.line()
        committing()
        await session.feed(_text("commit;\n"))
        await session.finish()


def require_room(folder: Path, needed: int) -> None:
    """Old and new tables exist side by side until the end; building the indexes of the new ones takes room of its own."""
    needed, free = needed * 3 // 2, shutil.disk_usage(folder).free
    if needed > free:
        raise InvalidInput(
            f"The restored database needs {needed:,} bytes beside the present one, and {folder} has {free:,} bytes of"
            " room. Nothing was changed; make room, then restore again."
        )


async def _unpack(source: Path, archive: Program) -> None:
    try:
        await archive.feed(_dump(source))
    except (OSError, zipfile.BadZipFile) as error:
        archive.kill()  # ends what is read from it, too
        raise InvalidInput(f"{source} cannot be read to its end ({error}). Nothing was changed.") from None
    await archive.finish()


async def _dump(source: Path) -> AsyncGenerator[bytes, None]:
    with zipfile.ZipFile(source) as whole, whole.open(DUMP) as packed:
        while part := packed.read(PART):
            yield part


async def _text(sql: str) -> AsyncGenerator[bytes, None]:
    yield sql.encode()
