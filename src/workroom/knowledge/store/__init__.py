"""Everything knowledge says to the database."""
