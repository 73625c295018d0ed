"""The model that is always there: no language model inside, no key, no network.

It explains itself, runs tools by command (`/listNotes milk`), and suggests a command when a wish resembles one: then it
asks, and never acts without a yes. Every answer says that no language model is set up. Deterministic, in five languages.

model.py             the port: an answer in pieces, whatever comes in
reply.py             what to answer
commands.py          commands, read and written; parameters.py reads a tool's schema for it
command_matching.py  which command a wish resembles
rendering.py         a tool's result as Markdown
quotation.py         what was read for a question, quoted; tables.py cuts tables, mails.py says who wrote a mail, query_terms.py
                     has the terms of the question, places.py where it stands
language.py          detects the language of a text; texts/ has the sentences of the default, one file per language. The
                     texts of a
                     tool stand beside the tool, and come with its schema
"""

from workroom.models.embedded.command_matching import is_one_sentence, ordered_tool
from workroom.models.embedded.commands import is_command
from workroom.models.embedded.model import EmbeddedModel
from workroom.models.embedded.reply import MODEL, PROVIDER, is_small_talk

EMBEDDED = f"{PROVIDER}/{MODEL}"

__all__ = ["EMBEDDED", "EmbeddedModel", "is_command", "is_one_sentence", "is_small_talk", "ordered_tool"]
