"""Khet: laser chess on 10 × 8 squares.

     A  B  C ..  J
8    0  1  2 ..  9     a square is row * 10 + column, row 0 on top (A8 = 0, J1 = 79)
7   10 11 12 .. 19     a piece is colour << 5 | kind << 2 | facing, an empty square is 0
..                     an action is square << 4 | what: 0..7 step (N NE E SE S SW W NW),
1   70 71 72 .. 79     8 turn clockwise, 9 turn counter-clockwise

Facings are N E S W = 0..3; of a pyramid NE SE SW NW, the two sides that its mirror looks to; of a scarab \\ / = 0, 1.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core import contract
from quincunx.core.contract import NOBODY, NONSENSE, NOT_TO_ACT, Log, tell
from quincunx.core.engine import rule, table
from quincunx.core.random import keys
from quincunx.core.structure import i8, i16, i64

WIDTH, HEIGHT, SQUARES = 10, 8, 80
MAX_LEGAL = 13 * 10
LISTS_ALL = True

SILVER, RED = 0, 1
PHARAOH, SPHINX, PYRAMID, ANUBIS, SCARAB = 1, 2, 3, 4, 5
CLOCKWISE, COUNTER = 8, 9
DESTROYED, ABSORBED = -1, -2  # instead of the direction in which a beam leaves a piece
PLAYING, DRAWN = -1, 2  # instead of the winner's colour

QUIET_TURNS = 100  # in a row with nothing destroyed: a draw

NOT_YOURS, OFF_BOARD, CLOSED, OCCUPIED, NO_SUCH_TURN = 3, 4, 5, 6, 7  # refusals

# Events: kind << 32 | what << 16 | square. What: of a step the square where it ends, of a turn CLOCKWISE or COUNTER,
# each with the piece << 8; of a beam its direction, of a hit the piece
STEPPED, SWAPPED, TURNED, BEAM, HIT, DRAW = 1, 2, 3, 4, 5, 6


class Terms(contract.Terms):
    pharaoh_rotates: i8
    draws: i8


class State(contract.State):
    board: Annotated[list[i8], 80]
    player: i8
    result: i8
    quiet: i16  # turns since something was destroyed; counted where there are draws
    pharaohs: Annotated[list[i8], 2]  # where they stand, 0 of one that is destroyed
    pyramids: i8  # of silver, less those of red
    anubis: i8
    key: i64  # of the arrangement and the side to move
    keys: Annotated[list[i64], 100]  # of the positions before, since something was destroyed


View = State


def _neighbours() -> list[list[int]]:
    steps = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
    inside = [(r, c) for r in range(HEIGHT) for c in range(WIDTH)]
    return [[(r + y) * WIDTH + c + x if (r + y, c + x) in inside else -1 for y, x in steps] for r, c in inside]


def _last() -> list[list[int]]:
    """[square][direction of a beam] -> the last square before the edge."""
    return [
        [c, r * WIDTH + WIDTH - 1, (HEIGHT - 1) * WIDTH + c, r * WIDTH] for r in range(HEIGHT) for c in range(WIDTH)
    ]


def _closed() -> list[int]:
    """The colour that may not enter: red's squares are A1–A8, I1 and I8, silver's J1–J8, B1 and B8."""
    colours = [-1] * SQUARES
    for row in range(HEIGHT):
        colours[row * WIDTH], colours[row * WIDTH + 9] = SILVER, RED
    colours[8] = colours[78] = SILVER
    colours[1] = colours[71] = RED
    return colours


def _leaves() -> list[list[int]]:
    """[kind << 2 | facing][direction of a beam] -> its direction afterwards."""
    after = [[DESTROYED] * 4 for _ in range(24)]
    for facing in range(4):
        pyramid = after[PYRAMID << 2 | facing]
        pyramid[(facing + 2) % 4], pyramid[(facing + 3) % 4] = (facing + 1) % 4, facing
        after[SPHINX << 2 | facing] = [ABSORBED] * 4
        after[ANUBIS << 2 | facing][(facing + 2) % 4] = ABSORBED
        after[SCARAB << 2 | facing] = [1, 0, 3, 2] if facing % 2 else [3, 2, 1, 0]
    return after


_ZOBRIST = keys(2, SQUARES * 64 + 1)

NEIGHBOUR = table(_neighbours())
AHEAD = table([-WIDTH, 1, WIDTH, -1])  # from a square to the next in the direction of a beam
LAST = table(_last())
CLOSED_TO = table(_closed())
LEAVES = table(_leaves())
SPHINX_OF = table([79, 0])
KEY = table([[0, *_ZOBRIST[square * 64 + 1 : square * 64 + 64]] for square in range(SQUARES)])
KEY_OF_SIDE = _ZOBRIST[-1]


@rule
def turn(terms: Terms, s: State) -> int:
    return s.player if s.result == PLAYING else NOBODY


@rule
def can_step(s: State, piece: int, to: int) -> bool:
    """May the piece go to the adjacent square `to`? A scarab changes places with a pyramid or an anubis."""
    if CLOSED_TO[to] == piece >> 5:
        return False
    there = s.board[to]
    if there == 0:
        return True
    kind = there >> 2 & 7
    return piece >> 2 & 7 == SCARAB and (kind == PYRAMID or kind == ANUBIS)


@rule
def sphinx_turn(colour: int, facing: int) -> int:
    """The only way to turn: silver between N and W, red between S and E."""
    return COUNTER if facing == 2 * colour else CLOCKWISE


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    n = 0
    board = s.board
    for square in range(SQUARES):
        piece = board[square]
        if piece - 1 >> 5 != seat:  # of an empty square, -1
            continue
        kind = piece >> 2 & 7
        if kind == SPHINX:
            out[n] = square << 4 | sphinx_turn(seat, piece & 3)
            n += 1
            continue
        for direction in range(8):
            to = NEIGHBOUR[square][direction]
            if to >= 0 and (board[to] == 0 or kind == SCARAB) and can_step(s, piece, to):
                out[n] = square << 4 | direction
                n += 1
        if kind != PHARAOH or terms.pharaoh_rotates:
            out[n] = square << 4 | CLOCKWISE
            out[n + 1] = square << 4 | COUNTER
            n += 2
    return n


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    if turn(terms, s) != seat:
        return NOT_TO_ACT
    square, what = action >> 4, action & 15
    if not 0 <= square < SQUARES or what > COUNTER:
        return NONSENSE
    piece = s.board[square]
    if piece == 0 or piece >> 5 != seat:
        return NOT_YOURS
    kind = piece >> 2 & 7
    if what >= CLOCKWISE:
        if kind == SPHINX:
            return 0 if what == sphinx_turn(seat, piece & 3) else NO_SUCH_TURN
        return 0 if kind != PHARAOH or terms.pharaoh_rotates else NO_SUCH_TURN
    to = NEIGHBOUR[square][what]
    if kind == SPHINX or to < 0:
        return OFF_BOARD
    if can_step(s, piece, to):
        return 0
    return CLOSED if CLOSED_TO[to] == seat else OCCUPIED


@rule
def turned(piece: int, what: int) -> int:
    """The piece after a quarter turn; a scarab has two orientations only."""
    if piece >> 2 & 7 == SCARAB:
        return piece ^ 1
    return piece & ~3 | piece + (1 if what == CLOCKWISE else 3) & 3


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    if terms.draws:
        s.keys[s.quiet] = s.key
        s.quiet += 1
    square, what = action >> 4, action & 15
    piece = s.board[square]
    if what < CLOCKWISE:
        to = NEIGHBOUR[square][what]
        tell(log, (SWAPPED if s.board[to] else STEPPED) << 32 | (piece << 8 | to) << 16 | square)
        put(s, square, s.board[to])
        put(s, to, piece)
        if piece >> 2 & 7 == PHARAOH:
            s.pharaohs[seat] = to
    else:
        tell(log, TURNED << 32 | (piece << 8 | what) << 16 | square)
        put(s, square, turned(piece, what))
    if log.count < len(log.events):
        trace(s, seat, log)
    hit = fire(s, seat)
    if hit >= 0:
        destroy(s, hit)
    s.player = 1 - seat
    s.key ^= KEY_OF_SIDE
    if terms.draws and s.result == PLAYING and (s.quiet >= QUIET_TURNS or repeated(s)):
        s.result = DRAWN
        tell(log, DRAW << 32)


@rule
def destroy(s: State, square: int) -> None:
    victim = s.board[square]
    colour, kind = victim >> 5, victim >> 2 & 7
    put(s, square, 0)
    s.quiet = 0
    if kind == PHARAOH:
        s.pharaohs[colour] = 0
        s.result = 1 - colour
    elif kind == PYRAMID:
        s.pyramids += 2 * colour - 1
    elif kind == ANUBIS:
        s.anubis += 2 * colour - 1


@rule
def put(s: State, square: int, piece: int) -> None:
    s.key ^= KEY[square][s.board[square]] ^ KEY[square][piece]
    s.board[square] = piece


@rule
def fire(s: State, colour: int) -> int:
    """The square of the piece that the sphinx of `colour` destroys, or -1."""
    square = SPHINX_OF[colour]
    direction = s.board[square] & 3
    while True:
        step, last, piece = AHEAD[direction], LAST[square][direction], 0
        while piece == 0:
            if square == last:
                return -1
            square = square + step & 127  # never negative: an index that need not count from the end
            piece = s.board[square]
        direction = LEAVES[piece & 31][direction]
        if direction < 0:
            return square if direction == DESTROYED else -1


@rule
def trace(s: State, colour: int, log: Log) -> None:
    """Tells the beam of the sphinx of `colour` square by square, and the piece that it destroys."""
    square = SPHINX_OF[colour]
    direction = s.board[square] & 3
    while direction >= 0 and NEIGHBOUR[square][2 * direction] >= 0:
        square = NEIGHBOUR[square][2 * direction]
        tell(log, BEAM << 32 | direction << 16 | square)
        piece = s.board[square]
        if piece:
            direction = LEAVES[piece & 31][direction]
            if direction == DESTROYED:
                tell(log, HIT << 32 | piece << 16 | square)


@rule
def repeated(s: State) -> bool:
    """Is this the third time? The same side was to move 2, 4, 6 … turns ago."""
    times = 1
    for back in range(s.quiet - 2, -1, -2):
        times += s.keys[back] == s.key
    return times >= 3


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """1 for the winner, -1 for the loser, 0 otherwise."""
    if s.result == PLAYING or s.result == DRAWN:
        return 0
    return 1 if s.result == seat else -1


@rule
def key(terms: Terms, s: State) -> int:
    """Of the arrangement and the side to move; the way there decides about draws only."""
    return s.key
