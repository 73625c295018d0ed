"""Tools of the map, one file per family; discovered like those of `workroom.tools`."""
