"""What the tests in a browser share: one browser, one server, and visitors who are checked at the end."""

from contextlib import contextmanager

import pytest

from tests.browser import driving


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    with driving.chromium() as found:
        yield found


@pytest.fixture(scope="session")
def address():
    with driving.serving() as url:
        yield url


@contextmanager
def quiet(browser):
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


@pytest.fixture
def visit(browser):
    """Give a function that opens a tab of one test."""
    with quiet(browser) as visit:
        yield visit


@pytest.fixture(scope="module")
def visit_all(browser):
    """Give a function that opens a tab which the tests of a module share."""
    with quiet(browser) as visit:
        yield visit
