"""The commands of the program, run as a person runs them."""
