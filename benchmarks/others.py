"""The others: programs of PyPI, each in a virtual environment of its own, and C++ written by hand.

    benchmarks/venvs/NAME/     made once, by `python -m venv` and pip; remove the folder to have it made again
    benchmarks/build/PROGRAM   made by g++ whenever a file of benchmarks/limit/ is newer

A peer is `benchmarks/peers/SCRIPT MODE SECONDS`, run by the Python of its environment; a limit is a program that reads
terms and start from its standard input. Both print one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree, which
from typing import Any

from benchmarks.contest import SECONDS, Figures, Missing

from quincunx.games import load

HERE = Path(__file__).parent
FLAGS = ("-std=c++17", "-O3", "-march=native", "-Wall", "-Wextra")


@dataclass(frozen=True)
class Environment:
    """A virtual environment with one package of PyPI (and what that needs)."""

    name: str
    package: str

    @property
    def python(self) -> Path:
        folder = HERE / "venvs" / self.name
        return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    def make(self) -> None:
        if self.python.exists():
            return
        try:
            _output([sys.executable, "-m", "venv", str(HERE / "venvs" / self.name)])
            _output([str(self.python), "-m", "pip", "install", "--quiet", self.package])
        except Missing:
            rmtree(HERE / "venvs" / self.name, ignore_errors=True)  # half an environment would look like a whole one
            raise Missing(f"{self.package} cannot be installed") from None

    def version(self) -> str:
        code = f"from importlib.metadata import version; print(version({self.package.partition('[')[0]!r}))"
        return _output([str(self.python), "-c", code]).strip() if self.python.exists() else "missing"


@dataclass(frozen=True)
class Peer:
    name: str
    environment: Environment
    script: str
    mode: str
    cores: int = 1

    def prepare(self) -> None:
        self.environment.make()

    def measure(self) -> Figures:
        script = HERE / "peers" / self.script
        return _json(_output([str(self.environment.python), str(script), self.mode, str(SECONDS)]))


@dataclass(frozen=True)
class Limit:
    """A C++ program asked one thing about one game, from its usual start."""

    name: str
    game: str
    program: str
    request: tuple[object, ...]
    cores: int = 1

    def prepare(self) -> None:
        build(self.program)

    def measure(self) -> Figures:
        game = load(self.game, "interpreted")
        command = [str(HERE / "build" / self.program), *map(str, self.request)]
        figures = _json(_output(command, game.to_bytes(game.new())))
        return figures | {"µs": 1e6 / figures["moves/s"]} if "moves/s" in figures else figures


def has_limit(game: str) -> bool:
    """Was the game written by hand?"""
    return (HERE / "limit" / f"{game}.cpp").exists()


def build(program: str) -> None:
    compiler = which("g++")
    if compiler is None:
        raise Missing("there is no g++")
    target = HERE / "build" / program
    if target.exists() and target.stat().st_mtime > max(s.stat().st_mtime for s in (HERE / "limit").iterdir()):
        return
    target.parent.mkdir(exist_ok=True)
    source = HERE / "limit" / f"{program}.cpp"
    subprocess.run([compiler, *FLAGS, "-o", target, source], check=True)  # our own code: an error is an error


def _output(command: list[str], given: bytes = b"") -> str:
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise Missing(words[-1][:200] if words else f"ended with {done.returncode}")
    return done.stdout.decode()


def _json(output: str) -> dict[str, Any]:
    read: Mapping[str, Any] = json.loads(output.splitlines()[-1])
    return dict(read)
