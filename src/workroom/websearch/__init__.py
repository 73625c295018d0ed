"""Searching the web: which service an organisation has set up for it, what it finds, and what that costs."""
