"""Sets of syntheses, and safeguards, side by side: what they disclose against what they are good for."""
