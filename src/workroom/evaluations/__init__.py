"""How often the first answer after a switch of agents is the new agent's, per model, with the reset and without.

conversations/           what was said before the switch and what is asked after it, by language
cases.py                 reading them
markers.py               by what a persona is known: pure checks of a text, no model is asked
evaluation_questions.py  the questions, put as the product puts them
judgement.py             what an answer shows of the new persona, and what is left of the old one
rates.py                 how often, with an interval
types.py                 an evaluation and how far it is
store.py                 all SQL
jobs.py                  carries out an evaluation in a worker, and goes on with one that was interrupted
service.py               what people do with evaluations: start, look, stop, delete
"""
