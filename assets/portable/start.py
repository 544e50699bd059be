"""Start the dashboard from this folder: check and unpack its wheels at the first start, then run it on this machine.

Nothing is written outside this folder, and nothing is fetched. It needs the standard library alone.
"""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = (0, 0)  # the one that the wheels are for
SITE, SETTINGS = HERE / "site-packages", HERE / "settings"  # by another name Streamlit takes itself for a checkout


def unpack() -> None:
    """Unpack every wheel whose hash is the one that hashes.txt names; another, or none, ends the start."""
    told = [line.split("  ", 1) for line in (HERE / "hashes.txt").read_text(encoding="utf-8").splitlines()]
    print(f"First start: {len(told)} packages are checked and unpacked.", flush=True)
    new = HERE / "site.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for expected, name in told:
        wheel = HERE / name
        if not wheel.is_file():
            sys.exit(f"{name} is missing. Unpack the bundle again.")
        if hashlib.sha256(wheel.read_bytes()).hexdigest() != expected:
            sys.exit(f"{name} is not the file that was bundled. Unpack the bundle again.")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(new)
    for data in list(new.glob("*.data")):
        for kind in ("purelib", "platlib"):
            if (data / kind).is_dir():
                shutil.copytree(data / kind, new, dirs_exist_ok=True)
        shutil.rmtree(data)
    new.rename(SITE)


def main() -> int:
    """Unpack if need be, run the program's command, and return its exit status."""
    bits = 8 * struct.calcsize("P")
    if (*sys.version_info[:2], bits) != (*PYTHON, 64):
        found = f"{sys.version.split()[0]}, {bits} bit"
        sys.exit(f"This folder is for Python {PYTHON[0]}.{PYTHON[1]}, 64 bit; this is {found}.")
    try:
        if not SITE.is_dir():
            unpack()
        SETTINGS.mkdir(exist_ok=True)
        for beside in (HERE / "python").glob("python*._pth"):  # an embeddable Python looks nowhere else
            wanted = f"{beside.stem}.zip\n.\n../site-packages\n"
            if beside.read_text(encoding="utf-8") != wanted:
                beside.write_text(wanted, encoding="utf-8")
    except OSError as error:
        sys.exit(f"This folder cannot be written ({error.strerror}). Copy it to one that can, such as your own.")
    # Nothing of the user's or of the folder it is started from may take a package's place.
    places = {"PYTHONPATH": str(SITE), "PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1", "MPLCONFIGDIR": str(SETTINGS)}
    if not Path("/dev/shm").is_dir():
        places |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(SETTINGS))
    command = [sys.executable, "-m", "disclosure_core", *(sys.argv[1:] or ["app"])]
    if os.name == "posix":  # whoever ends this process ends the program
        os.execve(command[0], command, {**os.environ, **places})
    try:
        return subprocess.run(command, env={**os.environ, **places}, check=False).returncode
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
