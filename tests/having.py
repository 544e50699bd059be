"""What tests have their reviews of, where a user would bring a file."""

from dataclasses import replace

from disclosure_core import start_tables


def people_outside(frame, name="holdout"):
    """Return people outside for `Opened.with_holdout`, from a frame instead of a file."""
    return replace(start_tables(frame, [frame]).data.original, name=name)


def csv(frame):
    """Return a frame as the bytes of a text file."""
    return frame.to_csv(index=False).encode()
