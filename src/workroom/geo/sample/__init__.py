"""Made-up addresses, layers and parcels, so that everything works without a network; labelled as such wherever they show."""
