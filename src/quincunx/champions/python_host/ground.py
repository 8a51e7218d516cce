"""The map of a match: what lies where, how far it is from here to there, and what is seen from a cell.

A cell is a number, y * width + x. A step is paid on the cell that is left: road 1, grass, forest and tower 2, marsh 4.
Of several cheapest paths the one is taken whose cells, from its end backwards, come first in the order of numbers.
"""

from __future__ import annotations

from .contest import orientation, zone_type

ZONES = {
    ".": zone_type.ZONE_HERBE,
    "_": zone_type.ZONE_ROUTE,
    "F": zone_type.ZONE_FORET,
    "~": zone_type.ZONE_MARAIS,
    "#": zone_type.ZONE_MUR,
    "T": zone_type.ZONE_TOUR,
    "H": zone_type.ZONE_HERBE,
}
PRICES = {"_": 1, "~": 4}  # of others: 2
KEPT = 1_000_000  # cells in all the distances that are remembered


class Reach:
    """How much it costs to go from one cell to others, worked out as far as somebody asked."""

    def __init__(self, ground: Ground, source: int) -> None:
        self.ground = ground
        self.paid = {source: 0}
        self.waiting = {} if ground.letters[source] == "#" else {0: [source]}  # by cost
        self.cost = 0  # whatever is nearer was left already

    def to(self, target: int) -> int:
        """-1 if no path leads there."""
        paid, waiting, prices, around = self.paid, self.waiting, self.ground.prices, self.ground.around
        while waiting and paid.get(target, self.cost + 1) > self.cost:
            for cell in waiting.pop(self.cost, ()):
                if paid[cell] < self.cost:
                    continue
                after = self.cost + prices[cell]
                for beside in around(cell):
                    if paid.get(beside, after + 1) > after:
                        paid[beside] = after
                        waiting.setdefault(after, []).append(beside)
            self.cost += 1
        return paid.get(target, -1)


class Ground:
    def __init__(self, rows: list[str]) -> None:
        self.width, self.height = len(rows[0]), len(rows)
        self.letters = "".join(rows)
        self.prices = [PRICES.get(letter, 2) for letter in self.letters]
        self._reaches: dict[int, Reach] = {}
        self._around: dict[int, tuple[int, ...]] = {}

    def has(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def at(self, x: int, y: int) -> int:
        return y * self.width + x

    def around(self, cell: int) -> tuple[int, ...]:
        """The neighbours that are no walls, in the order of their numbers."""
        if cell not in self._around:
            y, x = divmod(cell, self.width)
            beside = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
            cells = [self.at(u, v) for u, v in beside if self.has(u, v)]
            self._around[cell] = tuple(there for there in cells if self.letters[there] != "#")
        return self._around[cell]

    def distance(self, source: int, target: int) -> int:
        return self._reach(source).to(target)

    def path(self, source: int, target: int) -> list[int]:
        """The cells after `source` up to `target`; none if there is no path."""
        reach = self._reach(source)
        if reach.to(target) < 0:
            return []
        cells: list[int] = []
        here = target
        while here != source:
            cells.append(here)
            here = next(
                before
                for before in self.around(here)
                if reach.paid.get(before, -9) + self.prices[before] == reach.paid[here]
            )
        return cells[::-1]

    def _reach(self, source: int) -> Reach:
        if source not in self._reaches:
            if len(self._reaches) * len(self.letters) > KEPT:
                del self._reaches[next(iter(self._reaches))]
            self._reaches[source] = Reach(self, source)
        return self._reaches[source]

    # -- seeing --------------------------------------------------------------------------------------------------

    def sight(self, x: int, y: int, facing: int, size: int) -> list[tuple[int, int]]:
        """All around on a tower, otherwise the cone; in the order in which the contest listed it."""
        if self.letters[self.at(x, y)] == "T":
            return self.square(x, y, size)
        return self.cone(x, y, facing, size)

    def cone(self, x: int, y: int, facing: int, size: int) -> list[tuple[int, int]]:
        south = (facing == orientation.ORIENTATION_SUD) - (facing == orientation.ORIENTATION_NORD)
        east = (facing == orientation.ORIENTATION_EST) - (facing == orientation.ORIENTATION_OUEST)
        seen: list[tuple[int, int]] = []
        blocked: set[int] = set()  # columns
        for i in range(size + 1):
            for j in range(-i - 1, i + 2):
                u, v = x + i * east + j * south, y + i * south + j * east
                if j in blocked or not self.has(u, v):
                    continue
                letter = self.letters[self.at(u, v)]
                if letter == "#":
                    if i:
                        blocked.add(j)
                elif letter == "F" and i + abs(j) > 1:
                    blocked.add(j)
                else:
                    seen.append((u, v))
        return seen

    def square(self, x: int, y: int, size: int) -> list[tuple[int, int]]:
        """Over everything, but never into a forest or a wall."""
        columns = range(max(0, x - size), min(self.width, x + size + 1))
        rows = range(max(0, y - size), min(self.height, y + size + 1))
        return [(u, v) for u in columns for v in rows if self.letters[self.at(u, v)] not in "#F"]
