"""DOCX made from text: Markdown becomes blocks, blocks become WordprocessingML, in a child process of its own.

docx.py       what the rest of Workroom calls: `report_docx`
child.py      main program of the child: a report as JSON in, a DOCX out
package.py    the parts of the file, zipped
body.py       title page and sections: blocks as paragraphs, lists, tables
inline.py     text within a paragraph, and the addresses it links to
lists.py      numbers and bullets: each numbered list counts for itself
xml.py        elements of WordprocessingML; a text is only ever a text
styles.xml, footer.xml   what is the same in every file
"""
