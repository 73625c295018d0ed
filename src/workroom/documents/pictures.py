"""Pictures by their headers: size, format, frames, when and how they were taken. Pixels are only decoded when one frame
of many is wanted by itself, and never more of them than a large photograph has."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from workroom.documents.errors import DamagedDocument, DocumentTooLarge

MAX_PIXELS = 200_000_000
MAX_FRAMES = 2_000
_ORIENTATION, _TAKEN, _GPS, _EXIF = 0x0112, 0x0132, 0x8825, 0x8769
_ORIGINAL_DATE = 0x9003
_MAKE, _MODEL = 0x010F, 0x0110
_BOXES = 1 << 16


@contextmanager
def open_picture(file: Path | IO[bytes], what: str) -> Iterator[Any]:
    """Pillow's image. Whatever a stranger's bytes do to its readers is damage."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS // 2  # twice that is an error there
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(file)
    except Image.DecompressionBombError:
        raise too_many_pixels(what) from None
    except Exception as error:
        raise DamagedDocument(
            f"{what} is damaged or no picture that can be read here ({_reason(error)}). Save it as PNG or JPEG and send that."
        ) from None
    with picture:
        if picture.width * picture.height > MAX_PIXELS:
            raise too_many_pixels(what)
        yield picture


def too_many_pixels(what: str) -> DocumentTooLarge:
    return DocumentTooLarge(f"{what} has more than {MAX_PIXELS // 1_000_000} million pixels. Save it smaller.")


def as_png(picture: Any, what: str, *, within: tuple[int, int] | None = None) -> bytes:
    """The current frame of an open picture, made smaller where it is larger than `within`."""
    made = io.BytesIO()
    try:
        if within is not None:
            picture.draft("RGB", within)  # JPEG: decoded small at once
            picture.thumbnail(within)
        kept = picture if picture.mode in ("1", "L", "LA", "P", "RGB", "RGBA") else picture.convert("RGB")
        kept.save(made, "PNG")
    except MemoryError:
        raise DocumentTooLarge(f"{what} has too many pixels to be read here. Save it smaller.") from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise DamagedDocument(f"{what} is damaged ({_reason(error)}). Send it again.") from None
    return made.getvalue()


def picture_size(file: IO[bytes]) -> dict[str, int]:
    """Width and height; nothing where they cannot be read."""
    with suppress(DamagedDocument, DocumentTooLarge), open_picture(file, "A picture") as picture:
        return {"width": picture.width, "height": picture.height}
    file.seek(0)
    return heif_size(file.read(_BOXES))


def heif_size(head: bytes) -> dict[str, int]:
    """Pictures of telephones (HEIC) say their sizes in boxes called `ispe`; the largest is the picture itself."""
    sizes: list[tuple[int, int]] = []
    position = head.find(b"ispe")
    while position >= 0 and position + 16 <= len(head) and b"ftyp" in head[:16]:
        sizes.append(struct.unpack(">II", head[position + 8 : position + 16]))
        position = head.find(b"ispe", position + 4)
    if not sizes:
        return {}
    width, height = max(sizes, key=lambda size: size[0] * size[1])
    return {"width": width, "height": height}


def frames_of(picture: Any) -> int:
    """Counting them makes the reader walk through the file: damage on the way ends the count."""
    try:
        return min(int(getattr(picture, "n_frames", 1)), MAX_FRAMES)
    except Exception:
        return 1


def taken(picture: Any) -> dict[str, Any]:
    """What a camera wrote: orientation, date, device, and whether, but not where, the place is known."""
    facts: dict[str, Any] = {}
    if picture.format == "PNG" and "exif" not in picture.info:
        return facts  # asking would make the reader decode all pixels, to look behind them
    with suppress(Exception):
        data = picture.getexif()
        if 1 < (data.get(_ORIENTATION) or 0) <= 8:
            facts["orientation"] = int(data[_ORIENTATION])
        date = data.get_ifd(_EXIF).get(_ORIGINAL_DATE) or data.get(_TAKEN)
        if isinstance(date, str) and date.strip("\0 "):
            facts["taken"] = date.strip("\0 ")[:40]
        device = " ".join(str(data.get(tag) or "").strip("\0 ") for tag in (_MAKE, _MODEL)).strip()
        if device:
            facts["camera"] = device[:100]
        facts["hasLocation"] = bool(data.get_ifd(_GPS))
    return facts


def _reason(error: Exception) -> str:
    return "unknown format" if type(error).__name__ == "UnidentifiedImageError" else str(error)[:100] or "unreadable"
