"""HTML: one page that needs nothing else.

writer.py    a report in, a page out
body.py      title and sections: blocks as elements
inline.py    what stands in them; footnotes
elements.py  elements; a text is only ever a text
page.css     how it looks, on screens and on paper
"""
