"""What things cost, and how much they may: the ledger, the budgets, and who may look at them.

types.py    values: a call's purpose, a reservation, a line in the ledger
limits.py   the four budgets and which of several limits counts
budgets.py  reserve before a call, settle after it, in the caller's transaction
service.py  show and change limits
costs.py    read the ledger
jobs.py     settles what dead processes left behind
store/      all SQL
"""
