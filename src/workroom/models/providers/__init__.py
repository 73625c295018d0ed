"""Providers: how the values of `models/ports.py` travel to a model and back. The only place that knows pydantic-ai.

openai_compatible.py  OpenAI, and everything that speaks its Chat Completions API
anthropic.py          Claude
google.py             Gemini
lazy.py               what the three share: the library is loaded by the first call
text_protocol.py      tools for models that do not know function calling

chat_completions.py, messages_api.py, generate_content.py
                      the library's model and HTTP client for each of the three
profiles.py           what models of a family can and cannot do at endpoints like OpenAI's
abilities.py          what a model accepts
adapter.py            one call: ask, pass the text on, answer
outgoing.py           our messages, tools and wishes as the library's
incoming.py           the library's answer as our parts
lenient_answers.py    what servers leave out, completed
opaque.py             what only its provider understands
failures.py           what went wrong, for a person
retry_after.py, google_retry_delay.py
                      how long a provider wants to be left alone
headers.py            what a provider learns of us
names.py              tool names that every provider accepts
arguments.py          what a model wrote, made safe to keep
instructions.py       what we tell models in words
tool_call_blocks.py   the text protocol: tool calls found in text
tool_prompt.py        the text protocol: tools, calls and results described in text

The library takes a second to import. The first five, and the last five, do not import it until a model is asked for the
first time, and then off the event loop; the other files are theirs to import.
"""
