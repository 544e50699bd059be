"""`python -m disclosure_core`: the command `disclosure`, where it is not on the path."""

from disclosure_core.cli import main

main(prog_name="disclosure")
