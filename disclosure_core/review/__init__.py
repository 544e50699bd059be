"""What a review is, and the way from it to results."""
