"""How well a model works with the tools of a workspace: `python -m evals.tools`. Each task is data: what lies in a new workspace,
what the user writes, and what must be true afterwards. Checks look at the workspace and at what the run did, not at wording.

data/               the tasks, a TOML file per language
tasks.py            a task as a value; reading and selecting tasks
checks.py           what a task can require; pure, on evidence
evidence.py         what a task left behind: the workspace before and after, calls, plans, answers
text_match.py       whether a text contains words or a number, in any language's notation
thread_evidence.py  evidence from the messages of a conversation
workspace.py        a workspace over HTTP: set up, ask, follow, look
pause_replies.py    what is answered when a run waits for the user
pdf_pages.py        a PDF with one text per page, for tasks about pages
server.py           a real Workroom process whose only model is the one under test
runner.py           one task from set-up to outcome, within a time limit
evaluation.py       all chosen tasks, one after the other
report.py           outcomes as Markdown tables
outcome_log.py      outcomes as lines of JSON
"""
