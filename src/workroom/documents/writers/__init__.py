"""Documents made from Markdown, each in a child process of its own.

report.py            what is written: a title page, sections of Markdown, pictures, a template
markdown_blocks.py   Markdown as blocks: where every writer begins
files.py             what the rest of Workroom calls: `report_file`
process.py, child.py the process that writes, and its main program
report_tables.py     the tables of a report, and what they are called; long_tables.py reads those of many rows
docx/  pdf/  pptx/  xlsx/  html/  csv.py    one writer per format
"""
