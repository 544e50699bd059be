"""Sets of syntheses, and safeguards, side by side: what they give away against what they are good for."""
