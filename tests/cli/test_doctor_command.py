"""What the doctor says is what is installed, and what mends it; wrong versions and half an extra are told apart."""

# Inside: parts that are missing or old are acted here.

import os
import subprocess
import sys
from importlib import metadata
from types import SimpleNamespace

import pytest

from disclosure_core import errors
from disclosure_core.cli import doctor
from tests.commands import disclosure

REQUIRES = ["numpy>=2", "jinja2>=3; extra == 'report'", "disclosure-core[report]; extra == 'app'", "streamlit>=1; extra == 'app'",
            "duckdb<2; extra == 'duckdb'", "tzdata; sys_platform == 'none' and extra == 'app'"]  # fmt: skip


@pytest.fixture
def installed(monkeypatch):
    """Let the machine have the packages that a test names, and no others."""
    here = {"numpy": "2.1", "jinja2": "3.1", "streamlit": "1.67", "duckdb": "1.5"}

    def version(name):
        if name not in here:
            raise metadata.PackageNotFoundError(name)
        return here[name]

    monkeypatch.setattr(metadata, "requires", lambda _: REQUIRES)
    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(doctor, "cannot_be_imported", dict)
    return here


def test_all_is_there(installed):
    assert all(part.works for part in doctor.parts().values())


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"numpy": "1.26"}, {"": ((), ("numpy 1.26 (needed: >=2)",))}),
        ({"jinja2": None}, {"report": (("jinja2",), ()), "app": (("jinja2",), ())}),
        ({"streamlit": None}, {"app": (("streamlit",), ())}),
        ({"duckdb": "2.0"}, {"duckdb": ((), ("duckdb 2.0 (needed: <2)",))}),
    ],
)
def test_what_is_missing_or_old_is_told_of_each_extra_that_needs_it(installed, change, wrong):
    for name, version in change.items():
        installed.pop(name)
        if version:
            installed[name] = version
    assert {name: (p.missing, p.old) for name, p in doctor.parts().items() if not p.works} == wrong


@pytest.mark.parametrize(
    ("status", "said"),
    [(0, "Port 8501 is taken. Start it with: disclosure app --port 8502."), (111, "Port 8501 is free.")],
)
def test_whether_the_port_is_taken(monkeypatch, status, said):
    monkeypatch.setattr(doctor.socket.socket, "connect_ex", lambda *_: status)
    assert doctor._this_machine().endswith(said)


def test_eleven_lines_and_the_command_that_mends(installed, monkeypatch):
    del installed["streamlit"], installed["jinja2"]
    monkeypatch.setattr(errors, "find_spec", lambda _: None)
    monkeypatch.setattr(errors, "base_python", lambda: "/opt/python with blank")
    monkeypatch.setattr(errors.sys, "prefix", "/opt/with blank")
    done = disclosure("doctor")
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert len(lines) == 11
    assert lines[1].endswith("Arrow files: installed.")
    mend = 'python3 -m pip --python "/opt/with blank" install "disclosure-core[app]"'
    assert lines[4] == f"[app]     the dashboard: jinja2 is missing, streamlit is missing. Mend it with: {mend}"
    assert "No dashboard, no others" in lines[8]
    assert lines[9] == "fonts     needed for figures and reports only."


