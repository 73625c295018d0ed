"""XLSX: every table is a sheet, with XlsxWriter.

writer.py        a report in, a workbook out
sheets.py        a table as a sheet; texts.py the sheet of what stands around tables
columns.py       what the cells of a column are: numbers, amounts, shares, dates, or texts
numbers.py       ways to write a number, and which of them all cells agree on
formulas.py      which formulas may be calculated, by the functions of functions.py; evaluation.py what they come to
names.py         names that a sheet can have
"""
