"""`python -m docs.corpus` sends every real document the whole way, upload, look, extraction, and writes how that ended.

The documents are not part of the repository (tests/documents/corpus.py says where they are), and the page names none of
them: it counts them by the ending of their names. A drill compares the page with a run (tests/documents/test_corpus.py).
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from tests.documents.corpus import ROOT
from tests.world import make_world

from workroom.api.services import Services
from workroom.bootstrap.server import open_services
from workroom.contents.document_locator import holds_files
from workroom.contents.parts import PartSelection
from workroom.contents.types import StoredDocument
from workroom.core.errors import WorkroomError
from workroom.db.testing import TestPostgres
from workroom.documents.errors import DocumentError
from workroom.files.types import NewFile, OnConflict
from workroom.identity.types import Principal
from workroom.settings import Settings

PAGE = Path(__file__).parent / "reference" / "corpus.md"
NOTE = "<!-- Written by `python -m docs.corpus`. Do not edit. -->\n\n"
INSIDE = "in archives and mails"
# In the words of the table; the codes are those of documents/errors.py.
REASONS = {
    "documentEncrypted": "locked with a password",
    "documentDamaged": "damaged",
    "documentUnsupported": "not supported",
    "documentTooLarge": "too large",
    "containerLimit": "archive over a limit",
}
CHUNK = 1 << 20


@dataclass(frozen=True)
class Outcome:
    """How it went with one document. No `code`: it was read; `bare`: and there was nothing in it."""

    ending: str
    code: str = ""
    message: str = ""
    bare: bool = False


class Way:
    """The way of a person's document: stored, looked into, read whole; then everything that lies in it."""

    def __init__(self, services: Services, who: Principal, instance_id: UUID) -> None:
        self._files, self._reader = services.files, services.reader
        self._who, self._instance_id = who, instance_id

    async def go(self, path: Path) -> list[Outcome]:
        new = NewFile(path.name, on_conflict=OnConflict.RENAME)
        file = await self._files.store(self._who, self._instance_id, new, _chunks(path))
        return [outcome async for outcome in self._at(file.id, "", path.suffix.lower().lstrip(".") or "none")]

    async def _at(self, file_id: UUID, inside: str, ending: str) -> AsyncIterator[Outcome]:
        """Whatever is wrong with a document is said in a DocumentError; anything else is a mistake of ours."""
        try:
            place = await self._reader.place(self._who, file_id, inside)
            reading = await self._reader.reading(self._who, place)
            if reading.problem is not None:
                yield Outcome(ending, reading.problem.code, reading.problem.message)
                return
            if not reading.is_container:
                await self._reader.read_whole(self._who, place)
                yield Outcome(ending, bare=await self._is_bare(file_id, place))
            members = [] if not holds_files(reading.media_type) else await self._members(file_id, inside)
            if reading.is_container:
                yield Outcome(ending, bare=not members)
        except DocumentError as error:
            yield Outcome(ending, error.code, error.message)
            return
        for path in members:
            async for outcome in self._at(file_id, f"{inside}/{path}" if inside else path, INSIDE):
                yield outcome

    async def _is_bare(self, file_id: UUID, place: StoredDocument) -> bool:
        if place.within is None:
            return not (await self._reader.index(self._who, file_id)).total_objects
        return not (await self._reader.passages(self._who, place, PartSelection(), most=1)).objects

    async def _members(self, file_id: UUID, inside: str) -> list[str]:
        place = await self._reader.place(self._who, file_id, inside)
        found, more = await self._reader.members(self._who, place)
        assert more is None, "no archive here has more members than are listed at once"
        return [member.path for member in found if not member.is_folder]


@asynccontextmanager
async def open_way(folder: Path) -> AsyncIterator[Way]:
    """In a workspace of its own, on a PostgreSQL of its own."""
    postgres = TestPostgres(folder / "postgres")
    await postgres.start()
    try:
        settings = Settings(data=folder / "data", login="password")
        async with open_services(settings, await postgres.fresh(), settings.port) as services:
            world = await make_world(services)
            yield Way(services, world["bob"].principal, world.instances["lab"].id)
    finally:
        await postgres.stop()


def documents() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*") if path.is_file())


def fingerprint(paths: Iterable[Path]) -> str:
    """Which documents these are: other ones have another table."""
    hashes = sorted(hashlib.sha256(path.read_bytes()).digest() for path in paths)
    return hashlib.sha256(b"".join(hashes)).hexdigest()[:16]


def page(outcomes: Sequence[Outcome], documents: str) -> str:
    by_ending: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_ending[outcome.ending].append(outcome)
    order = sorted(by_ending, key=lambda ending: (ending == INSIDE, -len(by_ending[ending]), ending))
    own = [outcome for outcome in outcomes if outcome.ending != INSIDE]
    lines = [
        "# What is read of real documents",
        "",
        f"{len(own):,} files from the tests of other projects that read documents, each stored, looked into and read whole;"
        " what lies in archives and mails, too. None ended a process, none took longer than is allowed. Read means that its"
        " content is there, in order; how much of it is right is measured elsewhere (`tests/documents/test_scores.py`)."
        " Some could be opened, and nothing was found in them. Rows go by what names end in, whatever a file is in truth.",
        "",
        f"| ending | files | read | with nothing found | refused | {' | '.join(REASONS.values())} |",
        "|---" + "|--:" * (4 + len(REASONS)) + "|",
        *(_row(f"`{ending}`" if ending != INSIDE else ending, by_ending[ending]) for ending in order),
        _row("all, without those", own),
        "",
        "Everybody who stores a file that is refused is told why, and what to do:",
        "",
        *_sentences(outcomes),
        "",
        f"<!-- documents {documents} -->",
    ]
    return NOTE + "\n".join(lines) + "\n"


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    refused = Counter(outcome.code for outcome in outcomes if outcome.code)
    assert set(refused) <= set(REASONS), f"no words for {set(refused) - set(REASONS)}"
    cells = [len(outcomes), len(outcomes) - refused.total(), sum(outcome.bare for outcome in outcomes), refused.total()]
    return (
        f"| {name} | " + " | ".join(str(cell or "") for cell in [*cells, *(refused[code] for code in REASONS)]) + " |"
    )


def _sentences(outcomes: Sequence[Outcome]) -> list[str]:
    said = Counter(outcome.message for outcome in outcomes if outcome.code)
    return [f"- {many} × {sentence}" for sentence, many in sorted(said.items(), key=lambda item: (-item[1], item[0]))]


async def run(paths: Sequence[Path]) -> list[Outcome]:
    outcomes: list[Outcome] = []
    with _folder() as folder:
        async with open_way(folder) as way:
            for path in paths:
                try:
                    outcomes += await way.go(path)
                except WorkroomError as error:
                    error.add_note(f"in {path.relative_to(ROOT)}")
                    raise
    return outcomes


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="wr-corpus-") as name:
        path = Path(name).resolve()
        path.chmod(0o755)  # PostgreSQL may run as somebody else
        yield path


async def _chunks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk


def main() -> None:
    found = documents()
    PAGE.write_text(page(asyncio.run(run(found)), fingerprint(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
