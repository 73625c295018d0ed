"""The audit log as CSV, in batches: as many entries as there are, never all of them in memory."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from workroom.core.csv_lines import BYTE_ORDER_MARK, csv_line
from workroom.core.pages import Cursor, Page, PageRequest
from workroom.core.time_zones import zone_named
from workroom.identity.audit import Audit
from workroom.identity.types import AuditEntry, AuditFilter, Principal

AT_ONCE = 1_000
HEADER = ("time", "userId", "userName", "action", "objectKind", "objectId", "name", "details", "address")


async def exported(
    audit: Audit, principal: Principal, filters: AuditFilter, request: PageRequest, time_zone: str
) -> AsyncIterator[str]:
    """Lines of the log as `request` searches and sorts it, with times in that zone. What is wrong, or forbidden, is said at
    once, before the first line. Rights are checked with every batch."""
    zone = zone_named(time_zone)
    request = replace(request, limit=AT_ONCE, cursor=None)
    first = await audit.list(principal, request, filters)

    async def lines() -> AsyncIterator[str]:
        yield BYTE_ORDER_MARK + csv_line(HEADER)
        page: Page[AuditEntry] = first
        while True:
            yield "".join(csv_line(_values(entry, zone)) for entry in page.items)
            if page.next_cursor is None:
                return
            page = await audit.list(principal, replace(request, cursor=Cursor.decode(page.next_cursor)), filters)

    return lines()


def _values(entry: AuditEntry, zone: ZoneInfo) -> list[str]:
    details = {name: value for name, value in entry.details.items() if name != "name"}
    return [
        entry.at.astimezone(zone).isoformat(timespec="seconds"),
        str(entry.user_id or ""),
        entry.user_name,
        entry.action,
        entry.object_kind,
        str(entry.object_id or ""),
        str(entry.details.get("name", "")),
        json.dumps(details, ensure_ascii=False) if details else "",
        entry.address,
    ]
