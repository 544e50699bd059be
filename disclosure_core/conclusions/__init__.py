"""What the figures carry: which sentences may stand, and whether a verdict still fits its figure."""
