"""docs/adding-a-game.md keeps its promise: the game that it gives in full is everywhere, and nothing else was touched.

The code is taken out of the document. Once it is put where a folder of `quincunx/games/` would be, once it is a
distribution of its own with an entry point, as another process finds it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import make_golden
import test_server
from added_game import BLOCKS, DOCUMENT, ROOT, among_the_games, forget, write_package
from cases import GEARS, cases_of, long_journey, travel
from quincunx import Match, Refused, games
from quincunx.games import GearName, cards, load
from quincunx.match import decode, encode, replay
from quincunx.players import make
from quincunx.players.analysis import adviser
from quincunx.players.budget import Budget
from test_server_analysis import whole
from test_server_sessions import sit

pytestmark = pytest.mark.slow  # left out of `make check`


@pytest.fixture
def nim(tmp_path: Path) -> Iterator[str]:
    """As if its folder were in `quincunx/games/`."""
    write_package(tmp_path)
    with among_the_games(tmp_path):
        yield "nim"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """As if it had been installed with pip: what another process must know to find it."""
    write_package(tmp_path)
    about = tmp_path / "nim-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 0.1\n")
    (entry,) = re.findall(r"^nim = \"(nim)\"$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    (about / "entry_points.txt").write_text(f"[quincunx.games]\nnim = {entry}\n")
    path = os.pathsep.join([str(ROOT / "src"), str(tmp_path)])
    return {**os.environ, "PYTHONPATH": path, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}


def test_what_is_quoted_of_connect_four_is_its_code() -> None:
    quotes = [(name, code) for game, name, code in BLOCKS if game == "connect_four"]
    assert len(quotes) >= 5
    for name, code in quotes:
        assert code in (ROOT / "src/quincunx/games/connect_four" / name).read_text("utf-8")


def test_it_is_a_game_among_the_others_and_leaves_no_trace(nim: str) -> None:
    assert [card.id for card in cards()] == sorted([card.id for card in cards()])
    assert "nim" in [card.id for card in cards()]
    forget()
    path, games.__path__[:] = list(games.__path__), games.__path__[:1]
    assert "nim" not in [card.id for card in cards()]
    games.__path__[:] = path


def test_the_gears_agree_and_so_do_legal_and_check(nim: str) -> None:
    for seed in range(10):
        slow, fast = (load(nim, gear).new(seed=seed, most=1 + seed % 9) for gear in ("interpreted", "compiled"))
        for step in travel(slow, long_journey(seed, 60), seed):
            legal = slow.game.legal(slow)
            assert fast.game.legal(fast) == legal
            accepted = [a for a in range(128) if slow.game.check(slow, step.seat, a) is None]
            assert accepted == legal == [a for a in range(128) if fast.game.check(fast, step.seat, a) is None]
            fast.game.apply(fast, *step)
        assert fast.game.over(fast) and fast.game.digest(fast) == slow.game.digest(slow)


def test_actions_and_positions_read_back(nim: str) -> None:
    game = load(nim, "interpreted")
    world = game.new(setup="marienbad")
    assert game.position(world) == "1 3 5 7 0 0 first" and "a o" in str(world)
    for seat, action in travel(world, long_journey(1, 60), 1):
        assert game.parse(world, seat, game.text(world, seat, action)) == action
        assert game.position(game.new(position=game.position(world))) == game.position(world)
    for wrong in ("", "3 x", "10", "1 2 3 4 5 6 7", "1 2 third"):
        with pytest.raises(Refused):
            game.new(position=wrong)
    with pytest.raises(Refused):
        game.from_setup(dict(world.options), "0 0 0")


@pytest.mark.parametrize(("preset", "winner"), [("normal", 0), ("misere", 1)])
def test_a_match_is_recorded_and_replays(nim: str, preset: str, winner: int) -> None:
    match = Match(nim, preset, position="1 2", seed=1)
    with pytest.raises(Refused, match="does not have that many"):
        match.play("a2")
    match.play("b1").play("a1").play("b1")
    assert match.outcome is not None and match.outcome.ranks[winner] == 1
    again = replay(decode(encode(match.record())))
    assert again.record() == match.record() and str(again) == str(match)


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
@pytest.mark.parametrize("player", ["alphabeta:depth=3", "minimax:depth=3", "mcts:simulations=100", "greedy", "random"])
def test_every_player_plays_it(nim: str, player: str, gear: GearName) -> None:
    game = load(nim, gear)
    match = Match(game, setup="marienbad")
    players = [make(player, game, seed=1), make("random", game, seed=2)]
    while not match.over:
        match.act(match.turn, players[match.turn].choose(game.view(match.world, match.turn)))
    assert replay(match.record()).outcome == match.outcome


def test_its_levels_are_those_of_an_open_game_unless_it_brings_its_own(nim: str, tmp_path: Path) -> None:
    assert make("level:8", load(nim, "interpreted")).budget == Budget(nodes=1_000_000)  # type: ignore[attr-defined]
    assert adviser(load(nim, "interpreted").card) == "alphabeta:time=1.0"
    levels = 'from quincunx.core.levels import Level\n\nLEVELS = (Level("mcts", 50),) * 8\n'
    (tmp_path / "nim" / "levels.py").write_text(levels, encoding="utf-8")
    forget()
    assert load(nim, "interpreted").levels[-1].spec == "mcts:simulations=50"


@pytest.mark.parametrize("seed", range(5))
def test_alphabeta_sees_the_last_stone(nim: str, seed: int) -> None:
    """Of two equal heaps the second player wins, whatever the first one does."""
    game = load(nim, "interpreted")
    match = Match(game, position="3 3")
    players = [make("random", game, seed=seed), make("alphabeta:depth=6", game)]
    while not match.over:
        match.act(match.turn, players[match.turn].choose(game.view(match.world, match.turn)))
    assert match.outcome is not None and match.outcome.ranks == [2, 1]


def test_the_terminal_knows_it_by_its_entry_point(environment: dict[str, str], tmp_path: Path) -> None:
    def quincunx(*arguments: str, typed: str = "") -> str:
        command = [sys.executable, "-m", "quincunx", *arguments]
        ran = subprocess.run(
            command, input=typed, env=environment, capture_output=True, encoding="utf-8", timeout=200, cwd=tmp_path
        )
        assert ran.returncode == 0 and ran.stderr == "", ran.stderr
        return ran.stdout

    assert "Take from one heap" in quincunx("games")
    assert quincunx("perft", "nim", "--setup", "marienbad", "--depth", "2") == "206\n"
    assert "alphabeta" in quincunx("match", "nim", "alphabeta:depth=3", "greedy", "--save", "records", "--jobs", "2")
    assert "Verified" in quincunx("replay", "records/nim-00001.json")
    told = quincunx("play", "nim", "--setup", "marienbad", "--against", "random", typed="d7\nresign\n")
    assert "takes 7 from heap d" in told and "wins (resignation)" in told


def passed(environment: dict[str, str], *arguments: str) -> int:
    """How many tests of the suite pass, in a process that knows the game; none fails."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", "-rN", *arguments]
    ran = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=900, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout[-3000:]
    return int(re.findall(r"(\d+) passed", ran.stdout)[-1])


