"""Flowing text: documents that are a sequence of paragraphs and tables, of whatever format.

A reader (DOCX, ODT) makes blocks of its file; everything after that is the same for both.

blocks.py         paragraphs and tables, and what hangs in them
pages.py          where pages end, or probably do
numerals.py       3, c, iii
survey.py         one pass: headings, sections, pages, counts
object_writer.py  blocks as content objects
extractor.py      structure, objects and single elements of any flowing document: `FlowExtractor`
"""
