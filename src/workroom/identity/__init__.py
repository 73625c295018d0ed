"""Who works here and what they may do: mandates, users, roles, workspaces, credentials, and the one permission function.

access.py    decide(): the only place where a permission is decided
objects.py   what rules may speak of
builtin.py   the roles every mandate begins with
mandates.py  users.py roles.py instances.py tokens.py sessions.py signin.py audit.py   what one can do, by noun
store/       all SQL
"""
