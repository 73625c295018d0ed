"""A title for a conversation by rules: the first words of its first message, in whatever language, without what is no words.

A message that is short enough is its own title; only a longer one is worth a question to a model (`runs/conversation_titles.py`).
"""

from __future__ import annotations

import re

LONGEST = 60
LONGEST_WIDE = 24  # of characters that are a word each, as in Chinese
LOOKED_AT = 4_000  # characters, code left aside: a title is in the first of them or nowhere
# Control characters, and marks that turn the direction of what stands beside the title.
UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^)\n]*\)")
ADDRESS = re.compile(r"\bhttps?://(?:www\.)?([^\s/<>]+)[^\s<>]*")
MENTION = re.compile(r'(?<![A-Za-z0-9_@.])@(?:"([^"\n]+)"|([^\s"@,;:!?()\[\]{}<>]+))')
LINE_MARK = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|\d+[.)]\s+|\|)")
SIGNS = re.compile(r"(\*\*|__|~~|`)(.+?)\1|(?<!\w)[*_](\S[^*_\n]*)[*_](?!\w)")
COMMAND = re.compile(
    r"^/?(?P<tool>[a-z]+[A-Z]\w*)\s*(?P<arguments>\{.*)?$|^/(?P<name>\w+(?:-\w+)*)\s*(?P<words>.*)$", re.DOTALL
)
ASSIGNMENT = re.compile(r'(?<!\S)[^\W\d]\w{0,39}=(?:"([^"]*)"|([^\s"]\S*))')
TEXT_ARGUMENT = re.compile(r':\s*"((?:[^"\\]|\\.)+)"')
SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")
# How one begins to ask for something; what follows says what.
OPENERS = re.compile(
    r"^(?:(?:hi|hello|hallo|guten tag|bonjour|salut|olá|oi|你好|您好)\b[,!.，！ ]*)?"
    r"(?:(?:please|can you|could you|would you|bitte|kannst du|könntest du|peux-tu|pourrais-tu|pouvez-vous|"
    r"s['’]il (?:te|vous) plaît|por favor|você pode|podes|pode)\b[ ,]*(?:(?:please|bitte|mir|por favor)\b[ ,]*)*|"
    r"(?:请问|请帮我|请|帮我)[，, ]*)",
    re.IGNORECASE,
)
WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


def title_from(message: str) -> str:
    """Never empty for a message that has any letters at all."""
    text = _of_command(message.strip())
    for line in CODE_BLOCK.sub("\n", text).lstrip()[:LOOKED_AT].splitlines():
        if title := _cut(_wishes(plain_line(line))):
            return title
    return _cut(" ".join(UNSEEN.sub(" ", text[:LOOKED_AT]).replace("`", " ").split()))


def is_short(message: str) -> bool:
    """Whether nothing of the message is missing in its title."""
    return len(message) <= LONGEST and "\n" not in message.strip() and not title_from(message).endswith("…")


def _of_command(text: str) -> str:
    """A call of a tool or skill by hand is named by its name and the first words it is given."""
    found = COMMAND.match(text)
    if found is None:
        return text
    if found["name"]:
        words = ASSIGNMENT.sub(lambda match: match[1] or match[2] or "", found["words"][:LOOKED_AT])
        return f"{found['name']} {words}".strip()
    argument = TEXT_ARGUMENT.search(found["arguments"] or "")
    return f"{found['tool']}: {argument[1]}" if argument else found["tool"]


def plain_line(line: str) -> str:
    """Without Markdown, addresses and signs of mentions; empty when no word is left."""
    line = LINE_MARK.sub("", UNSEEN.sub(" ", line))
    line = IMAGE_OR_LINK.sub(r"\1", line)
    line = ADDRESS.sub(r"\1", line)
    line = MENTION.sub(lambda match: match[1] or match[2], line)
    line = SIGNS.sub(lambda match: match[2] or match[3], line)
    words = " ".join(line.split()).strip(" |")
    return words if any(character.isalnum() for character in words) else ""


def _wishes(text: str) -> str:
    rest = OPENERS.sub("", text, count=1).strip()
    return rest[:1].upper() + rest[1:] if rest and rest != text else text


def _cut(text: str) -> str:
    """The first sentence, or as many words of it as fit."""
    sentence = SENTENCE_END.split(text, maxsplit=1)[0].strip()
    text = sentence if len(sentence) >= LONGEST // 4 or WIDE.search(sentence) else text
    text = text.rstrip(".。 ")
    longest = LONGEST_WIDE if len(WIDE.findall(text)) > len(text) // 3 else LONGEST
    if len(text) <= longest:
        return text
    shortened, _, _ = text[: longest + 1].rpartition(" ")
    return f"{(shortened if len(shortened) > longest // 2 else text[:longest]).rstrip(' ,;:–-')}…"