def test_a_core_that_is_too_old_is_a_status(installed):
    installed["numpy"] = "1.26"
    done = disclosure("doctor")
    assert done.exit_code == 1
    assert "numpy 1.26 (needed: >=2) is too old" in done.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("raise ImportError('DLL load\\nfailed')", "ImportError: DLL load failed"),
        ("import os; os._exit(7)", "it ends Python with status 7"),
    ],
)
def test_what_is_here_and_cannot_be_imported_is_told_with_the_command(tmp_path, monkeypatch, text, told):
    (tmp_path / "segno.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(metadata, "requires", lambda _: ["packaging", "segno>=1.6; extra == 'app'", "click>=8"])
    broken = doctor.cannot_be_imported()
    assert broken == {"segno": told}
    part = doctor.parts(broken)["app"]
    assert not part.works
    line = doctor._line(part, broken)
    assert f"segno cannot be imported ({told}). Mend it with: " in line
    assert line.endswith(' install --upgrade --force-reinstall "segno>=1.6"')


def of_broken_pandas(folder, *call):
    """Run a command where pandas is here and cannot be imported."""
    (folder / "pandas.py").write_text("raise ImportError('No DLL')")
    return subprocess.run(
        [sys.executable, "-P", "-m", "disclosure_core", *call], env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip


@pytest.mark.slow
def test_the_doctor_comes_to_a_core_that_cannot_be_imported(tmp_path):
    done = of_broken_pandas(tmp_path, "doctor")
    lines = done.stdout.splitlines()
    assert len(lines) == 11, done.stderr
    assert "Arrow files: pandas cannot be imported (ImportError: No DLL). Mend it with: " in lines[1]
    assert 'install --upgrade --force-reinstall "pandas>=' in lines[1]
    assert "limits    can be told once the core is mended." in lines
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_core_that_cannot_be_imported_sends_to_the_doctor(tmp_path):
    done = of_broken_pandas(tmp_path, "demo", "--output", str(tmp_path / "out"))
    assert done.returncode == 2
    told = "Error: A package of the core cannot be imported (ImportError: No DLL). Run: disclosure doctor\n"
    assert done.stderr == told


def test_a_command_for_windows_begins_with_no_quote(monkeypatch):
    """PowerShell takes a line that begins with one for a text, not for a command."""
    monkeypatch.setattr(errors, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(errors, "find_spec", lambda _: True)
    monkeypatch.setattr(errors.sys, "prefix", "C:\\Program Files\\env")
    monkeypatch.setattr(errors, "base_python", lambda: "C:\\Program Files\\Python\\python.exe")
    for executable, begins in (("C:\\env\\python.exe", "C:\\env\\python.exe -m pip install"),
                               ("C:\\Program Files\\env\\python.exe", 'py -m pip --python "C:\\Program Files\\env" install')):  # fmt: skip
        monkeypatch.setattr(errors.sys, "executable", executable)
        assert doctor.command("app") == f'{begins} "disclosure-core[app]"'
    monkeypatch.setattr(errors, "find_spec", lambda _: None)  # README's environment has no pip of its own
    monkeypatch.setattr(errors.sys, "executable", "C:\\env\\python.exe")
    for base, python in (("", "py"), ("C:\\Python313\\python.exe", "C:\\Python313\\python.exe")):
        monkeypatch.setattr(errors, "base_python", lambda base=base: base)
        told = f'{python} -m pip --python "C:\\Program Files\\env" install "disclosure-core[app]"'
        assert doctor.command("app") == told


@pytest.mark.slow
def test_the_limits_are_those_that_the_dashboard_would_have(monkeypatch):
    monkeypatch.setenv("DISCLOSURE_MAX_MB", "37")
    monkeypatch.setenv("DISCLOSURE_MAX_VISITORS", "3")
    monkeypatch.setenv("DISCLOSURE_HOSTS", "disclosure.office.example")
    told = doctor._in_force()
    assert "a file 37 MB, 20,000,000 rows" in told
    assert "; visitors 3; " in told
    assert told.endswith("served to this machine, disclosure.office.example.")


@pytest.mark.parametrize(
    ("lent", "told"), [((), "print as codes (a Noto font"), (("SimHei", "Gadugi"), "come from SimHei, Gadugi.")]
)
def test_the_fonts_that_this_machine_lends(monkeypatch, lent, told):
    from disclosure_core.figures import letters

    monkeypatch.setattr(letters, "families", lambda: (*letters.own_fonts(), *lent))
    assert f"letters that none of them has {told}" in doctor._fonts(doctor.Part("report", (), ()))
