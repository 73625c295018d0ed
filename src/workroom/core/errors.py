"""Everything that can go wrong in a way a person should understand.

    WorkroomError            500  exit 1
    ├── ConfigurationError   500  exit 3   settings, folders or rights on this machine are not as they must be
    ├── AlreadyRunning       503  exit 4   another process owns the data folder or the port
    ├── DatabaseUnavailable  503  exit 5   no PostgreSQL, a wrong address, a missing extension, a failed migration
    ├── Unauthenticated      401           not signed in
    ├── Forbidden            403  exit 2   signed in, but the role does not allow it
    ├── NotFound             404  exit 2   no such thing, or not for this person: the answer is the same on purpose
    ├── InvalidInput         422  exit 2   what was sent does not fit; `details` says where
    ├── Conflict             409  exit 2   it fits, but not in the present state
    │   ├── Collided                       two transactions stood in each other's way
    │   └── RightsChanged                  what the sender may do was changed since the request began
    ├── BudgetExceeded       402           the next model call would cost more than is left; `details` says of which budget
    ├── TooLarge             413  exit 2   over a size limit
    ├── TooManyRequests      429           try again after `retry_after` seconds
    ├── StorageFull          507           a disk has no room left: for files, for what is unpacked, for the database
    └── OutgoingRefused      502           an outgoing request that the guard in `net/` does not let through
                                           (`net/errors.py` adds OutgoingFailed: it was let through, and failed)

The message is written for the person who reads it: what happened, and what to do. The `code` is for programs and for
translation: every code has a text in all five languages of the web app (a test holds that).
"""

from __future__ import annotations

from typing import Any, ClassVar


class WorkroomError(Exception):
    """Base of the family; `details` is safe to show to the client that caused the error."""

    code: str = "unexpected"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    again: bool = False  # whether trying once more in a moment may help
    refused: bool = False  # a paid service has certainly not done what it was asked, so it costs nothing

    def __init__(self, message: str, *, code: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        if code is not None:
            self.code = code


class ConfigurationError(WorkroomError):
    code = "configuration"
    exit_code = 3


class AlreadyRunning(WorkroomError):
    code = "alreadyRunning"
    status = 503
    exit_code = 4


class DatabaseUnavailable(WorkroomError):
    code = "databaseUnavailable"
    status = 503
    exit_code = 5


class Unauthenticated(WorkroomError):
    code = "unauthenticated"
    status = 401


class Forbidden(WorkroomError):
    code = "forbidden"
    status = 403
    exit_code = 2


class NotFound(WorkroomError):
    code = "notFound"
    status = 404
    exit_code = 2


class InvalidInput(WorkroomError):
    code = "invalidInput"
    status = 422
    exit_code = 2


class Conflict(WorkroomError):
    code = "conflict"
    status = 409
    exit_code = 2


class Collided(Conflict):
    """Two transactions stood in each other's way, and this one was undone: the same again will most likely do."""

    again = True


class RightsChanged(Conflict):
    """The rights a request was let in with are not those its sender has now."""

    code = "rightsChanged"


class BudgetExceeded(WorkroomError):
    code = "budgetExceeded"
    status = 402


class TooLarge(WorkroomError):
    code = "tooLarge"
    status = 413
    exit_code = 2


class TooManyRequests(WorkroomError):
    code = "tooManyRequests"
    status = 429

    def __init__(self, message: str, *, retry_after: int, **details: Any) -> None:
        super().__init__(message, **details)
        self.retry_after = retry_after


class StorageFull(WorkroomError):
    code = "storageFull"
    status = 507

    def __init__(
        self,
        message: str = "The server has no room left. Nothing was stored; ask an administrator to make room, then try again.",
        **details: Any,
    ) -> None:
        super().__init__(message, **details)


class OutgoingRefused(WorkroomError):
    code = "outgoingRefused"
    status = 502
