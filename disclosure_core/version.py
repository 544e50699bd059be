"""The version of the program: the package, the figures as JSON and the changelog name this one."""

__version__ = "0.1.0"
