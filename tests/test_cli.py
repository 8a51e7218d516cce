"""Every command, in both languages; what cannot be taken is refused with exit code 2 and one sentence."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

import msgspec
import pytest
import typer

from quincunx import Match, Refused, Words, cards
from quincunx.cli import main
from quincunx.cli.app import whole
from quincunx.cli.commands import COMMANDS
from quincunx.core.options import Option
from quincunx.core.random import below, seeded
from quincunx.games import load
from quincunx.match import Played, decode, encode, replay
from quincunx.tournament.ladder import Ladder

SOURCE = Path(__file__).parent.parent / "src"
CLASSIC = load("khet", "interpreted").setups[0].text


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """The output without the ways in which a terminal breaks lines."""
        return " ".join(self.out.split())

    @property
    def last(self) -> str:
        return self.out.split("\n")[-2]


Quincunx = Callable[..., Ran]


@pytest.fixture
def quincunx(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Quincunx:
    """The command, in this process: quincunx("perft", "khet", …, lines=what is typed)."""

    def run(*arguments: object, lang: str = "en", lines: str = "", keyboard: object = None) -> Ran:
        monkeypatch.setattr(sys, "stdin", keyboard or io.StringIO(lines))
        with pytest.raises(SystemExit) as ended:
            main(["--lang", lang, *map(str, arguments)])
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, *capsys.readouterr())

    return run


def alone(*arguments: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "quincunx", *arguments],
        input=typed,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environment},
    )


def refused(ran: Ran) -> str:
    """The one sentence of a refusal."""
    assert ran.code == 2
    assert ran.err.count("\n") == 1 and ran.err.endswith(".\n"), ran.err
    assert "Traceback" not in ran.err
    return ran.err.strip()


def played(*actions: str, game: str = "connect_four") -> Match:
    match = Match(load(game, "interpreted"), seed=7)
    for action in actions:
        match.play(action)
    return match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of a short whole game with a take-back in it."""
    match = played("a", "b", "c").undo()
    for action in "abaca":
        match.play(action)
    assert match.outcome is not None and match.outcome.ranks == [1, 2]
    path = tmp_path / "match.json"
    path.write_bytes(encode(match.record()))
    return path


# -- looking ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "words"), [("en", ("aim", "players", "presets")), ("fr", ("but", "joueurs"))])
def test_games_lists_every_game_with_its_options(quincunx: Quincunx, lang: str, words: tuple[str, ...]) -> None:
    ran = quincunx("games", lang=lang)
    assert ran.code == 0 and ran.err == ""
    for card in cards():
        game = load(card.id, "interpreted")
        assert card.id in ran.out and card.name.of("fr" if lang == "fr" else "en") in ran.out
        assert all(f"{option.name}=" in ran.out for option in game.options)
        assert all(preset.name in ran.out for preset in game.presets)
        assert all(setup.name in ran.out for setup in game.setups)
    assert all(word in ran.out for word in words)


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("id", [card.id for card in cards()])
def test_games_tells_all_of_one(quincunx: Quincunx, id: str, lang: Literal["fr", "en"]) -> None:
    ran = quincunx("games", id, lang=lang)
    game, told = load(id, "interpreted"), squeezed(ran.out)
    assert ran.code == 0 and squeezed(game.card.summary.of(lang)) in told
    assert all(f"--preset {preset.name}" in ran.out for preset in game.presets)
    assert all(f"--setup {setup.name}" in ran.out for setup in game.setups)
    assert all(squeezed(c.label.of(lang)) in told for option in game.options for c in option.choices)
    assert all(f"level:{number}" in ran.out for number in range(1, 9))
    world = game.new()
    assert game.text(world, game.turn(world), game.legal(world)[0]) in ran.out
    assert squeezed(game.position(world)) in told


def squeezed(text: str) -> str:
    """Without the blanks, and so without the places where a terminal breaks lines."""
    return "".join(text.split())


