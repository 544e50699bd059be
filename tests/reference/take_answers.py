"""Take the demonstration survey's cases and R's answers to them from the shared reference: `python take_answers.py FOLDER`.

The file that tests the answers can renew them; it refuses to overwrite them with other figures unless told `--force`.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(folder: Path, force: bool) -> None:
    cases = [c for c in json.loads((folder / "cases.json").read_text()) if c["name"].startswith("demo/")]
    answers = json.loads((folder / "expected.json").read_text())
    utility = json.loads((folder / "utility.json").read_text())
    taken = {
        "demo_cases.json": cases,
        "demo_expected.json": {c["name"]: answers[c["name"]] for c in cases},
        "demo_utility.json": {name: part for name, part in utility.items() if name.startswith("demo")},
    }
    for name, content in taken.items():
        path = HERE / name
        if path.exists() and json.loads(path.read_text()) != content and not force:
            sys.exit(f"{name} would change; say --force if that is right")
        path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--force" in sys.argv)
