"""Built-in tools, one file per family. A new one is a typed function with a docstring, discovered by the registry; what people
read about it stands in the sidecar of its module."""
