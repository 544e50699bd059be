"""From bytes to a Study: files read and written, columns made comparable, numbers grouped."""
