"""Arithmetic for the calculator: formula.py reads an expression, numbers.py computes. Nothing is ever evaluated as code."""
