"""Lets a person have so much of one kind under way at once in this process. What comes after waits for its turn, and other
people do not: `person_slots.py` refuses instead."""

from __future__ import annotations

import asyncio
from uuid import UUID
from weakref import WeakValueDictionary


class PersonTurns:
    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._by_person: WeakValueDictionary[UUID | None, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, user_id: UUID | None) -> asyncio.Semaphore:
        """To be held during the work."""
        return self._by_person.setdefault(user_id, asyncio.Semaphore(self._at_once))
