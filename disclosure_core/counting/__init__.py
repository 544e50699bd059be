"""The exact figures: what is asked, cells, measures, checks, and an assessment of them all."""
