"""The command line."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_OWN = Path(__file__).parents[1]


def _without_the_core(error: Exception) -> Any:
    """Return the command where a package of the core is not there or fails on import: of it only `doctor` works."""

    def main(args: Sequence[str] | None = None, **_: Any) -> None:
        call = sys.argv[1:] if args is None else list(args)
        if call[:1] == ["doctor"]:
            from disclosure_core.cli.doctor import doctor

            doctor.main(call[1:], prog_name="disclosure doctor")
        said = " ".join(f"{type(error).__name__}: {error}".split())
        sys.stderr.write(f"Error: A package of the core cannot be imported ({said}). Run: disclosure doctor\n")
        raise SystemExit(2)

    return main


try:
    from disclosure_core.cli.commands import main
except Exception as error:  # a package may fail in any way; what fails here in our own code is for its authors to read
    last = traceback.extract_tb(error.__traceback__)[-1]
    if Path(last.filename).is_relative_to(_OWN) and not isinstance(error, ModuleNotFoundError):
        raise
    main = _without_the_core(error)

__all__ = ["main"]
