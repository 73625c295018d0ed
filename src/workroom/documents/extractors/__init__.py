"""One module or package per kind of document, found by its attribute `EXTRACTOR`; none of them imports a heavy library
before it is used."""
