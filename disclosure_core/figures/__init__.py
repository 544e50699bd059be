"""Figures: described once, drawn by renderers that decide nothing about numbers or marks.

A description is a frozen value that holds every number, name and mark of a figure in their order; it has `title`,
`caption` (what is counted, over what) and `sentence` (the figure in words, its alternative text). `screen.draw` makes a
plotly figure of it, `paper.draw` a PDF, SVG or PNG.

To add a figure:

1. Write a file here, named for what the figure shows (`steps.py`). Its `describe(…)` takes results of the core and
   returns a description: a `shapes.BarPlot` or `shapes.CurvePlot` where one of these forms serves; else a frozen class
   of the figure's own in the same file, which then also gets a function in `screen/`, one for `paper.py`, and its
   place in `plot.Plot`.
2. Add an `Entry` to `results.entries.ENTRIES`, unless it is the figure of a further result: its name (that of the
   file it is saved as), the title in lists, whether it is of one target, what it needs, and how a description is made
   of an `Opened`. Page, report, `--figures` and Python take it from there; `tests/core/test_catalogue.py` prints all.
3. On a page: `plots.figure(steps.describe(risk), "review.steps")`.

Colours and marks are those of `palette.MARKS`, by side; no renderer and no page has others.
"""
