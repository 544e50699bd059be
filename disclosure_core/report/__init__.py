"""The release report: one input, one content, as an accessible PDF or as one HTML file.

(Being written by the helper on the report and the command line, who also writes `disclosure assess` in `cli.py`.)
"""
