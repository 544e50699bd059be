"""Data that stay where they are: the options that name an engine, and the review that it counts for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli.acting import spelt
from disclosure_core.cli.manual import section
from disclosure_core.data.placing import called, encoded
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from disclosure_core.data.column import Variable
    from disclosure_core.data.outsiders import JoinedStudy
    from disclosure_core.data.study import AnyStudy
    from disclosure_core.review.opened import Opened

VARIABLE = "DISCLOSURE_ENGINE"
"""The variable of the environment that holds an address which nobody should see typed."""

_BYTES_A_CELL = 7
"""Bytes that reading Parquet takes here, a record and column: 13.2 GB of 2 × 100 million × 9 (docs/scale.md)."""

_NOT_THERE = (
    *("split", "population_table", "codebook", "mend", "missing_text", "types", "delimiter", "decimal", "encoding"),
    *("sheet", "header", "data", "other_data", "script", "exhibits"),
)
"""Options that change records, bring more of them, draw of them, or write what names their files."""

NOT_HELD_AGAINST = (
    "Of data in an engine no fingerprint is kept: it is not checked whether these are the data of the review."
)

options = section(
    "Data larger than memory",
    (
        click.option(
            "--engine",
            metavar="duckdb|URL",
            help="Count where the data are: duckdb reads files and folders of Parquet or CSV in place; the address of "
            f"a warehouse as Ibis writes it, or 'environment' for the one in {VARIABLE}.",
        ),
        click.option(
            "--original", "original_table", metavar="TABLE", help="Of --engine: the original, a table, file or folder."
        ),
        click.option(
            "--synthetic",
            "synthetic_tables",
            multiple=True,
            metavar="TABLE",
            help="Of --engine: a synthesis, a table, file or folder; repeat it.",
        ),
        click.option("--memory-limit", metavar="SIZE", help="What DuckDB may hold: 4GB."),
        click.option(
            "--spill-folder",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="Where DuckDB may write what does not fit; without it nothing is written.",
        ),
    ),
)


def check(given: Mapping[str, Any]) -> None:
    """Say what of the call cannot be done with an engine, or is of no use without one."""
    holdout = given.get("holdout")
    if holdout is not None and given.get("engine") in (None, "duckdb") and not holdout.exists():
        raise DisclosureError(f"There is no file {holdout}; name people outside by a file that is there.")
    if not given.get("engine"):
        for name in ("original_table", "synthetic_tables", "memory_limit", "spill_folder"):
            if given.get(name):
                raise DisclosureError(f"{spelt(name)} does nothing without --engine; add it, or remove this option.")
        named = (*(given.get("files") or ()), given.get("holdout"))
        folder = next((path for path in named if path is not None and path.is_dir()), None)
        if folder is not None:
            raise DisclosureError(f"{folder} is a folder: name files, or add --engine duckdb, which reads it in place.")
        return
    if given.get("sets") and given["engine"] != "duckdb":
        raise DisclosureError("--set is read by --engine duckdb alone; name one set of tables by --synthetic.")
    refused = next((name for name in _NOT_THERE if given.get(name)), None)
    if refused is not None:
        raise DisclosureError(
            f"{spelt(refused)} needs the records here, and --engine leaves them where they are; remove one."
        )
    if is_review_alone(given):
        raise DisclosureError("A review of data in an engine is repeated by `disclosure run`; name the data there.")
    if given["engine"] != "duckdb" and (given["memory_limit"] or given["spill_folder"]):
        raise DisclosureError("--memory-limit and --spill-folder are of --engine duckdb alone; remove them.")
    _ = places(given)


def is_review_alone(given: Mapping[str, Any]) -> bool:
    """Whether a saved review stands where data are named."""
    return any(path.suffix.lower() == ".json" for path in given.get("files") or ())


def places(given: Mapping[str, Any]) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return where the original is and, by set, where each synthesis is: named by options, or as files are."""
    from disclosure_core.review.parts import SYNTHETIC

    files = tuple(str(path) for path in given.get("files") or () if path is not None)
    original, synthetic = given["original_table"], given["synthetic_tables"]
    if files and (original or synthetic):
        raise DisclosureError("Name the data by --original and --synthetic, or without them; not in both ways.")
    if files:
        original, *synthetic = files
    sets = {name: tuple(str(path) for _, path in of_set) for name, of_set in (given.get("sets") or {}).items()}
    if sets and synthetic:
        raise DisclosureError("Name the set of each synthetic table: --set NAME PLACE; or of none.")
    if not original or not (synthetic or sets):
        raise DisclosureError("Say where the data are: --original and at least one --synthetic.")
    for place in (original, *synthetic, *(each for of_set in sets.values() for each in of_set)):
        if encoded(place).decode() != place:
            raise DisclosureError(f"An engine reads no file whose name is not UTF-8; rename {called(Path(place))}.")
    return original, sets or {SYNTHETIC: tuple(synthetic)}