def test_the_suite_needs_to_be_told_nothing(environment: dict[str, str]) -> None:
    """It obeys all laws; what asks every game, in search, levels, workers, the terminal, a server, asks it too."""
    elsewhere = "minimax or pages and not forms or adding_a_game or test_folder or kits"  # browsers, nims of their own
    assert passed(environment, "tests", "-k", f"nim and not ({elsewhere})") > 180
    at_once = ("golden", "laws", "tournament", "benchmarks", "levels", "store_matches", "server_pages")
    every = "every_case or every_game or every_evaluation or every_level or no_two_cases or middle or have_names"
    assert passed(environment, *(f"tests/test_{name}.py" for name in at_once), "-k", every) >= 10


def test_nobody_asks_for_its_documents_before_it_is_settled(environment: dict[str, str]) -> None:
    files = ("notation_docs", "strategy", "encodings", "schema", "bot_docs", "docs", "kits", "mcp", "encoding_planes")
    asking = "has_a_position or nothing_changes or protocol_s or no_message or table_of_enc or page_about or as_text"
    assert passed(environment, *(f"tests/test_{name}.py" for name in files), "-k", asking) >= 9


def test_a_game_without_an_encoding_has_no_environments(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "nim" / "encoding.py").unlink()
    files = ("batches", "envs", "envs_data", "envs_spiel", "encodings", "encoding_planes", "levels")
    assert passed(environment, *(f"tests/test_{name}.py" for name in files), "-k", "nim and not minimax") >= 1


