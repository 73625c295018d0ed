"""How well a model works with the tools of a workspace: `python -m evals.tools`. Each task is data: what lies in a new workspace,
what the user writes, and what must be true afterwards. Checks look at the workspace and at what the run did, not at wording.

data/               the tasks, a TOML file per language
tasks.py            a task as a value; reading and selecting tasks
checks.py           what a task can require; pure, on evidence
evidence.py         what a task left behind: the workspace before and after, calls, plans, answers
workspace.py        what a person has beside conversations: set up and looked at over HTTP
runner.py           one task from set-up to outcome, within a time limit
outcome_log.py      outcomes as lines of JSON
"""
