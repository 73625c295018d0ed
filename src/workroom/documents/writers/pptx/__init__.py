"""PPTX: slides made of headings and what stands below them, with python-pptx.

writer.py        a report in, slides out
base.py          slides of our own: 16:9, white, one accent colour
template.py      slides of the user: what is taken of them, and what is refused
look.py          layouts by what they are for, and where on them there is room
runs.py          text with its looks and footnotes
text_measures.py     how much room a text needs; no program draws it meanwhile
pieces.py        what stands on slides: paragraphs, code, tables, figures
outline.py       blocks as slides: which heading begins one, and what stands on it
flow.py          pieces onto slides, as many as they need; tables.py, figures.py for those
drawn_slides.py       slides as the file has them; drawn_text.py, drawn_tables.py for what is on them
"""
