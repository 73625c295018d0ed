from __future__ import annotations

import io
import wave
from pathlib import Path

import pytest

from tests.documents.corpus import source
from tests.documents.making import png, read, stored
from workroom.core.errors import NotFound
from workroom.documents import recordings
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.extractors import audio, video
from workroom.documents.types import ContentType


def silence(seconds: float) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(b"\0\0" * int(8_000 * seconds))
    return made.getvalue()


def test_length_and_codec_of_sound(tmp_path: Path) -> None:
    made = stored(tmp_path, silence(2.5), "audio/wav")
    (found,) = read(audio.EXTRACTOR, made)
    assert found.content_type is ContentType.AUDIO
    assert found.metadata["seconds"] == pytest.approx(2.5)
    assert (found.metadata["audioCodec"], found.metadata["channels"]) == ("PCM", 1)
    assert audio.EXTRACTOR.element(made, found.ref.location).data == silence(2.5)
    with pytest.raises(NotFound):
        audio.EXTRACTOR.element(made, "track:2")


def test_size_of_the_picture_and_tags_of_a_film(test_data: Path) -> None:
    film = source(test_data / "docling/audio/sources/sample_10s_video-mp4.mp4", "video/mp4")
    found, tags = read(video.EXTRACTOR, film)
    assert found.content_type is ContentType.VIDEO
    assert (found.metadata["width"], found.metadata["height"]) == (320, 320)
    assert found.metadata["seconds"] == pytest.approx(10, abs=0.1)
    assert tags.text.startswith("Title: Shakespeare on Scenery")
    assert video.EXTRACTOR.scan(film).counts == {"video": 1, "audio": 1, "subtitles": 0}


@pytest.mark.parametrize("content", [b"", b"no sound at all", silence(1)[:12], png()])
def test_what_is_no_recording_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DamagedDocument):
        audio.EXTRACTOR.scan(stored(tmp_path, content, "audio/wav"))


def test_long_films_are_not_taken_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "MAX_ELEMENT", 100)
    with pytest.raises(DocumentTooLarge):
        audio.EXTRACTOR.element(stored(tmp_path, silence(1), "audio/wav"), "recording")
