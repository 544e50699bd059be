"""Help that reads as a manual: options under headings, in the order in which an office meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_HEADING = "heading"


class Manual(click.Command):
    """A command whose options stand under headings, and which writes over nothing that it reads."""

    def invoke(self, ctx: click.Context) -> Any:
        """Do what is asked, once no output is an input."""
        places.check(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those without a heading last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                sections.setdefault(getattr(param, _HEADING, ""), []).append(record)
        for heading, records in sorted(sections.items(), key=lambda found: found[0] == ""):
            with formatter.section(heading or "Options"):
                formatter.write_dl(records)


def section(heading: str, options: Iterable[Callable[..., Any]]) -> Callable[..., Any]:
    """Return what adds options under a heading to a command, the first of them first in the help."""

    def added(command: Any) -> Any:
        for option in reversed(tuple(options)):
            command = option(command)
            setattr(command.__click_params__[-1], _HEADING, heading)
        return command

    return added
