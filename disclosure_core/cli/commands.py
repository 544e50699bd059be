"""The command `disclosure`: start the app, or do what its pages do for a pipeline.

Exit status: 0 done; 1 a condition of --fail-if holds or has no answer, or the one question of a command has none; 2 the
call or a file is wrong, with one sentence.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Any

import click
from click.shell_completion import get_completion_class

from disclosure_core.cli.analyses import commands as of_results
from disclosure_core.cli.answers import answers
from disclosure_core.cli.app import app
from disclosure_core.cli.assess import assess
from disclosure_core.cli.bundle import bundle
from disclosure_core.cli.compare import compare
from disclosure_core.cli.demo import demo
from disclosure_core.cli.doctor import doctor
from disclosure_core.cli.key_subsets import key_subsets
from disclosure_core.cli.look_up import look_up
from disclosure_core.cli.manual import Manual
from disclosure_core.cli.membership import membership
from disclosure_core.cli.places import output_is_open
from disclosure_core.cli.protect import protect
from disclosure_core.cli.run import run
from disclosure_core.cli.split import split
from disclosure_core.cli.strongest_intruder import strongest_intruder
from disclosure_core.cli.verify import verify
from disclosure_core.errors import DisclosureError, NothingEvaluatedError, not_installed
from disclosure_core.rounding import printable
from disclosure_core.version import __version__


class _Sentences(click.Group):
    """Commands whose errors are one sentence on stderr, and exit status 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; say what the user can mend."""
        _fill_closed_streams()
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
            if output_is_open():
                sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = 2
        except click.ClickException as error:
            said = error.format_message().replace("\n\t", " ")  # some are click's own: a line a choice, no full stop
            status = _exit_status_after(said if said.endswith((".", "?")) else f"{said}.")
        except NothingEvaluatedError as error:  # nothing is wrong with the call, and what is not evaluated is no pass
            click.echo(f"Not evaluated. {printable(str(error))}", err=True)
            status = 1
        except DisclosureError as error:
            status = _exit_status_after(str(error))
        except ModuleNotFoundError as error:
            status = _exit_status_after(str(not_installed(error)))
        except OSError as error:
            status = _exit_status_after(_of_system(error))
        except click.Abort:
            status = 130
        raise SystemExit(status if isinstance(status, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Do what is asked; click would end with status 1 where nobody reads what is printed, as a condition does."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise DisclosureError(_of_system(error)) from None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; an option given twice that it takes once, or given empty, is an error."""
        name, command, rest = super().resolve_command(context, args)
        if command is not None:
            own = click.Context(command, info_name=name, parent=context)
            values, _, given = command.make_parser(own).parse_args(list(rest))
            for option in given:
                if isinstance(option, click.Option) and values.get(option.name or "") == "":
                    raise DisclosureError(
                        f"{option.opts[0]} is given empty, and would do nothing; fill it in, or remove it."
                    )
                once = isinstance(option, click.Option) and not (option.multiple or option.is_flag or option.count)
                if once and given.count(option) > 1:
                    raise DisclosureError(f"{option.opts[0]} is given twice and takes one value; give it once.")
        return name, command, rest

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the commands in the order in which an office meets them."""
        return list(self.commands)

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for, all descriptions in one column."""
        widest = max(map(len, self.commands))
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{each.name:<{widest}}", each.get_short_help_str(80)) for each in group])


def _fill_closed_streams() -> None:
    """Let no file that is opened have the number of a closed stream: what is printed would be written into it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the first number that is free


def _of_system(error: OSError) -> str:
    """Say what the machine refused: output that finds no room, or a file."""
    if error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        _discard_output()
        return f"What is printed cannot be written ({error.strerror}); make room, or send it elsewhere."
    if isinstance(error, BrokenPipeError):
        _discard_output()
        return "Whatever read the output has ended; send it elsewhere."
    return f"{error.filename or 'A file'} cannot be read ({error.strerror or error}); check it."


def _discard_output() -> None:
    """Let nothing be printed at the end, which would fail once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_status_after(sentence: str) -> int:
    with suppress(OSError):  # it finds no room either
        click.echo(f"Error: {printable(sentence)}", err=True)
    return 2


@click.group(
    cls=_Sentences,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`disclosure COMMAND --help` says more. Shell completion: `disclosure completion bash`.",
)
@click.version_option(__version__, message="%(version)s")
def main() -> None:
    """See what synthetic data still disclose."""


@click.command(
    cls=Manual,
    short_help="Print what completes commands in a shell.",
    epilog="Example: disclosure completion bash > ~/.local/share/bash-completion/completions/disclosure",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a SHELL complete commands and options."""
    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(main, {}, "disclosure", "_DISCLOSURE_COMPLETE")
    click.echo(made.source_template % made.source_vars())  # source() would ask for bash itself, and its version


GROUPS = {
    "Assess": (app, assess, compare),
    "Look closer": (
        look_up,
        membership,
        *of_results(),
        key_subsets,
        strongest_intruder,
    ),
    "Safer files": (split, protect),
    "Keep and repeat": (answers, run, verify),
    "Install": (demo, doctor, bundle, completion),
}
"""The commands by what they are for, in the order in which an office meets them."""

for _group in GROUPS.values():
    for _command in _group:
        main.add_command(_command)
