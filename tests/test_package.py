"""What a program that installs Quincunx relies on: one version everywhere, and types."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from quincunx import __version__

ROOT = Path(__file__).parent.parent

CLIENT = """
import quincunx

game: quincunx.Game = quincunx.load("khet", "interpreted")
world: quincunx.World = game.new(setup="classic")
actions: list[int] = game.legal(world)
text: str = game.text(world, game.turn(world), actions[0])
match: quincunx.Match = quincunx.Match("khet", setup="classic")
wrong: str = game.turn(world)  # an int
"""


def test_the_version_stands_in_one_place() -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in said["project"] and "version" in said["project"]["dynamic"]
    source = (ROOT / said["tool"]["hatch"]["version"]["path"]).read_text("utf-8")
    assert source.count(f'__version__ = "{__version__}"') == 1
    ran = subprocess.run([sys.executable, "-m", "quincunx", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"quincunx {__version__}\n"


def test_the_changelog_knows_the_version() -> None:
    """The first version in it is this one."""
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## [")]
    assert headings[0].startswith(f"## [{__version__}]")


@pytest.mark.slow
def test_a_program_with_types_is_checked_against_ours(tmp_path: Path) -> None:
    """mypy reads the types of an installed package only if it says that it has any."""
    (tmp_path / "client.py").write_text(CLIENT, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "client.py"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True,
    )  # fmt: skip
    wrong, *rest = ran.stdout.splitlines()
    assert wrong.startswith(f"client.py:{len(CLIENT.splitlines())}: error: Incompatible types"), ran.stdout
    assert rest == ["Found 1 error in 1 file (checked 1 source file)"]


@pytest.mark.slow
def test_without_its_extra_quincunx_mcp_says_what_is_missing_and_nothing_else_needs_it() -> None:
    absent = "import sys; sys.modules['mcp'] = None; from quincunx.cli import main; main(['--lang', 'en', '{}'])"
    refused, fine = (
        subprocess.run([sys.executable, "-c", absent.format(command)], capture_output=True, text=True)
        for command in ("mcp", "games")
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "This needs the package mcp: pip install 'quincunx[mcp]'.\n"
    assert fine.returncode == 0 and "chartichaud" in fine.stdout


@pytest.mark.slow
def test_without_dask_a_tournament_says_what_a_cluster_needs_and_nothing_else_needs_it(tmp_path: Path) -> None:
    absent = "import sys; sys.modules['distributed'] = None; from quincunx.cli import main; main({})"
    common = ["--lang", "en", "tournament", "connect_four", "random", "greedy", "--database", str(tmp_path / "r.db")]
    code = "if __name__ == '__main__':\n    " + absent
    refused, fine = (
        subprocess.run([sys.executable, "-c", code.format([*common, *more])], capture_output=True, text=True)
        for more in (["--cluster", "local"], ["--jobs", "1"])
    )
    assert (refused.returncode, refused.stderr) == (
        2,
        "A cluster needs dask.distributed: pip install 'quincunx[cluster]'.\n",
    )
    assert fine.returncode == 0 and "greedy" in fine.stdout
