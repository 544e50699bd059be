"""Sets of syntheses, and safeguards, side by side: disclosure against usefulness."""
