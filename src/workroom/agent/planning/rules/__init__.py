"""A plan without a language model, from phrases that are agent data. Pure, and the same every time.

phrases.py     the small language in which phrases are written
words.py       what the user wrote, as words
vocabulary.py  words of ours, by language
typos.py       the word that was meant
slots.py       what was said in a slot, and where it goes
machine.py     all phrases of an agent as one machine
matching.py    the parts of a request: which phrase each is, and what it says in its slots
doubts.py      which parts may not be meant, where it matters
planner.py     from parts to steps
"""
