"""An engine says of the usefulness of tables what a study of records says."""

import pandas as pd
import pyarrow as pa
import pytest

from disclosure_core import Settings, Study, compare, demo, usefulness
from disclosure_core.protection.table_cells import cells_of

ibis = pytest.importorskip("ibis", reason="the extra 'ibis' is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # Ibis 12 calls what DuckDB 2 deprecates
NAMES = ["sex", "region", "income", "abroad"]


def test_an_engine_says_the_same():
    from disclosure_core import TableStudy

    frames = [frame[NAMES].head(800) for frame in (demo.original(), *demo.syntheses()[:2])]
    connection = ibis.duckdb.connect()
    tables = [
        connection.create_table(f"t{i}", pa.Table.from_pandas(f, preserve_index=False)) for i, f in enumerate(frames)
    ]
    there = TableStudy(tables[0], tables[1:], demo.MISSING_CODES)
    here = usefulness(Study(frames[0], frames[1:], demo.MISSING_CODES))
    told = []
    asked = usefulness(there, named=NAMES, progress=lambda *n: told.append(n))
    assert (told[0], told[-1]) == ((0, 10), (10, 10))  # four columns and six pairs
    key = ["first", "second", "synthesis"]
    pd.testing.assert_frame_equal(
        asked.tables.sort_values(key, ignore_index=True), here.tables.sort_values(key, ignore_index=True)
    )
    alike = compare(there, there, settings=Settings(keys=("sex",)), names=("a", "b"))
    assert alike["a"].usefulness.mean == pytest.approx(here.mean)  # over its tables of two columns, as few are there
    assert len(cells_of(there, "sex")) == 2
    ours, theirs = (
        cells_of(study, "sex", "region") for study in (Study(frames[0], frames[1:], demo.MISSING_CODES), there)
    )
    assert sorted(map(tuple, ours.to_numpy().tolist())) == sorted(map(tuple, theirs.to_numpy().tolist()))
