"""Documents: bytes in, content objects out, without a database, a network or a model.

types.py       content objects, where they were found, and the structure of a document
ports.py       what an extractor is; there is one file per kind in extractors/
kinds.py       what a file is, by its content
containers/    files that hold files, listed and unpacked within limits
extractors/    one module per kind of document
office/        what office files share: packages, drawings, charts, slides, sheets
passages.py    running text without pages: blocks in, sections and content objects out (text, Markdown, HTML, EPUB, RTF)
safe_xml.py    XML from strangers
flow/          text that flows: what DOCX and ODT have in common once they are read
slide_pictures/ slides of a presentation as pictures
text_search.py     looking for words
ocr.py         text in pictures, where tesseract is installed
workers/       the processes in which all of that happens: `Parsers` is what the rest of Workroom calls
errors.py      what can be wrong with a file, said so that its owner understands it
"""
