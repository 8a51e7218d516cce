"""What is wrong in a game's folder is said when the game is loaded, in one sentence that says what was expected.

Each mistake is made in the game of docs/adding-a-game.md: a line is changed or added, as a stranger might.
"""

from __future__ import annotations

import gc
import sys
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from added_game import among_the_games, change, write_package
from quincunx.core.folder import _alike, modules_of
from quincunx.core.levels import ALPHA_BETA
from quincunx.core.refusals import codes
from quincunx.games import GearName, cards, load
from quincunx.players import make
from quincunx.search.perft import count_leaves

RANK = "\n\n@rule\ndef {}(terms: Terms, s: State, seat: int, action: int) -> int:\n    return 1\n"
FALLBACK = "\n\n@rule\ndef fallbak(terms: Terms, s: State, seat: int) -> int:\n    return 0\n"
HINTS = "\nfrom quincunx.core.hints import Hints\n"
MISTAKES = [
    # file, line, what stands there instead, what is said
    ("__init__.py", 'id="nim"', 'id="nym"', r"expected a card with the id 'nim', the name of the folder but got 'nym'"),
    ("__init__.py", "CARD = Card(", "CART = Card(", "expected CARD, a Card but got None"),
    (
        "rules.py",
        "s: State, seat: int, out",
        "s: State, seat, out",
        r"rules\.py:\d+: .*legal: expected 'seat' with its type .* but got none",
    ),
    (
        "rules.py",
        "def stones(s: State) -> int:",
        "def stones(s: State):",
        "stones: expected a type after -> .* but got none",
    ),
    (
        "rules.py",
        "def stones(s: State)",
        "def stones(s: Stat)",
        "stones: expected annotations that mean something .* but got 'Stat'",
    ),
    (
        "rules.py",
        "def stones(s: State)",
        "def stones(s: str)",
        "stones: expected 's' with its type .* but got <class 'str'>",
    ),
    ("rules.py", "    player: i8", "    player: int", r"State\.player: expected i8, .* but got int"),
    ("rules.py", "list[i8], 6]", "list[i8], 0]", r"State\.heaps: expected i8, .*Annotated\[list\[…\], length\]"),
    ("rules.py", "    player: i8", "    player: i9", r"rules\.State: expected types that mean something but got i9"),
    ("rules.py", "def score(", "def scores(", r"rules: expected score but got none \(perhaps scores\?\)"),
    (
        "rules.py",
        "class Terms(contract.Terms)",
        "class Terms(contract.State)",
        "expected Terms, a class of quincunx.core.contract.Terms",
    ),
    (
        "rules.py",
        "MAX_LEGAL = HEAPS * HIGHEST",
        "MAX_LEGAL = 0",
        "expected MAX_LEGAL, a whole number of 1 or more but got 0",
    ),
    ("rules.py", "LISTS_ALL = True", "LISTS_ALL = 1", "expected LISTS_ALL, True or False but got 1"),
    ("rules.py", "@rule\ndef turn(", "def turn(", "expected turn with @rule before it"),
    (
        "rules.py",
        "def score(terms: Terms, s: State, seat: int)",
        "def score(s: State, seat: int)",
        r"expected score\(terms, s, seat\) but got score\(s, seat\)",
    ),
    ("rules.py", "", FALLBACK, "expected fallback but got fallbak, which nobody reads"),
    (
        "notation.py",
        "    TOO_MANY: (",
        "    5: (",
        r"expected words in REFUSALS for TOO_MANY = 4, which .*rules\.check returns but got none",
    ),
    ("notation.py", "    TOO_MANY: (", "    2: (", "expected codes of REFUSALS from 3 on but got 2"),
    (
        "notation.py",
        'TOO_FEW: ("too_few", ',
        'TOO_FEW: ("too_few", "oops", ',
        r"expected REFUSALS\[3\], a name and Words",
    ),
    ("notation.py", "def position(", "def positon(", r"notation: expected position but got none \(perhaps positon\?\)"),
    ("setup.py", "", "\nLENGHTS = ()\n", "setup: expected LENGTHS but got LENGHTS, which nobody reads"),
    (
        "setup.py",
        "",
        "\n\ndef forfeit_scores(options: dict[str, Value]) -> int:\n    return 0\n",
        "expected forfeit_score but got forfeit_scores",
    ),
    ("view.py", "ALIKE = True", "ALLIKE = True", "view: expected ALIKE but got ALLIKE, which nobody reads"),
    ("view.py", "ALIKE = True", "ALIKE = 1", "expected ALIKE, True or False but got 1"),
    (
        "view.py",
        "",
        '\nCOUNTED = ("turns", 2)\n',
        r"expected COUNTED, one of the numbers of State \(player\).* but got \('turns', 2\)",
    ),
    (
        "view.py",
        "",
        "\n\ndef endings(terms: Terms, s: State) -> Words:\n    return Words('', '')\n",
        "expected ending but got endings",
    ),
    ("evaluate.py", "def evaluate(", "def evalute(", "evaluate: expected evaluate but got evalute, which nobody reads"),
    (
        "evaluate.py",
        "",
        "\n\n@rule\ndef lazy_margn(terms: Terms, s: State) -> int:\n    return 5\n",
        "expected lazy_margin but got lazy_margn",
    ),
    (
        "evaluate.py",
        "",
        RANK.format("order_of_moves"),
        "expected one of evaluate, .*rank, .* but got order_of_moves, which nobody reads",
    ),
    ("evaluate.py", "@rule\ndef evaluate(", "def evaluate(", "expected evaluate with @rule before it"),
    (
        "evaluate.py",
        "",
        "\nEXPLORATION = 0.7\n",
        r"expected HINTS = Hints\(exploration=0.7\) but got EXPLORATION, which nobody reads",
    ),
    ("evaluate.py", "", "\nLOOKAHEAD = 5\n", r"expected HINTS = Hints\(look_ahead=5\) but got LOOKAHEAD"),
    ("evaluate.py", "", HINTS + "HINT = Hints()\n", "expected HINTS but got HINT"),
    (
        "evaluate.py",
        "",
        '\nHINTS = {"edge": 4}\n',
        "expected HINTS, a Hints of quincunx.core.hints but got {'edge': 4}",
    ),
    (
        "evaluate.py",
        "",
        HINTS + "HINTS = Hints(edge=0.5)\n",
        r"expected a whole number of 0 or more for HINTS\.edge but got 0\.5",
    ),
    (
        "evaluate.py",
        "",
        "\nWEIGHTS = (('stone', 5, 6, 9),)\n",
        "expected WEIGHTS of .name, value, lowest, highest. but got .'stone', 5, 6, 9.",
    ),
    (
        "evaluate.py",
        "",
        "\nWEIGHTS = (('stone', 5, 1, 9),)\n",
        "expected WEIGHT = table.* but got another table, or none",
    ),
    ("encoding.py", "VERSION = 1", "VERSION = 0", "encoding: expected VERSION, a whole number of 1 or more but got 0"),
    ("encoding.py", '("stones",)', '"stones"', "expected PLANES, a tuple of names but got 'stones'"),
    ("encoding.py", '"misere")', '"most")', "expected SCALARS with different names but got 'most' twice"),
    ("encoding.py", "def size(terms: Terms)", "def size()", r"expected size\(terms\) but got size\(\)"),
    ("encoding.py", "def action_of(", "def action_off(", r"expected action_of but got none \(perhaps action_off\?\)"),
    (
        "encoding.py",
        "def encode(terms: Terms, view: State, seat: int,",
        "def encode(terms: Terms, view: State,",
        r"expected encode\(terms, view, seat, planes, scalars\) but got encode\(terms, view, planes, scalars\)",
    ),
    (
        "encoding.py",
        "",
        "\n\n@rule\ndef write_masks(terms: Terms) -> int:\n    return 0\n",
        "expected write_mask but got write_masks, which nobody reads",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), MISTAKES, ids=[said[:60] for *_, said in MISTAKES])