@pytest.mark.parametrize("line", ["--version", "--help", "bots list", "nonsense"])
def test_a_command_loads_what_it_needs_and_no_database_or_server(line: str) -> None:
    loaded = (
        "import sys, atexit; from quincunx.cli import main;"
        "atexit.register(lambda: print('LOADED', *{name.partition('.')[0] for name in sys.modules}));"
        f"main({line.split()!r})"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, env=environment).stdout
    assert "LOADED" in told
    assert not {"sqlalchemy", "numpy", "litestar", "uvicorn"} & set(told.partition("LOADED")[2].split())


def test_every_command_of_the_list_is_there() -> None:
    group = typer.main.get_command(whole())
    assert set(getattr(group, "commands", {})) == {command.name for command in COMMANDS}


def test_help_speaks_the_language_of_the_locale() -> None:
    for locale, word in (("fr_FR.UTF-8", "Jouer"), ("C.UTF-8", "Play")):
        ran = alone("--help", LC_ALL=locale)
        assert ran.returncode == 0 and word in ran.stdout.decode()
        assert all(name in ran.stdout.decode() for name in ("games", "play", "match", "show", "perft", "replay"))


@pytest.mark.parametrize(("lang", "turn"), [("en", "Silver to move."), ("fr", "À Gris de jouer.")])
def test_show_draws_a_position_a_setup_file_and_a_record(
    quincunx: Quincunx, tmp_path: Path, file: Path, lang: str, turn: str
) -> None:
    position = load("khet", "interpreted").position(load("khet", "interpreted").new())
    setup = tmp_path / "mine.txt"
    setup.write_text(CLASSIC, encoding="utf-8")
    for what in (position, str(setup)):
        for more in ((), ("--game", "khet")):
            ran = quincunx("show", what, *more, lang=lang)
            assert ran.code == 0 and position in ran.out and turn in ran.out
    ran = quincunx("show", file, lang=lang)
    assert ran.code == 0 and "Yellow" in ran.out and "7 actions" in ran.out


def test_show_draws_a_position_in_the_middle_of_a_game(quincunx: Quincunx) -> None:
    ran = quincunx("show", "7/7/7/7/3r3/3y3")
    assert ran.code == 0 and "Connect Four" in ran.out and "Yellow to move." in ran.out


@pytest.mark.parametrize(("lang", "words"), [("en", "Verified: 9 entries"), ("fr", "Vérifié : 9 entrées")])
def test_replay_verifies_a_record(quincunx: Quincunx, file: Path, lang: str, words: str) -> None:
    ran = quincunx("replay", file, "--moves", lang=lang)
    assert ran.code == 0 and words in ran.said
    assert ran.out.startswith("a\nb\nc\ntake_back\na\nb\na\nc\na\n")


def test_a_name_is_printed_as_it_is(quincunx: Quincunx, file: Path) -> None:
    file.write_text(file.read_text().replace('"Yellow"', '"[/red] [bold"'))
    ran = quincunx("replay", file)
    assert ran.code == 0 and "[/red] [bold (person)" in ran.out


# -- records that were damaged ------------------------------------------------------------------------------------


