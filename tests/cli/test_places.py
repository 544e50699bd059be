"""No command writes over what it reads, nor leaves half a file; names and outputs of any kind end with a sentence."""

# Inside: which options name a file to be written, only their type says; names that no disk here takes.

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import click
import pandas as pd
import pytest

from disclosure_core import DisclosureError
from disclosure_core.cli.outputs import write
from disclosure_core.cli.places import Output
from disclosure_core.data.placing import called, place, within, writing
from disclosure_core.engines.spill import half_of
from tests.commands import disclosure, main

KEYS = ("--keys", "sex,age", "--targets", "job")
READ = {"split": ("o.csv",), "verify": ("r.json", "--data", "."), "run": ("r.json", "--data", ".")}
MORE = {
    "protect": ("--step", "remove-replicated", "--output", "safer"),
    "split": ("--output", "parts"),
    "look-up": ("--target", "job"),
    "compare": ("--set", "one", "s.csv"),
    "demo": ("--output", "survey"),
    "bundle": ("--platform", "win_amd64", "--python", "3.13", "--embeddable", "o.csv"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two files, and a review that names them."""
    place = tmp_path_factory.mktemp("made")
    people = {"sex": list("fmfmfmfm") * 5, "age": [20, 30, 20, 30, 40, 20, 50, 60] * 5, "job": ["cook", "nurse"] * 20}
    pd.DataFrame(people).to_csv(place / "o.csv", index=False)
    pd.DataFrame(people).iloc[3:33].to_csv(place / "s.csv", index=False)
    done = run("assess", place / "o.csv", place / "s.csv", *KEYS, "--save", place / "r.json")
    assert done.exit_code == 0, done.stderr
    return place


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in made.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def run(*args):
    return disclosure(*args)


def call_of(command):
    """Return the arguments with which a command works, without outputs that are files."""
    keys = () if command in READ or command in ("demo", "bundle") else KEYS
    files = READ.get(command, () if command in ("demo", "bundle") else ("o.csv", "s.csv"))
    if command == "compare":
        files = ("o.csv",)
    return [command, *files, *keys, *MORE.get(command, ())]


def outputs(*, folder=False):
    """Give every option of every command that names a file, or a folder, to be written."""
    for name, command in main.commands.items():
        for option in command.params:
            if isinstance(option.type, Output) and option.type.folder is folder:
                yield pytest.param(name, option.opts[0], id=f"{name} {option.opts[0]}")


ALL, FOLDERS = list(outputs()), list(outputs(folder=True))


def test_every_command_that_writes_says_where_by_an_output():
    named = {value for param in ALL for value in (param.values[1],)}
    assert {"--json", "--save", "--workbook", "--report", "--evidence", "--script", "--template"} <= named
    for name, command in main.commands.items():
        for option in command.params:
            written = (option.help or "").startswith("Write ") if hasattr(option, "help") else False
            assert not written or isinstance(option.type, Output), (name, option.name)


@pytest.mark.parametrize(("command", "option"), ALL)
def test_no_output_is_an_input(command, option, folder):
    """Itself, through a link, and by another name."""
    read = folder / ("o.csv" if "o.csv" in call_of(command) else "r.json")
    (folder / "link.json").symlink_to(read)
    os.link(read, folder / "other.json")
    before = read.read_bytes()
    for name in (read, folder / "link.json", folder / "other.json"):
        done = run(*call_of(command), option, name)
        assert (done.exit_code, read.read_bytes()) == (2, before), name
        assert "which this call reads" in done.stderr or "would be taken for data" in done.stderr, done.stderr
        assert "Reading" not in done.stderr


def test_an_ending_of_another_kind_is_refused_and_one_of_none_is_not(folder):
    for option, name in (
        ("--workbook", "w.pdf"),
        ("--json", "f.html"),
        ("--save", "review.PDF"),
        ("--evidence", "e.md"),
    ):
        done = run(*call_of("assess"), option, name)
        assert (done.exit_code, Path(name).exists()) == (2, False)
        assert f"{name} would be taken for a {Path(name).suffix.lower()} file; rename it." in done.stderr
    for option, name in (("--workbook", "w"), ("--json", "f.txt"), ("--save", "kept.review"), ("--evidence", "e.JSON")):
        assert run(*call_of("assess"), option, name).exit_code == 0
        assert Path(name).exists()


def test_a_file_that_a_saved_review_names_is_an_input(folder):
    before = Path("s.csv").read_bytes()
    os.link("s.csv", "s.json")
    done = run("run", "r.json", "--data", ".", "--json", "s.json")
    assert (done.exit_code, Path("s.csv").read_bytes()) == (2, before)


def test_a_saved_review_is_one_whatever_its_ending(folder):
    before = Path("s.csv").read_bytes()
    os.link("s.csv", "s.json")
    Path("r.json").rename("kept.review")
    done = run("run", "kept.review", "--data", ".", "--json", "s.json")
    assert (done.exit_code, Path("s.json").read_bytes()) == (2, before)
    assert "which this call reads" in done.stderr


COUNTED_THERE = [
    pytest.param(*each.values, id=each.id)
    for each in (*ALL, *FOLDERS)
    if any("--engine" in option.opts for option in main.commands[each.values[0]].params)
]


@pytest.mark.parametrize(("command", "option"), COUNTED_THERE)
def test_nothing_is_laid_into_a_folder_that_is_read(command, option, folder):
    """The next call would count it as data."""
    Path("parts").mkdir()
    shutil.copy("s.csv", "parts")
    (kind,) = (each.type for each in main.commands[command].params if option in each.opts)
    place = "parts" if kind.folder else f"parts/new{'.xlsx' if '.xlsx' in kind.endings else '.txt'}"
    of = [each for each in MORE.get(command, ()) if each not in ("--set", "one", "s.csv")]
    if "--output" in of and option == "--output":
        of = of[: of.index("--output")]
    for tables in ("parts", "parts/*.csv"):
        counted_there = ("--engine", "duckdb", "--original", "o.csv", "--synthetic", tables)
        done = run(command, *["r.json"] * (command == "run"), *counted_there, *of, option, place)
        assert (done.exit_code, [path.name for path in Path("parts").iterdir()]) == (2, ["s.csv"]), tables
        assert "whose files this call reads; name another folder" in done.stderr, done.stderr


@pytest.mark.parametrize(("command", "option"), [*ALL, *FOLDERS])
def test_a_place_where_nothing_can_be_is_said_before_anything_is_read(command, option, folder):
    Path("loop").symlink_to("loop")
    call, before = call_of(command), Path("o.csv").read_bytes()
    if option in call:
        call = call[: call.index(option)] + call[call.index(option) + 2 :]
    itself = "loop/x" if len(option) % 2 else "loop"
    places = {"": "is given empty", "o.csv/x.html": "o.csv is a file, and holds no other", "n" * 300: "is too long a name",
              "o.csv/": "o.csv", itself: f"{itself} is a link that leads to itself"}  # fmt: skip
    for odd, why in places.items():
        done = run(*call, option, odd)
        assert (done.exit_code, Path("o.csv").read_bytes()) == (2, before), (odd, done.exception)
        assert why in done.stderr, done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert sorted(path.name for path in folder.iterdir()) == ["loop", "o.csv", "r.json", "s.csv"]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (name, option.opts[0])
        for name, command in main.commands.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag and not option.multiple and option.nargs == 1
    ],
)
def test_an_option_that_is_given_empty_is_an_error(command, option, folder):
    """A variable that a pipeline does not set asked for all targets, no engine, today's date."""
    files = ["o.csv", "s.csv"] if command in ("assess", "tau", "protect") else ["o.csv"]
    done = run(command, *files, option, "")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"Error: {option} is given empty, and would do nothing; fill it in, or remove it.\n"


@pytest.mark.parametrize(("command", "option"), FOLDERS)
def test_a_pipe_is_no_folder(command, option, folder):
    os.mkfifo("pipe")
    call = call_of(command)
    if option in call:
        call = call[: call.index(option)] + call[call.index(option) + 2 :]
    done = run(*call, option, "pipe")
    assert (done.exit_code, "pipe is a file; name a folder" in done.stderr) == (2, True), done.stderr
    assert "Reading" not in done.stderr


def test_of_a_link_that_leads_nowhere_yet_the_file_comes_to_stand_there(folder):
    Path("file").symlink_to("new/r.json")
    Path("parts").symlink_to("other/parts")
    assert run("assess", "o.csv", "s.csv", *KEYS, "--save", "file").exit_code == 0
    assert run("split", "o.csv", "--output", "parts").exit_code == 0
    assert Path("file").is_symlink()
    assert Path("new/r.json").is_file()
    assert len([*Path("other/parts").iterdir()]) == 2


@pytest.mark.parametrize("given", ["holdout", "settings", "answers", "codebook", "population_table", "set", "may"])
def test_whatever_is_read_is_an_input(given, folder):
    Path("more.txt").write_text("column,label\nage,Age\n", encoding="utf-8")
    spelt = f"--{given.replace('_', '-')}"
    call = {
        "set": ["assess", "o.csv", "--set", "a", "more.txt", *KEYS],
        "may": ["protect", "o.csv", "s.csv", *KEYS, "--output", "x", "--aim", "DiSCO<5", "--may", "age:more.txt"],
    }.get(given, ["assess", "o.csv", "s.csv", *KEYS, spelt, "more.txt"])
    done = run(*call, "--json", "more.txt")
    assert (done.exit_code, "which this call reads" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("command", sorted({param.values[0] for param in ALL}))
def test_two_outputs_are_two_files(command, folder):
    of = [option for name, option in (param.values for param in ALL) if name == command]
    for one, other in combinations(of, 2):
        place = folder / "x.html"
        done = run(*call_of(command), one, place, other, folder / "safer" / ".." / "x.html")
        assert (done.exit_code, place.exists()) == (2, False), (one, other)
        assert "both write" in done.stderr


@pytest.mark.parametrize(
    ("one", "other"),
    [("x.json", "X.JSON"), ("\u00e9.json", "e\u0301.json"), ("x.json", "x.json/figures"), ("x.json", "x.json/y/../figures.zip")],
)  # fmt: skip
def test_two_outputs_are_two_places_on_any_system(one, other, folder):
    """Where names that differ in case are one, or a file would be a folder as well."""
    option = "--figures" if "figures" in other else "--json"
    done = run("assess", "o.csv", "s.csv", *KEYS, "--save", one, option, other)
    assert (done.exit_code, len([*folder.iterdir()])) == (2, 3)
    assert "both write" in done.stderr
    assert "Reading" not in done.stderr


def test_what_was_written_is_not_written_again_under_a_name_that_leads_there(folder, monkeypatch):
    """As on a system on which case does not count: there the second name is the first file."""
    written = []

    def also(path, other):
        written.append((path.name, other.name))
        return {path.name, other.name} == {"a.json", "A.json"}

    monkeypatch.setattr(Path, "samefile", also)
    for name in ("a.json", "A.json"):
        Path(name).write_text("old", encoding="utf-8")
    with main.make_context("disclosure", ["demo", "--output", "x"]):
        write(Path("a.json"), "new")
        with pytest.raises(DisclosureError, match="already"):
            write(Path("A.json"), "newer")
    assert (Path("a.json").read_text(encoding="utf-8"), Path("A.json").read_text(encoding="utf-8")) == ("new", "old")


@pytest.mark.parametrize(("command", "option"), ALL)
def test_a_dash_is_no_file(command, option, folder):
    (kind,) = (each.type for each in main.commands[command].params if option in each.opts)
    done = run(*call_of(command), option, "-") if not kind.allow_dash else None
    assert done is None or (done.exit_code, Path("-").exists()) == (2, False)
    assert done is None or "and - is none" in done.stderr, done.stderr


def test_a_file_of_a_folder_is_not_written_over_by_one_that_is_named(folder):
    call = ("protect", "o.csv", "s.csv", *KEYS, "--step", "remove-replicated", "--output", "safer")
    done = run(*call, "--save", "safer/../safer/log.txt")
    assert (done.exit_code, "safer/../safer/log.txt already, which stays; name another file" in done.stderr) == (
        2,
        True,
    ), done.stderr
    assert Path("safer/log.txt").read_text(encoding="utf-8").startswith("Changes made")


def test_a_log_that_is_somebody_elses_stays(folder):
    call = ("protect", "o.csv", "s.csv", *KEYS, "--step", "remove-replicated", "--output", ".")
    Path("log.txt").write_text("mine", encoding="utf-8")
    done = run(*call)
    assert (done.exit_code, Path("log.txt").read_text(encoding="utf-8")) == (2, "mine")
    assert "Reading" not in done.stderr
    Path("log.txt").unlink()
    assert run(*call).exit_code == run(*call).exit_code == 0


def test_a_folder_of_outputs_takes_no_input(folder):
    os.link("s.csv", "safer_o.csv")
    before = Path("s.csv").read_bytes()
    done = run("protect", "s.csv", "o.csv", "safer_o.csv", *KEYS, "--step", "remove-replicated", "--output", ".")
    assert (done.exit_code, Path("safer_o.csv").read_bytes()) == (2, before)
    assert not Path("log.txt").exists()
    Path("safer_o.csv").rename("training_80_seed_1.csv")
    done = run("split", "training_80_seed_1.csv", "--output", ".")
    assert (done.exit_code, Path("training_80_seed_1.csv").read_bytes()) == (2, before)


def test_files_that_another_call_wrote_from_other_data_stay(folder):
    """Their names are not one's own choice, and those of a split are the same whatever is split."""
    call = ("split", "o.csv", "--output", "parts")
    assert run(*call).exit_code == run(*call).exit_code == 0
    before = {path.name: path.read_bytes() for path in Path("parts").iterdir()}
    done = run("split", "s.csv", "--output", "parts")
    assert (done.exit_code, {path.name: path.read_bytes() for path in Path("parts").iterdir()}) == (2, before)
    assert "is there, and would be lost" in done.stderr
    Path("safer").mkdir()
    Path("safer/safer_s.csv").write_text("mine", encoding="utf-8")
    call = ("protect", "o.csv", "s.csv", *KEYS, "--output", "safer", "--step")
    for engine in ((), ("--engine", "duckdb")):
        done = run(*call, "remove-replicated", *engine)
        assert (done.exit_code, [path.name for path in Path("safer").iterdir()]) == (2, ["safer_s.csv"]), done.stderr
        assert Path("safer/safer_s.csv").read_text(encoding="utf-8") == "mine"
    Path("safer/safer_s.csv").unlink()
    for step in ("remove-replicated", "remove-uniques"):  # the log says that these are ours
        assert run(*call, step).exit_code == 0


@pytest.mark.slow
def test_the_demonstration_takes_no_file_of_another(folder):
    mine = Path("original.csv")
    mine.write_text("a,b\n1,2\n", encoding="utf-8")
    done = run("demo", "--output", ".")
    assert (done.exit_code, mine.read_text(encoding="utf-8"), Path("synthetic_1.csv").exists()) == (
        2,
        "a,b\n1,2\n",
        False,
    )
    mine.unlink()
    assert run("demo", "--output", ".", "--quiet").exit_code == run("demo", "--output", ".").exit_code == 0


def test_answers_that_somebody_gave_are_not_written_over(folder):
    call = ("answers", "o.csv", "s.csv", *KEYS, "--template", "a.toml")
    assert run(*call).exit_code == run(*call).exit_code == 0  # nobody has answered yet
    blank = Path("a.toml").read_text(encoding="utf-8")
    for given in (
        blank.replace('"Officer" = ""', '"Officer" = "A"'),
        "x,y\n1,2\n",
        blank + "\n[verdicts.x]\ny = {reason = 'z'}\n",
    ):
        Path("a.toml").write_text(given, encoding="utf-8")
        done = run(*call)
        assert (done.exit_code, Path("a.toml").read_text(encoding="utf-8")) == (2, given)


@pytest.mark.slow
def test_what_is_in_order_goes_on(folder):
    data = ["o.csv", "s.csv", *KEYS]
    for again in range(2):  # a call that is repeated writes its own files again
        done = run(
            "assess", *data, "--json", "f.json", "--workbook", "w.xlsx", "--save", "r2.json", "--figures", "f.zip"
        )
        assert done.exit_code == 0, (again, done.stderr)
        assert run("run", "r.json", "--data", ".", "--workbook", "w.xlsx", "--json", "figures.txt").exit_code == 0
    assert run("assess", *data, "--json", "/dev/null", "--save", "/dev/null").exit_code == 0
    assert run("assess", *data, "--title", "f.json", "--report", "f.html").exit_code == 0
    Path("link.json").symlink_to("kept.json")
    Path("kept.json").write_text("{}", encoding="utf-8")
    assert run("assess", *data, "--json", "link.json").exit_code == 0
    assert Path("link.json").is_symlink()
    assert "tables" in json.loads(Path("kept.json").read_text(encoding="utf-8"))


def test_a_file_keeps_its_rights_and_what_is_no_file_takes_the_bytes(tmp_path):
    kept = tmp_path / "a.json"
    kept.write_text("old", encoding="utf-8")
    kept.chmod(0o640)
    assert place(kept, "new").read_text(encoding="utf-8") == "new"
    assert kept.stat().st_mode & 0o777 == 0o640
    mask = os.umask(0o027)
    try:
        assert place(tmp_path / "b.json", b"x").stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(mask)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.json"]
    with pytest.raises(DisclosureError, match="choose another place"):
        place(tmp_path, "a folder")


def half_written(kept):
    with writing(kept) as file:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("nameless", [True, False])
def test_what_ends_in_the_middle_leaves_what_was_there_and_nothing_beside(nameless, tmp_path, monkeypatch):
    """An error, and where the system has files without a name a kill, too."""
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
    kept = tmp_path / ("\U0001f600" * 61 + ".json")  # as long as a name can be
    place(kept, "old")
    with pytest.raises(DisclosureError, match="No space left on device"):
        half_written(kept)
    assert [(path, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [(kept, "old")]
    if nameless:
        code = "import os, sys, pathlib; from disclosure_core.data.placing import writing\n"
        code += "with writing(pathlib.Path(sys.argv[1])) as file: file.write(b'x' * 10**6); file.flush(); os.kill(os.getpid(), 9)"
        done = subprocess.run([sys.executable, "-c", code, str(kept)], check=False, timeout=120)
        assert done.returncode == -9
        assert [(path, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [(kept, "old")]


def test_what_a_kill_left_of_an_engine_goes_with_the_next_file(tmp_path):
    gone, mine = (tmp_path / f".disclosure-half-{pid}-abc.part" for pid in (2**22 - 1, os.getpid()))
    for path in (gone, mine):
        path.write_text("half", encoding="utf-8")
    assert half_of(tmp_path / "safer.parquet").parent == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == [mine.name]


@pytest.mark.parametrize(("where", "how"), [("/dev/stdout", "wb"), ("/dev/fd/1", "ab"), ("link", "wb")])
def test_a_stream_that_leads_into_a_file_goes_on(where, how, folder):
    """What is in the file, and what is printed before and after, stays."""
    Path("link").symlink_to("/dev/stdout")
    Path("all.txt").write_text("old\n" if how == "ab" else "", encoding="utf-8")
    with Path("all.txt").open(how) as file:
        done = in_a_process("assess", "o.csv", "s.csv", *KEYS, "--json", where, "--workbook", "w.xlsx", stdout=file)
    assert done.returncode == 0, done.stderr
    text = Path("all.txt").read_text(encoding="utf-8")
    assert text.startswith("old\n") is (how == "ab")
    printed, _, figures = text.partition("{\n")
    assert "Identity, %" in printed
    assert json.loads("{" + figures)["tables"]


def test_a_stream_into_a_file_that_is_read_is_refused(folder):
    Path("link").symlink_to("/dev/stdout")
    with Path("o.csv").open("ab") as file:
        done = in_a_process("assess", "o.csv", "s.csv", *KEYS, "--quiet", "--json", "link", stdout=file)
    assert done.returncode == 2
    assert b"which this call reads" in done.stderr


def limited():
    """Let files have 100 bytes, as a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def in_a_process(*args, **more):
    return subprocess.run(
        [sys.executable, "-B", "-m", "disclosure_core", *args], stderr=subprocess.PIPE, check=False, timeout=120, **more
    )


def test_a_full_disk_leaves_what_was_there(folder):
    before = Path("r.json").read_bytes()
    Path("r.json").rename("kept.json")
    done = in_a_process("assess", "o.csv", "s.csv", *KEYS, "--quiet", "--save", "kept.json", preexec_fn=limited)
    assert (done.returncode, Path("kept.json").read_bytes()) == (2, before)
    assert b"kept.json cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["kept.json", "o.csv", "s.csv"]


def test_a_reader_that_has_ended_is_no_condition_that_holds(folder):
    """`disclosure … | head -1`: click ended with 1, and what was to be written was not there."""
    read, written = os.pipe()
    os.close(read)
    done = in_a_process("assess", "o.csv", "s.csv", *KEYS, "--fail-if", "DiSCO>1000", stdout=written)
    os.close(written)
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False)
    assert done.stderr.splitlines()[-1] == b"Error: Whatever read the output has ended; send it elsewhere."


@pytest.mark.parametrize("place", ["-", "link"])
def test_what_is_to_be_printed_where_no_output_is_open_is_refused(place, folder):
    Path("link").symlink_to("/dev/stdout")
    done = closed("assess", "o.csv", "s.csv", *KEYS, "--json", place)
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [b"Error: --json is to be printed, and the output is closed; name a file."],
    )


def test_a_call_goes_on_where_no_stream_is_open(folder):
    for command in (["assess", "o.csv", "s.csv", *KEYS, "--save", "new.json"], ["split", "o.csv", "--output", "parts"]):
        assert closed(*command, streams=(0, 1, 2)).returncode == 0
    assert json.loads(Path("new.json").read_text(encoding="utf-8"))["targets"] == ["job"]
    assert len([*Path("parts").iterdir()]) == 2


def closed(*args, streams=(1,)):
    """Call the program with streams that are closed, as `>&-` does."""
    return in_a_process(*args, preexec_fn=lambda: [os.close(number) for number in streams])


def test_output_that_finds_no_room_is_called_so(folder):
    with Path("/dev/full").open("wb") as full:
        done = in_a_process("assess", "o.csv", "s.csv", *KEYS, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode().rstrip().splitlines()[-1] == (
        "Error: What is printed cannot be written (No space left on device); make room, or send it elsewhere."
    )
    with Path("/dev/full").open("wb") as full:  # 1 would be a condition that holds
        call = [sys.executable, "-m", "disclosure_core", "assess", "o.csv", "s.csv", *KEYS]
        assert subprocess.run(call, stdout=full, stderr=full, check=False, timeout=120).returncode == 2


@pytest.mark.slow
def test_a_name_that_is_not_utf8(folder):
    odd = os.fsdecode(b"caf\xe9.csv")
    Path("o.csv").rename(odd)
    assert (called(Path(odd)), within(folder, "caf\\udce9.csv").name) == ("caf\\udce9.csv", odd)
    writes = {
        "--json": "f.json",
        "--save": "r2.json",
        "--workbook": "w.xlsx",
        "--evidence": "e.json",
        "--report": "r.html",
    }
    done = run("assess", odd, "s.csv", *KEYS, *(each for pair in writes.items() for each in pair), "--script", "s.py")
    assert done.exit_code == 0, done.exception
    assert run("run", "r2.json", "--data", ".").exit_code == 0
    assert run("protect", "s.csv", odd, *KEYS, "--step", "remove-replicated", "--output", "safer").exit_code == 0
    assert sorted(path.name for path in Path("safer").iterdir()) == ["log.txt", "safer_caf\\udce9.csv"]
    done = run("assess", odd, "s.csv", *KEYS, "--title", odd, "--report", "r.html")
    assert (done.exit_code, "not UTF-8" in done.stderr) == (2, True)
    done = run("assess", odd, "s.csv", *KEYS, "--engine", "duckdb")
    assert (done.exit_code, "not UTF-8" in done.stderr) == (2, True)


def test_a_review_without_fingerprints_is_of_unknown_files(folder):
    text, n = re.subn(r'"[0-9a-f]{64}"', '""', Path("r.json").read_text(encoding="utf-8"))
    assert n == 2
    Path("r.json").write_text(text, encoding="utf-8")
    done = run("run", "r.json", "--data", ".")
    assert (done.exit_code, "no fingerprint of o.csv" in done.stderr) == (2, True), done.stderr
    done = run("run", "r.json", "--data", ".", "--other-data")
    assert (done.exit_code, "Warning: The review holds no fingerprint" in done.stderr) == (0, True), done.stderr


@pytest.mark.parametrize(
    "call",
    [
        ("strongest-intruder", "--hierarchy", "b=levels.txt", "--json", "levels.txt"),
        ("protect", "--step", "band=b,levels.txt", "--output", "out", "--save", "levels.txt"),
    ],
)
def test_no_output_writes_over_a_table_of_levels(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("levels.txt").write_text("x,A\ny,B\n", encoding="utf-8")
    for name in ("o.csv", "s.csv"):
        Path(name).write_text("a,b,c\np,x,1\nq,y,2\n", encoding="utf-8")
    done = disclosure(call[0], "o.csv", "s.csv", "--keys", "a,b", *call[1:])
    assert "would write over levels.txt, which this call reads" in done.stderr
    assert Path("levels.txt").read_text(encoding="utf-8") == "x,A\ny,B\n"


@pytest.mark.parametrize("one", ["-", "/dev/stdout"])
def test_two_outputs_are_not_printed_into_one(one, folder):
    done = run("assess", "o.csv", "s.csv", *KEYS, "--quiet", "--json", one, "--save", "/dev/stdout")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--json and --save are both to be printed; name a file for one of them" in done.stderr
