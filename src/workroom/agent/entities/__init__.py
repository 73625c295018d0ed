"""The entity cache, without a model: companies, amounts, dates and persons in what tools answered.

types.py             an entity
result_lines.py      a result as lines of text
rules.py             what the rules find in it
companies.py         amounts.py   dates.py   persons.py   one kind each
model_extraction.py  what the cheap model is asked, and what of its answer is believed
prompt_section.py    what is known, as a section of the prompt

Rules are for sentences people wrote in German, English, French, Portuguese or Chinese. They would rather miss something
than make something up. Every pattern is bounded, and looks at the first `rules.LONGEST` characters: time is linear.
"""
