"""Khet for search: what is left of both sides, where the two beams go, and how open the pharaohs are.

A pharaoh sees along its row and column as far as the first piece: whatever hits it comes along one of these four lines.
So a beam that crosses them is one well-placed mirror away from winning, and one that meets a mirror at the end of
such a line may be only a turn away.

WEIGHTS is the one place where numbers stand: name, value, and the range that a tuner may try. The rules read them
through the table WEIGHT, a constant of the compiled code; `Game(package, "compiled", weights=[...])` plays with others.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import NOISY, Hints
from quincunx.games.khet.rules import (
    AHEAD,
    ANUBIS,
    CLOCKWISE,
    CLOSED_TO,
    COUNTER,
    DESTROYED,
    LAST,
    LEAVES,
    NEIGHBOUR,
    PHARAOH,
    PYRAMID,
    SCARAB,
    SILVER,
    SPHINX,
    SPHINX_OF,
    SQUARES,
    WIDTH,
    State,
    Terms,
    can_step,
    fire,
    sphinx_turn,
    turned,
)

HINTS = Hints(longest=0, edge=200, exploration=0.4)  # a random game of mirrors says less than a look at the board

WEIGHTS = (
    ("pyramid", 98, 50, 200),
    ("anubis", 85, 40, 200),
    ("open", 6, 0, 20),  # for each empty square that the enemy pharaoh sees
    ("bare", 15, 0, 40),  # for each side of it with no piece beside it
    ("reach", 0, 0, 10),  # for each square of the beam
    ("near", 8, 0, 30),  # for each square of the beam within two of the enemy pharaoh
    ("cross", 19, 0, 50),  # for each empty square where the beam crosses what it sees
    ("turn", 23, 0, 80),  # for a mirror of ours that the beam meets at the end of what it sees
    ("hit", 64, 0, 100),  # hundredths of a piece in the beam of the side to move
    ("aim", 15, 0, 80),  # hundredths of a piece in the beam of the other side
    ("tempo", 0, 0, 30),
)
WEIGHT = table([value for _, value, _, _ in WEIGHTS])
W_PYRAMID, W_ANUBIS, W_OPEN, W_BARE, W_REACH, W_NEAR, W_CROSS, W_TURN, W_HIT, W_AIM, W_TEMPO = range(len(WEIGHTS))

HALF = 40  # squares are kept as bits of two numbers
COLUMN = table([square % WIDTH for square in range(SQUARES + 1)])
NEAR = table(
    [[int(abs(a // 10 - b // 10) <= 2 and abs(a % 10 - b % 10) <= 2) for b in range(SQUARES)] for a in range(SQUARES)]
)


@rule
def worth_of(kind: int) -> int:
    return WEIGHT[W_PYRAMID] if kind == PYRAMID else WEIGHT[W_ANUBIS] if kind == ANUBIS else 0


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    return lazy_evaluate(terms, s, seat) + siege(s, seat, s.pharaohs[1 - seat]) - siege(s, 1 - seat, s.pharaohs[seat])


@rule
def lazy_evaluate(terms: Terms, s: State, seat: int) -> int:
    """The pieces, without the beams."""
    balance = s.pyramids * WEIGHT[W_PYRAMID] + s.anubis * WEIGHT[W_ANUBIS]
    balance += WEIGHT[W_TEMPO] if s.player == SILVER else -WEIGHT[W_TEMPO]
    return balance if seat == SILVER else -balance


@rule
def siege(s: State, colour: int, pharaoh: int) -> int:
    """What the beam of `colour` is worth against the pharaoh of the other side."""
    up, right = pharaoh - WIDTH, pharaoh + 1  # the first squares that are not empty, or beyond the edge
    while up >= 0 and s.board[up] == 0:
        up -= WIDTH
    while COLUMN[right] and s.board[right] == 0:
        right += 1
    down, left = pharaoh + WIDTH, pharaoh - 1
    while down < SQUARES and s.board[down] == 0:
        down += WIDTH
    while COLUMN[left + 1] and s.board[left] == 0:
        left -= 1
    wide, high = right - left - 2, (down - up) // WIDTH - 2
    bare = (up < pharaoh - WIDTH) + (down > pharaoh + WIDTH) + (left < pharaoh - 1) + (right > pharaoh + 1)
    total = WEIGHT[W_OPEN] * (wide + high) + WEIGHT[W_BARE] * bare
    column, beside = COLUMN[pharaoh], NEAR[pharaoh]
    square = SPHINX_OF[colour]
    direction = s.board[square] & 3
    while True:
        step, last, piece = AHEAD[direction], LAST[square][direction], 0
        while True:
            if square == last:
                return total
            square = square + step & 127  # as in `fire`
            piece = s.board[square]
            total += WEIGHT[W_REACH] + WEIGHT[W_NEAR] * beside[square]
            if piece:
                break
            if left < square < right or (up < square < down and COLUMN[square] == column):
                total += WEIGHT[W_CROSS]
        if piece >> 5 == colour and (square == up or square == right or square == down or square == left):
            total += WEIGHT[W_TURN]
        direction = LEAVES[piece & 31][direction]
        if direction < 0:
            if direction == DESTROYED:
                share = WEIGHT[W_HIT] if s.player == colour else WEIGHT[W_AIM]
                value = worth_of(piece >> 2 & 7) * share // 100
                total += value if piece >> 5 != colour else -value
            return total


# -- what search asks about actions ---------------------------------------------------------------------------------


@rule
def rank_all(terms: Terms, s: State, seat: int, out: list[int], n: int, marks: list[int]) -> None:
    """What the beam hits after each action. One that does not touch the beam's way leaves it as it is.

    If the beam as it is takes a piece, nearly every action does; only the first of them counts as noisy.
    """
    low, high = 0, 0
    square = SPHINX_OF[seat]
    direction = s.board[square] & 3
    held = -1
    while direction >= 0:
        if square < HALF:
            low |= 1 << square
        else:
            high |= 1 << square - HALF
        square = NEIGHBOUR[square][2 * direction]
        if square < 0:
            break
        piece = s.board[square]
        if piece:
            direction = LEAVES[piece & 31][direction]
            if direction < 0:
                if square < HALF:
                    low |= 1 << square
                else:
                    high |= 1 << square - HALF
                if direction == DESTROYED:
                    held = square
    untouched = mark_of_hit(s, seat, held)
    for k in range(n):
        square, what = out[k] >> 4, out[k] & 15
        to = NEIGHBOUR[square][what] if what < CLOCKWISE else square
        touched = (low >> square if square < HALF else high >> square - HALF) & 1
        touched |= (low >> to if to < HALF else high >> to - HALF) & 1
        if touched:
            piece, there = s.board[square], s.board[to]
            if what < CLOCKWISE:
                s.board[square] = there
                s.board[to] = piece
            else:
                s.board[square] = turned(piece, what)
            mark = mark_of_hit(s, seat, fire(s, seat))
            s.board[to] = there
            s.board[square] = piece
            marks[k] = mark + 40 if mark < NOISY else mark
        else:
            marks[k] = untouched
            if untouched >= NOISY:
                untouched = 600


@rule
def noisy_actions(terms: Terms, s: State, seat: int, out: list[int], marks: list[int]) -> int:
    """Along the beam: what comes into its way, leaves it or turns in it, and then lets it destroy an enemy.

    An action that touches the way twice is tried where it does so first. If the beam as it is destroys something, one
    action that leaves it alone stands for all of them.
    """
    n, low, high = 0, 0, 0
    square = SPHINX_OF[seat]
    facing = s.board[square] & 3
    n = try_action(s, seat, square << 4 | sphinx_turn(seat, facing), square, 3 - facing, out, marks, n)
    direction = facing
    while True:
        if square < HALF:
            low |= 1 << square
        else:
            high |= 1 << square - HALF
        square = NEIGHBOUR[square][2 * direction]
        if square < 0:
            return n
        piece = s.board[square]
        if (low >> square if square < HALF else high >> square - HALF) & 1 == 0:  # else the beam crosses its own way
            n = try_around(terms, s, seat, square, direction, low, high, out, marks, n)
        if piece:
            direction = LEAVES[piece & 31][direction]
            if direction < 0:
                break
    if direction == DESTROYED and mark_of_hit(s, seat, square) >= NOISY:
        idle = turn_aside(terms, s, seat, low, high)
        if idle >= 0:
            out[n], marks[n] = idle, mark_of_hit(s, seat, square)
            n += 1
    return n


@rule
def try_around(
    terms: Terms, s: State, seat: int, square: int, direction: int, low: int, high: int, out: list[int],
    marks: list[int], n: int,
) -> int:  # fmt: skip
    """What can be done on a square of the beam's way, but for what touches its way before (low, high)."""
    piece = s.board[square]
    kind = piece >> 2 & 7
    mine, swaps, closed = piece != 0 and piece >> 5 == seat, kind == PYRAMID or kind == ANUBIS, CLOSED_TO[square]
    if mine and kind == SPHINX:
        return n
    for way in range(8):
        beside = NEIGHBOUR[square][way]
        if beside < 0 or (low >> beside if beside < HALF else high >> beside - HALF) & 1:
            continue
        there = s.board[beside]
        other = there >> 2 & 7
        comes = other != SPHINX if piece == 0 else swaps and other == SCARAB
        if comes and there and there >> 5 == seat and closed != seat:
            n = try_action(s, seat, beside << 4 | way + 4 & 7, square, direction, out, marks, n)
        if mine and can_step(s, piece, beside):
            n = try_action(s, seat, square << 4 | way, square, direction, out, marks, n)
    if mine and (kind != PHARAOH or terms.pharaoh_rotates):
        n = try_action(s, seat, square << 4 | CLOCKWISE, square, direction, out, marks, n)
        if kind != SCARAB:
            n = try_action(s, seat, square << 4 | COUNTER, square, direction, out, marks, n)
    return n


