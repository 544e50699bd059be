"""Print the lowest versions that pyproject.toml declares, as constraints for pip: `numpy>=2.2` is `numpy==2.2`."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for needed in (
    *project["dependencies"],
    *(need for name in ("files", "report", "app", "test") for need in extras[name]),
):
    found = re.fullmatch(r"([\w.-]+)>=([\w.]+)", needed)
    if found:
        print(f"{found[1]}=={found[2]}")
