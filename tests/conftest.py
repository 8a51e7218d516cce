"""Hypothesis without deadlines: machines are noisy, and the first call of a compiled rule compiles it.
And no test for ever.
"""

import os
import signal
from collections.abc import Iterator
from types import FrameType

import pytest
from hypothesis import HealthCheck, settings

quiet = settings(deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("quick", max_examples=12, derandomize=True, parent=quiet)
settings.register_profile("brief", max_examples=4, derandomize=True, parent=quiet)
settings.register_profile("long", max_examples=500, parent=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

pytest_plugins = ["postgres", "stores", "browser", "isolating"]

LONGEST = int(os.environ.get("QUINCUNX_LONGEST_TEST", "400"))  # seconds; beyond all that a test itself waits for


@pytest.fixture(autouse=True)
def not_for_ever(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whoever waits for what never comes has failed, and is named: else the whole run is cut off, and tells nothing."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{request.node.nodeid} took more than {LONGEST} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
