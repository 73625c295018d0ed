"""Skills that people make: prompts with parameters, tools and examples, called by `/name` or by an agent."""
