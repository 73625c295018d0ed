"""Whether a text is an e-mail address. Narrower than the standard: nothing that a header or a mail server reads as two."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}", re.IGNORECASE | re.ASCII
)


def is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None
