"""Conversations: trees of messages in a workspace. What makes answers in them is in `runs/`."""