@rule
def try_action(
    s: State, seat: int, action: int, at: int, direction: int, out: list[int], marks: list[int], n: int
) -> int:
    """Notes the action if the beam, which comes to the square `at` in this direction, destroys an enemy after it."""
    square, what = action >> 4, action & 15
    piece = s.board[square]
    to = square
    if what < CLOCKWISE:
        to = NEIGHBOUR[square][what]
    there = s.board[to]
    if what < CLOCKWISE:
        s.board[square] = there
        s.board[to] = piece
    elif piece >> 2 & 7 != SPHINX:
        s.board[square] = turned(piece, what)
        there = piece
    end = at
    way = direction
    if s.board[at] and s.board[at] >> 2 & 7 != SPHINX:
        way = LEAVES[s.board[at] & 31][direction]
    while way >= 0:
        end = NEIGHBOUR[end][2 * way]
        if end < 0:
            break
        if s.board[end]:
            way = LEAVES[s.board[end] & 31][way]
    mark = mark_of_hit(s, seat, end) if way == DESTROYED else 0
    s.board[to] = there
    s.board[square] = piece
    if mark < NOISY:
        return n
    out[n], marks[n] = action, mark
    return n + 1


@rule
def turn_aside(terms: Terms, s: State, seat: int, low: int, high: int) -> int:
    """A turn of a piece outside the beam's way, of the pharaoh if it may; -1 if there is none."""
    found = -1
    for square in range(SQUARES):
        piece = s.board[square]
        if piece == 0 or piece >> 5 != seat or (low >> square if square < HALF else high >> square - HALF) & 1:
            continue
        kind = piece >> 2 & 7
        if kind == PHARAOH and terms.pharaoh_rotates:
            return square << 4 | CLOCKWISE
        if kind == PYRAMID or kind == ANUBIS or kind == SCARAB:
            found = square << 4 | CLOCKWISE
    return found


