"""Charts drawn for documents: a `Chart` becomes marks at places, and typst draws them with nothing but its own shapes.

chart.py     what writers of documents call, in their child process: `chart_typst` and `chart_png`
layout.py    where everything stands; axes.py the axes with round ticks, pie.py pies, legend.py the names of series
marks.py     lines, shapes and texts at places, in points
language.py  numbers and dates as readers write them
draw.typ     draws the marks. Texts reach it as data, so nothing in them is ever carried out
"""
