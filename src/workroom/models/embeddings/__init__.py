"""Embeddings: texts as vectors, by the static model inside the product or by any provider.

ports.py  an embedding model, and what it gives
"""
