"""The program of the child: reads a report as JSON from its input, writes the DOCX to its output, and ends.

It has no network, and may not use more than its share of memory and time.
"""

from __future__ import annotations

import sys

from workroom.documents.docx_writer.package import docx_of
from workroom.documents.report import Report
from workroom.documents.workers import sandbox

MEMORY_MB = 1_024


def main() -> None:
    sandbox.apply_limits(MEMORY_MB)
    sandbox.allow_seconds(float(sys.argv[1]))
    sys.stdout.buffer.write(docx_of(Report.model_validate_json(sys.stdin.buffer.read())))


if __name__ == "__main__":
    main()