def open_engine(given: Mapping[str, Any], say: Callable[[str], None]) -> Opened:
    """Return a review of data that stay where they are, asking for nothing yet."""
    from disclosure_core.review.opening import start_engine

    original, sets = places(given)
    synthetic = [place for of_set in sets.values() for place in of_set]
    studies: dict[str, AnyStudy]
    outside: Callable[[AnyStudy], JoinedStudy[Variable]] | None = None
    url = given["engine"]
    if url == "environment" and not (url := os.environ.get(VARIABLE, "")):
        raise DisclosureError(f"{VARIABLE} is not set; set it to the address of the engine.")
    say("Counting records where they are …")
    if url == "duckdb":
        from disclosure_core.engines.duckdb_connection import Connection
        from disclosure_core.engines.duckdb_study import sets_of_files

        connection = Connection(given["memory_limit"], given["spill_folder"])
        made = sets_of_files(connection, original, sets)
        studies = dict(made)
        if given.get("holdout"):
            from disclosure_core.engines.duckdb_study import outside_files

            outside = outside_files(next(iter(made.values())), given["holdout"])
        named = [Path(place).name for place in (original, *synthetic)]
    else:
        from disclosure_core.engines.sources import Source, open_outside, open_sets

        table = given.get("holdout")
        source = Source("--engine", url, original, tuple(synthetic), holdout=table and str(table), sets=sets)
        found = open_sets(source)
        studies = dict(found)
        outside = open_outside(source, next(iter(found.values())))
        named = [original, *synthetic]
    drawn = given.get("holdout_is")
    return start_engine(
        studies,
        f"{named[0]} against {', '.join(named[1:])}",
        outside,
        random=None if drawn is None else drawn == "random-part",
    )


def check_memory(files: Sequence[Path]) -> None:
    """Refuse files that cannot be held here, and say what reads them in place."""
    free = free_memory()
    if free is None or sum(path.stat().st_size for path in files) * _BYTES_A_CELL < free // 20:  # far from it
        return
    needed = sum(_needed(path) for path in files)
    if needed > free:
        raise DisclosureError(
            f"These files take about {needed / 1e9:.1f} GB here, and {free / 1e9:.1f} GB of memory are free: add "
            "--engine duckdb, which counts Parquet and CSV where they are."
        )


def _needed(path: Path) -> int:
    """Return the bytes that reading a file takes, at least."""
    if path.suffix.lower() in (".parquet", ".pq"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            footer = pq.read_metadata(path)
        except (pa.ArrowException, OSError):  # whoever reads it says so
            return 0
        return int(footer.num_rows) * int(footer.num_columns) * _BYTES_A_CELL
    return path.stat().st_size


def free_memory() -> int | None:
    """Return the bytes of memory that a program may still take, as Linux tells them; None where nobody does."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = next((line.split()[1] for line in lines if line.startswith("MemAvailable:")), None)
    return None if found is None else int(found) * 1024