def test_a_mistake_is_said_at_load(tmp_path: Path, name: str, old: str, new: str, said: str) -> None:
    write_package(tmp_path)
    change(tmp_path, name, old, new)
    with among_the_games(tmp_path), pytest.raises(TypeError, match=said) as caught:
        load("nim", "interpreted")
    assert "\n" not in str(caught.value)


LEVEL = "from quincunx.core.levels import Level\n"
WORDS = "from quincunx.core.words import Words\n"
MORE_MISTAKES = [
    ("levels.py", "DUELS = {'most': 3}", "expected DUEL but got DUELS, which nobody reads"),
    ("levels.py", "DUEL = {'least': 3}", "expected some of the options most, misere but got"),
    ("levels.py", LEVEL + "LEVELS = (Level('mcts', 50),) * 7", "expected 8 of Level but got"),
    ("levels.py", "REAL = ({'most': 3},)", "expected a tuple of Ground but got"),
    ("levels.py", "EFFORT = 0", "expected EFFORT, a whole number of 1 or more but got 0"),
    ("opponents.py", "OPONENTS = {}", r"expected OPPONENTS but got none \(perhaps OPONENTS\?\)"),
    ("opponents.py", WORDS + "OPPONENTS = {'Ada': Words('Ada', 'Ada')}", "expected OPPONENTS, .* but got 'Ada'"),
    ("odds.py", "MOST = 6", "expected odds but got none"),
    (
        "odds.py",
        "MOST = 0\n\n\ndef odds(terms, s):\n    return []",
        "expected MOST, a whole number of 1 or more but got 0",
    ),
    ("odds.py", "MOST = 6\n\n\ndef odds(s):\n    return []", r"expected odds\(terms, s\) but got odds\(s\)"),
]


