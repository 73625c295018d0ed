"""Looking for extractors must not load what reads documents: that happens with the first document of a kind."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("lxml", "PIL", "python_calamine", "pymediainfo", "olefile", "pypdfium2", "pikepdf")


def test_finding_extractors_loads_no_heavy_library() -> None:
    program = (
        "import sys; from workroom.documents.workers.registry import ExtractorRegistry; assert ExtractorRegistry().media_types; "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
