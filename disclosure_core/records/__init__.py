"""The people behind the figures."""
