"""schemathesis reads /schema and tries everything that it promises, and what it does not: nothing is found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from test_server import HERE, Server

pytestmark = pytest.mark.slow

MANY = int(os.environ.get("QUINCUNX_FUZZ", "4000")) // 800  # examples for each operation
# A schema cannot say what the rules of a game say, so a body that fits it may still be refused
LEFT_OUT = "positive_data_acceptance"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def test_the_schema_keeps_its_word(server: Server, tmp_path: Path) -> None:
    server.make("khet", HERE, HERE, public=True)
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", server.url("/schema/openapi.json"), "--checks", "all",
        "--exclude-checks", LEFT_OUT, "--max-examples", str(MANY), "--seed", "1", "--workers", "1",
        "--request-timeout", "30", "--no-color", "--phases", "examples,coverage,fuzzing",
    ]  # fmt: skip
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=1500)
    assert found.returncode == 0, found.stdout[found.stdout.find(" FAILURES ") :][:6000] + found.stderr[-2000:]
