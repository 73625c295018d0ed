"""How often the first answer after a switch of agents is the new agent's: `python -m evals.switching`.

conversations/  what was said before the switch and what is asked after it, by language
cases.py        reading them
markers.py      by what a persona is known: pure checks of a text, no model is asked
asking.py       the question as the product puts it, with the reset and without
choosing.py     which model is asked
measuring.py    every conversation both ways, as often as wanted
results.py      what came of it, one line of JSON each
rates.py        how often, with an interval, as a table
"""
