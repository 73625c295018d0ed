"""What a switch of agents does, from the command line: `python -m evals.switching`. The conversations, the questions and the
judging are the product's (`workroom.evaluations`); here is what a command needs beside.

choosing.py   which model is asked: one at an address, or one of the environment
measuring.py  every question, one after the other
results.py    what came of it, one line of JSON each
table.py      how often, as a table
"""
