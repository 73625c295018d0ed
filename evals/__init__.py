"""Evaluations with real models: printed and kept, never asserted, and no part of `make test`.

model_choice.py  which model is asked: the same arguments for all
switching/       what a switch of agents does
tools/           how well a model works with the tools of a workspace
specialists/     whether the specialists lead a client through the strategy of a company

Shared by those that ask on a real server:

command.py          arguments, errors as sentences, what becomes of the report
server.py           a real Workroom process whose only model is the one under test
evaluation.py       all chosen tasks or scenarios, one after the other
selection.py        which of them are chosen
workspace.py        a workspace over HTTP: upload, ask, follow
run_follower.py     follows the runs that answer a message, and answers where they wait
pause_replies.py    what is answered there
turns.py            what followed one message, as a value; thread_evidence.py makes it of the messages of a conversation
checks.py           what checks have in common; text_match.py: whether a text contains words or a number
figures.py          tokens, cost and time; outcomes.py: what all evaluations know of what came of a task
report.py           outcomes as Markdown tables
set_up_files.py     files that are put into a workspace; pdf_pages.py makes a PDF with one text per page
"""
