"""Instructions that hold for every agent: of the platform, the organisation, the workspace and the person who asks. They are
sections of every prompt, of every agent; every change is kept with who made it and when."""
