"""The real program under real trouble: killed processes, cut connections, broken disks, wrong settings.

process.py      a `workroom serve` of one's own, and what became of it
two_houses.py   two of them on one database
leftovers.py    every process that works in a folder, and the end of them
command.py      one command of the program, with what it said and its exit code
warm.py         how a command becomes a process without half a second of imports
postgres.py     somebody else's PostgreSQL, of another version or without pgvector
provider.py     a scripted model provider beside it
counter.py      somebody outside, who counts what reaches them
plugin/         a package with a tool that does
sender.py       a client that asks until it is answered
proxy.py        a wire between a client and a server that can be slowed, cut and made deaf
"""
