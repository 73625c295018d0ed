"""What is in files: their structure, the parts that were read, the members of archives.

Between `files`, which knows names and rights, and `documents`, which reads bytes: every content is looked into once per
mandate, in the background or on the first request; pages, sheets and sections are extracted on first use, and kept.
"""
