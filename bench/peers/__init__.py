"""Other agent loops with the same script, the same number of rounds and a model in the process; other readers of documents.

script.py             how many runs and rounds, and what is asked for
measured.py           runs an agent and prints CPU seconds per round
langgraph_sqlite.py   one file per peer, run with the Python of their own environment
reading.py            readers of documents, with an environment of their own
searching.py          a search by words, with an environment of its own
environment.py        makes these environments, and asks them
"""
