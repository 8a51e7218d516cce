"""Casus Belli as a captain sees it when orders are due: its own units, whom it sees, what it remembers, how far it is.

Nothing is in it but what the seat's view holds. Orders are kept in a list, an attack and a path a unit at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from heapq import heappop, heappush

from quincunx.games.casus_belli.field import (
    ATTACK,
    BARBARIAN,
    BASIC,
    BASTOOOON,
    BASTOOOON_BASE,
    CUT_OFF,
    DAMAGE,
    DX,
    DY,
    ELF,
    FATAL,
    FIRST_HOTSPOT,
    HOLD,
    LOTO,
    LOTO_DAMAGE,
    PATH,
    PRICE,
    ROLE,
    THIEF,
    TOWER,
    TREACHERY,
    VISION,
    WALL,
    State,
    Terms,
    View,
    attacks_now,
    code_at,
    moves_now,
)
from quincunx.games.casus_belli.mapfile import extent
from quincunx.games.casus_belli.orders import MAX_LEGAL, list_attacks, list_paths
from quincunx.games.casus_belli.vision import in_cone, sees

NOWHERE = 1 << 20  # points: no path leads there


class Outlook:
    def __init__(self, terms: Terms, view: View, seat: int) -> None:
        self.terms, self.view, self.seat = terms, view, seat
        self.placing = view.turn < terms.placement
        self.state = s = State()  # with whom the seat sees and nobody else: the others count as dead
        s.turn, s.phase = view.turn, view.phase
        for unit in range(3 * terms.seats):
            if view.cell[unit]:
                s.cell[unit], s.facing[unit], s.health[unit] = view.cell[unit] - 1, view.facing[unit], view.health[unit]
        for k in range(6):
            s.cooldown[6 * seat + k] = view.cooldown[k]
        s.palantir[seat], s.revealed[seat] = view.orb, view.zone
        self.own = [3 * seat + role for role in range(3)]
        self.foes = [u for u in range(3 * terms.seats) if u // 3 != seat and view.cell[u] and view.health[u] > 0]
        own = {s.cell[unit] for unit in self.own}
        noted = () if self.foes or terms.see_friends else view.noted[: sum(view.runs)]  # not the ways of one's own
        self.traces = [run & 0xFFFF for run in noted if run & 0xFFFF not in own]
        self.dealt = dict.fromkeys(self.foes, 0)  # what the attacks so far will take from each
        self.orders: list[int] = []

    # -- where things are --------------------------------------------------------------------------------------------

    def cell(self, unit: int) -> int:
        return self.state.cell[unit]

    def distance(self, one: int, other: int) -> int:
        width = self.terms.width
        return abs(one % width - other % width) + abs(one // width - other // width)

    def spots(self) -> list[int]:
        """A cell of each hotspot that counts."""
        return list(spots_of(*extent(self.terms))) if self.terms.hotspots else []

    def posts(self) -> list[int]:
        """Where it is good to stand: hotspots; where there are none, towers; else the start."""
        towers = list(towers_of(*extent(self.terms)))
        return self.spots() or towers or [self.terms.start]

    def walk(self, goal: int) -> list[int]:
        """From each cell, the points of movement to the goal."""
        return ways_to(*extent(self.terms), goal)

    # -- attacks -----------------------------------------------------------------------------------------------------

    def attacks(self, unit: int) -> list[tuple[int, int]]:
        """What a unit may order now, and its cell."""
        if not attacks_now(self.terms, self.state):
            return []
        out = [0] * MAX_LEGAL
        n = list_attacks(self.terms, self.state, unit, out, 0)
        return [(order >> 16 & 3, order & 0xFFFF) for order in out[:n] if order >> 16 & 3 != HOLD]

    def damage(self, unit: int, what: int) -> int:
        """To each whom it hits; 0 for what only shows or pushes."""
        if what == BASIC:
            return DAMAGE[unit % 3]
        if unit % 3 == BARBARIAN and what == BASTOOOON:
            return BASTOOOON_BASE - self.state.health[unit]
        return (
            FATAL if unit % 3 == THIEF and what == TREACHERY else LOTO_DAMAGE if unit % 3 == ELF and what == LOTO else 0
        )

    def struck(self, unit: int, what: int, cell: int) -> list[int]:
        """Who is known to stand where it hits, friends too."""
        s, role = self.state, unit % 3
        if (role == THIEF and what == TREACHERY) or (
            role == BARBARIAN and what == BASTOOOON and not self.terms.wide_bastoooon
        ):
            return [foe for foe in self.foes if s.cell[foe] == s.cell[unit]]
        radius = 1 if role == BARBARIAN else 0
        hit = [u for u in [*self.own, *self.foes] if self.distance(s.cell[u], cell) <= radius]
        spares = (role == BARBARIAN and what == BASIC) or (role == ELF and what == LOTO)
        return hit if spares else [u for u in hit if u != unit]

    def pushed(self, unit: int) -> tuple[int, int]:
        """Enemies and friends whom a Fus Ro Dah would push."""
        s = self.state
        hit = [
            u
            for u in [*self.own, *self.foes]
            if u != unit and in_cone(self.terms, s.cell[unit], s.facing[unit], VISION[BARBARIAN], s.cell[u])
        ]
        friends = sum(u // 3 == self.seat for u in hit)
        return len(hit) - friends, friends

    def attack(self, unit: int, what: int, cell: int) -> None:
        self.orders.append(ATTACK | unit % 3 * ROLE | what << 16 | cell)
        if self.damage(unit, what):
            for hit in self.struck(unit, what, cell):
                if hit in self.dealt:
                    self.dealt[hit] += self.damage(unit, what)

    # -- paths -------------------------------------------------------------------------------------------------------

    def paths(self, unit: int) -> dict[int, int]:
        """Where a unit can be at the end of the turn, with the path there."""
        if not moves_now(self.terms, self.state):
            return {}
        out = [0] * MAX_LEGAL
        n = list_paths(self.terms, self.state, unit, out, 0)
        ends = {self.cell(unit): self.state.facing[unit] << 4}
        for order in out[4:n]:
            ends[self.end(unit, order)] = order & ROLE - 1
        return ends

    def end(self, unit: int, order: int) -> int:
        cell = self.cell(unit)
        for k in range(order & 15):
            step = order >> 8 + 2 * k & 3
            cell += DY[step] * self.terms.width + DX[step]
        return cell

    def go(self, unit: int, path: int, facing: int) -> None:
        self.orders.append(PATH | unit % 3 * ROLE | path & ~(15 << 4) | facing << 4)

    def in_sight(self, cell: int) -> int:
        """How many of the known enemies see a cell."""
        s = self.state
        return sum(sees(self.terms, s.cell[foe], s.facing[foe], VISION[foe % 3], cell) for foe in self.foes)

    def facing_to(self, cell: int, target: int) -> int:
        """The way to look from one cell at another."""
        width = self.terms.width
        right, down = target % width - cell % width, target // width - cell // width
        if abs(right) >= abs(down):
            return 1 if right >= 0 else 3
        return 2 if down > 0 else 0


def _ground(width: int, height: int, ground: tuple[int, ...]) -> list[int]:
    terms = Terms()
    terms.ground[: len(ground)] = ground
    return [code_at(terms, cell) for cell in range(width * height)]


@lru_cache(maxsize=64)
def spots_of(width: int, height: int, ground: tuple[int, ...]) -> tuple[int, ...]:
    """The middle cell of each hotspot."""
    spots: dict[int, list[int]] = {}
    for cell, code in enumerate(_ground(width, height, ground)):
        if FIRST_HOTSPOT <= code < CUT_OFF:
            spots.setdefault(code, []).append(cell)
    return tuple(cells[len(cells) // 2] for _, cells in sorted(spots.items()))


@lru_cache(maxsize=64)
def towers_of(width: int, height: int, ground: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(cell for cell, code in enumerate(_ground(width, height, ground)) if code == TOWER)


@lru_cache(maxsize=512)
def ways_to(width: int, height: int, ground: tuple[int, ...], goal: int) -> list[int]:
    """The price of the cheapest way from every cell to the goal."""
    codes = _ground(width, height, ground)
    price = [NOWHERE] * len(codes)
    price[goal] = 0
    queue = [(0, goal)]
    while queue:
        paid, cell = heappop(queue)
        for side in beside(width, height, cell):
            if paid == price[cell] and codes[side] != WALL and paid + PRICE[codes[side]] < price[side]:
                price[side] = paid + PRICE[codes[side]]
                heappush(queue, (price[side], side))
    return price


def beside(width: int, height: int, cell: int) -> Iterable[int]:
    x, y = cell % width, cell // width
    for k in range(4):
        if 0 <= x + DX[k] < width and 0 <= y + DY[k] < height:
            yield cell + DY[k] * width + DX[k]
