"""Who may come in, and what every answer says of itself: over the wire, and with pages of other origins in a browser."""

import http.server
import json
import re
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
import websockets
from playwright.sync_api import Error

from tests.browser import driving
from tests.browser.driving import free_port
from tests.server.serving import ROOT, await_, run, server

NAMED = "disclosure.office.example"


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    with server(
        tmp_path_factory.mktemp("guard"), DISCLOSURE_HOSTS=f" {NAMED.upper()}. ,10.1.2.3,https://wrong.example/,*"
    ) as found:
        yield found


def knock(
    port: int, path: str = "/", method: str = "GET", headers: tuple[tuple[str, str], ...] = ()
) -> tuple[int, dict[str, list[str]], str]:
    """Return status, headers by small name, and body of one request, sent as it is written."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        said = "".join(f"{name}: {value}\r\n" for name, value in headers)
        line.sendall(f"{method} {path} HTTP/1.1\r\n{said}Connection: close\r\n\r\n".encode("latin-1"))
        answer = b""
        while more := line.recv(65536):
            answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    told: dict[str, list[str]] = {}
    for name, value in (entry.split(": ", 1) for entry in rest):
        told.setdefault(name.lower(), []).append(value)
    return int(first.split()[1]), told, body.decode("utf-8", "replace")


def connect(port: int, host: str, *origin: str) -> int:
    """Return 101 where a WebSocket opens, else the status."""

    async def tried() -> int:
        try:
            async with websockets.connect(
                f"ws://{host}/_stcore/stream", subprotocols=["streamlit"], host="127.0.0.1", port=port,
                origin=origin[0] if origin else None, open_timeout=60, proxy=None,
            ):  # fmt: skip
                return 101
        except websockets.InvalidStatus as error:
            return error.response.status_code

    return run(tried())


OURS = ("localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.0.0.9", "[::1]", NAMED, NAMED.upper(), "10.1.2.3")
FOREIGN = (
    "evil.example", "wrong.example", "localhost.evil.example", "127.0.0.1.evil.example", f"{NAMED}.evil.example",
    f"evil.{NAMED}", "evil.example:8501", "10.1.2.4", "0.0.0.0", "[::]", "2130706433", "localhost@evil.example",
    "evil.example#localhost", "localhost/x", "localhost:", "localhost:x", "localhost, evil.example", "*", "", "[::1",
)  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_a_name_that_is_ours_is_let_in(at, host):
    assert knock(at.port, headers=(("Host", f"{host}:{at.port}"),))[0] == 200
    assert knock(at.port, headers=(("Host", host),))[0] == 200
    there = f"{host.lower()}:{at.port}"  # as a browser sends it
    assert connect(at.port, there, f"http://{there}") == 101


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_is_turned_away_and_nothing_of_the_page_is_served(at, host):
    for path in ("/", "/review", "/_stcore/health", "/_stcore/host-config", "/static/js/none.js", "/favicon.png"):
        status, told, body = knock(at.port, path, headers=(("Host", host),))
        # Where the server below cannot even read the name, it says 400 by itself.
        assert status in (400, 421), (host, path)
        assert "<" not in body
        assert len(body) < 200
        assert "set-cookie" not in told
    if re.fullmatch(r"[\w.]+(:8501)?|\[::\]", host):  # the others cannot be dialled
        assert connect(at.port, host, f"http://{host}") == 403


def test_a_request_must_name_one_host(at):
    two = (("Host", "localhost"), ("Host", "evil.example"))
    for headers in ((), two, two[::-1]):
        assert knock(at.port, headers=headers)[0] in (400, 421)


def test_another_origin_is_turned_away(at):
    here = f"localhost:{at.port}"
    same = (f"http://{here}", f"http://LOCALHOST:{at.port}")
    others = (
        "http://localhost", "http://localhost:1", f"http://127.0.0.1:{at.port}", "http://evil.example",
        f"http://evil.example:{at.port}", "null", "", "file://", f"ftp://{here}", f"http://{here}.evil.example",
        f"http://{here}@evil.example", f"chrome-extension://{here}",
    )  # fmt: skip
    paths = ("/", "/_stcore/health", "/_stcore/host-config")
    for origin in same:
        assert [knock(at.port, path, headers=(("Host", here), ("Origin", origin)))[0] for path in paths] == [200] * 3
    assert connect(at.port, here, same[0]) == 101
    for origin in others:
        for method in ("GET", "OPTIONS", "PUT", "POST"):
            status, told, _ = knock(at.port, "/_stcore/health", method, (("Host", here), ("Origin", origin)))
            assert status == 403, (origin, method)
            assert not [name for name in told if name.startswith("access-control")]
        if origin:
            assert connect(at.port, here, origin) == 403, origin
    twice = (("Host", here), ("Origin", same[0]), ("Origin", "http://evil.example"))
    assert knock(at.port, headers=twice)[0] == 403
    # The usual port may be named or not.
    for host, origin in (
        (NAMED, f"https://{NAMED}"),
        (f"{NAMED}:443", f"https://{NAMED}"),
        (NAMED, f"http://{NAMED}:80"),
    ):
        assert knock(at.port, headers=(("Host", host), ("Origin", origin)))[0] == 200
    assert connect(at.port, NAMED, f"https://{NAMED}") == 101
    # A proxy that says that it serves by TLS: the same name without it is somebody else.
    tls = (("Host", NAMED), ("X-Forwarded-Proto", "https"))
    assert knock(at.port, headers=(*tls, ("Origin", f"https://{NAMED}")))[0] == 200
    assert knock(at.port, headers=(*tls, ("Origin", f"http://{NAMED}")))[0] == 403


def test_what_another_site_embeds_is_turned_away_and_a_link_is_followed(at):
    host = ("Host", f"localhost:{at.port}")
    for site in ("cross-site", "same-site", "same-origin", "none"):
        for mode, dest in (
            ("no-cors", "script"),
            ("no-cors", "image"),
            ("navigate", "iframe"),
            ("navigate", "document"),
        ):
            said = (host, ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", dest))
            let_in = site in ("same-origin", "none") or dest == "document"
            assert knock(at.port, "/favicon.png", headers=said)[0] == (200 if let_in else 403), said


def test_what_nobody_needs_is_closed(at):
    host = (("Host", "localhost"),)
    for name in (
        "metrics", "metrics/", "/metrics", "%6detrics", "metrics?families=cache_memory_bytes", "agent", "agent/openapi.json",
        "agent/interact", "agent/mcp", "script-health-check", "", "component/x", "nothing",
    ):  # fmt: skip
        for method in ("GET", "POST"):
            status, _, body = knock(at.port, f"/_stcore/{name}", method, host)
            assert status == 404, name
            assert body == "There is nothing here."
    status, _, body = knock(at.port, "/_stcore/host-config", headers=host)
    assert status == 200
    assert json.loads(body)["allowedOrigins"] == []
    assert "://" not in body


@pytest.mark.parametrize(("path", "host"), [
    ("/", "localhost"), ("/review", "localhost"), ("/_stcore/health", "localhost"), ("/_stcore/metrics", "localhost"),
    ("/nowhere/at.all", "localhost"), ("/media/nothing.pdf", "localhost"), ("/", "evil.example"),
])  # fmt: skip
def test_every_answer_says_what_a_browser_may_do_with_it(at, path, host):
    _, told, _ = knock(at.port, path, headers=(("Host", host),))
    policy = dict(part.strip().partition(" ")[::2] for part in told["content-security-policy"][0].split(";"))
    assert len(told["content-security-policy"]) == 1
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert "unsafe" not in policy["script-src"]
    assert "blob:" not in policy["script-src"]
    assert "http" not in str(policy)
    assert "*" not in str(policy)
    assert told["x-frame-options"] == ["DENY"]
    assert told["x-content-type-options"] == ["nosniff"]
    assert told["referrer-policy"] == ["no-referrer"]
    assert told["cross-origin-opener-policy"] == told["cross-origin-resource-policy"] == ["same-origin"]
    assert "camera=()" in told["permissions-policy"][0]
    assert not [name for name in told if name.startswith("access-control")]
    if path.startswith("/media/"):
        assert told["cache-control"] == ["no-store"]


@pytest.fixture(scope="module")
def browser():
    with driving.chromium(f"--host-resolver-rules=MAP evil.example 127.0.0.1, MAP {NAMED} 127.0.0.1") as found:
        yield found


@contextmanager
def elsewhere(body: str):
    """Serve a page on another port of this machine; give its port."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        try:
            yield found.server_port
        finally:  # or a test that fails would never end
            found.shutdown()
            thread.join()


