"""The real program under real trouble: killed processes, cut connections, broken disks, wrong settings.

process.py      a `workroom serve` of one's own, and what became of it
leftovers.py    every process that works in a folder, and the end of them
command.py      one command of the program, with what it said and its exit code
warm.py         how a command becomes a process without half a second of imports
postgres.py     somebody else's PostgreSQL, of another version or without pgvector
proxy.py        a wire between a client and a server that can be slowed, cut and made deaf
"""
