"""Parsing of documents in child processes: warm, limited in memory and time, replaced when they crash.

parsers.py        what the rest of Workroom calls: `Parsers`
pool.py           pool of warm child processes
job_output.py     output of a child for one job, within limits of time and size
fair_queue.py     fair queue: first come, first served per lane, lanes round-robin
process.py        one child process, seen from its parent
environment.py    command line and environment of a child
frames.py         framing of messages between parent and child
serialisation.py  sources, selections and errors as JSON
crash_errors.py   the error for the owner of a document when a child died
child.py          main program of a child
sandbox.py        resource limits and network ban of a child
jobs.py           jobs a child can do
registry.py       extractors by media type
unsupported.py    errors for kinds without an extractor
"""
