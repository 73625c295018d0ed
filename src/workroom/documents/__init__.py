"""Documents: bytes in, content objects out, without a database, a network or a model.

types.py       content objects, where they were found, and the structure of a document
ports.py       what an extractor is; there is one file per kind in extractors/
errors.py      what can be wrong with a file, said so that its owner understands it
"""
