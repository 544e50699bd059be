"""Reviews in an office's folder: nothing is there unasked, and of two who save one review neither is lost."""

import os
import subprocess
import sys
import threading
from hashlib import sha256

import pytest

from disclosure_core import DisclosureError, Review
from disclosure_core.review import office
from disclosure_core.review.office import Stored
from disclosure_core.review.parts import SourceFile


def texts(folder) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def test_a_review_is_saved_and_saved_again_in_its_file_alone(tmp_path):
    first, said = office.save(tmp_path, b"one", "a.json", None)
    assert (first.name, said) == ("a.json", "")
    second, said = office.save(tmp_path, b"two", "ignored.json", first)
    assert (second, said) == (Stored("a.json", sha256(b"two").hexdigest()), "")
    assert texts(tmp_path) == {"a.json": b"two"}
    assert office.content(tmp_path, "a.json") == (b"two", second)


def test_the_second_of_two_is_told_and_neither_is_lost(tmp_path):
    mine, _ = office.save(tmp_path, b"one", "a.json", None)
    theirs = mine
    office.save(tmp_path, b"theirs", "a.json", theirs)
    saved, said = office.save(tmp_path, b"mine", "a.json", mine)
    assert saved.name == "a (2).json"
    assert said.startswith("a.json was saved by somebody else since you opened it")
    assert "your review is saved as a (2).json" in said
    assert office.save(tmp_path, b"mine, later", "a.json", saved) == (
        Stored("a (2).json", sha256(b"mine, later").hexdigest()), ""
    )  # fmt: skip
    assert texts(tmp_path) == {"a.json": b"theirs", "a (2).json": b"mine, later"}


@pytest.mark.parametrize("change", [lambda p: p.unlink(), lambda p: p.write_bytes(b"edited by hand")])
def test_what_happened_to_the_file_meanwhile_is_told(tmp_path, change):
    mine, _ = office.save(tmp_path, b"one", "a.json", None)
    change(tmp_path / "a.json")
    saved, said = office.save(tmp_path, b"two", "a.json", mine)
    assert said
    assert (tmp_path / saved.name).read_bytes() == b"two"
    assert b"edited by hand" in texts(tmp_path).values() or saved.name == "a.json"


def test_where_no_name_is_free_nothing_is_written_and_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(office, "_TRIES", 3)
    for data in (b"one", b"two"):
        office.save(tmp_path, data, "a.json", None)
    with pytest.raises(DisclosureError, match="There are too many reviews called 'a.json'; move some of them."):
        office.save(tmp_path, b"three", "a.json", None)
    assert texts(tmp_path) == {"a.json": b"one", "a (2).json": b"two"}


def test_twenty_at_once_lose_nothing(tmp_path):
    begun, _ = office.save(tmp_path, b"begun", "a.json", None)
    wait, saved = threading.Barrier(20), []

    def save(i: int) -> None:
        wait.wait()
        saved.append(office.save(tmp_path, b"%d" % i, "a.json", begun))

    threads = [threading.Thread(target=save, args=(i,)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(tmp_path).values()) == sorted(b"%d" % i for i in range(20))
    assert [said for _, said in saved].count("") == 1  # one was first
    assert len({stored.name for stored, _ in saved}) == 20


OTHER = """
import sys
from pathlib import Path
from disclosure_core.review import office
folder, before, n = Path(sys.argv[1]), office.Stored("a.json", sys.argv[2]), sys.argv[3]
print("ready", flush=True)
sys.stdin.readline()
print(office.save(folder, n.encode(), "a.json", before)[0].name, flush=True)
"""


@pytest.mark.slow
def test_several_programs_at_once_lose_nothing(tmp_path):
    begun, _ = office.save(tmp_path, b"begun", "a.json", None)
    others = [
        subprocess.Popen(
            [sys.executable, "-c", OTHER, str(tmp_path), begun.sha256, str(i)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for i in range(4)
    ]  # fmt: skip
    for other in others:
        assert other.stdout.readline() == "ready\n"
    for other in others:
        other.stdin.write("\n")
        other.stdin.flush()
    names = [other.communicate()[0].strip() for other in others]
    assert [other.returncode for other in others] == [0] * 4
    assert sorted(names) == ["a (2).json", "a (3).json", "a (4).json", "a.json"]
    assert sorted(texts(tmp_path).values()) == [b"0", b"1", b"2", b"3"]


def test_a_name_that_another_holds_for_long_is_another_file(tmp_path, monkeypatch):
    monkeypatch.setattr(office, "_WAITED", 0.1)
    mine, _ = office.save(tmp_path, b"one", "a.json", None)
    (tmp_path / ".a.json.saving").touch()  # of a program that was killed
    saved, said = office.save(tmp_path, b"two", "a.json", mine)
    assert saved.name == "a (2).json"
    assert said
    assert (tmp_path / "a.json").read_bytes() == b"one"


def test_what_lies_there_that_is_no_review_is_not_offered(tmp_path):
    for name in ("a.json", "b.csv", "c.JSON", "d"):
        (tmp_path / name).write_bytes(b"{}")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "link.json").symlink_to("/etc/passwd")
    assert sorted(office.reviews(tmp_path)) == ["a.json", "c.JSON"]
    for name in ("../a.json", "link.json", "folder.json", "none.json", "/etc/passwd"):
        with pytest.raises(DisclosureError, match="not in the folder any more"):
            office.content(tmp_path, name)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("people.csv", "people-review-confidential.json"), ("../../etc/x.sav", "review-review-confidential.json"),
        ("Haushalte 2025.tar.gz", "Haushalte 2025-review-confidential.json"), ("<b>.csv", "b-review-confidential.json"),
        ("x" * 300, "x" * 60 + "-review-confidential.json"), ("年.csv", "年-review-confidential.json"),
    ],
)  # fmt: skip
def test_a_new_review_is_called_by_its_original(name, called):
    assert office.file_name(Review(original=SourceFile(name, "0" * 64))) == called


def test_a_name_that_too_many_reviews_have_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(office, "_TRIES", 3)
    for _ in range(2):
        office.save(tmp_path, b"one", "a.json", None)
    with pytest.raises(DisclosureError, match="too many reviews called 'a.json'; move some of them"):
        office.save(tmp_path, b"three", "a.json", None)
    assert len(texts(tmp_path)) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_a_sentence(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(DisclosureError, match="Download it on the page Report"):
        office.save(tmp_path, b"one", "a.json", None)


def test_a_folder_that_is_gone_is_a_sentence(tmp_path):
    gone = tmp_path / "gone"
    with pytest.raises(DisclosureError, match="Download it on the page Report"):
        office.save(gone, b"one", "a.json", None)
    with pytest.raises(DisclosureError, match="cannot be read"):
        office.reviews(gone)


def test_a_full_disk_leaves_no_half_of_a_review(tmp_path, monkeypatch):
    mine, _ = office.save(tmp_path, b"one", "a.json", None)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(office.os, "fsync", full)
    for before in (None, mine):
        with pytest.raises(DisclosureError, match="No space left on device"):
            office.save(tmp_path, b"two", "b.json", before)
    assert texts(tmp_path) == {"a.json": b"one"}