TRIES = """<script>
const at = 'SERVER', got = {};
const done = Promise.all([
  fetch(`http://${at}/_stcore/health`, {credentials: 'include'}).then(r => got.fetch = 'read', () => got.fetch = 'refused'),
  new Promise(end => { const line = new WebSocket(`ws://${at}/_stcore/stream`, ['streamlit']);
    line.onopen = () => end(got.socket = 'open'); line.onerror = () => end(got.socket = 'refused'); }),
  ...[['script', 'src'], ['img', 'src'], ['link', 'href']].map(([tag, name]) => new Promise(end => {
    const made = document.createElement(tag); made.rel = 'stylesheet';
    made.onload = () => end(got[tag] = 'loaded'); made.onerror = () => end(got[tag] = 'refused');
    made[name] = `http://${at}/` + {script: 'SCRIPT', img: 'favicon.png', link: 'STYLE'}[tag];
    document.documentElement.append(made); })),
]).then(() => JSON.stringify(got));
</script><iframe src="http://SERVER/"></iframe>"""


def test_a_page_of_another_port_of_this_machine_gets_nothing(at, browser):
    page = knock(at.port, headers=(("Host", "localhost"),))[2]
    here = f"localhost:{at.port}"
    script, style = (
        page.split(f'{start}="./')[1].split('"')[0] for start in ("crossorigin src", 'stylesheet" crossorigin href')
    )
    tries = TRIES.replace("SERVER", here).replace("SCRIPT", script).replace("STYLE", style)
    with elsewhere(tries) as port:
        tab = browser.new_page()
        tab.set_default_timeout(driving.PATIENCE)
        tab.goto(f"http://localhost:{port}/")
        assert json.loads(tab.evaluate("done")) == dict.fromkeys(
            ("fetch", "socket", "script", "img", "link"), "refused"
        )
        frame = tab.frames[1]
        assert "streamlit" not in frame.content().lower()
        # The same, from where it may: the page's own origin. So the tries above would succeed if they were let in.
        own = browser.new_page()
        own.set_default_timeout(driving.PATIENCE)
        own.goto(f"http://{here}/")
        own.get_by_role("heading", level=1).wait_for()
        assert own.evaluate(f"fetch('http://{here}/_stcore/health').then(r => r.text())") == "ok"
        # A link there is followed.
        tab.set_content(f'<a href="http://{here}/">there</a>')
        tab.get_by_role("link").click()
        tab.get_by_role("heading", level=1, name="Data").wait_for()
        tab.close()
        own.close()


