"""What a request says of itself is bounded before anything reads it, and decides nothing where two say it."""

# Inside: heads of a request that no browser sends.

import time

import pytest
from starlette.requests import cookie_parser

from pages.server import request_guard, returning
from tests.server.serving import server
from tests.server.test_request_guard import connect, knock

KNOWN, OTHER = "A" * 43, "B" * 43


def scope(*cookies: str, tls: bool = False, scheme: str = "http") -> dict:
    headers = [(b"cookie", cookie.encode()) for cookie in cookies]
    return {"type": "http", "scheme": scheme, "headers": [*headers, *[(b"x-forwarded-proto", b"https")] * tls]}


@pytest.mark.parametrize(
    ("cookies", "tls", "known"),
    [
        ([f"disclosure_browser={KNOWN}"], False, KNOWN),
        ([f"x=1; disclosure_browser={KNOWN};y=2"], False, KNOWN),
        (["x=1", f"disclosure_browser={KNOWN}"], False, KNOWN),
        ([f"disclosure_browser={KNOWN}; disclosure_browser={OTHER}"], False, ""),
        ([f"disclosure_browser={KNOWN}", f"disclosure_browser={KNOWN}"], False, ""),
        ([f"disclosure_browser={KNOWN}; disclosure_browser=x"], False, ""),
        ([f"disclosure_browser={KNOWN}x"], False, ""),
        ([f"xdisclosure_browser={KNOWN}"], False, ""),
        ([f'a="; disclosure_browser={KNOWN}"'], False, ""),
        ([f"disclosure_browser={OTHER}"], True, ""),
        ([f"__Host-disclosure_browser={KNOWN}"], False, ""),
        ([f"__Host-disclosure_browser={KNOWN}; disclosure_browser={OTHER}"], True, KNOWN),
        ([f"__Host-disclosure_browser={KNOWN}; __Host-disclosure_browser={OTHER}"], True, ""),
        ([], True, ""),
    ],
)
def test_a_browser_is_known_by_one_cookie_and_by_none_that_another_host_name_may_have_set(cookies, tls, known):
    asked = scope(*cookies, tls=tls)
    assert returning.cookie(asked) == known
    sound = returning.with_sound_cookies(asked)
    assert returning.cookie(sound) == known
    told = b"; ".join(value for name, value in sound["headers"] if name == b"cookie").decode()
    assert told.count("disclosure_browser=") - told.count("xdisclosure_browser=") == bool(known)
    given = {part.partition("=")[0]: part.partition("=")[2] for part in told.split("; ")}
    assert returning.of(given) == known


@pytest.mark.parametrize("blank", [b"\xa0", b"\x85", b"\x1c", b"\x1f", b" ", b"\t", b"\x0b"])
@pytest.mark.parametrize("place", ["before", "after", "both"])
def test_no_blank_in_a_cookies_name_hides_that_two_come(blank, place):
    """What the libraries below drop around a name, in any form, makes it ours: such a one would come last, and count."""
    name = blank * (place != "after") + b"disclosure_browser" + blank * (place != "before")
    asked = {
        **scope(),
        "headers": [(b"cookie", f"disclosure_browser={KNOWN}; ".encode() + name + b"=" + OTHER.encode())],
    }
    assert returning.cookie(asked) == ""
    told = [
        value.decode("latin-1") for key, value in returning.with_sound_cookies(asked)["headers"] if key == b"cookie"
    ]
    assert returning.of(cookie_parser(told[0] if told else "")) == ""


@pytest.mark.parametrize("said", ["https", "HTTPS", " https", "https,http", "https, https"])
def test_tls_is_what_the_first_of_several_proxies_saw(said):
    for told, name in ((said, "__Host-disclosure_browser"), (f"http, {said}", "disclosure_browser")):
        asked = {**scope(), "headers": [(b"x-forwarded-proto", told.encode())]}
        page = {"type": "http.response.start", "headers": [(b"content-type", b"text/html")]}
        assert dict(returning.with_cookie(asked, page)["headers"])[b"set-cookie"].startswith(name.encode())


def test_the_cookie_is_named_for_the_host_alone_where_tls_is():
    page = {"type": "http.response.start", "headers": [(b"content-type", b"text/html")]}
    for asked, begins in (
        (scope(), b"disclosure_browser="),
        (scope(tls=True), b"__Host-disclosure_browser="),
        (scope(scheme="https"), b"__Host-disclosure_browser="),
    ):
        said = dict(returning.with_cookie(asked, page)["headers"])[b"set-cookie"]
        assert said.startswith(begins)
        assert (b"; Secure" in said) == begins.startswith(b"__Host-")
        assert b"Path=/;" in said
        assert b"Domain" not in said


@pytest.mark.parametrize("cookies", [(), (f"disclosure_browser={KNOWN}",)])
@pytest.mark.parametrize(("asked", "told"), [(None, None), (b"", b""), (b"streamlit", b"streamlit")])
def test_a_browser_that_had_no_session_is_told_of_none(cookies, asked, told, monkeypatch):
    monkeypatch.setattr(returning, "_BROWSERS", {KNOWN: returning._Browser()})
    came = scope(*cookies, scheme="ws")
    came["headers"] += [] if asked is None else [(b"sec-websocket-protocol", asked)]
    given = dict(returning.Line(came).scope["headers"])
    assert given.get(b"sec-websocket-protocol") == told


def test_other_cookies_are_passed_on_as_they_came():
    xsrf = '_streamlit_xsrf=2|4a|c0ffee|1; _streamlit_user="e30=|x"; empty=; bare'
    sound = returning.with_sound_cookies(scope(xsrf))
    assert sound["headers"] == [(b"cookie", xsrf.encode())]


def test_a_cookie_that_is_slow_to_read_is_not_read(tmp_path):
    with server(tmp_path) as at:
        for length, status in ((5_000, 200), (14_000, 200), (30_000, 431)):
            cookie = 'a="' + '\\"' * length + '"'
            begun = time.monotonic()
            for _ in range(4):
                assert knock(at.port, headers=(("Host", "localhost"), ("Cookie", cookie)))[0] == status
            assert time.monotonic() - begun < 1, length
        long = ("x" * (request_guard.HEAD // 10), "y" * 3_000)
        assert knock(at.port, headers=(("Host", "localhost"), *[(f"X-{i}", long[0]) for i in range(11)]))[0] == 431
        assert knock(at.port, headers=(("Host", "localhost"), *[(f"X-{i}", long[1]) for i in range(9)]))[0] == 200
        assert knock(at.port, "/?" + "q" * 40_000, headers=(("Host", "localhost"),))[0] in (400, 431)
        assert connect(at.port, f"localhost:{at.port}") == 101
