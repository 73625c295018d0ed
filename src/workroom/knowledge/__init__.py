"""What files say, so that it can be found: passages with the place they came from, by words and by meaning.

Every file that was looked into is cut into passages and indexed in the background; the same content once per mandate. Who
may not read a file never learns that a passage of it exists.
"""
