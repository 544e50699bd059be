"""Hypothesis: the same examples on every run, unless `--hypothesis-profile=deep` asks for more."""

from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40, suppress_health_check=slow)
settings.register_profile("deep", deadline=None, max_examples=3000, suppress_health_check=slow)
settings.load_profile("ci")
