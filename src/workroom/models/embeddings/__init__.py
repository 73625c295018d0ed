"""Embeddings: texts as vectors, by a model inside the product or by any provider.

ports.py          an embedding model, and what it gives
embedders.py      which one is used for a person, ready to be called
local.py          those of this process, each run by network_worker.py in one thread:
multilingual.py   the one that counts unless another is chosen: multilingual_network.py puts universal_encoder.py (its tokenizer:
                  sentence_pieces.py) and static vectors together; spoken_languages.py says for which texts
static.py         the quickest (static_vectors.py: its vectors)
minilm.py         for English, where its files lie (minilm_files.py): minilm_network.py
remote.py         one somewhere else: wire_formats.py what is sent, prefixes.py in which words, batches.py how much at once,
                  vector_validation.py what may come back, refusals.py what went wrong
metered.py        one that is paid for
offers.py         the embedding models of a configuration; embedder_factory.py from an offer to a model
vector_probe.py   what vectors a model gives, found by asking; calibration.py its floors
normalisation.py  vectors of length one; layer_norm.py: rows of a network
safetensors.py    weights as files; package_files.py: files of packages

numpy is loaded with the first vector, off the event loop: checking, lengths, static_vectors and minilm_network are imported late.
"""

import os

# Several files are indexed at once, in several processes: one text must not take all cores from everybody else, and with few
# tokens the threads of BLAS wait longer for each other than they work (measured: minilm.py). Both are read when the tokenizer
# and numpy are loaded, so they are said here, before anybody loads them.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
