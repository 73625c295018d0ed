"""Whole documents in a few words: parts along their sections are summed up by the cheap model, then the summaries.

plan.py       which parts, so that any document takes at most twenty of them; pure
division.py   a document measured for that
part_text.py  what a part says
prompts.py    what the models are asked
store.py      what they said, kept with the content, for the model that was asked
claims.py     who asks just now: two processes do not pay for the same answer
service.py    the summary of a document or of some of it
analyses.py   a question about one element: a picture is looked at, a text is read
"""
