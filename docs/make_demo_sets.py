"""Make two more sets of syntheses of the demonstration survey: one that overfits, one that is coarse.

Columns are synthesised one after the other (sequential CART, after Reiter 2005): the first is drawn from the original,
each next one from the leaf of a tree over the columns before it. The two sets differ in nothing but the tree's leaves:
of 2 records, which are all but copied, or of a fifth of the records, which know little but the columns alone.
`python docs/make_demo_sets.py` writes them; seeds are fixed, so that the files come out the same.
"""

from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parents[1] / "assets/demo"
LEAVES = {"overfitted": 2, "coarse": 1000}
"""By set, the fewest records of a leaf."""
N_SYNTHESES = 3
SEED = 17


def main() -> None:
    """Write the files of both sets."""
    original = pd.read_parquet(HERE / "original.parquet")
    for at, (name, smallest) in enumerate(LEAVES.items()):
        for i in range(1, N_SYNTHESES + 1):
            rng = np.random.default_rng([SEED, at, i])
            frame = synthesise(original, smallest, rng)
            frame.to_parquet(HERE / f"{name}_{i}.parquet", index=False, compression="zstd")


def synthesise(original: pd.DataFrame, smallest: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return as many synthetic records as the original has."""
    n = len(original)
    codes = np.column_stack([_codes(original[name]) for name in original])
    rows = rng.integers(0, n, n)  # whose value each synthetic record takes
    made, columns = codes[rows, :1], [original.iloc[rows, 0]]
    for j in range(1, codes.shape[1]):
        leaves, of_new = grown(codes[:, :j], _response(codes[:, j]), made, smallest)
        rows = np.empty(n, dtype=np.int64)
        for leaf, new in zip(leaves, of_new, strict=True):
            rows[new] = rng.choice(leaf, len(new))
        made = np.column_stack([made, codes[rows, j]])
        columns.append(original.iloc[rows, j])
    return pd.concat([column.reset_index(drop=True) for column in columns], axis=1)


def _codes(column: pd.Series) -> np.ndarray:
    """Return a column as numbers to split at: a number as it is, a level by its place; missing is the lowest."""
    if pd.api.types.is_numeric_dtype(column):
        numbers = column.astype(float)
        return numbers.fillna(numbers.min() - 1000).to_numpy()
    return column.astype("category").cat.codes.to_numpy(dtype=float)


def _response(codes: np.ndarray) -> np.ndarray:
    """Return what a split is to tell apart, a row a record: levels as 0 and 1, many values as their ranks."""
    values, at = np.unique(codes, return_inverse=True)
    return np.eye(len(values))[at] if len(values) <= 12 else (at / len(values))[:, None]


def grown(known: np.ndarray, response: np.ndarray, new: np.ndarray, smallest: int) -> tuple[list, list]:
    """Return the leaves of a tree: the records of each, and the new records that fall into it."""
    leaves, fallen = [], []
    nodes = [(np.arange(len(known)), np.arange(len(new)))]
    while nodes:
        here, there = nodes.pop()
        split = best_split(known[here], response[here], smallest)
        if split is None or not len(there):
            leaves.append(here)
            fallen.append(there)
            continue
        column, value = split
        left, new_left = known[here, column] <= value, new[there, column] <= value
        nodes += [(here[left], there[new_left]), (here[~left], there[~new_left])]
    return leaves, fallen


def best_split(known: np.ndarray, response: np.ndarray, smallest: int) -> tuple[int, float] | None:
    """Return the column and value whose split leaves the least squares of the response; None where none helps."""
    n = len(known)
    if n < 2 * smallest:
        return None
    total = response.sum(axis=0)
    best, found = (total**2).sum() / n + 1e-9, None
    for column in range(known.shape[1]):
        order = np.argsort(known[:, column], kind="stable")
        values = known[order, column]
        size = np.arange(1, n)
        left = np.cumsum(response[order], axis=0)[:-1]
        gain = (left**2).sum(axis=1) / size + ((total - left) ** 2).sum(axis=1) / (n - size)
        gain[(values[:-1] == values[1:]) | (size < smallest) | (n - size < smallest)] = 0
        at = int(gain.argmax())
        if gain[at] > best:
            best, found = gain[at], (column, values[at])
    return found


if __name__ == "__main__":
    main()
