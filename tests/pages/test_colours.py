"""Colours that can be told apart and read: by contrast on both themes, and by three kinds of colour blindness."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from disclosure_core.figures.palette import ORIGINAL, QUIET, SYNTHETIC

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
MARKS = (ORIGINAL, SYNTHETIC)

# Machado, Oliveira and Fernandes (2009), severity 1.0; on linear RGB.
BLIND = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def channels(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def linear(rgb: np.ndarray) -> np.ndarray:
    v = rgb / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def contrast(one: np.ndarray, two: np.ndarray) -> float:
    """WCAG 2.1: (lighter + 0.05) / (darker + 0.05)."""
    a, b = (float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, two))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def lab(light: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of linear RGB, white D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ light.clip(0, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return {name: channels(value) for name, value in THEME[request.param].items() if isinstance(value, str)}


def test_text_can_be_read(theme):
    faded = 0.6 * theme["textColor"] + 0.4 * theme["backgroundColor"]  # how Streamlit draws a caption
    white = channels("#FFFFFF")  # how it writes on a primary button, and on what is chosen in a list
    assert contrast(theme["textColor"], theme["backgroundColor"]) >= 7
    assert contrast(theme["textColor"], theme["secondaryBackgroundColor"]) >= 7
    assert contrast(faded, theme["backgroundColor"]) >= 4.5
    assert contrast(theme["linkColor"], theme["backgroundColor"]) >= 4.5
    assert contrast(white, theme["primaryColor"]) >= 4.5


@pytest.mark.parametrize("colour", [*MARKS, QUIET])
def test_marks_stand_out(theme, colour):
    # 3:1 is what WCAG 1.4.11 asks of a graphic; no colour has 4.5:1 on white and on near-black.
    assert contrast(channels(colour), theme["backgroundColor"]) >= 3


@pytest.mark.parametrize("kind", BLIND)
def test_marks_differ_for_every_kind_of_colour_vision(kind):
    seen = [lab(np.array(BLIND[kind]) @ linear(channels(colour))) for colour in MARKS]
    assert np.linalg.norm(seen[0] - seen[1]) > 40
