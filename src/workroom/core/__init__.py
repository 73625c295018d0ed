"""Values everything else is made of: ids, actors, errors, paths, pages, the wire's spelling. Imports nothing above."""