def put(value: object, *path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        del record[path[-1]]

    return change


def resign_twice(record: dict[str, Any]) -> None:
    record["entries"] += [{"kind": "event", "event": "resign", "at": 0, "seat": 0}]


EDITS: dict[str, Callable[[dict[str, Any]], None]] = {
    "action: another legal one": put("g", "entries", 0, "action"),
    "action: nonsense": put("z9", "entries", 0, "action"),
    "action: empty": put("", "entries", 0, "action"),
    "action: long": put("d" * 5000, "entries", 0, "action"),
    "action: a number": put(3, "entries", 0, "action"),
    "seat of an action: the other": put(1, "entries", 0, "seat"),
    "seat of an action: the dice": put(-1, "entries", 0, "seat"),
    "seat of an action: too high": put(2, "entries", 0, "seat"),
    "seat of an action: the observer": put(-2, "entries", 0, "seat"),
    "seat of an action: huge": put(10**30, "entries", 0, "seat"),
    "seat of an action: hugely negative": put(-(10**30), "entries", 0, "seat"),
    "digest": put("0" * 16, "entries", 0, "digest"),
    "digest: missing": drop("entries", 0, "digest"),
    "kind": put("event", "entries", 0, "kind"),
    "kept: all": put(3, "entries", 3, "kept"),
    "kept: fewer": put(1, "entries", 3, "kept"),
    "kept: negative": put(-1, "entries", 3, "kept"),
    "event: unknown": put("sleep", "entries", 3, "event"),
    "event: after the end": resign_twice,
    "entries: the first is missing": drop("entries", 0),
    "entries: the last is missing": drop("entries", -1),
    "entries: none": put([], "entries"),
    "start: another": put("7/7/7/7/7/3y3", "start"),
    "start: nonsense": put("nothing", "start"),
    "start digest": put("f" * 16, "start_digest"),
    "options: another value": put(True, "options", "misere"),
    "options: a number": put(0, "options", "misere"),
    "options: unknown": put(True, "options", "fog"),
    "outcome: missing": put(None, "outcome"),
    "outcome: another winner": put([2, 1], "outcome", "ranks"),
    "outcome: other scores": put([0, 0], "outcome", "scores"),
    "outcome: another reason": put("resign", "outcome", "reason"),
    "outcome: unknown reason": put("luck", "outcome", "reason"),
    "seats: none": put([], "seats"),
    "seats: one": drop("seats", 0),
    "seats: a number": put(5, "seats", 0, "name"),
    "format": put(2, "format"),
    "rules": put(2, "rules"),
    "game: unknown": put("chess", "game"),
    "game: a path": put("../khet", "game"),
    "game: another one": put("khet", "game"),
    "extra field": put(1, "more"),
    "extra field of a seat": put(1, "seats", 0, "more"),
    "missing field": drop("start"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_record_is_refused(quincunx: Quincunx, file: Path, edit: str) -> None:
    record = json.loads(file.read_bytes())
    EDITS[edit](record)
    file.write_text(json.dumps(record), encoding="utf-8")
    assert refused(quincunx("replay", file)) == refused(quincunx("show", file))
    refused(quincunx("replay", file, lang="fr"))


def test_a_refusal_in_french_is_french_throughout(quincunx: Quincunx, file: Path) -> None:
    record = json.loads(file.read_bytes())
    record["entries"][0]["seat"] = 1
    file.write_text(json.dumps(record), encoding="utf-8")
    expected = "Entrée 1\u00a0: il faut une action légale, et non 'a' (Ce n’est pas à ce joueur de jouer)."
    assert refused(quincunx("replay", file, lang="fr")) == expected


def test_a_truncated_record_is_refused(quincunx: Quincunx, file: Path) -> None:
    data = file.read_bytes()
    for length in [0, 1, *range(2, len(data) - 2, 37), len(data) - 2]:
        file.write_bytes(data[:length])
        refused(quincunx("replay", file))


def test_no_changed_byte_leads_to_a_traceback(quincunx: Quincunx, file: Path) -> None:
    data, random = file.read_bytes(), seeded(1)
    for _ in range(150):
        at = below(random, len(data))
        file.write_bytes(data[:at] + bytes([below(random, 256)]) + data[at + 1 :])
        ran = quincunx("replay", file)
        assert ran.code == 0 or refused(ran)


# -- perft --------------------------------------------------------------------------------------------------------

LEAVES = {
    ("classic", "on"): (81, 6552, 526446),
    ("imhotep", "on"): (77, 5943, 454177),
    ("dynasty", "on"): (74, 5426, 396014),
    ("classic", "off"): (79, 6232, 488186),
    ("imhotep", "off"): (75, 5639, 419729),
    ("dynasty", "off"): (72, 5136, 364576),
}


@pytest.mark.parametrize(("gear", "deepest"), [("compiled", 3), ("interpreted", 2)])
@pytest.mark.parametrize(("setup", "turns"), LEAVES)
def test_perft_counts_what_the_ruling_says(quincunx: Quincunx, setup: str, turns: str, gear: str, deepest: int) -> None:
    for depth, leaves in enumerate(LEAVES[setup, turns][:deepest], 1):
        option = ("--option", f"pharaoh_rotates={turns}")
        ran = quincunx("perft", "khet", "--setup", setup, "--depth", depth, *option, "--gear", gear)
        assert (ran.code, ran.last) == (0, str(leaves))


def test_perft_divides_by_first_action(quincunx: Quincunx) -> None:
    lines = quincunx("perft", "khet", "--depth", 2, "--divide").out.splitlines()
    counts = dict(line.split(": ") for line in lines[:-1])
    assert len(counts) == 81 and "H2-G1" in counts
    assert sum(map(int, counts.values())) == int(lines[-1]) == 6552


def test_perft_of_connect_four(quincunx: Quincunx) -> None:
    assert [quincunx("perft", "connect_four", "--depth", d).last for d in (0, 1, 4, 7)] == ["1", "7", "2401", "823536"]


# -- matches between players --------------------------------------------------------------------------------------


def without_times(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_bytes())
    for entry in record["entries"]:
        del entry["at"]
    return record


def test_match_counts_saves_and_changes_seats(quincunx: Quincunx, tmp_path: Path) -> None:
    players = ("alphabeta:depth=3", "random")
    ran = quincunx("match", "connect_four", *players, "--games", 4, "--seed", 3, "--json", "--save", tmp_path / "a")
    result = json.loads(ran.out)
    assert result["game"] == "connect_four" and result["games"] == 4 and result["seed"] == 3
    assert [p["player"] for p in result["players"]] == list(players)
    assert all(p["wins"] + p["draws"] + p["losses"] == 4 for p in result["players"])
    assert sum(p["points"] for p in result["players"]) == 4
    files = sorted((tmp_path / "a").iterdir())
    assert [f.name for f in files] == [f"connect_four-{n:05}.json" for n in range(4)]
    wins = 0
    for number, path in enumerate(files):
        match = replay(decode(path.read_bytes()))
        assert [s.player for s in match.seats] == [players[number % 2], players[1 - number % 2]]
        assert match.outcome is not None
        wins += match.outcome.ranks == ([1, 2] if number % 2 == 0 else [2, 1])
        assert quincunx("replay", path).code == 0
    assert wins == result["players"][0]["wins"]


def test_match_tells_the_difference_and_the_effort(quincunx: Quincunx, tmp_path: Path) -> None:
    options = ("--games", 6, "--opening", 2, "--save", tmp_path)
    ran = quincunx("match", "connect_four", "level:4", "level:1", *options)
    assert "level:4 · Regular" in ran.out and "nodes/s" in ran.out
    assert "Elo (95 % between" in ran.said and "3 pairs" in ran.said
    told = json.loads(quincunx("match", "connect_four", "level:4", "level:1", *options, "--json").out)
    assert told["score"]["pairs"] == 3 and told["score"]["low"] <= told["score"]["mean"] <= told["score"]["high"]
    assert set(told["difference"]) == {"elo", "low", "high"}
    assert told["players"][0]["nodes_per_second"] > 0 and told["players"][0]["seconds_per_choice"] > 0
    for path in sorted(tmp_path.iterdir()):
        assert (
            quincunx("match", "--rerun", path).out
            == f"All {len(decode(path.read_bytes()).entries)} entries are repeated.\n"
        )
    record = json.loads(path.read_bytes())
    record["seats"][0]["player"] = record["seats"][1]["player"] = "random"
    path.write_text(json.dumps(record), encoding="utf-8")
    ran = quincunx("match", "--rerun", path, lang="fr")
    assert ran.code == 1 and ran.out.startswith("Entrée ") and "joue maintenant" in ran.said


def test_analyse_marks_blunders_and_draws(quincunx: Quincunx, file: Path, tmp_path: Path) -> None:
    length = len([e for e in decode(file.read_bytes()).entries if isinstance(e, Played)]) - 1  # one was taken back
    told = json.loads(quincunx("analyse", file, "--nodes", 300, "--json", "--svg", tmp_path / "a.svg").out)
    assert told["game"] == "connect_four" and told["engine"] == "alphabeta:nodes=300"
    assert [move["n"] for move in told["moves"]] == list(range(1, length + 1))
    assert [move["mark"] for move in told["moves"]].count("blunder") >= 1
    drawn = ElementTree.fromstring((tmp_path / "a.svg").read_text("utf-8"))
    marks = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text") if text.text in ("?", "??")]
    assert marks.count("??") == [move["mark"] for move in told["moves"]].count("blunder")
    ran = quincunx("analyse", file, "--nodes", 300, "--seat", 1, lang="fr")
    assert "fautes graves" in ran.said and ran.said.count("Jaune") == 0


def test_ladder_writes_figures_and_plot_into_the_page(quincunx: Quincunx, tmp_path: Path) -> None:
    page, results = tmp_path / "players.md", tmp_path / "ladder.json"
    page.write_text("before\n<!-- ladder -->\nold\n<!-- /ladder -->\nafter\n", encoding="utf-8")
    more = ("--file", results, "--docs", page, "--minutes", 0)
    assert "still to be measured" in quincunx("ladder", "connect_four", *more).said
    assert page.read_text("utf-8") == "before\n<!-- ladder -->\nNothing was measured yet.\n<!-- /ladder -->\nafter\n"
    ladder = Ladder.open(results)
    for rung in ladder.rungs:
        if rung.game == "connect_four":
            rung.pairs = [1.0] * 36 if rung.upper == "level:8" and rung.lower != "level:7" else [0.5, 1.0] * 200
    ladder.save()
    said = quincunx("ladder", "connect_four", *more, lang="fr").said
    assert "75.0 %" in said and "Il reste" not in said
    text = page.read_text("utf-8")
    assert "old" not in text and text.startswith("before\n") and text.endswith("<!-- /ladder -->\nafter\n")
    assert "| Connect Four | 0 | 191 ± " in text and "| `level:8` – `level:7` | 75.0 % |" in text
    drawn = ElementTree.fromstring((tmp_path / "ratings.svg").read_text("utf-8"))
    dots = drawn.findall("{http://www.w3.org/2000/svg}circle")
    assert len(dots) == 9 and "Ratings of the levels" in "".join(drawn.itertext())


def test_two_processes_play_the_same_matches_as_one(quincunx: Quincunx, tmp_path: Path) -> None:
    for jobs in (1, 2):
        where = ("--save", tmp_path / str(jobs), "--jobs", jobs)
        ran = quincunx("match", "connect_four", "mcts:simulations=30", "greedy", "--games", 4, "--seed", 5, *where)
        assert ran.code == 0 and "greedy" in ran.out
    for path in (tmp_path / "1").iterdir():
        assert without_times(path) == without_times(tmp_path / "2" / path.name)


def test_match_speaks_french_and_takes_a_setup_file(quincunx: Quincunx, tmp_path: Path) -> None:
    setup = tmp_path / "mine.txt"
    setup.write_text(CLASSIC, encoding="utf-8")
    more = ("--gear", "interpreted", "--setup", setup, "--save", tmp_path / "records")
    ran = quincunx("match", "khet", "random", "random", "--games", 1, *more, lang="fr")
    assert ran.code == 0 and "gagnées" in ran.out
    (saved,) = (tmp_path / "records").iterdir()
    assert decode(saved.read_bytes()).start == load("khet").position(load("khet").new())


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (4, 4)])
def test_as_many_play_as_the_command_names(quincunx: Quincunx, tmp_path: Path, players: int, seats: int) -> None:
    more = ("--setup", "pit", "--gear", "interpreted", "--games", 1, "--save", tmp_path)
    ran = quincunx("match", "casus_belli", *["random"] * players, *more)
    assert ran.code == 0
    (saved,) = tmp_path.iterdir()
    assert len(decode(saved.read_bytes()).seats) == seats


def test_bench_and_warm(quincunx: Quincunx) -> None:
    assert "Connect Four" in quincunx("bench", "connect_four", "--seconds", 0.01).out
    assert "Ready in" in quincunx("warm", "connect_four").out


# -- playing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("Yellow wins", "four in a row")), ("fr", ("Jaune gagne", "quatre jetons alignés"))]
)
def test_play_a_whole_game(quincunx: Quincunx, tmp_path: Path, lang: str, words: tuple[str, str]) -> None:
    path = tmp_path / "kept.json"
    ran = quincunx("play", "connect_four", "--save", path, lang=lang, lines="a\nb\na\nb\na\nb\na\n")
    assert ran.code == 0 and ran.err == "" and all(word in ran.out for word in words)
    assert len(decode(path.read_bytes()).entries) == 7
    assert quincunx("replay", path).code == 0


