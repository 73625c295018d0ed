"""Reranking: a second look at the best passages, by a model that reads question and passage together. Optional.

ports.py      a reranking model, and what it gives
rerankers.py  which one counts for somebody, ready to be asked
offers.py     those of a configuration
remote.py     one somewhere else: what is sent, and what may come back
metered.py    one that is paid for
"""
