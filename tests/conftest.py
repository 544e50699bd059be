"""Hypothesis: the same few examples on every run; `.ci/run` asks for `many`, and whoever looks for a fault for `deep`."""

from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=15, suppress_health_check=slow)
settings.register_profile("many", derandomize=True, deadline=None, max_examples=200, suppress_health_check=slow)
settings.register_profile("deep", deadline=None, max_examples=3000, suppress_health_check=slow)
settings.load_profile("quick")
