"""Why a child gave no tables, or no file: a sentence each, with what to do."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from disclosure_core.data.readers._reading import Limits


def not_started(name: str) -> DisclosureError:
    """Return the error for a child that did not begin."""
    return DisclosureError(
        f"{name} was not read, because the server could not start the process that reads it; try again in a minute, or "
        "tell the operator."
    )


def too_slow(name: str, limits: Limits) -> DisclosureError:
    """Return the error for a file that takes more time than is allowed."""
    return DisclosureError(
        f"{name} was not read within the {limits.seconds:,} seconds allowed; remove columns that are neither key "
        "nor target, save it as Parquet, or ask the operator for more time."
    )


def too_much(name: str, limits: Limits) -> DisclosureError:
    """Return the error for a file that takes more memory than is allowed."""
    return DisclosureError(
        f"{name} needs more than the {limits.memory:,} MB of memory allowed; remove columns that are neither key "
        "nor target, or ask the operator for more."
    )


def unsound(name: str) -> DisclosureError:
    """Return the error for a file at which the parser raised."""
    return DisclosureError(
        f"{name} cannot be read: it is damaged, or holds what is not expected in its format; save it again, or as "
        "Parquet or CSV."
    )


def no_answer(name: str) -> DisclosureError:
    """Return the error for a child whose answer is none."""
    return DisclosureError(
        f"{name} was not read: the process that read it gave no answer; try again, or save the data as Parquet or CSV."
    )


def broken_off(name: str, status: int, limits: Limits) -> DisclosureError:
    """Return the error for a child that ended in the middle of a file."""
    if status == 0:
        return no_answer(name)
    if status == -getattr(signal, "SIGXCPU", 0):
        return too_slow(name, limits)
    if status in (-getattr(signal, "SIGABRT", 0), -getattr(signal, "SIGKILL", 0)):
        # Libraries that cannot do without the memory they ask for break off; the system kills where none is left.
        return DisclosureError(
            f"{name} broke off the process that read it: it is damaged, or needs more memory than there is or than the "
            f"{limits.memory:,} MB allowed. Save it again with nothing but the table (no cell far below or beside it), "
            "or as CSV."
        )
    return DisclosureError(
        f"{name} is damaged: the process that read it broke off, and nothing was taken from it. Save it again from the "
        "program it came from, or as CSV."
    )
