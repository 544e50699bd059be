"""`disclosure app`: the dashboard, on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from importlib.util import find_spec
from pathlib import Path

import click

from disclosure_core.cli.manual import Manual
from disclosure_core.errors import DisclosureError


def app_file() -> Path:
    """Return the app's script, in an installed package or in a checkout."""
    here = Path(__file__).parents[1]
    packaged = here / "_app" / "app.py"
    return packaged if packaged.is_file() else here.parent / "app.py"


@click.command(
    cls=Manual, short_help="Start the dashboard on this machine.", epilog="Example: disclosure app surveys/2026"
)
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--demo", is_flag=True, help="Open with the demonstration survey.")
@click.option(
    "--share",
    is_flag=True,
    help="Let others on this network in, for the demonstration only: no files, no folder, no engines.",
)
@click.option("--allow-uploads", is_flag=True, help="With --share: let them bring files, over a line that is readable.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port on this machine.")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def app(folder: Path | None, demo: bool, share: bool, allow_uploads: bool, port: int, browser: bool) -> None:
    """Start the dashboard on this machine; with --share for a class, whose address and code are printed.

    FOLDER is an office's: its data files stand in a list, and Save writes reviews there.
    """
    if folder is not None and share:
        raise DisclosureError(
            "--share lets others in, and a folder is for this machine alone; leave out one of the two."
        )
    if allow_uploads and not share:
        raise DisclosureError("--allow-uploads does nothing without --share; add it, or remove this option.")
    if share and not (demo or allow_uploads):
        raise DisclosureError("--share lets others in for the demonstration: add --demo, or --allow-uploads for files.")
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError(name="streamlit")
    script = ["--demo"] if demo else []
    command = [sys.executable, "-m", "streamlit", "run", str(app_file()), "--server.port", str(port)]
    try:
        socket.create_server(("" if share else "127.0.0.1", port)).close()
    except OSError as error:
        raise DisclosureError(
            f"Port {port} cannot be used ({os.strerror(error.errno or 0)}); name another by --port."
        ) from None
    environment = None
    if folder is not None:
        environment = {**os.environ, "DISCLOSURE_FOLDER": str(folder.resolve()), "DISCLOSURE_SAVE_REVIEWS": "yes"}
    if share:
        # Streamlit would print an address of its own, which nobody else can open.
        command += ["--server.address", "0.0.0.0", "--logger.hideWelcomeMessage", "true"]  # noqa: S104 (as asked for)
        environment = _invited(port, uploads=allow_uploads)
    with subprocess.Popen([*command, "--", *script], env=environment) as server:  # noqa: S603 (our own script)
        signal.signal(signal.SIGTERM, lambda *_: server.terminate())  # whoever ends this program ends its server
        # Streamlit's own way of opening a browser would first ask for an e-mail address.
        if browser and _answers(server, f"http://127.0.0.1:{port}/_stcore/health"):
            webbrowser.open(f"http://127.0.0.1:{port}")
        try:
            server.wait()
        except KeyboardInterrupt:
            server.terminate()
    raise SystemExit(128 - server.returncode if server.returncode < 0 else server.returncode)  # as a shell tells it


def _invited(port: int, *, uploads: bool) -> dict[str, str]:
    """Say where others find this machine, and return the environment that lets them in."""
    from disclosure_core.cli import sharing

    found = sharing.addresses()
    if not found:
        raise DisclosureError("This machine has no address on a network; connect it, or start without --share.")
    first = f"http://{found[0]}:{port}"
    click.echo(f"\nOpen {first} in a browser, or scan:\n")
    click.echo(sharing.code(first))
    teacher = sharing.teacher_code()
    click.echo(f"Teacher's code: {teacher} (page Workshop, For teachers)")
    if uploads:
        click.echo(
            "Warning: the line is not encrypted: anyone on this network can read what is brought. Bring nothing "
            "confidential.",
            err=True,
        )
    else:
        click.echo("For the demonstration only: nobody can bring files. Everybody on this network can open it.")
    return sharing.environment(found, uploads=uploads, address=first, teacher=teacher)


def _answers(server: subprocess.Popen[bytes], url: str) -> bool:
    """Return whether the server answers within half a minute."""
    for _ in range(150):
        if server.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(url, timeout=1):  # noqa: S310 (a fixed address of this machine)
                return True
        except OSError:
            time.sleep(0.2)
    return False
