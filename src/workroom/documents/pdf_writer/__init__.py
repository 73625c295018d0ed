"""PDF made from text: Markdown becomes blocks, blocks become a PDF by typst, in a child process of its own.

pdf.py           what the rest of Workroom calls: `pdf_of` and `report_pdf`
child.py         main program of the child: a document as JSON in, a PDF out
line_breaks.py   places to break in words that are longer than a line
blocks.typ       how blocks look. Texts reach it as strings, so nothing in them is ever carried out
conversation.typ, report.typ  the pages around them
"""
