"""Signing in with Streamlit's OpenID Connect, against an identity provider on this machine."""

import base64
import http.server
import json
import threading
import time
import urllib.parse
from contextlib import contextmanager

import pytest

from tests.browser import driving
from tests.browser.driving import free_port
from tests.server.serving import Running, Visitor, run, server
from tests.server.test_uploads import send

pytest.importorskip("joserfc", reason="the extra `signin`, which brings it, is not installed")


@contextmanager
def provider(audience: str = "disclosure"):
    """Run a provider that knows one person and asks nothing; give its address."""
    from joserfc import jwk, jwt

    key = jwk.RSAKey.generate_key(2048, {"kid": "one"})
    asked: dict[str, str] = {}

    class Provider(http.server.BaseHTTPRequestHandler):
        def answer(self, plain):
            body = json.dumps(plain).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            path, _, query = self.path.partition("?")
            if path == "/keys":
                self.answer({"keys": [key.as_dict(private=False)]})
            elif path == "/authorize":
                asked.update(urllib.parse.parse_qsl(query))
                back = urllib.parse.urlencode({"code": "a code", "state": asked["state"]})
                self.send_response(302)
                self.send_header("Location", f"{asked['redirect_uri']}?{back}")
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                ends = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
                self.answer(
                    {
                        "issuer": at,
                        "id_token_signing_alg_values_supported": ["RS256"],
                        "response_types_supported": ["code"],
                    }
                    | {name: f"{at}/{end}" for name, end in ends.items()}
                )

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            now = int(time.time())
            claims = {
                "iss": at,
                "aud": audience,
                "sub": "1",
                "name": "An Officer",
                "iat": now,
                "exp": now + 600,
                "nonce": asked.get("nonce"),
            }
            token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
            self.answer({"access_token": "x", "token_type": "Bearer", "id_token": token, "expires_in": 600})

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider) as found:
        at = f"http://127.0.0.1:{found.server_port}"
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        try:
            yield at
        finally:
            found.shutdown()
            thread.join()


def test_a_stranger_gets_a_button_and_nothing_else_and_who_signs_in_gets_the_page(tmp_path):
    async def stranger(at: Running) -> None:
        async with Visitor(at.port) as nobody:
            assert nobody.said("Sign in first.")
            assert set(nobody.widgets) == {"sign_in"}
            for page in nobody.pages:
                await nobody.go(page)
                assert set(nobody.widgets) == {"sign_in"}
            assert await send(nobody, 0.001) == 400
            assert at.held() == [0, 0, 0]

    port = free_port()
    with provider() as identity:
        (tmp_path / "home" / ".streamlit").mkdir(parents=True)
        (tmp_path / "home" / ".streamlit" / "secrets.toml").write_text(
            f'[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\n'
            f'cookie_secret = "{base64.b64encode(b"a long random text").decode()}"\nclient_id = "disclosure"\n'
            f'client_secret = "x"\nserver_metadata_url = "{identity}/.well-known/openid-configuration"\n'
        )
        with server(tmp_path, port=port) as at, driving.chromium() as browser:
            run(stranger(at))
            tab = driving.Visitor(browser, f"http://127.0.0.1:{port}")
            page = tab.page
            page.goto(f"{tab.address}/")
            page.get_by_role("button", name="Sign in").wait_for()
            tab.settle()
            assert page.get_by_role("heading").count() == page.get_by_test_id("stTopNavLink").count() == 0
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("heading", level=1, name="Data").wait_for()
            tab.settle()
            assert page.get_by_text("has forgotten").count() == 0
            tab.press("Open the demonstration survey")
            page.locator(".st-key-data-open").filter(has_text="the demonstration survey").wait_for()
            # Another browser has signed in nowhere.
            other = browser.new_context().new_page()
            other.set_default_timeout(driving.PATIENCE)
            other.goto(f"http://127.0.0.1:{port}/review")
            other.get_by_role("button", name="Sign in").wait_for()
            assert other.get_by_test_id("stMetric").count() == 0
            assert "Traceback" not in at.log()
