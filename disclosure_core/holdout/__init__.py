"""What would be known anyway: people who were not synthesised, membership, and decisions on both."""
