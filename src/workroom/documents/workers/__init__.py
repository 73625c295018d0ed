"""Readers of documents in processes of their own: warm, limited in memory and time, replaced when they break.

parsers.py      what the rest of Workroom calls: `Parsers`
pool.py         the warm children, kept, replaced and ended
job_output.py       what a child answers, within the time and amount a job may take
fair_queue.py        who is next: in order, and in turn between those who wait
process.py      one child process, seen from its parent
environment.py  what a child is started with, and what it is not given
frames.py       how the two talk
serialisation.py       sources, wishes and errors on their way between them
crash_errors.py     what it means that a child died
child.py        the child's own program
sandbox.py  the limits a child puts on itself
jobs.py         what it can be asked to do
registry.py     which extractor reads which kind
unsupported.py     what is said where none does
"""
