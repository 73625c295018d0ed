"""Names of the NOTIFY channels, in one place. A notification is a hint: losing one may delay something, never lose it."""

CHANGES = "workroom_changes"
EVENTS = "workroom_events"
STOPS = "workroom_stops"
WORK = "workroom_work"
