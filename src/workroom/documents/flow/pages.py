"""Where pages end. Office programs leave a mark where a page ended when they last showed the document; breaks made by
hand count too. Without marks, pages are estimated from the amount of text, so that "page 47" is at least a place; where
the file says how many pages it has, the estimate is stretched to that."""

from __future__ import annotations

USUAL_SIZE = 11.0  # points
_PER_LINE = 90  # characters of that size
_PER_PAGE = 46  # lines
_PICTURE = 12  # lines


class PageCounter:
    """Shown what a document consists of, in order. `size` is that of its letters, in points."""

    def __init__(self, size: float = USUAL_SIZE) -> None:
        self._per_line = _PER_LINE * USUAL_SIZE / size
        self._per_page = _PER_PAGE * USUAL_SIZE / size
        self.marked = False  # a program has left marks
        self._page = 0
        self._estimate = 0
        self._lines = 0.0
        self._just_broken = False
        self._begins: tuple[int, float] | None = None
        self._empty = True  # nothing was shown yet: a break here makes no empty page

    def begin(self) -> None:
        """Of a paragraph or a table."""
        self._begins = None

    def end(self) -> tuple[int, float]:
        """Where its text began, in pages from 0: by marks, and by estimate, which also knows how far down."""
        return self._begins or self._here()

    def text(self, characters: int) -> None:
        if self._begins is None:
            self._begins = self._here()
        self._empty = False
        self._just_broken = False
        self._fill(characters / self._per_line)

    def line(self) -> None:
        self._fill(1)

    def picture(self) -> None:
        self._empty = False
        self._fill(_PICTURE)

    def mark(self) -> None:
        """Left by a program; after a break made by hand, its mark for the same break follows."""
        self.marked = True
        self._page += not (self._just_broken or self._empty)
        self._just_broken = False

    def by_hand(self) -> None:
        if self._empty:
            return
        self._page += 1
        self._estimate += 1
        self._lines = 0
        self._just_broken = True

    def _fill(self, lines: float) -> None:
        full, self._lines = divmod(self._lines + lines, self._per_page)
        self._estimate += int(full)

    def _here(self) -> tuple[int, float]:
        return self._page, self._estimate + self._lines / self._per_page
