"""The tools of the studio. They work on the project that the conversation belongs to, and on no other."""
