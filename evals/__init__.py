"""Evaluations with real models: printed and kept, never asserted, and no part of `make test`."""
