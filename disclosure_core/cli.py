"""The command `disclosure`: starts the app."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
import webbrowser
from pathlib import Path

import click


def app_file() -> Path:
    """Return the app's script, in an installed package or in a checkout."""
    here = Path(__file__).parent
    packaged = here / "_app" / "app.py"
    return packaged if packaged.is_file() else here.parent / "app.py"


@click.group()
@click.version_option(package_name="disclosure", message="%(version)s")
def main() -> None:
    """See what synthetic data still give away."""


@main.command()
@click.option("--demo", is_flag=True, help="Open with the demonstration survey.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port on this machine.")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def app(demo: bool, port: int, browser: bool) -> None:
    """Start the dashboard on this machine."""
    script = ["--demo"] if demo else []
    command = [sys.executable, "-m", "streamlit", "run", str(app_file()), "--server.port", str(port), "--", *script]
    with subprocess.Popen(command) as server:  # noqa: S603 (our own script)
        # Streamlit's own way of opening a browser would first ask for an e-mail address.
        if browser and _answers(server, f"http://127.0.0.1:{port}/_stcore/health"):
            webbrowser.open(f"http://127.0.0.1:{port}")
        try:
            server.wait()
        except KeyboardInterrupt:
            server.terminate()
    raise SystemExit(server.returncode)


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
