"""The command `disclosure`: start the app, or do what its pages do for a pipeline.

Exit status: 0 done; 1 a condition of --fail-if holds, or nothing is evaluated; 2 the call or a file is wrong, with one
sentence.
"""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import get_completion_class

from disclosure_core.cli.anonymity import anonymity
from disclosure_core.cli.answers import answers
from disclosure_core.cli.app import app
from disclosure_core.cli.assess import assess
from disclosure_core.cli.bundle import bundle
from disclosure_core.cli.combined_release import combined_release
from disclosure_core.cli.compare import compare
from disclosure_core.cli.demo import demo
from disclosure_core.cli.doctor import doctor
from disclosure_core.cli.key_subsets import key_subsets
from disclosure_core.cli.look_up import look_up
from disclosure_core.cli.manual import Manual
from disclosure_core.cli.membership import membership
from disclosure_core.cli.near_misses import near_misses
from disclosure_core.cli.protect import protect
from disclosure_core.cli.release_size import release_size
from disclosure_core.cli.run import run
from disclosure_core.cli.split import split
from disclosure_core.cli.strongest_intruder import strongest_intruder
from disclosure_core.cli.tau import tau
from disclosure_core.cli.verify import verify
from disclosure_core.errors import DisclosureError, NothingEvaluatedError, not_installed
from disclosure_core.rounding import printable
from disclosure_core.version import __version__


class _Sentences(click.Group):
    """Commands whose errors are one sentence on stderr, and exit status 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; say what the user can mend."""
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
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
            status = _exit_status_after(
                f"{error.filename or 'A file'} cannot be read ({error.strerror or error}); check it."
            )
        except click.Abort:
            status = 130
        raise SystemExit(status if isinstance(status, int) else 0)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; an option that it takes once and is given twice is an error."""
        name, command, rest = super().resolve_command(context, args)
        if command is not None:
            own = click.Context(command, info_name=name, parent=context)
            _, _, given = command.make_parser(own).parse_args(list(rest))
            for option in given:
                once = isinstance(option, click.Option) and not (option.multiple or option.is_flag or option.count)
                if once and given.count(option) > 1:
                    raise DisclosureError(f"{option.opts[0]} is given twice and takes one value; give it once.")
        return name, command, rest

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the commands in the order in which an office meets them."""
        return list(self.commands)


def _exit_status_after(sentence: str) -> int:
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


for _command in (
    *(app, assess, answers, compare, run, verify, split, protect),
    *(
        look_up,
        membership,
        anonymity,
        tau,
        near_misses,
        key_subsets,
        strongest_intruder,
        release_size,
        combined_release,
    ),
    *(demo, doctor, bundle, completion),
):
    main.add_command(_command)
