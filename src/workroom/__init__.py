"""Workroom: a self-hosted workspace where people work with AI agents on their own documents, data and maps."""

__version__ = "0.1.0"
