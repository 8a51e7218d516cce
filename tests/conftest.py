"""Hypothesis without deadlines: these machines are noisy, and the first call of a compiled rule compiles it."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quincunx", deadline=None, max_examples=12, suppress_health_check=list(HealthCheck), derandomize=True
)
settings.load_profile("quincunx")
