"""The commands of the documents that serve until somebody stops them, or that talk to a server, are run as well, each
kind beside a server that is there. bots.*.md are test_bot_docs.py's."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

from quincunx.cli import main
from test_server import SOURCES, Server
from test_site import commands
from test_telecom_command import course

pytestmark = pytest.mark.slow

KEY = "of-Ada-and-nobody-else"
NAMED = re.compile(r'"[^"]*"|\w+\.json|bot:\w+')  # what one language calls otherwise


def lines(begin: str) -> list[str]:
    """Those of all pages, each once, for the pages of two languages show the same."""
    found = [" ".join(line.split()) for page, line in commands() if not page.startswith("bots.")]
    return list({NAMED.sub("…", line): line for line in found if line.startswith(f"quincunx {begin}")}.values())


def widest(found: list[str]) -> list[str]:
    """Without those that have no option which another has not got, too."""
    options = {line: set(re.findall(r" (--[\w-]+)", line)) for line in found}
    return [line for line in found if not any(options[line] < options[other] for other in found)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a folder of their own, with a bot that has a name, and a page of somebody's."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("QUINCUNX_BOTS", str(tmp_path / "bots.json"))
    monkeypatch.setenv("PYTHONPATH", SOURCES)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    for screen in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(screen, raising=False)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    run("quincunx", "new-bot", "connect_four", "--language", "python", str(tmp_path / "work"))
    monkeypatch.chdir(tmp_path / "work")
    Path("static").mkdir()
    shutil.copy("bot.py", "static")
    for name in ("NAME", "NOM"):
        run("quincunx", "bots", "add", name, "--", "python3", "bot.py")
    return tmp_path


@pytest.fixture
def server(here: Path) -> Iterator[Server]:
    running = Server(here)
    running.start()
    yield running
    running.kill()


def run(*words: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en", *words[1:]])
    assert ended.value.code == 0, words


def test_what_serves_says_where(here: Path) -> None:
    """With a database and a port of this test; several processes are test_processes.py's."""
    wanted = widest([re.sub(r" --(database|processes) \S+", "", line) for line in lines("serve")])
    assert len(wanted) >= 3

    def serves(number: int) -> None:
        folder = here / str(number)
        folder.mkdir()
        running = Server(folder, *shlex.split(wanted[number])[2:])
        if below := re.search(r"--base-path (\S+)", wanted[number]):
            running.base = below[1]
        running.start()
        assert running.process is not None
        running.process.terminate()
        assert running.process.wait(timeout=60) in (0, -signal.SIGTERM), wanted[number]

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(serves, range(len(wanted))))


def test_the_course_server_answers(here: Path) -> None:
    wanted = widest(lines("telecom"))
    assert len(wanted) >= 5

    def answers(line: str) -> None:
        direct = build_opener(ProxyHandler({}))
        with course(*shlex.split(line)[2:]) as serving, direct.open(f"{serving.url}/alive", timeout=60) as answer:
            assert json.load(answer) == {"response": "ok"}, line

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(answers, wanted))


def test_bots_find_the_server_and_its_arena(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    opened = next(line for line in lines("arena new") if "Fair" in line)
    run(*shlex.split(opened), "--server", server.url(""))
    found = re.search(r"/contest/[\w-]+", capsys.readouterr().out)
    assert found
    seats = server.make("connect_four", {"kind": "program", "name": "Ada"}, {"kind": "computer", "player": "random"})
    wanted = lines("bot ")
    assert sum("--arena" in line for line in wanted) >= 3 and sum("--seat" in line for line in wanted) >= 1
    for line in wanted:
        place = server.url(found[0] if "--arena" in line else "/")
        there = re.sub(r"\bURL\b|http://\S+", place, line).replace("--key …", f"--key {KEY}")
        there = re.sub(r"-- \./\w+", "-- python3 bot.py", there).replace("TOKEN", seats["seats"][0]["token"])
        plays(shlex.split(there))


def plays(words: list[str]) -> None:
    """A match to its end; or in an arena until it is in, then Ctrl-C, at which it leaves by itself."""
    command = [sys.executable, "-m", "quincunx", "--lang", "en", *words[1:]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        if "--arena" in words:
            process.send_signal(signal.SIGINT)
        said += process.communicate(timeout=120)[0]
    assert process.returncode == 0 and ("is in the arena" in said or "The match is over" in said), f"{words}: {said}"


def test_a_match_is_joined_and_offered_as_tools(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    made = server.make("khet", {"kind": "open"}, {"kind": "open"})
    (line,) = lines("join")
    run(*line.replace("192.0.2.7", server.url("")).replace("KHETAB", made["code"]).split())
    assert f"Open {server.url('')}" in capsys.readouterr().out
    (line,) = lines("mcp")
    command = [sys.executable, "-m", *line.split(), "--port", str(server.port)]
    assert subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode == 0