@pytest.mark.parametrize(("name", "text", "said"), MORE_MISTAKES, ids=[said[:60] for *_, said in MORE_MISTAKES])
def test_a_mistake_in_what_a_game_may_have_is_said_at_load(tmp_path: Path, name: str, text: str, said: str) -> None:
    write_package(tmp_path)
    (tmp_path / "nim" / name).write_text(f"{text}\n", encoding="utf-8")
    with among_the_games(tmp_path), pytest.raises(TypeError, match=said) as caught:
        load("nim", "interpreted")
    assert "\n" not in str(caught.value)


def test_a_duel_needs_no_levels(tmp_path: Path) -> None:
    write_package(tmp_path)
    (tmp_path / "nim" / "levels.py").write_text("DUEL = {'most': 3}\n", encoding="utf-8")
    with among_the_games(tmp_path):
        assert load("nim", "interpreted").levels == ALPHA_BETA


def test_a_misspelt_hint_is_said_with_its_right_name(tmp_path: Path) -> None:
    write_package(tmp_path)
    change(tmp_path, "evaluate.py", "", HINTS + "HINTS = Hints(explorasion=0.5)\n")
    with among_the_games(tmp_path), pytest.raises(TypeError, match="explorasion"):
        load("nim", "interpreted")


def test_a_refusal_that_is_computed_is_told_when_it_is_given(tmp_path: Path) -> None:
    write_package(tmp_path)
    change(
        tmp_path,
        "rules.py",
        "return TOO_MANY if taken > terms.most else 0",
        "return 5 + taken if taken > terms.most else 0",
    )
    with among_the_games(tmp_path):
        world = load("nim", "interpreted").new(position="9", most=1)
        with pytest.raises(TypeError, match=r"nim\.notation: expected words in REFUSALS for 7, which check gave"):
            world.game.check(world, 0, 2)


@pytest.mark.parametrize("gear", ["interpreted", "compiled", "checked"])
def test_more_actions_than_there_is_room_for_are_an_error_in_every_gear(tmp_path: Path, gear: GearName) -> None:
    """And the game that is there afterwards is as it was: nothing else was written to."""
    write_package(tmp_path)
    change(tmp_path, "rules.py", "MAX_LEGAL = HEAPS * HIGHEST", "MAX_LEGAL = 3")
    with among_the_games(tmp_path):
        game = load("nim", gear)
        world = game.new(position="9 9 9 9 9 9")
        with pytest.raises(IndexError, match=r"nim\.rules: expected MAX_LEGAL of 54 or more but got 3"):
            game.legal(world)
        assert game.legal(game.new(position="3 0")) == [1, 2, 3]


@pytest.mark.parametrize("gear", ["interpreted", "compiled", "checked"])
@pytest.mark.parametrize("player", ["alphabeta:depth=3", "mcts:simulations=50", "greedy"])
def test_search_is_told_too(tmp_path: Path, gear: GearName, player: str) -> None:
    """Positions that only a search meets: it ends with an error, once it is over at the latest."""
    write_package(tmp_path)
    change(tmp_path, "rules.py", "MAX_LEGAL = HEAPS * HIGHEST", "MAX_LEGAL = 3")
    with among_the_games(tmp_path):
        game = load("nim", gear)
        with pytest.raises(IndexError):
            make(player, game, seed=1).choose(game.view(game.new(position="9 9 9 9 9 9"), 0))
        with pytest.raises(IndexError):
            count_leaves(game, game.new(position="9 9 9 9 9 9"), 3)


def test_what_check_returns_is_found_behind_names_and_other_rules() -> None:
    for card in cards():
        game = load(card.id, "interpreted")
        named = set(codes(game.rules.check)) - {0, 1, 2}
        assert named <= set(game.notation.REFUSALS) and len(named) >= 0.9 * len(game.notation.REFUSALS), card.id


def test_only_what_could_be_a_slip_is_alike() -> None:
    assert _alike("evalute", "evaluate") and _alike("EDGES", "EDGE") and _alike("rnak", "rank")
    assert not any(
        _alike(a, b) for a, b in [("rank", "rank"), ("roll", "rank"), ("RANK", "rank"), ("evaluation", "rank")]
    )


def test_a_game_is_examined_while_modules_are_imported() -> None:
    """By other threads, which get their turn whenever something is finalised: here the collector stands for them."""
    loaded, numbers = {f"other.m{n}": ModuleType("m") for n in range(5000)}, count()

    def import_one(phase: str, info: object) -> None:
        loaded[f"new.m{next(numbers)}"] = sys.modules[__name__]

    before = gc.get_threshold()
    gc.callbacks.append(import_one)
    gc.set_threshold(50)
    try:
        assert list(modules_of(ModuleType("game"), loaded)) == []
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(import_one)
