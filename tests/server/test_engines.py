"""Visitors whose data stay in DuckDB: quick clicks stop nobody, and a closed tab ends what the engine still counts."""

import asyncio
import time

import pytest

from benchmarks.workshop import processor
from disclosure_core import Exclusions, Settings, Study, assess, demo
from tests.server.serving import Reader, Running, run, server
from tests.written import fixed

pytest.importorskip("duckdb", reason="the extra `duckdb` is not installed")

QUICK, ROUNDS = 5, 3
LAST = (3, 6, 10)
"""The limit on denominators that each round ends with; each gives a figure of its own."""


def named(folder, **entries: tuple[str, str, str]) -> None:
    """Name sources for the server that will run with its home below `folder`: url, original, synthetic."""
    home = folder / "home" / ".streamlit"
    home.mkdir(parents=True)
    lines = []
    for name, (url, original, synthetic) in entries.items():
        lines += [f"[engines.{name}]", f'url = "{url}"', f'original = "{original}"', f'synthetic = ["{synthetic}"]']
    (home / "secrets.toml").write_text("\n".join(lines))


def written(folder) -> tuple[str, str]:
    paths = []
    for name, frame in (("original", demo.original()), ("synthetic", demo.syntheses()[0])):
        plain = {c: frame[c].astype(frame[c].cat.categories.dtype) for c in frame.select_dtypes("category")}
        paths.append(str(folder / f"{name}.parquet"))
        frame.assign(**plain).to_parquet(paths[-1])
    return paths[0], paths[1]


def figures(limit: int) -> dict[str, str]:
    """Return what the card shows of employment, counted from the same records in memory."""
    study = Study(demo.original(), demo.syntheses()[:1])
    settings = Settings(keys=demo.KEYS[:3], exclusions=Exclusions(denominator_limit=limit))
    row = assess(study, settings).summary().set_index("target").loc["employment"]
    return {"DiSCO": f"{fixed(row['synthetic'], 3)} %"}


def test_two_visitors_with_quick_clicks_all_get_the_figures_of_the_last(tmp_path):
    named(tmp_path, census=("duckdb://", *written(tmp_path)))

    wanted = [figures(limit) for limit in LAST]
    assert len({each["DiSCO"] for each in wanted}) == ROUNDS

    async def visit(at: Running) -> None:
        async with Reader(at.port) as person:
            await person.run(**{"upload.open_engine": ("trigger_value", True)})
            for i in range(ROUNDS):
                await person.go("Keys")
                for j in range(QUICK):  # none waits for its answer
                    await person.ask(**person.keys(*demo.KEYS[: 1 + (i + j) % 3]))
                    await asyncio.sleep(0.3 * j)
                await person.ask(**person.keys(*demo.KEYS[:3]))
                await person.settle()
                await person.go("Review")
                for j in range(QUICK):
                    await person.ask(**{"review.limit": ("double_value", float(1 + i * QUICK + j))})
                    await asyncio.sleep(0.1 * j)
                await person.ask(**{"review.limit": ("double_value", float(LAST[i]))})
                await person.settle()
                await person.run(
                    **{"review.why.denominators": ("string_value", "small cells alone")}
                )  # then it is judged
                assert wanted[i].items() <= person.tiles.items()

    async def visits(at: Running) -> None:
        await asyncio.gather(visit(at), visit(at))

    with server(tmp_path) as at:
        run(visits(at))
        assert "unexpected" not in at.log()


def test_a_closed_tab_ends_what_the_engine_still_counts(tmp_path):
    import duckdb

    place = tmp_path / "slow.db"
    with duckdb.connect(str(place)) as made:
        made.execute("create table quick as select range % 5 as a, range % 3 as b from range(100)")
        made.execute(
            "create view slow as select (x.range * y.range) % 5 as a, 1 as b from range(1000000) x, range(1000000) y"
        )
    named(tmp_path, slow=(f"duckdb://{place}", "slow", "quick"))

    async def visit(at: Running) -> None:
        async with Reader(at.port) as person:
            before = processor(at.process.pid)
            await person.ask(**{"upload.open_engine": ("trigger_value", True)})
            end = time.monotonic() + 60
            while processor(at.process.pid) - before < 4:  # the engine counts
                assert time.monotonic() < end
                await asyncio.sleep(0.2)

    with server(tmp_path) as at:
        run(visit(at))
        at.rests()
