"""The field as a commander sees it when its turn begins: what is known of every cell, and who may still act.

Orders are given here one by one and kept in a list; each changes what the next one is given upon, as the rules would.
Nothing is in it but what the seat's view holds: what it sees now, and what it remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from quincunx.games.chartichaud.grid import (
    BUILDING,
    CIVILIAN,
    GOLD_BITS,
    MILITARY,
    PITCH,
    PRICE,
    STEP,
    WORD_BITS,
    Terms,
    View,
    borders,
    count,
    has,
)
from quincunx.games.chartichaud.rules import HARVEST, MAKE, MOVE, clash

RECENT = 12  # turns for which a unit that was seen is looked for where it was
KINDS = (CIVILIAN, MILITARY, BUILDING)

Counts = list[int]  # civilians, military, buildings


class Field:
    def __init__(self, terms: Terms, view: View, seat: int) -> None:
        self.terms, self.seat = terms, seat
        self.left = terms.turns - view.turns
        self.purse = view.own_purse
        self.own: dict[int, Counts] = {}
        self.ready: dict[int, Counts] = {}
        self.foes: dict[int, Counts] = {}  # in sight
        self.traces: dict[int, Counts] = {}  # of those who were in sight
        self.gold: dict[int, int] = {}
        self.reaped: set[int] = set()
        self.unknown: set[int] = set()
        self.orders: list[int] = []
        for y in range(terms.height):
            for x in range(terms.width):
                cell = y * PITCH + x
                if has(view.seen[y], x):
                    self._see(view, cell, has(view.reaped[y], x))
                else:
                    self._recall(view, cell)

    def _see(self, view: View, cell: int, reaped: bool) -> None:
        own, foe, acted = view.units[self.seat][cell], view.units[1 - self.seat][cell], view.acted[cell]
        if own:
            self.own[cell] = [count(own, kind) for kind in KINDS]
            self.ready[cell] = [count(own - acted, kind) for kind in KINDS]
        if foe:
            self.foes[cell] = [count(foe, kind) for kind in KINDS]
        if view.gold[cell]:
            self.gold[cell] = view.gold[cell]
        if reaped:
            self.reaped.add(cell)

    def _recall(self, view: View, cell: int) -> None:
        memory = view.memory[cell]
        if memory == 0:
            self.unknown.add(cell)
            return
        if gold := memory >> WORD_BITS & (1 << GOLD_BITS) - 1:
            self.gold[cell] = gold
        recent = view.turns + 1 - (memory >> WORD_BITS + GOLD_BITS) <= RECENT
        trace = [count(memory, kind) if recent or kind == BUILDING else 0 for kind in KINDS]
        if any(trace):
            self.traces[cell] = trace

    # -- what can be read off it -------------------------------------------------------------------------------------

    def total(self, kind: int) -> int:
        return sum(units[kind] for units in self.own.values())

    def foes_seen(self, kind: int) -> int:
        return sum(units[kind] for where in (self.foes, self.traces) for units in where.values())

    def soldiers(self, cell: int) -> int:
        return self.own[cell][MILITARY] if cell in self.own else 0

    def around(self, cell: int) -> Iterator[tuple[int, int]]:
        """The directions in which there is a cell, and that cell."""
        for direction in range(4):
            if borders(self.terms, cell, direction):
                yield direction, cell + STEP[direction]

    def danger(self, cell: int) -> int:
        """Enemy soldiers that can be here in their next turn."""
        near = self.foes[cell][MILITARY] if cell in self.foes else 0
        return near + sum(self.foes[to][MILITARY] for _, to in self.around(cell) if to in self.foes)

    def holds(self, cell: int, soldiers: int) -> bool:
        """Would so many soldiers here stand the enemy's next turn?"""
        return clash(self.danger(cell), soldiers) <= 0

    def nearest(self, cell: int, cells: Iterable[int]) -> int | None:
        return min(cells, key=lambda each: (distance(cell, each), each), default=None)

    def corner(self, seat: int) -> int:
        """Where a seat begins on a map that was drawn."""
        return (self.terms.height - 1) * PITCH + self.terms.width - 1 if seat else 0

    # -- orders ------------------------------------------------------------------------------------------------------

    def make(self, cell: int, kind: int) -> None:
        maker = CIVILIAN if kind == BUILDING else BUILDING
        self.orders.append(MAKE << 16 | kind << 14 | cell)
        self.purse -= PRICE[kind]
        self.own[cell][kind] += 1
        self.ready[cell][maker] -= 1
        if self.terms.fresh_act:
            self.ready[cell][kind] += 1

    def can_make(self, cell: int, kind: int) -> bool:
        maker = CIVILIAN if kind == BUILDING else BUILDING
        disputed = not self.terms.contested and cell in self.foes and self.foes[cell][BUILDING] > 0
        return self.ready[cell][maker] > 0 and self.purse >= PRICE[kind] and not disputed

    def harvest(self, cell: int) -> None:
        self.orders.append(HARVEST << 16 | cell)
        self.ready[cell][CIVILIAN] -= 1
        self.reaped.add(cell)
        self.purse += 1

    def move(self, cell: int, kind: int, direction: int, n: int = 1) -> None:
        to = cell + STEP[direction]
        self.orders += [MOVE << 16 | kind << 14 | direction << 12 | cell] * n
        self.own[cell][kind] -= n
        self.ready[cell][kind] -= n
        self.own.setdefault(to, [0, 0, 0])[kind] += n
        self.ready.setdefault(to, [0, 0, 0])

    def step_to(self, cell: int, target: int, fits: Callable[[int], bool]) -> int | None:
        """The direction of a step that comes nearer and leads where it `fits`; along the longer side if it can."""
        right, down = abs(cell % PITCH - target % PITCH), abs(cell // PITCH - target // PITCH)
        best = None
        for direction, to in self.around(cell):
            if distance(to, target) < distance(cell, target) and fits(to):
                along = (direction & 1 == 1) == (right >= down)
                if best is None or along:
                    best = direction
        return best


def distance(one: int, other: int) -> int:
    return abs(one % PITCH - other % PITCH) + abs(one // PITCH - other // PITCH)
