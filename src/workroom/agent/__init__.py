"""The agent itself: the loop, tools and how they are called. No database and no HTTP: both come in through ports.

tool.py           what a tool is, and the decorator that makes one of a typed function
registry.py       all tools there are, and which of them an agent may use
call_executor.py  carrying out the calls of one round, in the right order
loop.py           the ReAct loop: asks the model, runs its tool calls, repeats
ports.py          ports and values of the loop: journal, budget, events, tools
"""
