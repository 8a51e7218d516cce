"""Casus Belli for learning: the map as a team sees it, and numbers unit by unit: its attack, its path; then the seal.

    0                         seal
    1 + ...       340         the thief: hold, treachery, knife 13 × 13, palantír 13 × 13
    341 + ...     340         the barbarian: hold, Fus Ro Dah, blow 13 × 13, Bastoooon 13 × 13 (untargeted: the middle)
    681 + ...     3 × 445     paths of thief, barbarian, elf: to a cell of 21 × 21, or a facing on the spot
    2016 + ...    1 + 3wh     the elf: hold; bow, reveal, Loto at a cell of the map

Squares lie around the unit, row by row. The cap on paths: one for each cell within ten steps, the cheapest, with the
facing of its last step, as `legal` offers it. What no number says is what `legal` does not offer (orders.py): other
ways to a cell, another last facing, an order in the place of one that was given, zones and Loto elsewhere.
"""

from __future__ import annotations

from quincunx.core.encoding import LARGEST, NO_ACTION
from quincunx.core.engine import rule, table
from quincunx.core.structure import i8, i32, ints
from quincunx.games.casus_belli.field import (
    ATTACK,
    BASIC,
    ELF,
    FIRST_HOTSPOT,
    GIVEN,
    GRASS,
    PALANTIR_SIGHT,
    PATH,
    REVEAL_SIGHT,
    ROLE,
    SEAL,
    VISION,
    State,
    Terms,
    View,
    code_at,
    is_targeted,
    kind_at,
)
from quincunx.games.casus_belli.notation import name_of
from quincunx.games.casus_belli.orders import MAX_LEGAL, REACH, WINDOW, list_paths
from quincunx.games.casus_belli.vision import list_sight, list_square

VERSION = 1
_ROLES, _WAYS = ("thief", "barbarian", "elf"), "NESW"
PLANES = (
    "road", "marsh", "wall", "forest", "tower", "hotspot", "1 + turns I held it", "1 + turns others held it",
    *(f"health of my {role}" for role in _ROLES),
    *(f"my {role}'s attack" for role in _ROLES), *(f"my {role}'s path ends" for role in _ROLES),
    "where mine reappear", "my corpses", "in sight", "palantír", "revealed zone", "noted on the way",
    *(f"their {role}" for role in ("thieves", "barbarians", "elves")), "their health",
    *(f"theirs looking {way}" for way in _WAYS), "their corpses",
)  # fmt: skip
HOTSPOT, HELD, MINE, AIM, END = 5, 6, 8, 11, 14
HOME, CORPSE, SIGHT, ORB, ZONE, NOTED, THEIRS, HEALTH, LOOKING, BODIES = 17, 18, 19, 20, 21, 22, 23, 26, 27, 31
SCALARS = (
    "turns played", "turns left", "placement turns left", "attacks after moves", "seats", "others that have sealed",
    "my points", "most points of another", "hotspots",
    "moves first", "wide Bastoooon", "free Loto", "narrow sight", "friends are noted", "losses cost", "return at once",
    *(
        f"{role}: {what}" for role in _ROLES
        for what in ("health", "first cooldown", "second cooldown", *(f"looks {way}" for way in _WAYS),
                     "attack ordered", "path ordered")
    ),
)  # fmt: skip
FIRST_OF_ROLE, OF_ROLE = 16, 9

SIDE = 13  # of the square in which thief and barbarian aim: a cone of size 5 is six cells wide to each side
AIMS, ATTACKS = SIDE * SIDE, 2 + 2 * SIDE * SIDE
PATHS = WINDOW * WINDOW + 4
FIRST_PATH = 1 + 2 * ATTACKS
FIRST_OF_ELF = FIRST_PATH + 3 * PATHS
MIDDLE = REACH * WINDOW + REACH


def _walks() -> list[int]:
    """Where four steps, two bits each, lead in a window."""
    ways = [-WINDOW, 1, WINDOW, -1]
    return [sum(ways[steps >> 2 * k & 3] for k in range(4)) for steps in range(256)]


WALK = table(_walks())


def size(terms: Terms) -> tuple[int, int]:
    return terms.height, terms.width


def actions(terms: Terms) -> int:
    return FIRST_OF_ELF + 1 + 3 * terms.width * terms.height


