"""What the figures carry: which sentences may stand (measures.md 11), and whether a verdict still fits its figure."""
