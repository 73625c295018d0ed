"""Reads websites: pages found by sitemap and links, within limits, as robots.txt permits, through the guarded client."""
