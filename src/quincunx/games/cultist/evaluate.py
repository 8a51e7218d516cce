"""Cultist for search: units and their HP, what each side can do to the other at once, and the leaders' way to converts.

One pass over the pairs of enemies finds every shot, since a line of fire that is clear one way is clear the other way.
Of all that a side can do at once it does one thing a turn: the side to move is credited with most of its best blow, the
other with less, and every further threat with a little.

WEIGHTS is the one place where numbers stand: name, value, and the range that a tuner may try. The rules read them
through the table WEIGHT, a constant of the compiled code; `Game(package, "compiled", weights=[...])` plays with others.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import NOISY, Hints
from quincunx.games.cultist.grid import RANGE, STEP, distance
from quincunx.games.cultist.rules import CONVERT, MOVE, NEUTRAL, SHOOT, UNITS, State, Terms, struck

HINTS = Hints(longest=0, edge=500, exploration=0.4)  # the board as it stands is judged, not a random game

WEIGHTS = (
    ("unit", 328, 200, 400),
    ("hp", 27, 4, 30),  # for each HP
    ("leader", 171, 0, 400),  # what a leader is worth besides
    ("blow", 51, 0, 100),  # hundredths of the best blow of the side to move
    ("menace", 42, 0, 80),  # hundredths of the best blow of the other side
    ("fire", 10, 0, 30),  # hundredths of all blows of a side together
    ("pull", 11, 0, 30),  # for each cell nearer than REACH to each neutral, of a leader
    ("hunt", 0, 0, 20),  # the same, to an enemy cultist
    ("near", 7, 0, 40),  # for each cell nearer than REACH to the nearest convert
    ("tempo", 15, 0, 40),
)
WEIGHT = table([value for _, value, _, _ in WEIGHTS])
W_UNIT, W_HP, W_LEADER, W_BLOW, W_MENACE, W_FIRE, W_PULL, W_HUNT, W_NEAR, W_TEMPO = range(len(WEIGHTS))
REACH = 8


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    to_move = s.turn & 1
    balance, best0, best1, all0, all1 = 0, 0, 0, 0, 0
    for a in range(UNITS):
        if s.hp[a] == 0 or s.owner[a] != 0:
            continue
        balance += WEIGHT[W_UNIT] + WEIGHT[W_HP] * s.hp[a]
        for b in range(UNITS):
            if s.hp[b] == 0 or s.owner[b] != 1:
                continue
            far = distance(s.cell[a], s.cell[b])
            if far <= RANGE and (a >= 2 or b >= 2):
                clear = struck(terms, s, s.cell[a], s.cell[b]) == s.cell[b]
                blow = blow_of(s, a, b, far, clear)
                best0, all0 = max(best0, blow), all0 + blow
                blow = blow_of(s, b, a, far, clear)
                best1, all1 = max(best1, blow), all1 + blow
    for b in range(UNITS):
        if s.hp[b] and s.owner[b] == 1:
            balance -= WEIGHT[W_UNIT] + WEIGHT[W_HP] * s.hp[b]
    if s.hp[0]:
        balance += WEIGHT[W_LEADER] + prospects(s, 0)
        best0 = max(best0, convert_beside(s, 0))
    if s.hp[1]:
        balance -= WEIGHT[W_LEADER] + prospects(s, 1)
        best1 = max(best1, convert_beside(s, 1))
    share0, share1 = WEIGHT[W_BLOW], WEIGHT[W_MENACE]
    if to_move == 1:
        share0, share1 = share1, share0
    balance += (share0 * best0 - share1 * best1 + WEIGHT[W_FIRE] * (all0 - all1)) // 100
    balance += WEIGHT[W_TEMPO] if to_move == 0 else -WEIGHT[W_TEMPO]
    return balance if seat == 0 else -balance


@rule
def blow_of(s: State, unit: int, target: int, far: int, clear: bool) -> int:
    """What `unit` can take from an enemy at once: a leader converts, a cultist shoots."""
    hp = s.hp[target]
    if unit < 2:
        return 2 * (WEIGHT[W_UNIT] + WEIGHT[W_HP] * hp) if far == 1 and target >= 2 else 0
    if not clear:
        return 0
    damage = RANGE + 1 - far
    if damage < hp:
        return WEIGHT[W_HP] * damage
    return WEIGHT[W_UNIT] + WEIGHT[W_HP] * hp + (WEIGHT[W_LEADER] if target < 2 else 0)


@rule
def convert_beside(s: State, leader: int) -> int:
    """What the neutrals beside a leader are worth, the best of them."""
    best = 0
    for way in range(4):
        there = s.board[s.cell[leader] + STEP[way]]
        if there > 2 and s.owner[there - 1] == NEUTRAL:
            best = max(best, WEIGHT[W_UNIT] + WEIGHT[W_HP] * s.hp[there - 1])
    return best


@rule
def prospects(s: State, leader: int) -> int:
    """How near a leader is to those whom it could convert."""
    total, nearest, cell = 0, REACH, s.cell[leader]
    for unit in range(2, UNITS):
        if s.hp[unit] and s.owner[unit] != leader:
            far = distance(cell, s.cell[unit])
            if far < REACH:
                neutral = s.owner[unit] == NEUTRAL
                total += (REACH - far) * (WEIGHT[W_PULL] if neutral else WEIGHT[W_HUNT])
                if neutral:
                    nearest = min(nearest, far)
    return total + WEIGHT[W_NEAR] * (REACH - nearest)


# -- what search asks about actions ---------------------------------------------------------------------------------


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    """Conversions, deadly shots, other shots by what they take, steps of the leader; then steps, and waiting."""
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    if verb == CONVERT:
        return 900 if s.owner[target] == NEUTRAL else 1000
    if verb == SHOOT:
        start = s.cell[unit]
        hit = struck(terms, s, start, s.cell[target])
        there = s.board[hit] - 1
        if there < 0 or s.owner[there] == seat:
            return 0
        damage = RANGE + 1 - distance(start, hit)
        if s.owner[there] == NEUTRAL:
            return 100 + (10 * damage if damage < s.hp[there] else 100)
        return 800 + 50 * (there < 2) if damage >= s.hp[there] else 400 + 30 * damage
    if verb == MOVE:
        return 300 if unit >= 2 else 350
    return 150


@rule
def noisy(terms: Terms, s: State, seat: int, action: int) -> bool:
    """Who belongs to whom changes, or an enemy dies."""
    verb = action >> 12
    return verb == CONVERT or (verb == SHOOT and rank(terms, s, seat, action) >= 800)


@rule
def rank_all(terms: Terms, s: State, seat: int, out: list[int], n: int, marks: list[int]) -> None:
    for k in range(n):
        mark = rank(terms, s, seat, out[k])
        marks[k] = mark + NOISY if mark >= 800 else mark


@rule
def noisy_actions(terms: Terms, s: State, seat: int, out: list[int], marks: list[int]) -> int:
    n = 0
    if s.hp[seat]:
        for way in range(4):
            there = s.board[s.cell[seat] + STEP[way]] - 1
            if there >= 2 and s.owner[there] != seat:
                out[n] = CONVERT << 12 | seat << 8 | there
                marks[n] = NOISY + (900 if s.owner[there] == NEUTRAL else 1000)
                n += 1
    for target in range(UNITS):
        hp = s.hp[target]
        if s.owner[target] != 1 - seat or hp == 0 or hp > RANGE:
            continue
        for unit in range(2, UNITS):
            if s.owner[unit] != seat or s.hp[unit] == 0:
                continue
            start, aim = s.cell[unit], s.cell[target]
            if distance(start, aim) <= RANGE + 1 - hp and struck(terms, s, start, aim) == aim:
                out[n] = SHOOT << 12 | unit << 8 | target
                marks[n] = NOISY + 800 + 50 * (target < 2)
                n += 1
    return n


@rule
def null_move(terms: Terms, s: State, seat: int) -> bool:
    """Waits; neutrals that would move stay where they are."""
    s.turn += 1
    return s.turn < terms.turns


@rule
def futility_margin(terms: Terms, s: State) -> int:
    return WEIGHT[W_UNIT] // 3 + 20
