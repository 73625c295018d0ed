"""What a question points at, read before a model sees the question: attached files, `@report.pdf`, `@archive.zip/a.pdf`,
`@folder/`, and of them "page 47", "chapter 3", "sheet Q4".

So that a question about one page costs one page and one model call. Without a place there is an outline, and the model
chooses. Everything is read with the rights of the person who asks; what cannot be found or read is said, and the run goes on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from workroom.contents.document import Document
from workroom.contents.outlines import brief, counted, members_listed, size_of
from workroom.contents.parts import Wish
from workroom.contents.pointing import Pointed, pointed
from workroom.contents.quoting import quote
from workroom.contents.service import Reader
from workroom.contents.stems import stems_in
from workroom.contents.structural import fit, is_counting, is_structural, names_in
from workroom.contents.types import Place, Reading
from workroom.core.actions import OpenFile
from workroom.core.errors import DatabaseUnavailable, NotFound, WorkroomError
from workroom.core.messages import FilePart, MaterialPart, Message
from workroom.core.pages import PageRequest
from workroom.core.sources import Source, unmarked
from workroom.core.tokens import estimate
from workroom.documents.references import Places, asked, places
from workroom.files.finder import ENDING, Finder, stem_of
from workroom.files.service import Files
from workroom.files.types import ROOT, File, FileFilter
from workroom.identity.types import Principal
from workroom.models.embedded.language import NO_PHRASES, PhrasesByLanguage

MOST_READ = 20  # files and folders; the others are only named
MOST_TOKENS = 50_000
LEAST_TOKENS = 200
SMALL = 8_000  # bytes; a text up to that is read whole
LOOKED_AT = 2_000  # characters of a question, for names of files
FILE_NAME = re.compile(r"[^\s\"“”„«»'‘’,;:!?()\[\]<>]{1,200}\.[A-Za-z0-9]{2,5}(?![\w.])")
MOST_WORDS = 6  # of a question are looked for among the names of files
ALIKE = 10  # files that have such a word in their name
MOST_OUTLINED = 3
LISTED = 50  # members of an archive, files of a folder
SECONDS = 60.0  # for one file
NOT_READ = "It was not looked into, because the question names so many. Tools for files read it."
TOO_SLOW = "Reading it takes too long to wait for. Tools for files read parts of it."


@dataclass(frozen=True)
class Pointer:
    """What is pointed at, by name or by id, and what of it is meant."""

    name: str
    places: Places
    file_id: UUID | None = None
    is_folder: bool = False


@dataclass
class Purse:
    """Tokens for what is left to be read, shared evenly."""

    left: int
    sharers: int = 1

    def share(self) -> int:
        return max(LEAST_TOKENS, self.left // max(1, self.sharers))

    def pay(self, text: str) -> None:
        self.left = max(0, self.left - estimate(text))


@dataclass
class Gathering:
    """One question's material while it is put together."""

    who: Principal
    instance_id: UUID
    purse: Purse
    parts: list[MaterialPart] = field(default_factory=list)
    seen: set[tuple[UUID, str]] = field(default_factory=set)
    counting: bool = False  # it is asked how many there are of something, not which

    def add(self, part: MaterialPart) -> None:
        self.purse.pay(part.text)
        self.parts.append(part)

    def note(self, label: str, text: str, opens: OpenFile | None = None, *, untrusted: bool = False) -> None:
        """`untrusted`: it names what others have named, such as sheets, members of archives and other files."""
        self.add(self._part("note", label, text, opens, untrusted=untrusted))

    def outside(self, kind: str, label: str, text: str, opens: OpenFile | None, sources: Sequence[Source] = ()) -> None:
        part = self._part(kind, label, text, opens, untrusted=True)
        self.add(part.model_copy(update={"sources": list(sources)}))

    def _part(self, kind: str, label: str, text: str, opens: OpenFile | None, *, untrusted: bool) -> MaterialPart:
        assert self.who.user_id is not None
        said = {"kind": kind, "label": label[:500], "text": text, "opens": opens, "untrusted": untrusted}
        return MaterialPart.model_validate({**said, "read_for": self.who.user_id})


