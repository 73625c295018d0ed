"""From one agent to another inside a conversation: what the model is told, and what it still sees of what was said."""
