"""Files that a task or a scenario puts into a workspace."""

from __future__ import annotations

from pydantic import Field, model_validator

from evals.pdf_pages import pdf_of_pages
from workroom.core.wire import Wire


class FileSetUp(Wire):
    """A text file, or with `pages` a PDF. `attached`: it comes with the first message; else it only lies in the workspace."""

    name: str
    text: str | None = None
    pages: list[str] = Field(default_factory=list)
    attached: bool = False

    @model_validator(mode="after")
    def _has_content(self) -> FileSetUp:
        if (self.text is None) == (not self.pages):
            raise ValueError("text or pages")
        if bool(self.pages) != self.name.endswith(".pdf"):
            raise ValueError("pages make a PDF")
        return self

    @property
    def content(self) -> bytes:
        return self.text.encode() if self.text is not None else pdf_of_pages(self.pages)
