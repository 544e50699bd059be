"""Everything that the server writes to its log, looked through for what is in the data."""

# Inside: a line of a log is written without a server.

import io
import logging
import threading
import warnings

import pandas as pd
import pytest

from benchmarks.workshop import csv
from pages.server import logs
from tests.server.serving import Running, Visitor, await_, run, server

LEVEL, NAME, FILE, NUMBER = "Zzyzx-Level-7391", "zzyzx column 4127", "zzyzx file 5583", "918273645"
SECRET = (LEVEL, NAME, FILE, NUMBER)

FAULTS = f"""
import asyncio, logging, threading, warnings
import pages.data.columns as columns, pages.shared.open_review as open_review
def broken(*_, **__):
    warnings.warn("{LEVEL} {NAME}")
    thread = threading.Thread(target=lambda: {{}}["{LEVEL}"])
    thread.start()
    thread.join()
    logging.getLogger("numexpr").error("cannot convert %s", ValueError("{NUMBER}"))
    raise KeyError("{LEVEL} {NAME} {FILE} {NUMBER}")
columns.draw = broken
open_review.Session.undo = broken
from streamlit.runtime.app_session import AppSession
usual = AppSession.handle_backmsg
def handle(self, message):
    if message.WhichOneof("type") == "app_heartbeat":
        asyncio.get_running_loop().create_task(boom())
        raise LookupError("{LEVEL}")
    return usual(self, message)
async def boom():
    raise KeyError("{LEVEL}")
AppSession.handle_backmsg = handle
"""
"""Errors that hold the data: on a page, in what a button calls, in a thread, in the server's own loop and line."""


def marked() -> bytes:
    frame = pd.DataFrame({NAME: [LEVEL, "b"] * 60, "key": list("abcdef") * 20, "number": [int(NUMBER), 2] * 60})
    return csv(frame)


async def visit(at: Running, *, broken: bool) -> None:
    from streamlit.proto.BackMsg_pb2 import BackMsg

    data = marked()
    async with Visitor(at.port) as person:
        files = {}
        for kind in ("original", "synthetic"):
            url, state = await person.place(f"{FILE}.csv")
            person.put(url, f"{FILE}.csv", data)
            state.uploaded_file_info[0].size = len(data)
            files[f"upload.{kind}"] = ("file_uploader_state_value", state)
        await person.run(**files)
        compare = {**files, "upload.compare": ("trigger_value", True)}
        if not broken:
            await person.run(**compare)
            assert person.said(f"Open: **{FILE}"), person.words
            await person.go("Keys")
            await person.run(**person.keys("key"))
            for page in person.pages:
                await person.go(page, to={"Baseline": "Analyses"}.get(page, page))
            person.files.clear()
            await person.go("Report")
            assert len(person.files) > 5
            for key in sorted(person.files):
                await person.download(key)
            return
        with pytest.raises(RuntimeError, match="shows an error"):
            await person.run(**compare)
        for nonsense in ("app_heartbeat", b"\xff\xfe" + LEVEL.encode()):
            if isinstance(nonsense, bytes):
                await person.line.send(nonsense)
            else:
                message = BackMsg(app_heartbeat=True)
                await person.line.send(message.SerializeToString())
    async with Visitor(at.port) as other:
        await other.line.send(LEVEL)  # text, where only bytes are spoken


@pytest.mark.parametrize("broken", [False, True], ids=["all pages", "everything breaks"])
def test_the_log_holds_nothing_of_the_data(tmp_path, broken):
    with server(tmp_path, prelude=FAULTS if broken else "", STREAMLIT_LOGGER_LEVEL="debug" if broken else "info") as at:
        run(visit(at, broken=broken))
        if broken:
            for told in ("KeyError at", "UserWarning at", "ValueError", "LookupError at", "websockets.py:"):
                await_(lambda told=told: told in at.log())  # the faults did happen, and are told by kind and place
        log = at.log()
        assert [mark for mark in SECRET if mark in log] == []
        assert "Traceback" not in log


def test_a_tab_closed_in_mid_upload_is_no_error(tmp_path):
    async def closes(at: Running) -> None:
        async with Visitor(at.port) as person:
            for part in (1.0, 0.0):
                url, _ = await person.place(f"{FILE}.csv")
                line, _ = person.put_half(url, f"{FILE}.csv", marked() * (200 if part else 1))
                line.close()
            person.put((await person.place("whole.csv"))[0], "whole.csv", marked())

    with server(tmp_path) as at:
        run(closes(at))
        await_(lambda: at.held() == [0, 0, 0])
        told = [line.strip() for line in at.log().splitlines() if line.strip()]
        assert told == ["You can now view your Streamlit app in your browser.", f"URL: http://127.0.0.1:{at.port}"]


def test_whatever_is_logged_loses_what_an_error_says(monkeypatch):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    usual = logging.getLogRecordFactory()
    for module, name in ((warnings, "showwarning"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr("sys.excepthook", None)
    monkeypatch.setattr("sys.unraisablehook", None)
    found = logging.getLogger("somebody")
    found.addHandler(handler)
    try:
        logs.keep_quiet()
        try:
            int(LEVEL)
        except ValueError as error:
            found.exception("100 %% of %s", "it")
            found.exception(error)
            found.warning("with it: %s", error)
            found.error("given", exc_info=error)
        found.info("no error, 50 %, %s" if False else "no error: %s", "said")
        found.warning("by name: %(what)s", {"what": "said too"})
    finally:
        logging.setLogRecordFactory(usual)
        found.removeHandler(handler)
    told = stream.getvalue()
    assert LEVEL not in told
    assert "Traceback" not in told
    assert told.count("ValueError at") == 3
    assert "with it: ValueError" in told
    assert "by name: said too" in told
