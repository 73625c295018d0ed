"""Content sniffing: detects the media type from the first bytes of a file, and from its directory where it has one.

names.py     what a name claims
magic.py     what the first bytes say
zipped.py    what a ZIP is when it is more than a ZIP
compound.py  what an OLE file holds: old Office, Outlook messages, encrypted Office
encoding.py  text or not, and in which encoding
texts.py     which kind of text
"""