class QuestionMaterials:
    def __init__(
        self, files: Files, finder: Finder, reader: Reader, document_phrases: PhrasesByLanguage = NO_PHRASES
    ) -> None:
        """`document_phrases` ask for a whole document: those of `DOCUMENT_TOOLS`."""
        self._files, self._finder, self._reader = files, finder, reader
        self._document_phrases = document_phrases

    async def of(self, who: Principal, instance_id: UUID, question: Message, tokens: int) -> Sequence[MaterialPart]:
        """At most that many tokens, in the order in which the question names things."""
        pointers = list(pointers_of(question.text, question.files)) or await self._named(
            who, instance_id, question.text
        )
        gathering = Gathering(who, instance_id, Purse(min(tokens, MOST_TOKENS)))
        if not pointers:
            await self._structural(gathering, question.text)
            return [part.model_copy(update={"found": True}) for part in gathering.parts if part.kind != "note"]
        for number, pointer in enumerate(pointers):
            gathering.purse.sharers = min(len(pointers), MOST_READ) - number
            if number >= MOST_READ:
                gathering.note(pointer.name, NOT_READ)
                continue
            await self._guarded(gathering, pointer)
        return gathering.parts

    async def _named(self, who: Principal, instance_id: UUID, question: str) -> list[Pointer]:
        """Files that are called by their whole name, without an @; or else by their name without its ending."""
        said = list(dict.fromkeys(name.casefold() for name in FILE_NAME.findall(question[:LOOKED_AT])))[:MOST_READ]
        if not said:
            return await self._stemmed(who, instance_id, question)
        found = await self._finder.same_names(who, instance_id, said)
        alone = [file for file in found if sum(file.name.casefold() == other.name.casefold() for other in found) == 1]
        return [Pointer(file.name, places(question), file.id) for file in alone]

    async def _stemmed(self, who: Principal, instance_id: UUID, question: str) -> list[Pointer]:
        """The longest name that there is; of several files of that name none, but it is said which there are."""
        stems = stems_in(question, self._document_phrases)
        found = await self._finder.same_stems(who, instance_id, stems) if stems else ()
        named = {stem: [file for file in found if _stem(file) == stem] for stem in stems}
        meant = next((stem for stem in stems if named[stem]), "")
        match named.get(meant, []):
            case [file]:
                return [Pointer(file.name, places(question), file.id)]
            case [_, *_]:
                return [Pointer(meant, places(question))]
        return []

    async def _structural(self, gathering: Gathering, question: str) -> None:
        """How many pages, which chapters: of the file whose name the question says, or of the only one there is."""
        if not is_structural(question):
            return
        gathering.counting = is_counting(question)
        words, who, instance_id = names_in(question), gathering.who, gathering.instance_id
        fits: dict[UUID, int] = {}
        for word in words[:MOST_WORDS]:
            for file in await self._finder.suggested(who, instance_id, word, None, ALIKE):
                fits[file.id] = fit(file.name, words)
        if not fits:
            newest = await self._finder.suggested(who, instance_id, "", None, 2)
            fits = {file.id: 1 for file in newest} if len(newest) == 1 else {}
        best = max(fits.values(), default=0)
        for file_id in [file_id for file_id, count in fits.items() if count == best][:MOST_OUTLINED]:
            await self._guarded(gathering, Pointer("", Places(), file_id))

    async def _guarded(self, gathering: Gathering, pointer: Pointer) -> None:
        """What is wrong with one thing is said of it, and the others are read."""
        try:
            async with asyncio.timeout(SECONDS):
                await (self._folder if pointer.is_folder else self._file)(gathering, pointer)
        except DatabaseUnavailable:
            raise
        except TimeoutError:
            gathering.note(pointer.name, TOO_SLOW)
        except WorkroomError as error:
            gathering.note(pointer.name, error.message, untrusted=_says_more(error, pointer))

    async def _file(self, gathering: Gathering, pointer: Pointer) -> None:
        who = gathering.who
        named = str(pointer.file_id) if pointer.file_id else pointer.name
        found = await self._finder.find(who, gathering.instance_id, named)
        if (found.file.id, found.inside) in gathering.seen:
            return
        gathering.seen.add((found.file.id, found.inside))
        place = await self._reader.place(who, found.file.id, found.inside)
        document = await self._reader.document(who, place)
        reading = document.reading
        opens = OpenFile(file_id=found.file.id, inside=found.inside or None)
        wanted, missing = list[Pointed](), list[str]()
        if reading.structure is not None and not reading.is_container:
            wanted, missing = pointed(reading.structure, pointer.places)
        if wanted:
            await self._quoted(gathering, document, wanted, opens)
        elif reading.is_container and reading.problem is None:
            await self._members(gathering, place, reading, opens)
        elif reading.is_text and reading.problem is None and reading.size <= SMALL:
            await self._quoted(gathering, document, [Pointed("", Wish())], opens)
        else:
            self._outlined(gathering, place, reading, opens)
        if missing:
            gathering.note(place.container_path, " ".join(missing), opens, untrusted=True)

    async def _quoted(
        self, gathering: Gathering, document: Document, wanted: Sequence[Pointed], opens: OpenFile
    ) -> None:
        place, room = document.place, gathering.purse.share()
        for number, point in enumerate(wanted):
            own = max(LEAST_TOKENS, room // (len(wanted) - number))
            found = await quote(document, point.wish, own, measure=estimate)
            text = _cut(found.text, own) or "[Nothing is written there. A scan is read with extractContent, mode ocr.]"
            if found.more is not None or len(text) < len(found.text):
                cursor = f"{found.more[0]}.{found.more[1]}" if found.more else ""
                text += f"\n[cut here; readContentObjects reads on: {_how(place, point.wish, cursor)}]"
            label = f"{point.label} of {place.container_path}" if point.label else place.container_path
            gathering.outside("text", label, text, point.opens(opens), found.sources)
            room = max(0, room - estimate(text))

    async def _members(self, gathering: Gathering, place: Place, reading: Reading, opens: OpenFile) -> None:
        members, more = await self._reader.members(gathering.who, place, limit=LISTED)
        lines = [*brief(reading), *members_listed(members)]
        if more is not None:
            lines.append(f"[there is more; browseContainer lists it: {_how(place)}]")
        told = _cut(unmarked("\n".join(lines)), gathering.purse.share())
        gathering.outside("listing", place.container_path, told, opens)

    def _outlined(self, gathering: Gathering, place: Place, reading: Reading, opens: OpenFile) -> None:
        facts = counted(reading) if gathering.counting else ""
        lines = [facts] if facts else brief(reading)
        if reading.problem is None and not facts:
            lines.append("[Only its outline; readContentObjects, readSection and readFile read what is in it.]")
        told = _cut(unmarked("\n".join(lines)), gathering.purse.share())
        gathering.outside("outline", place.container_path, told, opens)

    async def _folder(self, gathering: Gathering, pointer: Pointer) -> None:
        """`@archive.zip/` is an archive, and so is `@archive.zip/docs/`."""
        who, instance_id = gathering.who, gathering.instance_id
        tree = await self._finder.tree(who, instance_id)
        try:
            folder = tree.find(pointer.name)
        except WorkroomError as unknown:
            try:
                await self._file(gathering, Pointer(pointer.name.rstrip("/"), pointer.places))
            except WorkroomError:
                raise unknown from None
            return
        inside = [f for f in tree.folders if f.parent_id == (folder.id if folder else None)]
        wanted = FileFilter(folder_id=folder.id if folder else ROOT)
        page = await self._files.list(who, instance_id, PageRequest(limit=LISTED), wanted)
        lines = [f"{page.total} files, {len(inside)} folders"]
        lines += [f"{other.name}/" for other in sorted(inside, key=lambda f: f.name)[:LISTED]]
        lines += [f"{file.name} ({file.media_type}, {size_of(file.size)}), fileId {file.id}" for file in page.items]
        if page.next_cursor is not None:
            lines.append("[there is more; listFiles lists it]")
        gathering.outside("listing", f"{pointer.name}", _cut("\n".join(lines), gathering.purse.share()), None)


def pointers_of(text: str, attached: Sequence[FilePart]) -> Iterator[Pointer]:
    """Each thing once: what is mentioned knows better what of it is meant than what is attached."""
    named = [Pointer(item.mention.name, item.places, is_folder=item.mention.is_folder) for item in asked(text)]
    spoken_of = {pointer.name.casefold() for pointer in named}
    everywhere = places(text) if attached else Places()
    for part in attached:
        if part.name.casefold() not in spoken_of:
            yield Pointer(part.name, everywhere, part.file_id)
        else:  # attached and mentioned: the id says which one of that name
            at = next(n for n, pointer in enumerate(named) if pointer.name.casefold() == part.name.casefold())
            named[at] = Pointer(part.name, named[at].places, part.file_id)
    yield from named


def _says_more(error: WorkroomError, pointer: Pointer) -> bool:
    """Than that there is no such thing: what others have named, or words out of the file."""
    return not isinstance(error, NotFound) or "“" in error.message.replace(f"“{pointer.name[:200]}”", "")


def _stem(file: File) -> str:
    return stem_of(ENDING.sub("", file.name))


def _how(place: Place, wish: Wish | None = None, cursor: str = "") -> str:
    """The arguments that read on."""
    said = [f"fileId {place.file.id}"]
    said += [f"inside “{place.inside}”"] if place.inside else []
    if wish is not None:
        said += [f"pageIndex {[page - 1 for page in wish.pages]}"] if wish.pages else []
        said += [f"section {name}" for name in wish.sections]
        said += [f"sheet {name}" for name in wish.sheets]
        said += [f"slide {number}" for number in wish.slides]
    said += [f"cursor {cursor}"] if cursor else []
    return ", ".join(said)


def _cut(text: str, tokens: int) -> str:
    """No longer than that; an estimate of the whole says how much of it may stay."""
    if (whole := estimate(text)) <= tokens:
        return text
    return text[: max(1, len(text) * tokens // whole)] + " …"
