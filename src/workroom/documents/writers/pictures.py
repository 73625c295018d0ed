"""Pictures as every writer can place them: PNG, JPEG or GIF, upright, and no larger than a page shows."""

from __future__ import annotations

import io
from dataclasses import dataclass

LARGEST_SIDE = 2_400
MOST_PIXELS = 60_000_000
READ = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")  # others start programs, or are rare
PLACED = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif"}
DPI = 96.0
SENSIBLE_DPI = (60.0, 600.0)
ORIENTATION = 0x0112  # EXIF


@dataclass(frozen=True)
class PlacedPicture:
    """`width` and `height` in points, as large as it was made to be seen."""

    data: bytes
    extension: str
    width: float
    height: float

    def within(self, width: float, height: float) -> tuple[float, float]:
        """Its size where no more room than that is."""
        scale = min(1.0, width / self.width, height / self.height)
        return self.width * scale, self.height * scale


def picture(data: bytes) -> PlacedPicture | None:
    """None: it is no picture that can be read."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data), formats=READ) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            dots = float(image.info.get("dpi", (DPI, DPI))[0] or DPI)
            points = 72 / (dots if SENSIBLE_DPI[0] <= dots <= SENSIBLE_DPI[1] else DPI)
            kind = image.format or ""
            if kind in PLACED and max(image.size) <= LARGEST_SIDE and image.getexif().get(ORIENTATION, 1) == 1:
                image.load()  # a damaged one is found here
                return PlacedPicture(data, PLACED[kind], image.width * points, image.height * points)
            upright = ImageOps.exif_transpose(image)
            size = upright.width * points, upright.height * points
            upright.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
            made = io.BytesIO()
            is_photo = kind == "JPEG" and upright.mode in ("RGB", "L")
            (
                upright if is_photo or upright.mode in ("RGB", "RGBA", "L", "LA", "P", "1") else upright.convert("RGB")
            ).save(made, "JPEG" if is_photo else "PNG")
            return PlacedPicture(made.getvalue(), "jpeg" if is_photo else "png", *size)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, MemoryError):
        return None
