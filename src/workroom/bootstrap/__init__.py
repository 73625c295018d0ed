"""The composition root: the only place that wires settings → adapters → services.

shared.py         what server and worker both need, built by one function
tools.py          which tools, presentations of results and known names agents get
tool_services.py  what tools may use
server.py         adds what the HTTP server needs
worker.py         adds what a worker needs: the run scheduler, file scans, indexing, evaluations
"""
