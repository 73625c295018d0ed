"""What a switch of agents does, from the command line: `python -m evals.switching`. The conversations, the questions and the
judging are the product's (`workroom.evaluations`), the choice of the model is in `evals/model_choice.py`; here is what this
command needs beside.

measuring.py  every question, one after the other
results.py    what came of it, one line of JSON each
table.py      how often, as a table
"""
