"""Built-in tools, one file per family. A new one is a typed function with a docstring; the package finds it."""
