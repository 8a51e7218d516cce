"""Connect Four: lines in all four directions, full columns, and the positions that are refused."""

from __future__ import annotations

from random import Random

import pytest

from quincunx.core.words import Refused
from quincunx.games import Game, World, load
from quincunx.games.connect_four.evaluate import BOARD, sound_cells, winning
from quincunx.games.connect_four.rules import COLUMNS, PITCH, ROWS, four
from quincunx.match import Match
from quincunx.players.alphabeta import AlphaBetaPlayer, depths
from quincunx.players.budget import Budget
from quincunx.players.minimax import ExactPlayer
from quincunx.search.perft import count_leaves
from quincunx.search.value import WIN

# Known counts of sequences of moves from the empty board
PERFT = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_perft() -> None:
    game = load("connect_four", "compiled")
    world = game.new()
    assert [count_leaves(game, world, depth) for depth in range(1, 9)] == PERFT
    slow = load("connect_four", "interpreted")
    assert [count_leaves(slow, slow.new(), depth) for depth in range(1, 6)] == PERFT[:5]


def test_four_sees_every_line_and_nothing_else() -> None:
    """All 69 lines of four, and no line that would run over the edge from one column into the next."""
    cells = {(c, r) for c in range(COLUMNS) for r in range(ROWS)}
    lines = []
    for c, r in cells:
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
            reach = [(c + k * dc, r + k * dr) for k in range(4)]
            if set(reach) <= cells:
                lines.append(sum(1 << x * PITCH + y for x, y in reach))
    assert len(lines) == 69
    for line in lines:
        assert four(line)
        for cell in range(49):
            if line >> cell & 1:
                assert not four(line ^ 1 << cell)
    for start in range(49 - 3):
        run = 0b1111 << start
        assert four(run) == (run in lines) or run & 0x1020408102040  # a bit above the top row is never set


@pytest.mark.parametrize(
    "moves, winner", [("abababa", 0), ("aabbccd", 0), ("abbccdcddgd", 0), ("gffeededdad", 0), ("bcabefdebdafdc", 1)]
)
def test_lines_win(moves: str, winner: int) -> None:
    """Up, across, rising, falling, and across for red."""
    match = Match("connect_four")
    for move in moves:
        match.play(move)
    assert match.outcome is not None and match.outcome.ranks[winner] == 1


@pytest.mark.parametrize(
    "moves, line", [("abababa", "a1 a2 a3 a4"), ("aabbccd", "a1 b1 c1 d1"), ("abbccdcddgd", "a1 b2 c3 d4"), ("dd", "")]
)
def test_the_line_is_shown(moves: str, line: str) -> None:
    match = Match("connect_four")
    for move in moves:
        match.play(move)
    shown = match.game.show(match.game.view(match.world, 0))
    assert " ".join(shown.line) == line and shown.lined_up == bool(line)


def test_misere_turns_the_result_round() -> None:
    match = Match("connect_four", misere=True)
    for move in "abababa":
        match.play(move)
    assert match.outcome is not None and match.outcome.ranks == [2, 1]


def test_a_full_column_is_refused() -> None:
    match = Match("connect_four")
    for _ in range(6):
        match.play("a")
    with pytest.raises(Refused, match="full"):
        match.play("a")
    assert "a" not in match.legal()


