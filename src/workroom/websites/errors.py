"""What keeps a page from being read, in words for the person who asked."""

from __future__ import annotations

from workroom.net.errors import OutgoingFailed


class PageNotRead(OutgoingFailed):
    """The page was not fetched, or there is nothing on it to be read."""

    reason = "page"


class RedirectLoop(PageNotRead):
    """It redirects, and again, and again."""
