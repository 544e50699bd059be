"""The files of Streamlit's front end as this server sends them, and without the wait of 40 ms an answer."""

# Inside: which files the frontend has.

import http.client

import pytest

from pages.server.frontend import FOLDER, KINDS, TAG
from tests.server.serving import server

NOTED = """
import pathlib, socket
from uvicorn.protocols.http.h11_impl import H11Protocol
made = H11Protocol.connection_made
def noting(self, transport):
    line = transport.get_extra_info("socket")
    with (pathlib.Path.home() / "lines").open("a") as out:
        print(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), file=out)
    made(self, transport)
H11Protocol.connection_made = noting
from streamlit.web.server.starlette import starlette_server
bind = starlette_server._bind_socket
def early(*given):
    global came
    line = bind(*given)
    came = socket.create_connection(line.getsockname())
    return line
starlette_server._bind_socket = early
"""
"""Each line's setting is noted; the first one comes when the server listens and does not answer yet."""


LATER = "Fri, 01 Jan 2100 00:00:00 GMT"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with server(tmp_path_factory.mktemp("frontend"), prelude=NOTED) as at:
        yield at


def asked(at, path, method="GET", **headers):
    line = http.client.HTTPConnection("127.0.0.1", at.port, timeout=60)
    try:
        line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        line.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_what_streamlit_has_and_says_what_streamlit_says(running, kind):
    for path in sorted(FOLDER.rglob(f"*{kind}"))[:5]:
        where = f"/static/{path.relative_to(FOLDER).as_posix()}"
        status, said, body = asked(running, where)
        assert (status, body) == (200, path.read_bytes())
        assert said["content-length"] == str(len(body))
        partly, theirs, first = asked(running, where, Range="bytes=0-9")  # of which Streamlit itself sends the part
        assert (partly, first) == (206, body[:10])
        assert said["content-type"].encode() == KINDS[kind]
        for name in ("cache-control", "content-security-policy", "x-content-type-options"):
            assert said[name] == theirs[name]
        status, said, nothing = asked(running, where, "HEAD")
        assert (status, said["content-length"], nothing) == (200, str(len(body)), b"")


def test_what_is_no_file_of_the_front_end_is_left_to_streamlit(running):
    theirs = (FOLDER.parent / "index.html").read_bytes()
    page = theirs.replace(b'<script type="module"', TAG + b'<script type="module"', 1)
    assert theirs != page
    for path in ("/static/js/none.js", "/static/../index.html", "/review", "/static/"):
        status, _, body = asked(running, path, Accept="text/html", Accept_Encoding="gzip", If_Modified_Since=LATER)
        assert status in (301, 400) or body == page
    picture = next(FOLDER.rglob("*.png"))
    assert asked(running, f"/static/{picture.relative_to(FOLDER).as_posix()}")[2] == picture.read_bytes()
    some = next(FOLDER.rglob("*.js")).relative_to(FOLDER).as_posix()
    assert asked(running, f"/static/{some}", Host="evil.example")[0] == 421  # the request guard stands before it


def test_no_line_to_a_browser_waits_to_send_more_at_once(running):
    asked(running, "/_stcore/health")
    noted = (running.folder / "home" / "lines").read_text().split()
    assert len(noted) > 1
    assert set(noted) == {"1"}
