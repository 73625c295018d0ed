"""Skills: tools whose result is a widget. Each is one file with its payload, and what people read about it beside it."""