def test_two_people_play_it_in_a_browser(environment: dict[str, str], pages: None) -> None:
    """On the board that is drawn for every game without pages of its own."""
    assert passed(environment, "tests/test_pages.py", "-k", "two_people_over_the_network and nim") == 1


def test_its_records_are_kept_once_it_is_settled(nim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = list(cases_of(nim))
    monkeypatch.setattr(make_golden, "CASES", cases)
    monkeypatch.setattr(make_golden, "FOLDER", tmp_path / "golden")
    make_golden.main()
    records = sorted((tmp_path / "golden").iterdir())
    assert [path.stem for path in records] == sorted(map(str, cases)) and len(cases) >= 5
    for path in records:
        for gear in GEARS:
            assert encode(replay(decode(path.read_bytes()), gear).record()) == path.read_bytes()


def test_a_server_plays_it_and_analyses_it(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole match with a computer over the network, with the board that any client can draw."""
    monkeypatch.setattr(test_server, "SOURCES", environment["PYTHONPATH"])
    server = test_server.Server(tmp_path)
    server.start()
    try:
        computer = {"kind": "computer", "player": "level:5"}
        made = server.make("nim", test_server.HERE, computer, setup="marienbad")
        client = sit(server, made["id"], made["seats"][0]["token"], board=True)
        assert client.now()["board"]["rows"] == list("abcdef")
        played = 0
        while client.now()["outcome"] is None:
            if client.now()["legal"]:
                assert client.play(f"m{played}", 0, client.now()["legal"][0])["type"] == "accepted"
                played += 1
            client.receive()
        assert played >= 2 and sorted(client.now()["outcome"]["ranks"]) == [1, 2]
        record = httpx.get(server.url(f"/api/matches/{made['id']}/record")).json()
        assert record["game"] == "nim" and len(record["entries"]) >= 2 * played
        assert len(whole(server, made["id"])) == len(record["entries"])
    finally:
        server.kill()


def test_its_levels_are_monotone_and_the_last_is_strong(nim: str) -> None:
    """Each plays as well as one that is three below it, and the last one is not beaten by a good deal of nodes."""
    assert score(nim, "level:8", "alphabeta:nodes=60000") >= 0.5
    for lower, upper in ((1, 4), (2, 5), (3, 6)):
        assert score(nim, f"level:{upper}", f"level:{lower}") > 0.55


def score(game: str, first: str, second: str, pairs: int = 12) -> float:
    """What the first has of the points, from starts that both of them begin once."""
    compiled, points = load(game, "compiled"), 0.0
    for number in range(2 * pairs):
        specs = (first, second) if number % 2 == 0 else (second, first)
        match = Match(compiled, seed=number // 2)
        players = [make(spec, compiled, seed=number) for spec in specs]
        while not match.over:
            match.act(match.turn, players[match.turn].choose(compiled.view(match.world, match.turn)))
        assert match.outcome is not None
        points += match.outcome.ranks[specs.index(first)] == 1
    return points / (2 * pairs)
