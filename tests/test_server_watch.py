"""`quincunx match … --open`: a match between computers is made, and its page opens, whether a server runs or not."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from test_server_lan import ENVIRONMENT, Serving, browser, free_port  # noqa: F401

pytestmark = pytest.mark.slow  # left out of `make check`

MATCH = [sys.executable, "-m", "quincunx", "--lang", "en", "match", "connect_four", "random", "level:1", "--open"]
PAGE = r"(http://127.0.0.1:\d+)/match/([\w-]+)"


def test_a_server_that_runs_is_used(tmp_path: Path, browser: Path) -> None:  # noqa: F811
    port = str(free_port())
    with Serving(tmp_path, "--port", port) as serving:
        serving.says("(listens)")
        opened = {**ENVIRONMENT, "BROWSER": f"{browser} %s"}
        ran = subprocess.run(
            [*MATCH, "--port", port, "--seed", "7"], capture_output=True, text=True, env=opened, timeout=120
        )
        assert ran.returncode == 0, ran.stderr
        found = re.search(PAGE, ran.stdout)
        assert found is not None and found[1] == f"http://127.0.0.1:{port}"
        made = httpx.get(f"{found[1]}/api/matches/{found[2]}").json()
        assert made["kinds"] == ["computer", "computer"] and made["names"] == ["random", "level:1"]
        assert (tmp_path / "visited").read_text().split() == [found[0]]


def test_without_a_server_one_is_started_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    home = {**ENVIRONMENT, "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([*MATCH, "--port", str(free_port())], stdout=subprocess.PIPE, text=True, env=home)
    assert process.stdout is not None
    with process.stdout as lines:
        found = next(found for line in lines if (found := re.search(PAGE, line)))
        answer = httpx.get(f"{found[1]}/api/matches/{found[2]}")
        assert answer.status_code == 200 and answer.json()["game"] == "connect_four"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
