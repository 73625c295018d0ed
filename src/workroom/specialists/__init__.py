"""The specialists that lead a client through a company's DNA, by request and response. They themselves are shipped agents."""
