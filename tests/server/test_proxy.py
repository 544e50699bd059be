"""The reverse proxy of docs/deploy.md, as it stands there: nginx with TLS and passwords, on this machine only."""

import base64
import http.client
import os
import re
import shutil
import ssl
import subprocess

import pytest
from playwright.sync_api import sync_playwright

from disclosure_core import demo
from tests.browser import driving
from tests.browser.driving import free_port
from tests.server.serving import PATIENCE, ROOT, await_, server

HOST = "disclosure.office.example"
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def documented() -> str:
    text = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    return re.search(r"```nginx\n(.*?)```", text, re.DOTALL).group(1)


@pytest.fixture
def proxied(tmp_path):
    """Start app and proxy; give the proxy's port and the folder where nginx may leave files."""
    for needed, found in (
        ("nginx (Debian: nginx-light)", NGINX),
        ("openssl", shutil.which("openssl")),
        ("Chromium", driving.CHROMIUM),
    ):
        if not found:
            if os.environ.get("CI"):
                pytest.fail(f"there is no {needed} on this machine")
            pytest.skip(f"there is no {needed} on this machine")
    key, certificate, passwords = (tmp_path / name for name in ("key.pem", "certificate.pem", "passwords"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}",
         "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True,
    )  # fmt: skip
    hashed = subprocess.run(["openssl", "passwd", "-apr1", "let me in"], check=True, capture_output=True, text=True)
    passwords.write_text(f"officer:{hashed.stdout}")
    outside, inside = free_port(), free_port()
    site = documented()
    for written, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{outside} ssl"),
        ("/etc/ssl/disclosure.pem", str(certificate)),
        ("/etc/ssl/disclosure.key", str(key)),
        ("/etc/nginx/disclosure.passwords", str(passwords)),
        ("/dev/shm/nginx", str(tmp_path / "body")),
        ("127.0.0.1:8501", f"127.0.0.1:{inside}"),
    ):
        assert site.count(written) == 1, written
        site = site.replace(written, here)
    temporary = "".join(f"{kind}_temp_path {tmp_path / kind};\n" for kind in ("proxy", "fastcgi", "uwsgi", "scgi"))
    (tmp_path / "nginx.conf").write_text(
        f"user root;\ndaemon off;\npid {tmp_path / 'pid'};\nerror_log {tmp_path / 'error.log'} warn;\nevents {{}}\n"
        f"http {{\naccess_log {tmp_path / 'access.log'};\n{temporary}{site}}}\n"
    )
    with server(tmp_path, port=inside, DISCLOSURE_HOSTS=HOST):
        nginx = subprocess.Popen(
            [NGINX, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")], stderr=subprocess.DEVNULL
        )
        try:
            await_(lambda: nginx.poll() is None and (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
            yield outside, tmp_path
        finally:
            nginx.terminate()
            nginx.wait(timeout=PATIENCE)


def asked(port: int, path: str) -> tuple[int, list[str]]:
    """Return the status of an answer to the officer, and the names of its headers."""
    line = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=ssl._create_unverified_context())
    word = base64.b64encode(b"officer:let me in").decode()
    line.request("GET", path, headers={"Host": f"{HOST}:{port}", "Authorization": f"Basic {word}"})
    answer = line.getresponse()
    names = [name.lower() for name, _ in answer.getheaders()]
    line.close()
    return answer.status, names


def test_the_main_job_through_the_proxy(proxied):
    port, folder = proxied
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=driving.CHROMIUM, args=[*driving.FLAGS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        )
        tab = driving.Visitor(
            browser,
            f"https://{HOST}:{port}",
            ignore_https_errors=True,
            http_credentials={"username": "officer", "password": "let me in"},
        ).open()
        demo.original().to_csv(folder / "people.csv", index=False)
        demo.syntheses()[0].to_csv(folder / "release.csv", index=False)
        tab.upload("Original data", folder / "people.csv").upload("Synthetic data", folder / "release.csv")
        tab.press("Compare these files").page.get_by_role("heading", name="Files read").wait_for()
        tab.page.get_by_text("Open other data").click()
        tab.settle().press("Open the demonstration survey").press("End it and open the other")
        tab.page.locator(".st-key-data-open").filter(has_text="the demonstration survey").wait_for()
        tab.go("Report")
        with tab.page.expect_download() as waiting:
            tab.page.get_by_role("button", name="Report as PDF").click()
        assert waiting.value.path().read_bytes().startswith(b"%PDF")
        # Nobody comes in without the password.
        stranger = browser.new_context(ignore_https_errors=True).new_page()
        assert stranger.request.get(f"https://127.0.0.1:{port}/").status == 401
        assert stranger.request.get(f"https://127.0.0.1:{port}/_stcore/health").status == 401
        assert stranger.request.put(f"https://127.0.0.1:{port}/_stcore/upload_file/a/b", data=b"x").status == 401
        # What every answer says of itself comes through, once; and what is closed stays closed.
        for path, status in (("/", 200), ("/_stcore/health", 200), ("/_stcore/metrics", 404)):
            found, told = asked(port, path)
            assert found == status, path
            for name in ("content-security-policy", "x-frame-options", "x-content-type-options", "referrer-policy"):
                assert told.count(name) == 1, (path, name)
            assert "strict-transport-security" in told
        browser.close()
    # Neither what went in nor what came out was laid aside on the disk.
    told = (folder / "error.log").read_text()
    assert "temporary file" not in told, told
