"""Identity disclosure of the keys alone: of all of them, as they are added, and without each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from disclosure_core.counting import measures, registry
from disclosure_core.counting.count import count_keys
from disclosure_core.errors import DisclosureError
from disclosure_core.shown import with_units

if TYPE_CHECKING:
    from disclosure_core.counting.key_table import KeyTable
    from disclosure_core.counting.settings import Settings
    from disclosure_core.data.study import AnyStudy


def identity_by_keys(study: AnyStudy, settings: Settings, order: Sequence[str] = ()) -> pd.DataFrame:
    """Return how identity disclosure grows as the keys are added one at a time.

    Parameters
    ----------
    study, settings
        As of `assess`.
    order
        The keys in the order in which they are added; that of the data where none is given.

    Returns
    -------
    DataFrame
        A row a key: `key`, the key added; UiO, UiS, UiOiS, repU in %, means over the syntheses.

    Raises
    ------
    DisclosureError
        When a key is not in the data, or `order` does not hold the keys.

    Source
    ------
    measures.md 3, with the first key, the first two, and so on.

    Examples
    --------
    >>> import pandas as pd
    >>> from disclosure_core import Settings, Study
    >>> frame = pd.DataFrame({"sex": ["f", "m", "f", "m"], "age": [30, 30, 41, 30]})
    >>> identity_by_keys(Study(frame, [frame]), Settings(keys=["sex", "age"]))["UiO"].tolist()
    [0.0, 50.0]
    """
    if order and sorted(order) != list(settings.keys):
        raise DisclosureError(f"The order of the keys must hold each of them once: {', '.join(settings.keys)}.")
    out = settings.exclusions.missing_keys
    rows = []
    names = order or study.in_data_order(settings.keys)
    every = count_keys(study, settings) if settings.keys else None
    for keys in (every.only(names[:n]) for n in range(1, len(names) + 1)) if every else ():
        figures = [measures.identity_of_keys(keys, i, out) for i in range(study.n_syntheses)]
        rows.append({"key": keys.keys[-1].name} | dict(zip(registry.IDENTITY, np.mean(figures, axis=0), strict=True)))
    frame = pd.DataFrame(rows, columns=["key", *registry.IDENTITY])
    return with_units(frame, {name: registry.UNITS[name] for name in registry.IDENTITY})


def identity_without_each(study: AnyStudy, settings: Settings) -> pd.DataFrame:
    """Return identity disclosure with all keys, and with all but one.

    Returns
    -------
    DataFrame
        `without`, the key that is not known, empty in the first row; UiO, UiS, UiOiS, repU in %, means over the
        syntheses. No row for the only key: nobody is told apart without it.

    Source
    ------
    measures.md 3, of all keys and of each subset that lacks one.
    """
    every, rows = count_keys(study, settings), []
    names = [key.name for key in every.keys]
    for without in ("", *(settings.keys if len(names) > 1 else ())):
        keys = every.only([name for name in names if name != without]) if without else every
        rows.append({"without": without} | of_keys(keys, settings).mean().to_dict())
    frame = pd.DataFrame(rows, columns=["without", *registry.IDENTITY])
    return with_units(frame, {name: registry.UNITS[name] for name in registry.IDENTITY})


def identity_alone(study: AnyStudy, settings: Settings) -> pd.DataFrame:
    """Return UiO, UiS, UiOiS, repU in %, a row a synthesis, where no target is asked about.

    Source
    ------
    measures.md 3.
    """
    return of_keys(count_keys(study, settings), settings)


def of_keys(keys: KeyTable, settings: Settings) -> pd.DataFrame:
    """Return UiO, UiS, UiOiS, repU of keys that are counted already, a row a synthesis."""
    out = settings.exclusions.missing_keys
    rows = [measures.identity_of_keys(keys, i, out) for i in range(len(keys.n_synthetic))]
    return by_synthesis(rows, registry.IDENTITY)


def by_synthesis(rows: list[tuple[float, ...]], columns: tuple[str, ...]) -> pd.DataFrame:
    """Return a frame a row a synthesis, numbered from 1, with the unit of each column."""
    index = pd.RangeIndex(1, len(rows) + 1, name="synthesis")
    frame = pd.DataFrame(np.array(rows), index=index, columns=index_of(columns))
    return with_units(frame, {name: registry.UNITS[name] for name in columns})


@cache
def index_of(labels: tuple[str, ...], name: str | None = None) -> pd.Index[str]:
    """Return labels as pandas' own, made once: making them takes longer than a small frame."""
    return pd.Index(labels, name=name)
