"""The safe defaults that the app is delivered with."""

# Inside: settings of an operator are read from the environment, without a server.

import math
import re
import tomllib
from pathlib import Path

import pytest

from pages.server import configuration, visitors
from tests.pages.conftest import App
from tests.reading import Limits

OPERATORS = (Path(__file__).parents[2] / "docs" / "operators.md").read_text(encoding="utf-8")
CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("section", "option", "value"),
    [
        ("server", "address", "127.0.0.1"),
        ("server", "enableCORS", True),
        ("server", "enableXsrfProtection", True),
        ("server", "enableStaticServing", False),
        ("server", "enableAgentApi", False),
        ("server", "disconnectedSessionTTL", 120),
        ("browser", "serverAddress", "127.0.0.1"),
        ("browser", "gatherUsageStats", False),
        ("client", "showErrorDetails", "none"),
        ("client", "showErrorLinks", False),
        ("client", "toolbarMode", "minimal"),
        ("client", "allowedOrigins", []),
        ("runner", "magicEnabled", False),
        ("runner", "postScriptGC", False),
    ],
)
def test_a_safe_default(section, option, value):
    assert CONFIG[section][option] == value


def test_both_themes_are_complete_and_fetch_nothing():
    assert CONFIG["theme"]["light"].keys() == CONFIG["theme"]["dark"].keys()
    assert "http" not in str(CONFIG["theme"])


LIMITS = {
    "DISCLOSURE_MAX_MB": lambda: configuration.limits().megabytes,
    "DISCLOSURE_MAX_MEMORY_MB": lambda: configuration.limits().memory,
    "DISCLOSURE_MAX_ROWS": lambda: configuration.limits().rows,
    "DISCLOSURE_MAX_COLUMNS": lambda: configuration.limits().columns,
    "DISCLOSURE_MAX_SECONDS": lambda: configuration.limits().seconds,
    "DISCLOSURE_MAX_VISITORS": configuration.visitors,
    "DISCLOSURE_MAX_UPLOADS_MB": configuration.uploads,
    "DISCLOSURE_MAX_ALL_UPLOADS_MB": configuration.all_uploads,
    "DISCLOSURE_MAX_IDLE_MINUTES": configuration.idle_minutes,
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_what_the_operator_says_and_nothing_mistyped_lifts_it(name, monkeypatch, caplog):
    configuration._warn.cache_clear()
    monkeypatch.setattr(configuration, "_spare", lambda usual: usual)
    monkeypatch.setattr(configuration, "_part", lambda usual: usual)
    monkeypatch.delenv(name, raising=False)
    usual = LIMITS[name]()
    assert 1 <= usual < math.inf
    assert not caplog.text
    for wrong in ("0", "-3", "many", "nan", "inf", "1e999"):
        monkeypatch.setenv(name, wrong)
        assert LIMITS[name]() == usual
        assert f"{name}={wrong} is not a number above 0" in caplog.text
    monkeypatch.setenv(name, " ")
    assert LIMITS[name]() == usual
    monkeypatch.setenv(name, "7")
    assert LIMITS[name]() == 7


def test_the_operators_page_lists_every_limit_with_its_default(monkeypatch):
    monkeypatch.setattr(configuration, "_spare", lambda usual: usual)
    monkeypatch.setattr(configuration, "_part", lambda usual: usual)
    listed = dict(
        re.findall(r"^\| `(DISCLOSURE_MAX_\w+)` \|.*\| (?:.*at most )?([\d,]+)[^|]*\|$", OPERATORS, re.MULTILINE)
    )
    assert {name: int(value.replace(",", "")) for name, value in listed.items()} == {n: f() for n, f in LIMITS.items()}
    source = Path(configuration.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'"(DISCLOSURE_\w+)"', source)) == set(re.findall(r"`(DISCLOSURE_\w+)`", OPERATORS))


