"""A wheel tried where nothing else is: a new virtual environment, a home of its own, no Node, nothing of this checkout.

python tools/trial.py dist/quincunx-0.1.0-py3-none-any.whl      with every Python of 3.11 to 3.14 that is found here

Pythons are those on the path, those that pyenv installed, and those of QUINCUNX_PYTHONS (paths, separated as in PATH).
pip fetches what the wheel depends on; nothing else that is tried here asks for anything elsewhere, though no wall would
stop it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

PROMISED = [f"3.{minor}" for minor in range(11, 15)]
PATIENCE = 180  # seconds that anything may take on a busy machine
GAMES = ("khet", "cultist", "garden", "chartichaud", "casus_belli", "connect_four")
MATCH = ("match", "connect_four", "level:1", "random", "--games", "2", "--json")
ADDRESSES = ("/", "/new/khet", "/api/games", "/docs/", "/docs/fr/index.html", "/docs/en/rules/khet.html",
             "/docs/play/index.html")  # fmt: skip
FILES = ("python/pyodide.asm.wasm", "python/quincunx.zip", "python/msgspec.zip", "games.json", "sw.js")


class Failed(RuntimeError):
    """What did not work, and what was said meanwhile."""


def pythons() -> dict[str, str]:
    """One for each version that is promised and found: 3.12 → its path."""
    named = [path for version in PROMISED if (path := shutil.which(f"python{version}"))]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    given = [path for path in os.environ.get("QUINCUNX_PYTHONS", "").split(os.pathsep) if path]
    found: dict[str, str] = {}
    for path in [*given, *named, *map(str, sorted(pyenv.glob("*/bin/python"))), sys.executable]:
        if (version := _version(path)) in PROMISED:
            found.setdefault(version, path)
    return dict(sorted(found.items()))


def _version(python: str) -> str:
    ask = [python, "-Ic", "import sys; print('{}.{}'.format(*sys.version_info))"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


class Machine:
    """An empty one: what is installed in its folder, and nothing else on the path."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder, self.bin = folder, folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.environment = {"PATH": str(self.bin), "HOME": str(folder), "LANG": "C.UTF-8"}
        self.environment |= {f"XDG_{name}_HOME": str(folder / name) for name in ("DATA", "CACHE", "CONFIG", "STATE")}
        _make_venv(python, folder / "venv")

    def install(self, wheel: Path) -> None:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        pip = [str(self.bin / "python"), "-m", "pip", "--disable-pip-version-check"]
        _run([*pip, "install", "--quiet", str(wheel)], self.folder, plain)
        _run([*pip, "check"], self.folder, plain)

    def says(self, *arguments: str) -> str:
        return _run([str(self.bin / "quincunx"), "--lang", "en", *arguments], self.folder, self.environment)

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Its address, as long as it runs."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = [str(self.bin / "quincunx"), "serve", "--port", str(port)]
        log = (self.folder / "log").open("w+")
        running = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)
        try:
            self._wait_for(f"http://127.0.0.1:{port}/ready", running)
            yield f"http://127.0.0.1:{port}"
        except OSError as error:
            raise Failed(f"{error}; the server says: {self._last_words()}") from error
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(PATIENCE)
            log.close()

    def _last_words(self) -> str:
        return (self.folder / "log").read_text("utf-8")[-2000:]

    def _wait_for(self, address: str, running: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                fetch(address)
                return
            except OSError as error:
                if running.poll() is not None or time.monotonic() > end:
                    raise Failed(f"the server does not answer: {self._last_words()}") from error
                time.sleep(0.2)


def _make_venv(python: str, folder: Path) -> None:
    """Debian's Python comes without ensurepip: there the pip of this process installs into it."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if subprocess.run([python, "-m", "venv", str(folder)], capture_output=True, env=plain).returncode:
        shutil.rmtree(folder, ignore_errors=True)
        _run([python, "-m", "venv", "--without-pip", str(folder)], folder.parent, plain)
        inside = str(folder / "bin" / "python")
        _run([sys.executable, "-m", "pip", "--python", inside, "install", "--quiet", "pip"], folder.parent, plain)


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL
    )
    if ran.returncode:
        raise Failed(f"{' '.join(command)}: exit code {ran.returncode}\n{(ran.stdout + ran.stderr)[-2000:]}")
    return ran.stdout


def fetch(address: str) -> str:
    return fetch_all(address).decode()


def fetch_all(address: str) -> bytes:
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
        return bytes(answer.read())


# -- what is tried --------------------------------------------------------------------------------------------------


def says_its_version(machine: Machine, version: str) -> None:
    if machine.says("--version") != f"quincunx {version}\n":
        raise Failed(f"quincunx --version is not {version}")


def knows_its_games(machine: Machine, version: str) -> None:
    said = machine.says("games")
    missing = [id for id in GAMES if id not in said]
    if missing:
        raise Failed(f"quincunx games does not name {', '.join(missing)}")


def plays(machine: Machine, version: str) -> None:
    said = json.loads(machine.says(*MATCH))
    if not said:
        raise Failed("quincunx match has no result")
    machine.says("play", "connect_four", "--against", "level:1")  # nobody types anything: it says how, and ends


def serves(machine: Machine, version: str) -> None:
    with machine.serving() as server:
        texts = {address: fetch(server + address) for address in ADDRESSES}
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', texts["/"])
        if not scripts or not all(fetch(server + script) for script in scripts):
            raise Failed("the first page has no scripts: the wheel was built without the pages")
        if not all("Quincunx" in text for text in texts.values() if text.startswith("<")):
            raise Failed("a page does not say whose it is")
        if "quincunxWords(" not in fetch(f"{server}/docs/words.fr.js"):
            raise Failed("the documents cannot be searched")
        if not all(fetch_all(f"{server}/docs/play/{name}") for name in FILES):
            raise Failed("the games of the documents, which need no server, are not whole")


STEPS: tuple[Callable[[Machine, str], None], ...] = (says_its_version, knows_its_games, plays, serves)


def try_out(wheel: Path, python: str, version: str) -> None:
    with tempfile.TemporaryDirectory(prefix="quincunx-trial-") as folder:
        machine = Machine(Path(folder), python)
        machine.install(wheel)
        for step in STEPS:
            step(machine, version)


def try_everywhere(wheel: Path, version: str, say: Callable[[str], None] = print) -> None:
    found = pythons()
    for minor, python in found.items():
        began = time.monotonic()
        try_out(wheel, python, version)
        say(f"Python {minor}: installed, played, served ({time.monotonic() - began:.0f} s)")
    for absent in [minor for minor in PROMISED if minor not in found]:
        say(f"Python {absent}: not here, not tried")


def main(arguments: list[str]) -> int:
    try:
        wheel = Path(arguments[0]).resolve()
        try_everywhere(wheel, wheel.name.split("-")[1])
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
