"""Notes: short texts that belong to a workspace; the first thing agents can write. What is deleted waits in a trash."""
