"""What is asked of Windows, with a stand-in for its kernel, since there is none here: layouts and calls as documented."""

# Inside: what Windows does to a child is acted here.

import ctypes
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from disclosure_core.data.readers import _child, _parent

KILL, MEMORY, DIE, EXTENDED = 0x2000, 0x100, 0x400, 9
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, …_PROCESS_MEMORY, …_DIE_ON_UNHANDLED_EXCEPTION, JobObjectExtendedLimitInformation."""


@pytest.fixture
def kernel(monkeypatch):
    """Let a stand-in take the calls, and keep what comes."""
    calls = []

    def function(name, answer):
        def call(*arguments):
            calls.append((name, arguments))
            return answer

        return call

    stand_in = SimpleNamespace(
        CreateJobObjectW=function("create", 77),
        GetCurrentProcess=function("current", 2**64 - 1),
        SetInformationJobObject=function("set", 1),
        AssignProcessToJobObject=function("assign", 1),
        SetErrorMode=function("errors", 0),
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=stand_in), raising=False)
    return calls


def test_a_child_is_put_into_a_job_with_a_limit_on_its_memory(kernel):
    _child._bound_on_windows(1_500_000_000)
    assert [name for name, _ in kernel] == ["create", "set", "current", "assign"]
    _, (job, kind, reference, size) = kernel[1]
    limits = reference._obj
    assert (job.value, kind) == (77, EXTENDED)
    # JOBOBJECT_EXTENDED_LIMIT_INFORMATION on 64 bit: 144 bytes, LimitFlags at 16, ProcessMemoryLimit at 112.
    assert size == ctypes.sizeof(limits) == 144
    data = bytes(limits)
    assert int.from_bytes(data[16:20], "little") == MEMORY | DIE
    assert int.from_bytes(data[112:120], "little") == 1_500_000_000 + 400_000_000
    assert not any(data[:16] + data[20:112] + data[120:])
    _, (assigned, process) = kernel[3]
    assert (assigned.value, process.value) == (77, 2**64 - 1)


def test_a_windows_that_has_no_job_objects_does_not_end_the_child(monkeypatch):
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=SimpleNamespace()), raising=False)
    monkeypatch.setattr(_child, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setitem(sys.modules, "resource", None)  # as there
    _child._bound(1_000_000, 1, writes=False)


def test_a_child_there_has_no_window_and_the_environment_that_windows_needs(monkeypatch):
    begun = {}

    def popen(command, **how):
        begun.update(how, command=command)
        return SimpleNamespace(stdin=None, stdout=None)

    monkeypatch.setattr(
        _parent, "os", SimpleNamespace(name="nt", environ=os.environ)
    )  # pathlib, too, asks the real one
    monkeypatch.setattr(_parent.subprocess, "Popen", popen)
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x08000000, raising=False)
    monkeypatch.setenv("SystemRoot", "C:\\Windows")
    _parent._Child()
    assert begun["creationflags"] == 0x08000000
    assert begun["start_new_session"] is False
    assert begun["env"]["SystemRoot"] == "C:\\Windows"
