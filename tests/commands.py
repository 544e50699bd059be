"""The command line, called in this process."""

# Inside: a condition is asked of a review that is open, without files.

from collections.abc import Iterable
from contextlib import suppress

from click.testing import CliRunner, Result

from disclosure_core import DisclosureError
from disclosure_core.cli import conditions, figure_files, main, table_conditions

__all__ = ["condition", "disclosure", "figures_of", "forms", "look", "main"]

condition = conditions.condition
figures_of = table_conditions.figures_of
look = figure_files.look


def disclosure(*words: object, **more: object) -> Result:
    """Return how `disclosure` ends with these words: its exit code, stdout, stderr, and both as output."""
    return CliRunner().invoke(main, [str(word) for word in words], **more)


def forms(targets: Iterable[str]) -> list[str]:
    """Return all that can stand before the sign of a condition, but for columns of tables; of these targets, too."""

    def choices(text: str) -> list[str]:
        try:
            condition(text)
        except DisclosureError as error:
            return str(error).rstrip(".").partition("choose one of ")[2].split(", ")
        raise AssertionError(text)

    found = choices("nothing>1")
    found += [f"{what}({of})" for what in choices("nothing(DiSCO)>1") for of in choices(f"{what}(nothing)>1")]
    for text in [f"{form}[{target}]" for form in found for target in targets]:
        with suppress(DisclosureError):
            condition(f"{text}>1")
            found.append(text)
    return found
