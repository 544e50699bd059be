"""`disclosure bundle`: a folder that starts the dashboard on a machine where nothing may be installed."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from disclosure_core.cli import portable
from disclosure_core.cli.manual import Manual
from disclosure_core.cli.places import Output
from disclosure_core.errors import DisclosureError
from disclosure_core.rounding import printable


@click.command(
    cls=Manual,
    short_help="Make a portable folder for a locked-down machine.",
    epilog="Example: disclosure bundle --platform win_amd64 --python 3.13 --output disclosure-portable.zip",
)
@click.option("--platform", type=click.Choice(tuple(portable.PLATFORMS)), required=True, help="Machine it is for.")
@click.option("--python", type=click.Choice(portable.PYTHONS), required=True, help="Python that the machine has.")
@click.option("--output", type=Output(".zip"), required=True, help="The archive, a .zip.")
@click.option(
    "--embeddable",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The embeddable package of that Python, a .zip that you downloaded (Windows).",
)
@click.option("--embeddable-hash", metavar="HASH", help="Its SHA-256, from its download page.")
@click.option(
    "--wheels",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of wheels to take them from, without a network.",
)
def bundle(
    platform: str,
    python: str,
    output: Path,
    embeddable: Path | None,
    embeddable_hash: str | None,
    wheels: Path | None,
) -> None:
    """Make a portable folder: all wheels with their hashes, what starts the dashboard, and ten lines to read.

    It is unpacked and started there: nothing is installed or fetched, and nothing is written outside its folder. The
    versions are those of requirements.lock, and pip holds every wheel against its hash.
    """
    import cyclonedx  # noqa: F401 (what is not installed is said before 200 MB are fetched)

    if output.suffix.lower() != ".zip":
        raise DisclosureError(f"A portable folder is a .zip file; {output.name} is none.")
    if bool(embeddable) != bool(embeddable_hash):
        raise DisclosureError("--embeddable and --embeddable-hash go together; give both, or neither.")
    if embeddable and not platform.startswith("win"):
        raise DisclosureError("There is an embeddable Python for Windows only; leave --embeddable out.")
    files = portable.embeddable(embeddable, embeddable_hash) if embeddable and embeddable_hash else {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "wheels"
        folder.mkdir()
        portable.download(portable.locked(portable.lock(), platform, python), platform, python, folder, wheels)
        portable.own_wheel(folder)
        found = sorted(folder.glob("*.whl"))
        texts = {
            **portable.texts(platform, python, beside=bool(embeddable)),
            "hashes.txt": portable.hashes(found),
            "sbom.cdx.json": portable.bill(found),
        }
        files |= {name: text.encode("utf-8") for name, text in texts.items()}
        files |= {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in found}
        digest = portable.archive(files, output, "disclosure")
    said = f"{len(found)} packages, {output.stat().st_size / 1e6:.0f} MB, SHA-256 {digest}"
    click.echo(f"Wrote {printable(str(output))}: {said}")
