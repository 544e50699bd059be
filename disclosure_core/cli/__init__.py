"""The command line."""

from disclosure_core.cli.commands import main

__all__ = ["main"]
