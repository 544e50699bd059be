"""Write the demonstration survey as Parquet from the folder of CSV files it was delivered in."""

import sys
from pathlib import Path

import pandas as pd

ORDER = {
    "settlement": ["Village", "Town", "City"],
    "education": ["Primary", "Secondary", "Vocational", "Degree", "Postgraduate"],
    "wellbeing": ["Terrible", "Unhappy", "Mostly dissatisfied", "Mixed", "Mostly satisfied", "Pleased", "Delighted"],
}
FILES = ["original", "holdout", *(f"synthetic_{i}" for i in range(1, 6))]


def main(folder: Path) -> None:
    """Write a Parquet file for each CSV file of a folder."""
    for name in FILES:
        frame = pd.read_csv(folder / f"{name}.csv", keep_default_na=False, na_values=[""])
        for column, levels in ORDER.items():
            frame[column] = pd.Categorical(frame[column], categories=levels, ordered=True)
        frame.to_parquet(Path(__file__).parents[1] / "assets/demo" / f"{name}.parquet", index=False, compression="zstd")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
