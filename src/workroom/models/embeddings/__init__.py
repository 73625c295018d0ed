"""Embeddings: texts as vectors, by the static model inside the product or by any provider.

ports.py        an embedding model, and what it gives
embedders.py    which one counts for somebody, ready to be asked
static.py       the one that is always there (static_vectors.py: its vectors)
remote.py       one somewhere else: wires.py what is sent, wording.py in which words, batches.py how much at once,
                checking.py what may come back, refusals.py what went wrong
metered.py      one that is paid for
offers.py       the embedding models of a configuration; making.py from an offer to a model
learning.py     what vectors a model gives, found by asking; calibrating.py its floors
lengths.py      vectors of length one

numpy is loaded with the first vector, off the event loop: checking, lengths and static_vectors are imported late.
"""
