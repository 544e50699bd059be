"""A second, plain counter of every figure: it imports nothing of this program, so that an auditor can read it alone."""
