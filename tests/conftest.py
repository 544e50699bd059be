"""Hypothesis: the same few examples on every run; more in `.ci/run`, most for whoever looks for a fault.

`many` is of `.ci/run`, `files` too where each example is a file that a process reads; `deep` never gives the same twice.
"""

from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=15, suppress_health_check=slow)
settings.register_profile("many", derandomize=True, deadline=None, max_examples=200, suppress_health_check=slow)
settings.register_profile("files", derandomize=True, deadline=None, max_examples=50, suppress_health_check=slow)
settings.register_profile("deep", deadline=None, max_examples=3000, suppress_health_check=slow)
settings.load_profile("quick")
