"""Whether the specialists lead a client through the strategy of a company: `python -m evals.specialists`. Each scenario is data:
a company, what is known of it, and turns with what must be true after each. Checks look at what was called, shown and saved, not
at wording. `make test` plays every scenario with the replies of its script.

data/                  the scenarios, a TOML file per specialist, and documents of a made-up company
scenarios.py           a scenario as a value; reading and selecting scenarios
checks.py              what a turn can require; pure, on evidence
evidence.py            what a turn left behind: calls, widgets, documents, who goes on
conversation.py        leads the conversation over HTTP: writes, presses buttons, follows
evidence_collector.py  collects the evidence of each turn
workspace.py           a company and its documents over HTTP, and agentic-chat
runner.py              one scenario from set-up to outcome, within a time limit
protocol.py            an outcome as Markdown, for people
script.py              the replies of a scenario for a scripted provider
"""
