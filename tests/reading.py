"""Files that a test made itself, read in its own process."""

from disclosure_core.data.readers import Limits, read_in_process

__all__ = ["Limits", "read_in_process"]