def test_a_name_that_somebody_points_to_this_machine_opens_nothing(at, browser):
    """DNS rebinding: for the browser the page is of the same origin as the server."""
    tab = browser.new_page()
    tab.set_default_timeout(driving.PATIENCE)
    answer = tab.goto(f"http://evil.example:{at.port}/")
    assert answer.status == 421
    assert "DISCLOSURE_HOSTS" in tab.inner_text("body")
    with pytest.raises(Error, match="closed before|WebSocket|failed"):
        tab.evaluate(
            f"new Promise((ok, no) => {{ const l = new WebSocket('ws://evil.example:{at.port}/_stcore/stream', ['streamlit']);"
            "l.onopen = ok; l.onerror = () => no(new Error('WebSocket failed')); })"
        )
    tab.goto(f"http://{NAMED}:{at.port}/")  # what the operator named
    tab.get_by_role("heading", level=1, name="Data").wait_for()
    tab.close()


def test_the_menu_neither_advertises_nor_records(at, browser):
    tab = browser.new_page()
    tab.set_default_timeout(driving.PATIENCE)
    tab.goto(f"http://localhost:{at.port}/")
    tab.get_by_role("heading", level=1).wait_for()
    assert tab.get_by_test_id("stMainMenu").count() == 0
    for words in ("Made with Streamlit", "Record screen", "Deploy"):
        assert tab.get_by_text(words).count() == 0
    tab.close()


COMMAND = [
    sys.executable,
    "-c",
    "from disclosure_core.cli.commands import main; main()",
    "app",
    "--no-browser",
    "--port",
]


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::"])
@pytest.mark.parametrize("start", ["streamlit run app.py", "disclosure app"])
def test_no_request_leaves_before_the_first_visitor(tmp_path, start, address):
    port = free_port()
    script = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", str(port)]
    with socket.create_server(("127.0.0.1", 0)) as way_out:
        proxy = f"http://127.0.0.1:{way_out.getsockname()[1]}"
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"), proxy)
        around = {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "HOME": str(tmp_path),
            "STREAMLIT_SERVER_ADDRESS": address,
            "DISCLOSURE_HOSTS": NAMED,
        }
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen(
                script if start != "disclosure app" else [*COMMAND, str(port)],
                cwd=tmp_path,
                env=around | proxies,
                stdout=log,
                stderr=log,
            )
            try:

                def foreign() -> bool:
                    """The very first to come is a page from elsewhere; return whether there is a server yet."""
                    assert process.poll() is None
                    try:
                        return connect(port, f"localhost:{port}", "http://evil.example") == 403
                    except OSError:
                        return False

                await_(foreign)
                assert connect(port, "evil.example", "http://evil.example") == 403
                assert connect(port, NAMED, f"https://{NAMED}:443") == 101
                way_out.settimeout(3)
                with pytest.raises(TimeoutError):  # whatever leaves the machine would come here
                    way_out.accept()
            finally:
                process.terminate()
                process.wait(timeout=60)
    assert "Traceback" not in (tmp_path / "log").read_text()
