"""Documents made from text: Markdown becomes blocks, blocks become a PDF by typst, in a child process of its own.

markdown_blocks.py  Markdown as blocks: values, never code
pdf.py              what the rest of Workroom calls: `pdf_of`
child.py            main program of the child: a document as JSON in, a PDF out
document.typ        how it looks. Texts reach it as strings, so nothing in them is ever carried out
"""
