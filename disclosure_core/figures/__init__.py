"""Figures: described once (`describe`), drawn by several renderers that decide nothing about the numbers."""
