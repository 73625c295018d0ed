"""Recordings: length, codecs, size of the picture and tags, read by MediaInfo from an open file, so that nothing a
recording refers to is opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, UnsupportedDocument
from workroom.documents.types import ContentObject, ContentType, Element, ExtractionScope, SourceFile, Structure
from workroom.documents.whitespace import one_line

MAX_ELEMENT = 200 << 20
_WHOLE = "recording"
_TAGS = {
    "title": "Title",
    "performer": "Artist",
    "album": "Album",
    "composer": "Composer",
    "genre": "Genre",
    "recorded_date": "Date",
    "description": "Description",
    "comment": "Comment",
    "copyright": "Copyright",
    "lyrics": "Lyrics",
}


@dataclass(frozen=True)
class Recording:
    facts: dict[str, Any]
    tags: dict[str, str] = field(default_factory=dict)
    tracks: dict[str, int] = field(default_factory=dict)


def read_recording(source: SourceFile) -> Recording:
    tracks = _tracks(source)
    facts: dict[str, Any] = {"mediaType": source.media_type, "bytes": source.path.stat().st_size}
    tags: dict[str, str] = {}
    counts = {"video": 0, "audio": 0, "subtitles": 0}
    for track in tracks:
        kind = track.track_type
        if kind == "General":
            facts |= _known(seconds=_seconds(track.duration), format=track.format)
            tags = {
                label: one_line(str(value), 20_000)
                for name, label in _TAGS.items()
                if (value := getattr(track, name, None))
            }
        elif kind == "Video":
            counts["video"] += 1
            facts |= _known(
                width=track.width, height=track.height, frameRate=_number(track.frame_rate), videoCodec=track.format
            )
            facts.setdefault("seconds", _seconds(track.duration))
        elif kind == "Audio":
            counts["audio"] += 1
            facts |= _known(audioCodec=track.format, channels=track.channel_s, sampleRate=track.sampling_rate)
            facts.setdefault("seconds", _seconds(track.duration))
        elif kind == "Text":
            counts["subtitles"] += 1
    if not counts["video"] and not counts["audio"]:
        raise DamagedDocument(f"{source.name} holds no sound and no picture that can be recognised. Send it again.")
    return Recording({name: value for name, value in facts.items() if value is not None}, tags, counts)


def structure(source: SourceFile, kind: str) -> Structure:
    recording = read_recording(source)
    properties = {name: str(value) for name, value in recording.facts.items() if name not in ("mediaType", "bytes")}
    return Structure(
        kind=kind,
        counts=recording.tracks,
        properties={**properties, **{label.lower(): text[:500] for label, text in recording.tags.items()}},
    )


def objects_of(source: SourceFile, wanted: ExtractionScope, content_type: ContentType) -> Iterator[ContentObject]:
    """The recording itself, and what its tags say as text, so that it can be found by its title."""
    if not wanted.everything:
        return
    objects = ObjectBuilder(source)
    recording = read_recording(source)
    label = recording.tags.get("Title")
    yield objects.media(content_type, _WHOLE, metadata=recording.facts, label=label)
    text = "\n".join(f"{name}: {value}" for name, value in recording.tags.items())
    yield from objects.text(text, "tags", metadata={"role": "tags"}, label=label)


def element(source: SourceFile, location: str) -> Element:
    if location != _WHOLE:
        raise NotFound(f"{source.name} has nothing at {location}.")
    size = source.path.stat().st_size
    if size > MAX_ELEMENT:
        raise DocumentTooLarge(f"{source.name} has {size >> 20} MB: play it from the file itself.")
    return Element(source.path.read_bytes(), source.media_type, source.name, {"bytes": size})


def _tracks(source: SourceFile) -> list[Any]:
    from pymediainfo import MediaInfo

    if not source.path.stat().st_size:
        raise DamagedDocument(f"{source.name} is empty. The upload may have been cut off: send it again.")
    try:
        with source.path.open("rb") as file:
            return list(MediaInfo.parse(file, mediainfo_options={"File_TestContinuousFileNames": "0"}).tracks)
    except OSError as error:
        raise UnsupportedDocument(
            f"Recordings cannot be read on this machine: MediaInfo does not start ({error})."
        ) from None
    except Exception as error:  # whatever its XML says about a hostile file
        raise DamagedDocument(f"{source.name} is damaged and cannot be read ({error}). Send it again.") from None


def _known(**facts: Any) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}


def _seconds(milliseconds: Any) -> float | None:
    number = _number(milliseconds)
    return None if number is None else round(number / 1000, 3)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