def test_play_obeys_orders_in_both_languages(quincunx: Quincunx, tmp_path: Path) -> None:
    for name, orders in {
        "en": ("moves", "undo", "save", "resign", "help", "quit"),
        "fr": ("coups", "annuler", "sauver", "abandon", "aide", "quitter"),
    }.items():
        moves, undo, save, resign, help_, quit_ = orders
        path = tmp_path / f"{name}.json"
        lines = f"{moves}\nd\n{undo}\n\n{help_}\nc\n{save} {path}\n{resign}\n{quit_}\n"
        ran = quincunx("play", "connect_four", lines=lines)
        assert ran.code == 0 and ran.err == ""
        assert "a b c d e f g" in ran.said and "Yellow wins (resignation)" in ran.out
        record = decode(path.read_bytes())
        assert [getattr(e, "action", getattr(e, "event", "")) for e in record.entries] == ["d", "take_back", "c"]
        assert replay(record).legal() == list("abcdefg")


def test_play_refuses_a_move_and_goes_on(quincunx: Quincunx, tmp_path: Path) -> None:
    lines = "zz\nundo\na\na\na\na\na\na\na\nb\nsave " + str(tmp_path) + "\n"
    ran = quincunx("play", "connect_four", lines=lines)
    assert ran.code == 0
    assert [line[:12] for line in ran.err.splitlines()] == [
        "This needs a", "There is not", "This column ", f"{tmp_path} cannot"[:12],
    ]  # fmt: skip