def test_a_full_board_is_a_draw() -> None:
    game = load("connect_four", "interpreted")
    world = game.new(position="ryryryr/ryryryr/yryryry/yryryry/ryryryr/yryryry")
    assert game.over(world) and game.scores(world) == [0, 0]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("7/7/7/7/7", "six rows of seven"),
        ("7/7/7/7/7/8", "six rows of seven"),
        ("7/7/7/7/7/3x3", "six rows of seven"),
        ("7/7/7/7/3y3/7", "discs that rest"),
        ("7/7/7/7/7/3r3", "as many yellow discs as red"),
        ("7/7/7/7/rrrr3/yyyy3", "stops at four"),
        ("", "six rows of seven"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        load("connect_four", "interpreted").new(position=text)


# -- search ----------------------------------------------------------------------------------------------------------


def after(game: Game, columns: str, misere: bool = False) -> World:
    """The position after stones in these columns, 1 to 7."""
    world = game.new(misere=misere)
    for column in columns:
        game.apply(world, game.turn(world), int(column) - 1)
    return world


def at_random(game: Game, plies: int, dice: Random, misere: bool = False) -> World:
    """A position that is not over."""
    while True:
        world = game.new(misere=misere)
        for _ in range(plies):
            if not game.over(world):
                game.apply(world, game.turn(world), dice.choice(game.legal(world)))
        if not game.over(world):
            return world


def sign(value: float | None) -> int:
    assert value is not None
    return (value >= WIN) - (value <= -WIN)


def test_a_cell_wins_if_a_stone_there_makes_four() -> None:
    game, dice = load("connect_four", "interpreted"), Random(4)
    for _ in range(60):
        s = game.state(at_random(game, dice.randrange(8, 30), dice))
        taken = s.stones[0] | s.stones[1]
        for stones in s.stones:
            cells = [1 << cell for cell in range(49) if BOARD >> cell & 1 and not taken >> cell & 1]
            assert winning(stones, taken) == sum(cell for cell in cells if four(stones | cell))


@pytest.mark.parametrize(
    "columns, sound",
    [
        ("112233", "4"),  # completes a four
        ("11223", "4"),  # takes the cell where yellow would win
        ("44", "1234567"),
        ("2113273", "123567"),  # a stone on d1 would let yellow have d2
    ],
)
def test_what_is_sound_to_try(columns: str, sound: str) -> None:
    game = load("connect_four", "interpreted")
    world = after(game, columns)
    s, seat = game.state(world), game.turn(world)
    cells = sound_cells(s.stones[seat], s.stones[1 - seat])
    assert "".join(str(c + 1) for c in range(COLUMNS) if cells & 0x7F << c * PITCH) == sound


@pytest.mark.parametrize(
    "columns, result",
    [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ],
)
def test_known_results_are_proven(columns: str, result: int) -> None:
    game = load("connect_four", "compiled")
    world = after(game, columns)
    player = AlphaBetaPlayer(game, 1, Budget(nodes=10_000))
    player.choose(game.view(world, game.turn(world)))
    assert player.info.proven and sign(player.info.value) == result
    assert result or player.info.value == 0  # a draw is no worse than one, whatever it is thought to cost


@pytest.mark.parametrize("misere", [False, True])
def test_what_is_proven_is_so(misere: bool) -> None:
    """By the search that leaves nothing out, and knows nothing of threats."""
    game, dice = load("connect_four", "compiled"), Random(7)
    player = AlphaBetaPlayer(game, 1, Budget(nodes=1_000_000))
    results = set()
    for _ in range(40):
        plies = dice.randrange(28, 34)
        world = at_random(game, plies, dice, misere)
        outlook = game.view(world, game.turn(world))
        reference = ExactPlayer(game, 1, Budget(depth=COLUMNS * ROWS - plies))
        player.begin(1)
        for each in (player, reference):
            each.choose(outlook)
        results.add(sign(reference.info.value))
        assert player.info.proven and sign(player.info.value) == sign(reference.info.value)
    assert results == {-1, 0, 1}


def test_positions_after_fourteen_plies_are_proven_at_once() -> None:
    """28 plies are left, and about 30,000 nodes enough for most of them."""
    game, dice = load("connect_four", "compiled"), Random(14)
    player = AlphaBetaPlayer(game, 1, Budget(nodes=1_500_000))
    proven = 0
    for _ in range(12):
        player.begin(1)
        world = at_random(game, 14, dice)
        player.choose(game.view(world, game.turn(world)))
        proven += player.info.proven
    assert proven >= 11


def test_nothing_is_proven_by_a_look_at_the_empty_board() -> None:
    game = load("connect_four", "compiled")
    player = AlphaBetaPlayer(game, 1, Budget(nodes=20_000))
    player.choose(game.view(game.new(), 0))
    assert not player.info.proven and abs(player.info.value or 0) < WIN


def test_depths_go_one_by_one_until_the_end_is_near() -> None:
    assert list(depths(9, 64)) == [1, 2, 3, 4, 5, 6, 9]
    assert list(depths(1 << 30, 4)) == [1, 2, 3, 4]
    assert list(depths(9, 5)) == [1, 2, 3, 4, 5]  # whoever asks for less gets less
