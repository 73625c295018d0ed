"""Skills: tools whose result a widget shows, one file each with its payload. A new one is a typed function with a docstring,
discovered by the registry; what people read about it stands in the sidecar of its module."""
