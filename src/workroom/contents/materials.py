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
from workroom.contents.file_stems import stems_in
from workroom.contents.outlines import brief, counted, members_listed, size_of
from workroom.contents.part_resolution import ReferencedPart, resolve_parts
from workroom.contents.parts import PartSelection
from workroom.contents.quotes import quote
from workroom.contents.service import DocumentReader
from workroom.contents.structure_questions import fit, is_counting, is_structural, names_in
from workroom.contents.types import Reading, StoredDocument
from workroom.core.actions import OpenFile
from workroom.core.errors import DatabaseUnavailable, NotFound, WorkroomError
from workroom.core.messages import FilePart, MaterialPart, Message
from workroom.core.pages import PageRequest
from workroom.core.places import DocumentPlace, file_place
from workroom.core.sources import Source, unmarked
from workroom.core.tokens import estimate
from workroom.documents.references import PartReferences, document_references, part_references
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
class FileReference:
    """A file or folder that a question refers to, by name or id, and the parts of it that are meant."""

    name: str
    parts: PartReferences
    file_id: UUID | None = None
    is_folder: bool = False


@dataclass
class TokenAllowance:
    """Tokens left for what is still to be read, shared evenly among the references."""

    left: int
    sharers: int = 1

    def share(self) -> int:
        return max(LEAST_TOKENS, self.left // max(1, self.sharers))

    def spend(self, text: str) -> None:
        self.left = max(0, self.left - estimate(text))


@dataclass
class MaterialCollection:
    """The materials of one question while they are read."""

    principal: Principal
    instance_id: UUID
    allowance: TokenAllowance
    parts: list[MaterialPart] = field(default_factory=list)
    seen: set[tuple[UUID, str]] = field(default_factory=set)
    counting: bool = False  # it is asked how many there are of something, not which

    def add(self, part: MaterialPart) -> None:
        self.allowance.spend(part.text)
        self.parts.append(part)

    def note(self, path: str, text: str, opens: OpenFile | None = None, *, untrusted: bool = False) -> None:
        """`untrusted`: it repeats names that others have given, such as those of sheets, archive members and other files."""
        self.add(self._part("note", file_place(path), text, opens, untrusted=untrusted))

    def outside(
        self, kind: str, place: DocumentPlace, text: str, opens: OpenFile | None, sources: Sequence[Source] = ()
    ) -> None:
        part = self._part(kind, place, text, opens, untrusted=True)
        self.add(part.model_copy(update={"sources": list(sources)}))

    def _part(
        self, kind: str, place: DocumentPlace, text: str, opens: OpenFile | None, *, untrusted: bool
    ) -> MaterialPart:
        assert self.principal.user_id is not None
        said = {"kind": kind, "place": place, "text": text, "opens": opens, "untrusted": untrusted}
        return MaterialPart.model_validate({**said, "read_for": self.principal.user_id})


class QuestionMaterials:
    def __init__(
        self, files: Files, finder: Finder, reader: DocumentReader, document_phrases: PhrasesByLanguage = NO_PHRASES
    ) -> None:
        """`document_phrases` ask for a whole document: those of `DOCUMENT_TOOLS`."""
        self._files, self._finder, self._reader = files, finder, reader
        self._document_phrases = document_phrases

    async def of(
        self, principal: Principal, instance_id: UUID, question: Message, tokens: int
    ) -> Sequence[MaterialPart]:
        """At most that many tokens, in the order in which the question names things."""
        references = list(file_references(question.text, question.files)) or await self._named(
            principal, instance_id, question.text
        )
        collection = MaterialCollection(principal, instance_id, TokenAllowance(min(tokens, MOST_TOKENS)))
        if not references:
            await self._structural(collection, question.text)
            return [part.model_copy(update={"found": True}) for part in collection.parts if part.kind != "note"]
        for number, reference in enumerate(references):
            collection.allowance.sharers = min(len(references), MOST_READ) - number
            if number >= MOST_READ:
                collection.note(reference.name, NOT_READ)
                continue
            await self._guarded(collection, reference)
        return collection.parts

    async def _named(self, principal: Principal, instance_id: UUID, question: str) -> list[FileReference]:
        """Files that are called by their whole name, without an @; or else by their name without its ending."""
        said = list(dict.fromkeys(name.casefold() for name in FILE_NAME.findall(question[:LOOKED_AT])))[:MOST_READ]
        if not said:
            return await self._stemmed(principal, instance_id, question)
        found = await self._finder.same_names(principal, instance_id, said)
        alone = [file for file in found if sum(file.name.casefold() == other.name.casefold() for other in found) == 1]
        return [FileReference(file.name, part_references(question), file.id) for file in alone]

    async def _stemmed(self, principal: Principal, instance_id: UUID, question: str) -> list[FileReference]:
        """The longest name that there is; of several files of that name none, but it is said which there are."""
        stems = stems_in(question, self._document_phrases)
        found = await self._finder.same_stems(principal, instance_id, stems) if stems else ()
        named = {stem: [file for file in found if _stem(file) == stem] for stem in stems}
        meant = next((stem for stem in stems if named[stem]), "")
        match named.get(meant, []):
            case [file]:
                return [FileReference(file.name, part_references(question), file.id)]
            case [_, *_]:
                return [FileReference(meant, part_references(question))]
        return []

    async def _structural(self, collection: MaterialCollection, question: str) -> None:
        """How many pages, which chapters: of the file whose name the question says, or of the only one there is."""
        if not is_structural(question):
            return
        collection.counting = is_counting(question)
        words, principal, instance_id = names_in(question), collection.principal, collection.instance_id
        fits: dict[UUID, int] = {}
        for word in words[:MOST_WORDS]:
            for file in await self._finder.suggested(principal, instance_id, word, None, ALIKE):
                fits[file.id] = fit(file.name, words)
        if not fits:
            newest = await self._finder.suggested(principal, instance_id, "", None, 2)
            fits = {file.id: 1 for file in newest} if len(newest) == 1 else {}
        best = max(fits.values(), default=0)
        for file_id in [file_id for file_id, count in fits.items() if count == best][:MOST_OUTLINED]:
            await self._guarded(collection, FileReference("", PartReferences(), file_id))

    async def _guarded(self, collection: MaterialCollection, reference: FileReference) -> None:
        """Reads one reference; an error becomes a note about it, and the others are still read."""
        try:
            async with asyncio.timeout(SECONDS):
                await (self._folder if reference.is_folder else self._file)(collection, reference)
        except DatabaseUnavailable:
            raise
        except TimeoutError:
            collection.note(reference.name, TOO_SLOW)
        except WorkroomError as error:
            collection.note(reference.name, error.message, untrusted=_says_more(error, reference))

    async def _file(self, collection: MaterialCollection, reference: FileReference) -> None:
        principal = collection.principal
        named = str(reference.file_id) if reference.file_id else reference.name
        found = await self._finder.find(principal, collection.instance_id, named)
        if (found.file.id, found.inside) in collection.seen:
            return
        collection.seen.add((found.file.id, found.inside))
        stored_document = await self._reader.place(principal, found.file.id, found.inside)
        document = await self._reader.document(principal, stored_document)
        reading = document.reading
        opens = OpenFile(file_id=found.file.id, inside=found.inside or None)
        wanted, missing = list[ReferencedPart](), list[str]()
        if reading.structure is not None and not reading.is_container:
            wanted, missing = resolve_parts(reading.structure, reference.parts)
        if wanted:
            await self._quoted(collection, document, wanted, opens)
        elif reading.is_container and reading.problem is None:
            await self._members(collection, stored_document, reading, opens)
        elif reading.is_text and reading.problem is None and reading.size <= SMALL:
            await self._quoted(collection, document, [ReferencedPart(DocumentPlace(), PartSelection())], opens)
        else:
            self._outlined(collection, stored_document, reading, opens)
        if missing:
            collection.note(stored_document.container_path, " ".join(missing), opens, untrusted=True)

    async def _quoted(
        self, collection: MaterialCollection, document: Document, wanted: Sequence[ReferencedPart], opens: OpenFile
    ) -> None:
        stored_document, room = document.stored_document, collection.allowance.share()
        for number, point in enumerate(wanted):
            own = max(LEAST_TOKENS, room // (len(wanted) - number))
            found = await quote(document, point.selection, own, measure=estimate)
            text = _cut(found.text, own) or "[Nothing is written there. A scan is read with extractContent, mode ocr.]"
            if found.more is not None or len(text) < len(found.text):
                cursor = f"{found.more[0]}.{found.more[1]}" if found.more else ""
                text += f"\n[cut here; readContentObjects reads on: {_how(stored_document, point.selection, cursor)}]"
            at = point.place.within(stored_document.container_path)
            collection.outside("text", at, text, point.opens(opens), found.sources)
            room = max(0, room - estimate(text))

    async def _members(
        self, collection: MaterialCollection, document: StoredDocument, reading: Reading, opens: OpenFile
    ) -> None:
        members, more = await self._reader.members(collection.principal, document, limit=LISTED)
        lines = [*brief(reading), *members_listed(members)]
        if more is not None:
            lines.append(f"[there is more; browseContainer lists it: {_how(document)}]")
        told = _cut(unmarked("\n".join(lines)), collection.allowance.share())
        collection.outside("listing", file_place(document.container_path), told, opens)

    def _outlined(
        self, collection: MaterialCollection, document: StoredDocument, reading: Reading, opens: OpenFile
    ) -> None:
        facts = counted(reading) if collection.counting else ""
        lines = [facts] if facts else brief(reading)
        if reading.problem is None and not facts:
            lines.append("[Only its outline; readContentObjects, readSection and readFile read what is in it.]")
        told = _cut(unmarked("\n".join(lines)), collection.allowance.share())
        collection.outside("outline", file_place(document.container_path), told, opens)

    async def _folder(self, collection: MaterialCollection, reference: FileReference) -> None:
        """`@archive.zip/` is an archive, and so is `@archive.zip/docs/`."""
        principal, instance_id = collection.principal, collection.instance_id
        tree = await self._finder.tree(principal, instance_id)
        try:
            folder = tree.find(reference.name)
        except WorkroomError as unknown:
            try:
                await self._file(collection, FileReference(reference.name.rstrip("/"), reference.parts))
            except WorkroomError:
                raise unknown from None
            return
        inside = [f for f in tree.folders if f.parent_id == (folder.id if folder else None)]
        wanted = FileFilter(folder_id=folder.id if folder else ROOT)
        page = await self._files.list(principal, instance_id, PageRequest(limit=LISTED), wanted)
        lines = [f"{page.total} files, {len(inside)} folders"]
        lines += [f"{other.name}/" for other in sorted(inside, key=lambda f: f.name)[:LISTED]]
        lines += [f"{file.name} ({file.media_type}, {size_of(file.size)}), fileId {file.id}" for file in page.items]
        if page.next_cursor is not None:
            lines.append("[there is more; listFiles lists it]")
        collection.outside(
            "listing", file_place(reference.name), _cut("\n".join(lines), collection.allowance.share()), None
        )


def file_references(text: str, attached: Sequence[FilePart]) -> Iterator[FileReference]:
    """Each file once; a mention says more exactly than an attachment which parts are meant."""
    named = [
        FileReference(item.mention.name, item.parts, is_folder=item.mention.is_folder)
        for item in document_references(text)
    ]
    spoken_of = {reference.name.casefold() for reference in named}
    everywhere = part_references(text) if attached else PartReferences()
    for part in attached:
        if part.name.casefold() not in spoken_of:
            yield FileReference(part.name, everywhere, part.file_id)
        else:  # attached and mentioned: the id says which one of that name
            at = next(n for n, reference in enumerate(named) if reference.name.casefold() == part.name.casefold())
            named[at] = FileReference(part.name, named[at].parts, part.file_id)
    yield from named


def _says_more(error: WorkroomError, reference: FileReference) -> bool:
    """Than that there is no such thing: what others have named, or words out of the file."""
    return not isinstance(error, NotFound) or "“" in error.message.replace(f"“{reference.name[:200]}”", "")


def _stem(file: File) -> str:
    return stem_of(ENDING.sub("", file.name))


def _how(document: StoredDocument, selection: PartSelection | None = None, cursor: str = "") -> str:
    """The arguments that read on."""
    said = [f"fileId {document.file.id}"]
    said += [f"inside “{document.inside}”"] if document.inside else []
    if selection is not None:
        said += [f"pageIndex {[page - 1 for page in selection.pages]}"] if selection.pages else []
        said += [f"section {name}" for name in selection.sections]
        said += [f"sheet {name}" for name in selection.sheets]
        said += [f"slide {number}" for number in selection.slides]
    said += [f"cursor {cursor}"] if cursor else []
    return ", ".join(said)


def _cut(text: str, tokens: int) -> str:
    """No longer than that; an estimate of the whole says how much of it may stay."""
    if (whole := estimate(text)) <= tokens:
        return text
    return text[: max(1, len(text) * tokens // whole)] + " …"