@rule
def mark_of_hit(s: State, seat: int, hit: int) -> int:
    """How good it looks to destroy what stands on `hit` (-1: nothing)."""
    if hit < 0:
        return 400
    piece = s.board[hit]
    kind = piece >> 2 & 7
    if piece >> 5 == seat:
        return 0 if kind == PHARAOH else 100
    return NOISY + (1000 if kind == PHARAOH else 850 if kind == ANUBIS else 900)


@rule
def in_check(terms: Terms, s: State, seat: int) -> bool:
    """Does the other side's beam lead to our pharaoh, as the board stands? It has just been fired, and if nothing was
    destroyed, then it leads to nothing."""
    if s.quiet > 0:
        return False
    hit = fire(s, 1 - seat)
    return hit >= 0 and s.board[hit] >> 2 == seat << 3 | PHARAOH


@rule
def repetitions(terms: Terms, s: State) -> int:
    times = 0
    if terms.draws:
        for back in range(s.quiet - 4, -1, -2):
            times += s.keys[back] == s.key
    return times


@rule
def lazy_margin(terms: Terms, s: State) -> int:
    return 2 * WEIGHT[W_PYRAMID]


@rule
def futility_margin(terms: Terms, s: State) -> int:
    return WEIGHT[W_PYRAMID] // 2 + 20
