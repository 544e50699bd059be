"""What makes a synthesis safer, and what that costs."""
