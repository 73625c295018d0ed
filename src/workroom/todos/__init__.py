"""Todos: what is left to do in a workspace, for people and agents alike. One store; lists and widgets show it."""
