"""The commands that the documents show are run, page by page and in their order, each page in a folder and a home of
its own. What takes long is made shorter; what cannot be run here is listed with the reason."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from documents.contents import DOCS

from quincunx import Match
from quincunx.cli import main
from quincunx.core import cache
from quincunx.games import load
from quincunx.match import encode
from quincunx.players import make
from quincunx.players.programs import bots
from test_site import commands

pytestmark = pytest.mark.slow

ELSEWHERE = {  # pages whose commands another test runs, with what they need beside them
    "bots.en.md": "test_bot_docs.py", "bots.fr.md": "test_bot_docs.py, which holds both pages to the same commands",
    "adding-a-game.md": "test_adding_a_game.py: they play the game that the page builds",
}  # fmt: skip
LEFT_OUT = {  # how a command begins, or a part of it, and why it is not run here
    r"quincunx (--lang fr )?(serve|telecom|mcp)\b": "serves until somebody stops it: test_doc_servers.py runs them",
    r"quincunx load": "needs a server, and half a minute: test_load.py",
    r"quincunx (bot --|join)": "needs a server: test_doc_servers.py runs them beside one",
    r"champion build|\.cc?\b": "needs compilers of C and C++: test_champion_programs.py",
    r"admin (ban|unban)": "of an address that is nobody's: test_server_operations.py",
    r"program:\./bot": "needs the Rust toolchain: make kits",
    r"quincunx ladder": "measures for minutes: test_levels.py",
    r"quincunx train|net:train": "learns for minutes: test_nets.py",
    r"quincunx puzzles mine": "searches for minutes: test_puzzles.py",
    r"quincunx puzzles verify": "takes minutes: make puzzles",
    r"quincunx warm": "compiles everything: make warm, test_warming.py",
    r"--write": "writes into the sources: test_makings.py",
    r"--cluster": "needs dask on other computers: test_tournament_durable.py",
    r"postgresql://": "needs a database server: test_tournament_durable.py, test_store.py",
    r"/backups/": "names folders of a server; the same commands are run for commands.md",
}
SHORTER = (  # the same command with less to do
    (r"--games \d+", "--games 2"),
    (r"--matches \d+", "--matches 2"),
    (r"quincunx compare", "quincunx compare --matches 2 --jobs 1"),
    (r"--steps \d+", "--steps 1 --games 2 --proof 0"),
    (r"level:\d|\bmcts\b|alphabeta:time=[\d.]+", "level:1"),
    (r"level:1 level:1 level:1", "level:1 random greedy"),
    (r"--time 0\.5", "--nodes 50"),
    (r"analyse match.json --svg", "analyse match.json --nodes 50 --svg"),
    (r"bench khet", "bench khet --seconds 0.01"),
    (r"--depth 3", "--depth 2"),
    (r"khet-00003", "khet-00001"),
)
RUN = [(page, line) for page, line in commands() if page not in ELSEWHERE]
PAGES = sorted({page for page, _ in RUN})


def reason(line: str) -> str | None:
    return next((why for pattern, why in LEFT_OUT.items() if re.search(pattern, line)), None)


@pytest.fixture
def scratch(tmp_path: Path, given: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder and a home of their own."""
    monkeypatch.setenv("QUINCUNX_CACHE", str(cache.folder()))  # machine code may stay where it is
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("QUINCUNX_BOTS", str(tmp_path / "bots.json"))
    monkeypatch.delenv("QUINCUNX_DATABASE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    work = tmp_path / "work"
    shutil.copytree(given, work)
    monkeypatch.chdir(work)
    for name in ("old", "new", "ancien", "nouveau"):
        bots.add(name, "program:python3 bot.py")
    return work


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a page takes for granted: a bot, records, the samples of champions, a board of one's own."""
    folder = tmp_path_factory.mktemp("given")
    match = Match("connect_four", seed=1)
    player = make("random", match.game)
    while not match.over:
        match.act(match.turn, player.choose(match.game.view(match.world, match.turn)))
    (folder / "match.json").write_bytes(encode(match.record()))
    for command in (
        ["new-bot", "khet", "--language", "python", str(folder / "kit")],
        ["match", "khet", "level:1", "level:1", "--games", "2", "--save", str(folder / "records")],
    ):
        with pytest.raises(SystemExit):
            main(["--lang", "en", *command])
    for file in (folder / "kit").glob("*.py"):
        shutil.copy(file, folder)
    shutil.copytree(DOCS / "champions", folder / "docs" / "champions")
    for name in ("mine.txt", "la-mienne.txt"):
        (folder / name).write_text(load("khet").new().position.partition(" silver")[0])
    return folder


Run = Callable[[str], None]


@pytest.fixture
def run(scratch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """A line of a page, in this process."""

    def one(line: str) -> None:
        for pattern, less in SHORTER:
            line = re.sub(pattern, less, line)
        monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
        with pytest.raises(SystemExit) as ended:
            main(["--lang", "en", *shlex.split(line, comments=True)[1:]])
        said = capsys.readouterr()
        assert ended.value.code == 0, f"{line}: {said.out[-1000:]}{said.err[-1000:]}"

    yield one


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run_one_after_the_other(page: str, run: Run) -> None:
    for line in [line for where, line in RUN if where == page and reason(line) is None]:
        run(line)


def test_most_commands_are_run_and_every_reason_is_needed() -> None:
    lines = [line for _, line in RUN]
    assert sum(reason(line) is None for line in lines) > 40
    assert [pattern for pattern in LEFT_OUT if not any(re.search(pattern, line) for line in lines)] == []
    for why in [*ELSEWHERE.values(), *LEFT_OUT.values()]:
        for named in re.findall(r"\w+\.py", why):
            assert (Path(__file__).parent / named).is_file(), named
