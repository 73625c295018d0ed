"""What office files have in common: a ZIP of XML parts that refer to one another, with drawings, charts and pictures."""
