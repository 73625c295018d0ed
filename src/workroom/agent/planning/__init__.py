"""The second strategy: one plan for a request, carried out step by step.

intents.py        what an agent can be asked for, as data
ports.py          names of places and map layers, which other parts of the product know
validation.py     whether a plan fits the intents and the tools there are
references.py     arguments that point at what came before
rules/            a plan without a language model, from phrases that are agent data
model_planner.py  a plan by a model, repaired once
progress.py       where a plan stands, from its results alone
presentation.py   from intent and result to words, actions and choices
loop.py           carries it out, through the same calls as every run
"""
