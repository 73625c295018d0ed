"""One search over everything in a workspace: each kind by its own service, and so by its own rights.

types.py    kinds, hits and gaps
excerpts.py the part of a text where the words stand
service.py  asks the services side by side
"""
