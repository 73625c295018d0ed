"""Companies of a workspace and their DNA: the documents that say who a company is, versioned and building on each other."""
