"""Places, layers and parcels of Switzerland: from data that come with the product, or from the services an operator names.

Knows maps and nothing of people: it may use the guarded HTTP client and the settings, no database.
"""
