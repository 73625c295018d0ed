"""Mails about getting in: invitations, forgotten passwords, changed passwords. Only where a mail server is set.

outbox.py     what waits to be sent, and what an administrator sees of it
resets.py     a forgotten password: the same answer to everybody, a mail to whom it belongs
jobs.py       sending, as leased work
message.py    the mail itself, in five languages (`texts.json`)
smtp_server.py  the mail server, and what its refusals mean
"""
