"""Connect Four: lines in all four directions, full columns, and the positions that are refused."""

from __future__ import annotations

import pytest

from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.games.connect_four.rules import COLUMNS, PITCH, ROWS, four
from quincunx.match import Match
from quincunx.search.perft import count_leaves

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
