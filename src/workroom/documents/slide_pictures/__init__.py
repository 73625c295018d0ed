"""Slides as pictures: one slide of a PPTX drawn as SVG, from its XML alone.

slide.py      the whole: background, what master and layout add, then the slide
layer.py      the shapes of each of them, in the order in which they are stacked
lineage.py    what a slide inherits: its layout, its master, the theme
colours.py    the colours of a theme, and those that are made from them
paint.py      fills and lines
outlines.py   forms of shapes
places.py     where things stand: rectangles, groups, turned or mirrored
texts.py      paragraphs as the file and its styles say them
text_layout.py  lines of text in a box; widths.py guesses how wide they are
pictures.py   pictures, made as small as they are shown
tables.py     tables; table_styles.py their colours
canvas.py     the SVG itself: escaped, within a size, without references to anything outside

It is a faithful sketch, not what PowerPoint draws: fonts are guessed, effects are left out, charts are boxes with a name.
"""