def name(terms: Terms, number: int) -> str:
    if number == 0:
        return "seal"
    if number >= FIRST_OF_ELF:
        what, cell = divmod(number - FIRST_OF_ELF - 1, terms.width * terms.height)
        return f"elf {('bow', 'reveal', 'loto')[what]} {name_of(terms.width, cell)}" if what >= 0 else "elf hold"
    if number >= FIRST_PATH:
        role, k = divmod(number - FIRST_PATH, PATHS)
        if k >= WINDOW * WINDOW:
            return f"{_ROLES[role]} looks {_WAYS[k - WINDOW * WINDOW]}"
        return f"{_ROLES[role]} path {k % WINDOW - REACH:+},{k // WINDOW - REACH:+}"
    role, k = divmod(number - 1, ATTACKS)
    if k < 2:
        return f"{_ROLES[role]} {('hold', ('treachery', 'fus ro dah')[role])[k]}"
    what, at = divmod(k - 2, AIMS)
    attacks = (("knife", "palantir"), ("blow", "bastoooon"))
    return f"{_ROLES[role]} {attacks[role][what]} {at % SIDE - SIDE // 2:+},{at // SIDE - SIDE // 2:+}"


# -- what a team sees ----------------------------------------------------------------------------------------------


@rule
def encode(terms: Terms, view: View, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    area = terms.width * terms.height
    for cell in range(area):
        kind = kind_at(terms, cell)
        if kind != GRASS:
            planes[(kind - 1) * area + cell] = 1
        spot = code_at(terms, cell) - FIRST_HOTSPOT
        if 0 <= spot < terms.hotspots:
            planes[HOTSPOT * area + cell] = 1
            if view.holder[spot]:
                planes[(HELD + (view.holder[spot] != seat + 1)) * area + cell] = 1 + view.held[spot]
    encode_own(terms, view, seat, planes)
    encode_others(terms, view, seat, planes)
    encode_sight(terms, view, seat, planes)
    encode_scalars(terms, view, seat, scalars)


@rule
def add(planes: list[i8], at: int, more: int) -> None:
    planes[at] = min(LARGEST, planes[at] + more)


@rule
def encode_own(terms: Terms, view: View, seat: int, planes: list[i8]) -> None:
    """One's units, where they reappear, and their orders of this turn: 1 + the attack, at the cell it aims at."""
    area = terms.width * terms.height
    for role in range(3):
        unit = 3 * seat + role
        cell = view.cell[unit] - 1
        planes[(MINE + role) * area + cell] = max(0, view.health[unit])
        add(planes, HOME * area + view.departure[role], 1)
        if view.corpse[unit]:
            add(planes, CORPSE * area + view.corpse[unit] - 1, 1)
        if view.attack[role]:
            what, aim = view.attack[role] >> 16 & 15, view.attack[role] & 0xFFFF
            planes[(AIM + role) * area + (aim if is_targeted(terms, role, what) else cell)] = 1 + what
        if view.path[role]:
            to = goal(view.path[role] & GIVEN - 1)
            planes[(END + role) * area + cell + (to // WINDOW - REACH) * terms.width + to % WINDOW - REACH] = 1
    if view.orb:
        planes[ORB * area + view.orb - 1] = 1
    if view.zone:
        planes[ZONE * area + view.zone - 1] = 1


@rule
def encode_others(terms: Terms, view: View, seat: int, planes: list[i8]) -> None:
    area = terms.width * terms.height
    for unit in range(3 * terms.seats):
        if unit // 3 == seat:
            continue
        if view.corpse[unit]:
            add(planes, BODIES * area + view.corpse[unit] - 1, 1)
        if view.cell[unit]:
            cell = view.cell[unit] - 1
            add(planes, (THEIRS + unit % 3) * area + cell, 1)
            add(planes, HEALTH * area + cell, max(0, view.health[unit]))
            add(planes, (LOOKING + view.facing[unit]) * area + cell, 1)


@rule
def encode_sight(terms: Terms, view: View, seat: int, planes: list[i8]) -> None:
    """Where the team looks, eye by eye, and what it noted on its way there."""
    seen = ints(2 * SIDE * SIDE)
    area = terms.width * terms.height
    for eye in range(5):
        n = 0
        if eye < 3:
            unit = 3 * seat + eye
            if view.health[unit] > 0:
                n = list_sight(terms, view.cell[unit] - 1, view.facing[unit], VISION[eye], seen, 0)
        elif eye == 3 and view.orb:
            n = list_square(terms, view.orb - 1, PALANTIR_SIGHT, seen, 0)
        elif eye == 4 and view.zone:
            n = list_square(terms, view.zone - 1, REVEAL_SIGHT, seen, 0)
        for k in range(n):
            planes[SIGHT * area + seen[k]] = 1
    for k in range(view.runs[0] + view.runs[1] + view.runs[2]):
        add(planes, NOTED * area + (view.noted[k] & 0xFFFF), view.noted[k] >> 16)


@rule
def encode_scalars(terms: Terms, view: View, seat: int, scalars: list[i32]) -> None:
    best, sealed = -(1 << 31), 0
    for other in range(terms.seats):
        if other != seat:
            best = max(best, view.points[other])
            sealed += view.sealed[other]
    scalars[0], scalars[1], scalars[2] = view.turn, terms.turns - view.turn, max(0, terms.placement - view.turn)
    scalars[3], scalars[4], scalars[5] = view.phase, terms.seats, sealed
    scalars[6], scalars[7], scalars[8] = view.points[seat], best, terms.hotspots
    scalars[9], scalars[10], scalars[11] = terms.moves_first, terms.wide_bastoooon, terms.free_loto
    scalars[12], scalars[13], scalars[14] = terms.narrow, terms.see_friends, terms.losses
    scalars[15] = terms.at_once
    for role in range(3):
        first = FIRST_OF_ROLE + role * OF_ROLE
        scalars[first] = view.health[3 * seat + role]
        scalars[first + 1], scalars[first + 2] = view.cooldown[2 * role], view.cooldown[2 * role + 1]
        scalars[first + 3 + view.facing[3 * seat + role]] = 1
        scalars[first + 7], scalars[first + 8] = view.attack[role] != 0, view.path[role] != 0


# -- numbers -------------------------------------------------------------------------------------------------------


@rule
def goal(payload: int) -> int:
    """Where a path ends, in the window around its start. Steps that it does not have count as steps to the north."""
    steps, length = payload >> 8 & 0xFFFFF, payload & 15
    return MIDDLE + WALK[steps & 255] + WALK[steps >> 8 & 255] + WALK[steps >> 16 & 255] + (12 - length) * WINDOW


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    if action == SEAL:
        return 0
    role, payload = action >> 32 & 3, action & GIVEN - 1
    if action >> 34 == PATH >> 34:
        first = FIRST_PATH + role * PATHS
        return first + (goal(payload) if payload & 15 else WINDOW * WINDOW + (payload >> 4 & 3))
    what, cell = payload >> 16, payload & 0xFFFF
    if role == ELF:
        return FIRST_OF_ELF + (1 + (what - 1) * terms.width * terms.height + cell if what else 0)
    first = 1 + role * ATTACKS
    if what == 0 or what == 3:
        return first + (what == 3)
    here = s.cell[3 * seat + role]
    aim = cell if is_targeted(terms, role, what) else here
    dx, dy = aim % terms.width - here % terms.width, aim // terms.width - here // terms.width
    return first + 2 + (what - BASIC) * AIMS + (dy + SIDE // 2) * SIDE + dx + SIDE // 2


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    if number == 0:
        return SEAL
    if number >= FIRST_OF_ELF:
        k, area = number - FIRST_OF_ELF - 1, terms.width * terms.height
        return ATTACK | ELF * ROLE | (1 + k // area << 16 | k % area if k >= 0 else 0)
    if number >= FIRST_PATH:
        k = number - FIRST_PATH
        return path_of(terms, s, 3 * seat + k // PATHS, k % PATHS)
    role, k = (number - 1) // ATTACKS, (number - 1) % ATTACKS
    if k < 2:
        return ATTACK | role * ROLE | 3 * k << 16
    what, at = BASIC + (k - 2) // AIMS, (k - 2) % AIMS
    here, dx, dy = s.cell[3 * seat + role], at % SIDE - SIDE // 2, at // SIDE - SIDE // 2
    if not is_targeted(terms, role, what):
        return ATTACK | role * ROLE | what << 16 if dx == 0 and dy == 0 else NO_ACTION
    x, y = here % terms.width + dx, here // terms.width + dy
    if x < 0 or x >= terms.width or y < 0 or y >= terms.height:
        return NO_ACTION
    return ATTACK | role * ROLE | what << 16 | y * terms.width + x


@rule
def path_of(terms: Terms, s: State, unit: int, k: int) -> int:
    """A facing on the spot, or the path that is offered to a cell of the window."""
    if k >= WINDOW * WINDOW:
        return PATH | unit % 3 * ROLE | k - WINDOW * WINDOW << 4
    out = ints(MAX_LEGAL)
    for j in range(4, list_paths(terms, s, unit, out, 0)):
        if goal(out[j] & GIVEN - 1) == k:
            return out[j]
    return NO_ACTION