def test_a_refused_take_back_leaves_the_dice_where_they_are() -> None:
    """A match that begins with a roll, and one action that is taken back after there was nothing to take back."""
    game = load("cultist", "interpreted")
    start = game.position(game.new(seed=1, neutrals="wander")) + " wandering"
    match = Match(game, position=start, dice=1, neutrals="wander")
    rolled = game.position(match.world)
    with pytest.raises(Refused):
        match.undo()
    match.play("WAIT").undo()
    assert match.length == 1 and game.position(match.world) == rolled
    assert replay(match.record()).record() == match.record()


@pytest.mark.parametrize("seat", [1, 2])
def test_play_against_the_computer(quincunx: Quincunx, tmp_path: Path, seat: int) -> None:
    path = tmp_path / "kept.json"
    lines = "a\nb\nundo\nc\nresign\n"
    ran = quincunx("play", "connect_four", "--against", "random", "--seat", seat, "--save", path, lines=lines)
    record = decode(path.read_bytes())
    assert ran.code == 0 and record.outcome is not None and record.outcome.reason == "resign"
    assert [s.player for s in record.seats][2 - seat] == "random"
    assert record.outcome.ranks[seat - 1] == 2
    assert quincunx("replay", path).code == 0


def test_whoever_plays_against_the_computer_does_not_wait_for_an_interpreted_search(
    quincunx: Quincunx, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []
    monkeypatch.setattr("quincunx.cli.choices.is_warm", lambda id: False)
    monkeypatch.setattr("quincunx.cli.choices.warm", compiled.append)
    assert quincunx("play", "connect_four", "--against", "level:1", lines="resign\n").code == 0
    assert compiled == ["connect_four"]
    assert quincunx("play", "connect_four", lines="resign\n").code == 0 and len(compiled) == 1


def test_play_ends_with_its_input(quincunx: Quincunx, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    assert quincunx("play", "--save", path, "--preset", "fixed_pharaoh", lines="H2-G1\n").code == 0
    record = decode(path.read_bytes())
    assert record.game == "khet" and record.outcome is None and record.options["pharaoh_rotates"] is False


class Interrupted:
    """A keyboard on which somebody presses Ctrl-C after the last line."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    def readline(self) -> str:
        if not self._lines:
            raise KeyboardInterrupt
        return self._lines.pop(0)


def test_play_keeps_the_match_of_those_who_press_ctrl_c(quincunx: Quincunx, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    assert quincunx("play", "connect_four", "--save", path, keyboard=Interrupted("d\n")).code == 0
    assert len(decode(path.read_bytes()).entries) == 1


@pytest.mark.parametrize("typed", [0, 1, 2, 3, 4])
def test_play_hands_the_keyboard_over_where_there_are_secrets(
    quincunx: Quincunx, monkeypatch: pytest.MonkeyPatch, typed: int
) -> None:
    game = load("connect_four")
    monkeypatch.setattr(game, "card", msgspec.structs.replace(game.card, fog=True))
    lines = ["\n", "d\n", "\n", "c\n"][:typed]
    ran = quincunx("play", "connect_four", lines="".join(lines))
    assert ran.code == 0 and ran.err == ""
    assert ran.out.count("press Enter") == (1, 1, 2, 2, 3)[typed]


def test_play_in_a_terminal_that_lacks_letters() -> None:
    ran = alone("play", "connect_four", "--lang", "fr", typed="d\né\n".encode(), PYTHONIOENCODING="ascii")
    assert ran.returncode == 0 and b"Traceback" not in ran.stderr and b"jeton en d1." in ran.stdout


def test_play_with_bytes_that_are_no_letters() -> None:
    ran = alone("play", "connect_four", "--lang", "en", typed=b"\xff\xfe\nd\n", PYTHONIOENCODING="utf-8:strict")
    assert ran.returncode == 0 and ran.stderr.startswith(b"This needs a column from a to g, not")
    assert b"1. Yellow: disc on d1." in ran.stdout


# -- what cannot be taken -----------------------------------------------------------------------------------------

BIG, SMALL = 10**30, -(10**30)
BAD = [
    "nothing", "play chess", "play khet --preset hard", "play khet --setup nowhere", "play khet --setup {folder}",
    "play khet --setup {binary}", "play khet --setup {empty}", "play khet --setup {record}",
    "play khet --option speed=3", "play khet --option draws", "play khet --option draws=maybe", "play khet --option =",
    f"play khet --option draws={BIG}", "play khet --against nobody", "play khet --against alphabeta:depth=0",
    f"play khet --against alphabeta:depth={BIG}", "play khet --against alphabeta:time=nan",
    "play khet --against mcts:depth=3", "play khet --against random:depth=3", "play khet --against alphabeta:depth",
    "play khet --seat 0", "play khet --seat 3", f"play khet --seat {BIG}", f"play khet --seed {BIG}",
    f"play khet --seed={SMALL}", "play khet --unknown", "play khet khet", "play khet --save {folder}",
    "match casus_belli random", "match casus_belli random random --option seats=3", "games khet chess",
    "match", "match khet", "match khet random", "match khet random random random", "match khet random nobody",
    "match chess random random", "match khet random random --games 0", f"match khet random random --games={SMALL}",
    "match khet random random --jobs 0", f"match khet random random --jobs {BIG}",
    f"match khet random random --seed {BIG}", "match khet random random --seed=-1",
    "match khet random random --gear quick", "match khet random random --games 1 --save {binary}",
    "match khet random random --preset hard", "match khet random random --option draws=7",
    "match --rerun {empty}", "match --rerun nowhere.json", "match --rerun {record}", "match khet level:9 random",
    "match khet random random --opening=-1", "match khet random nobody --open", "analyse", "analyse nowhere.json",
    "analyse {setup}", "analyse {record} --time 0", "analyse {record} --time 1 --nodes 5", "analyse {record} --seat 2",
    "analyse {record} --nodes 1 --svg {folder}", "ladder chess", "ladder khet --file {setup}", "ladder --minutes=-1",
    "tune chess", "tune connect_four", "tune khet --games 1", "tune khet --player nobody", "tune khet --log {setup}",
    "perft", "perft khet", "perft chess --depth 1", "perft khet --depth x", "perft khet --depth=-1",
    f"perft khet --depth {BIG}", "perft khet --depth 1 --setup nowhere", "perft khet --depth 1 --gear quick",
    "perft khet --depth 1 --option x=y", "show", "show {folder}", "show {binary}", "show {empty}", "show nowhere.json",
    "show 7/7 --game connect_four", "show 7/7 --game chess", "show a b", "replay", "replay nowhere.json",
    "replay {folder}", "replay {binary}", "replay {empty}", "replay {setup}", "bench chess",
    "bench khet --seconds 0", "bench khet --seconds nan", "warm chess", "warm khet --gear quick",
]  # fmt: skip


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_refused_with_one_sentence(quincunx: Quincunx, tmp_path: Path, file: Path, line: str) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "setup").write_text(CLASSIC, encoding="utf-8")
    names = {name: str(tmp_path / name) for name in ("binary", "empty", "setup")}
    words = [word.format(folder=tmp_path, record=file, **names) for word in line.split()]
    english, french = (refused(quincunx(*words, lang=lang)) for lang in ("en", "fr"))
    assert english != french


def test_an_unknown_language_is_refused(quincunx: Quincunx) -> None:
    ran = quincunx("games", "--lang", "de")
    assert ran.code == 2 and "--lang fr" in ran.err and ran.err.count("\n") == 1


KHET = "xS9 10 10 10 10 10 10 KN8XN silver"
POSITIONS = {
    "khet: no red pharaoh, and a letter that only looks like K": KHET.replace("KN", "\u212aN"),
    "khet: a count of many digits": f"{KHET.replace('xS9', 'xS4kS4')} {'9' * 5000}",
    "khet: digits of another script": "xS9 10 10 10 10 10 10 KN8XN silver \u0661".replace("xS9", "xS4kS4"),
    "khet: too many squares": "xS" + "9" * 5000,
    "khet: two words": KHET + " 1 2",
    "khet: a sphinx that looks away": KHET.replace("xS", "xN"),
    "connect_four: a stone in the air": "7/7/7/7/3y3/7",
    "connect_four: too many of a colour": "7/7/7/7/3y3/3y3",
    "connect_four: on after four in a row": "7/7/ry5/ry5/ry5/ry5",
    "connect_four: a long row": "9" * 5000,
    "connect_four: a strange letter": "7/7/7/7/7/6\u0130",
}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_that_is_none_is_refused(quincunx: Quincunx, name: str) -> None:
    refused(quincunx("show", POSITIONS[name], "--game", name.partition(":")[0]))
    refused(quincunx("show", POSITIONS[name]))


def test_a_number_of_many_digits_is_no_value_of_an_option() -> None:
    option = Option(name="size", type="int", default=3, label=Words("taille", "size"), low=1, high=9)
    assert option.read("7") == 7
    with pytest.raises(Refused):
        option.read("9" * 5000)


@pytest.mark.parametrize("gear", ["compiled", "interpreted"])
def test_no_seat_and_no_seed_is_too_large_to_be_refused(gear: Any) -> None:
    game = load("connect_four", gear)
    world = game.new()
    for seat in (2, 2**15, 2**63, 10**30, -2, -3, -(10**30)):
        refusal = game.check(world, seat, 0)
        assert refusal is not None and refusal.code == "not_to_act"
    for seed in (2**63, -(2**63) - 1):
        with pytest.raises(Refused):
            game.random(seed)


def test_a_refusal_travels_between_processes() -> None:
    again = pickle.loads(pickle.dumps(Refused("late", Words("Trop tard.", "Too late."))))
    assert (type(again), again.code, again.words.fr, str(again)) == (Refused, "late", "Trop tard.", "Too late.")


def test_an_order_to_several_units_is_played_as_single_actions(quincunx: Quincunx, tmp_path: Path) -> None:
    """Chartichaud: `move 2 civilian` is a convenience, the record holds two actions. A refused one changes nothing."""
    path = tmp_path / "match.json"
    lines = "\nmove 4 civilian 0,0 east\nmove 2 civilian 0,0 east\nmove all civilian 0,0 south\nquit\n"
    ran = quincunx("play", "chartichaud", "--save", path, lines=lines)
    assert ran.code == 0 and "at most 3 here" in ran.err
    moves = [entry.action for entry in decode(path.read_bytes()).entries if isinstance(entry, Played)]
    assert moves == ["move civilian 0,0 east"] * 2 + ["move civilian 0,0 south"]
