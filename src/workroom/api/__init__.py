"""HTTP: one router file per noun, and the frame they stand in. Routes decide nothing; they translate.

application.py  puts the frame and the routers together
frame/          trace ids, errors, host and origin checks, headers, body limit, SSE, pages
auth.py         me.py users.py roles.py instances.py tokens.py sessions.py audit.py   the nouns
events.py       the browser's one stream
probes.py       /health /ready /metrics
pages.py        the web app's files
"""