@pytest.mark.parametrize(
    ("group", "said", "uploads"),
    [
        ("0::/office/app", {"office": "2000000000", "office/app": "max", "": "9000000000"}, 500),
        ("0::/", {"": "3000000000"}, 750),
        ("0::/../elsewhere", {"": "max"}, 1_000),
        ("1:cpu:/office", {}, 1_000),
    ],
)
def test_what_is_held_is_what_the_machine_and_its_group_have_room_for(group, said, uploads, monkeypatch, tmp_path):
    """A quarter of 4 GB, or of what a container may have; what is read, two thirds of the 1.5 GB that are free."""
    for name in ("DISCLOSURE_MAX_UPLOADS_MB", "DISCLOSURE_MAX_ALL_UPLOADS_MB", "DISCLOSURE_MAX_MEMORY_MB"):
        monkeypatch.delenv(name, raising=False)
    for folder, most in said.items():
        (tmp_path / "sys/fs/cgroup" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "sys/fs/cgroup" / folder / "memory.max").write_text(f"{most}\n")
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(f"{group}\n")
    pages = {"SC_PHYS_PAGES": 1_000_000, "SC_AVPHYS_PAGES": 375_000, "SC_PAGE_SIZE": 4_000}
    monkeypatch.setattr(configuration.os, "sysconf", pages.__getitem__)
    monkeypatch.setattr(configuration, "Path", lambda path: tmp_path / path.lstrip("/"))
    configuration._memory.cache_clear()
    found = configuration.all_uploads(), configuration.uploads(), configuration.limits().memory
    configuration._memory.cache_clear()
    assert found == (uploads, uploads // 2, 1_000)


def test_where_the_system_tells_nothing_the_usual_holds(monkeypatch):
    def silent(name):
        raise ValueError(name)

    for name in ("DISCLOSURE_MAX_UPLOADS_MB", "DISCLOSURE_MAX_ALL_UPLOADS_MB", "DISCLOSURE_MAX_MEMORY_MB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(configuration.os, "sysconf", silent)
    monkeypatch.setattr(configuration, "Path", lambda path: Path("/nowhere") / path.lstrip("/"))
    configuration._memory.cache_clear()
    found = configuration.all_uploads(), configuration.uploads(), configuration.limits().memory
    configuration._memory.cache_clear()
    assert found == (8_000, 2_000, Limits().memory)


def test_a_name_under_which_nobody_serves_is_left_out_and_told_once(monkeypatch, caplog):
    monkeypatch.setenv("DISCLOSURE_HOSTS", " Office.Example. ,10.1.2.3,::1,https://wrong.example/,*,office:80")
    assert configuration.hosts() == {"office.example", "10.1.2.3", "::1"}
    told = sorted(record.getMessage().partition(" is no host")[0] for record in caplog.records)
    assert told == [f"DISCLOSURE_HOSTS: {name!r}" for name in ("*", "https://wrong.example/", "office:80")]


@pytest.fixture
def places(monkeypatch):
    """The places of a server of its own."""
    monkeypatch.setattr(visitors, "_PLACES", found := {})
    return found


@pytest.mark.slow
def test_a_full_server_says_so_and_loads_nothing(places, monkeypatch):
    monkeypatch.setenv("DISCLOSURE_MAX_VISITORS", "2")
    places |= {"one": visitors._Place(inside=True), "left": visitors._Place(inside=True)}
    newcomer = App()
    assert "**The server is full.** It takes 2 visitors at once" in newcomer.text()
    assert [button.label for button in newcomer.at.button] == ["Try again"]
    assert not newcomer.at.file_uploader
    assert not newcomer.at.title
    newcomer.at.run()
    newcomer.at.button[0].click().run()
    assert "server is full" in newcomer.text()
    assert visitors.free(lambda who: who == "left") == ["left"]
    newcomer.at.run()
    newcomer.demo()
    assert "server is full" not in newcomer.text()
    # Who is inside stays inside, however many there are.
    monkeypatch.setenv("DISCLOSURE_MAX_VISITORS", "1")
    newcomer.page("keys")
    assert newcomer.metrics()["UiO"] == "25.06 %"


def test_who_was_idle_for_too_long_is_put_out_and_told(places, monkeypatch):
    monkeypatch.setenv("DISCLOSURE_MAX_IDLE_MINUTES", "90")
    app = App().demo()
    (me,) = places
    assert visitors.put_out() == []
    places[me].touched -= 89 * 60
    assert visitors.put_out() == []
    places[me].touched -= 2 * 60
    places[me].runs += 1  # a long computation is no idleness
    assert visitors.put_out() == []
    places[me].runs -= 1
    assert visitors.put_out() == [me]
    assert visitors.put_out() == []
    app.at.run()
    assert "**Your data were forgotten**, since nothing was touched here for 90 minutes" in app.text()
    app.at.run()  # as what a page that was left still asks: no click on the way in
    (way_in,) = app.at.button
    way_in.click().run()
    assert app.at.title[0].value == "Data"
    assert places[me].runs == 0


def test_every_page_that_scrolls_begins_at_its_top():
    root = Path(__file__).parents[2]
    css = (root / "assets" / "bench.css").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in (root / "pages").glob("*/page.py")} - {"review"}  # it scrolls in its panes
    assert set(re.findall(r"has\(\.st-key-room-(\w+)\) \{ animation: begin-\1 ", css)) == rooms
    assert set(re.findall(r"@keyframes begin-(\w+) ", css)) == rooms
