"""The safe defaults that the app is delivered with."""

import tomllib
from pathlib import Path

import pytest

CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("section", "option", "value"),
    [
        ("server", "address", "127.0.0.1"),
        ("server", "enableCORS", True),
        ("server", "enableXsrfProtection", True),
        ("server", "enableStaticServing", False),
        ("server", "enableAgentApi", False),
        ("server", "disconnectedSessionTTL", 120),
        ("browser", "gatherUsageStats", False),
        ("client", "showErrorDetails", "none"),
        ("client", "showErrorLinks", False),
        ("client", "toolbarMode", "viewer"),
        ("runner", "magicEnabled", False),
    ],
)
def test_a_safe_default(section, option, value):
    assert CONFIG[section][option] == value


def test_both_themes_are_complete_and_fetch_nothing():
    assert CONFIG["theme"]["light"].keys() == CONFIG["theme"]["dark"].keys()
    assert "http" not in str(CONFIG["theme"])
