"""Documents: bytes in, content objects out, without a database, a network or a model.

types.py         content objects with their locations, and the structure of a document
ports.py         what an extractor is; there is one file per kind in extractors/
kinds.py         media type of a file, by its content
containers/      files that hold files, listed and unpacked within limits
extractors/      one module per kind of document
office/          what office files share: packages, drawings, charts, slides, sheets
passages.py      running text without pages: blocks in, sections and content objects out (text, Markdown, HTML, EPUB, RTF)
safe_xml.py      parsing of untrusted XML
flow/            flowing text: what DOCX and ODT have in common once they are parsed
slide_pictures/  slides of a presentation as pictures
text_search.py   finds words in a document
ocr.py           text in pictures, where tesseract is installed
workers/         child processes in which documents are parsed; the rest of Workroom calls `Parsers`
errors.py        errors of documents, with messages for their owners
"""
