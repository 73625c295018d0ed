"""PDF made by typst.

typst_document.py   a document as values in, a PDF out
report.py, conversation.py   what is typeset, with `report.typ` and `conversation.typ` for the pages around the blocks
blocks.typ       how blocks look
line_breaks.py   places to break in words that are longer than a line
"""
