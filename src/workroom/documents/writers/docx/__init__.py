"""DOCX: blocks as WordprocessingML, put into the package of a template or of our own.

writer.py     a report in, a DOCX out
base.py       the package without a template: `styles.xml`, `footer.xml`
template.py   a template as a package, without what is hostile in it, and where the content comes
package.py    parts, content types, relations
body.py       title and sections: blocks as paragraphs, lists, tables, figures
inline.py, lists.py, notes.py, figures.py, contents.py   what stands in them
styles.py     styles of a template by what they are for
xml.py        elements of WordprocessingML; a text is only ever a text
"""
