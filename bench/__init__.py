"""Measurements: printed, never asserted, each with something of the same machine to compare it with."""
