"""What leaves as tables and scripts."""
