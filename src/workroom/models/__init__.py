"""The gateway to language models. Everything above speaks in the values of `ports.py`; what providers say stays in here."""
