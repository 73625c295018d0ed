"""What an import does when something of that name is here already, and is the importer's to change."""

from __future__ import annotations

from enum import StrEnum


class ImportConflict(StrEnum):
    FAIL = "fail"
    REPLACE = "replace"
    KEEP_BOTH = "keepBoth"
