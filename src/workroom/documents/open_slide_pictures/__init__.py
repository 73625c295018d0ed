"""Slides of OpenDocument presentations as pictures: one slide of an ODP drawn as SVG, from its XML alone.

slide.py    the whole: background, what the master puts on every slide, then the slide
shapes.py   frames, forms, lines, pictures and groups, in the order in which they are stacked
tables.py   tables
texts.py    paragraphs and lists as the file and its styles say them
paint.py    fills and lines
styles.py   styles, what they inherit, and where each of them is looked for
lengths.py  lengths as OpenDocument writes them

Canvas, letters, forms and pictures are those of `slide_pictures/`, and so is the aim: a faithful sketch.
"""
