"""Hypothesis without deadlines: machines are noisy, and the first call of a compiled rule compiles it."""

import os

from hypothesis import HealthCheck, settings

quiet = settings(deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("quick", max_examples=12, derandomize=True, parent=quiet)
settings.register_profile("brief", max_examples=4, derandomize=True, parent=quiet)
settings.register_profile("long", max_examples=500, parent=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

pytest_plugins = ["postgres", "stores", "browser", "isolating"]
