"""Providers: how the values of `models/ports.py` travel to a model and back. The only place that knows pydantic-ai.

openai_compatible.py  OpenAI, and everything that speaks its Chat Completions API
chat_completions.py   the library's model and HTTP client for it
profiles.py           what models of a family can and cannot do
adapter.py            one call: ask, pass the text on, answer
outgoing.py           our messages, tools and wishes as the library's
incoming.py           the library's answer as our parts
opaque.py             what only its provider understands
failures.py           what went wrong, for a person
names.py              tool names that every provider accepts
arguments.py          what a model wrote, made safe to keep

The library takes most of a second to import. `openai_compatible`, `names` and `arguments` do not import it until a model
is asked for the first time, and then off the event loop; the other files are theirs to import.
"""
