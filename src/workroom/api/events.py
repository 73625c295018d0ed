"""The browser's one stream: what changed, and when the session behind it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from workroom.api.change_hub import Inbox
from workroom.api.frame import sse
from workroom.api.frame.authentication import AppServices, CurrentPrincipal, find_principal
from workroom.api.runs import encode_event
from workroom.api.services import Services
from workroom.core.changes import Change, Changed, ChangeKind, Hello, SignedOut
from workroom.core.errors import DatabaseUnavailable
from workroom.identity.access import Target, decide
from workroom.identity.types import Action, Principal

router = APIRouter(prefix="/api", tags=["events"])

RECHECK_SECONDS = 5.0  # how long a withdrawn right can outlive its withdrawal, if the notification is lost
# What may end a session, or change what its owner may see.
AFFECTS_SESSION = {
    ChangeKind.USER,
    ChangeKind.ROLE,
    ChangeKind.SESSION,
    ChangeKind.MEMBER,
    ChangeKind.TOKEN,
    ChangeKind.INSTANCE,
}
# Whose right to be read is another's.
READ_AS = {
    ChangeKind.EVALUATION: "data.model",
    ChangeKind.MAP: "data.conversation",
    ChangeKind.WEB_SEARCH: "data.model",
}


@router.get("/events", response_class=StreamingResponse)
async def stream_events(request: Request, principal: CurrentPrincipal, services: AppServices) -> StreamingResponse:
    """Server-sent events `hello`, `changed`, `run`, `signedOut`. Nothing is lost by missing one: `changed` is a hint to fetch
    again, and what a run said before, or while the connection was away, is in its log."""
    return sse.EventStream(event_stream(request, principal, services), services.streams, principal.user_id)


async def event_stream(request: Request, principal: Principal, services: Services) -> AsyncGenerator[bytes, None]:
    assert principal.user_id is not None
    with (
        services.changes.subscribe() as inbox,
        services.feed.subscribe(principal.user_id, inbox.wake) as subscription,
        services.metrics.streams.track_inprogress(),
    ):
        yield sse.RETRY
        yield sse.encode("hello", Hello())
        checked = last_sent = time.monotonic()
        while not inbox.closed:
            changes = await inbox.take(RECHECK_SECONDS)
            ours = [change for change in changes if change.mandate_id == principal.mandate_id]
            if any(change.kind in AFFECTS_SESSION for change in ours) or time.monotonic() - checked >= RECHECK_SECONDS:
                current = await _current_principal(request, principal)
                if current is None:
                    yield sse.encode("signedOut", SignedOut(reason="sessionEnded"))
                    return
                principal, checked = current, time.monotonic()
            if payload := b"".join([*_change_events(inbox, ours, principal), *map(encode_event, subscription.take())]):
                last_sent = time.monotonic()
                yield payload
            if time.monotonic() - last_sent >= sse.PING_SECONDS:
                last_sent = time.monotonic()
                yield sse.PING


def _change_events(inbox: Inbox, changes: list[Change], principal: Principal) -> list[bytes]:
    if inbox.missed:
        inbox.missed = False
        return [sse.encode("hello", Hello())]
    return [sse.encode("changed", Changed(kind=c.kind, id=c.id)) for c in changes if _may_see(principal, c)]


def _may_see(principal: Principal, change: Change) -> bool:
    if principal.user_id is not None and principal.user_id in (change.owner_id, *change.persons):
        return True
    instances = frozenset({change.instance_id}) if change.instance_id else frozenset()
    key = READ_AS.get(change.kind, f"data.{change.kind}")
    # A conversation that is shared with a workspace is each member's, as far as they may have conversations at all.
    is_theirs = key == "data.conversation" and change.instance_id in principal.memberships
    owner_id = principal.user_id if change.everybody or is_theirs else change.owner_id
    return decide(principal, Action.READ, Target(key, owner_id, instances))


async def _current_principal(request: Request, principal: Principal) -> Principal | None:
    try:
        return await find_principal(request)
    except DatabaseUnavailable:
        return principal  # a database that is away for a moment must not sign people out
