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


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("ink", ["textColor", "linkColor", "primaryColor"])
@pytest.mark.parametrize("paper", ["backgroundColor", "secondaryBackgroundColor"])
def test_text_can_be_read(mode, ink, paper):
    theme = CONFIG["theme"][mode]
    assert contrast(theme[ink], theme[paper]) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_marks_stand_out(mode):
    from disclosure_core.figures import screen

    for colour in (screen.ORIGINAL, screen.SYNTHETIC):
        assert contrast(colour, CONFIG["theme"][mode]["backgroundColor"]) >= 3
