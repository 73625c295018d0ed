"""Evaluations with real models: printed and kept, never asserted, and no part of `make test`.

model_choice.py  which model is asked: the same arguments for all
switching/       what a switch of agents does
tools/           how well a model works with the tools of a workspace
"""
