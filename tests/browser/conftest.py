"""Without a browser these tests skip with a reason; where CI is set they fail instead, so that none is lost."""

import os

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import driving


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    if driving.CHROMIUM is None:
        reason = "there is no Chromium on this machine; install Debian's package chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        found = driving.launch(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def address():
    with driving.serving() as url:
        yield url


@pytest.fixture
def visit(browser):
    """Give a function that opens a tab, and check at the end that every tab was quiet and asked no other host."""
    visitors = []

    def visit(url: str, path: str = "/", **how) -> driving.Visitor:
        visitor = driving.Visitor(browser, url, **how)
        visitors.append(visitor)
        return visitor.open(path)

    yield visit
    for visitor in visitors:
        visitor.close()
        assert visitor.complaints == []
        assert visitor.elsewhere == []
