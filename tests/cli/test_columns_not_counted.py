"""How a column is read that stands in no figure of a command, a reason of nothing, what differs and meets: it is said."""

import pytest

from tests.cli.test_every_option import FILES, people_in
from tests.commands import disclosure


@pytest.mark.parametrize(
    ("command", "option", "note"),
    [
        ("tau", ("--type", "pay=category"), "Note: --type pay=category moves nothing in `disclosure tau`: pay is none of its keys or targets."),
        ("anonymity", ("--missing-text", "job=NA"), ""),
        ("population", ("--missing-text", "job=NA", "--population", "900"), "Note: --missing-text job=NA moves nothing in `disclosure population`: job is none of its keys."),
        ("tau", ("--type", "job=category"), ""),
        ("assess", ("--type", "pay=category"), ""),
        ("assess", ("--reason", "ill=known"), "Note: --reason ill moves nothing: nothing of that name is excluded."),
        ("tau", ("--reason", "denominators=rule"), "Note: --reason denominators moves nothing: nothing of that name is excluded."),
        ("assess", ("--reason", "ill=known", "--exclude", "ill=none"), ""),
        ("assess", ("--reason", "ill = none=known", "--exclude", "ill=none"), ""),
        ("assess", ("--really-different", "pay"), "Note: --really-different pay changes nothing: its values meet."),
    ],
)  # fmt: skip
def test_what_moves_nothing_is_said(command, option, note, tmp_path, monkeypatch):
    monkeypatch.chdir(people_in(tmp_path))
    files = FILES[: 5 if command in ("anonymity", "population") else None]
    done = disclosure(command, *files, *option)
    assert done.exit_code == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if option[0] in line]
    assert said == ([note] if note else [])
    if note:  # with the review it is kept, where another command may count the column
        saved = disclosure(command, *files, *option, "--save", "kept.json")
        assert option[0] not in saved.stderr
