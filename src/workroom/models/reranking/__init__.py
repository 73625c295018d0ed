"""Reranking: a second look at the best passages, by a model that reads question and passage together. Optional.

ports.py      a reranking model, and what it gives
rerankers.py  which one is used for a person, ready to be called
offers.py     those of a configuration
remote.py     one somewhere else: what is sent, and what may come back
metered.py    one that is paid for
"""
