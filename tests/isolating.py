"""Fixture: a machine on which files that others sent can be sealed in. Where there is none the tests that need one are
skipped; with CI=true they fail."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from quincunx.core.words import Refused
from quincunx.players.programs.isolation import check_isolation

SYSTEM = Path(__file__).parent.parent / "tools" / "system.sh"


@pytest.fixture(scope="session")
def sealing() -> None:
    """Root on Debian installs bubblewrap (tools/system.sh); one that allows no namespaces cannot show anything."""
    subprocess.run(["sh", str(SYSTEM), "bwrap:bubblewrap"], capture_output=True)
    try:
        check_isolation()
    except Refused as refused:
        if os.environ.get("CI") == "true":
            pytest.fail(refused.words.en)
        pytest.skip(refused.words.en)
