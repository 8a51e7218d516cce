"""A hand-made position of Casus Belli, orders in writing, and what came of them."""

from __future__ import annotations

from typing import Any

from quincunx.games import load
from quincunx.games.casus_belli import notation
from quincunx.games.casus_belli.field import FOREST, WALL, State, Terms, View, kind_at

ROLES = notation.ROLES
GAME = load("casus_belli", "interpreted")


class Scene:
    """Nobody is on the map but those who were put there: each of the others waits in a cell of a dungeon below it."""

    def __init__(self, rows: str, preset: str = "seed", seats: int = 2, turns: int = 20, **options: Any) -> None:
        lines = rows.split()
        width = max(len(lines[0]), 6 * seats)
        lines = [line.ljust(width, "#") for line in lines] + ["#" * width] * 6 + [(".#" * width)[:width]]
        text = f"{width} {len(lines)}\n0 {len(lines) - 1}\n0\n{turns}\n" + "\n".join(lines)
        chosen = GAME.new(preset, seats=seats, **options).options
        self.world = GAME.from_setup(chosen, text)
        for unit in range(3 * seats):
            self.s.cell[unit] += 2 * unit

    @property
    def s(self) -> State:
        state: State = self.world.rows[0]
        return state

    @property
    def terms(self) -> Terms:
        terms: Terms = self.world.terms[0]
        return terms

    def put(self, seat: int, role: str, at: str, facing: str = "N", health: int = 10) -> Scene:
        unit = self.unit(seat, role)
        self.s.cell[unit], self.s.facing[unit] = notation.cell_at(self.terms, at), "NESW".index(facing)
        self.s.health[unit] = health
        return self

    def unit(self, seat: int, role: str) -> int:
        return 3 * seat + ROLES.index(role)

    def order(self, seat: int, *orders: str) -> Scene:
        for order in orders:
            action = GAME.parse(self.world, seat, order)
            refusal = GAME.check(self.world, seat, action)
            assert refusal is None, (order, refusal)
            GAME.apply(self.world, seat, action)
        return self

    def refusal(self, seat: int, order: str) -> str:
        refusal = GAME.check(self.world, seat, GAME.parse(self.world, seat, order))
        return refusal.code if refusal else ""

    def play(self, observer: int = 0) -> list[Any]:
        """Seals for everybody; what `observer` is told of the resolution."""
        waiting = [seat for seat in range(self.terms.seats) if not self.s.sealed[seat]]
        for seat in waiting[:-1]:
            GAME.apply(self.world, seat, 0)
        events = GAME.apply_and_log(self.world, waiting[-1], 0, observer)
        return GAME.tell(self.world, observer, events)

    def at(self, seat: int, role: str) -> str:
        return notation.cell_name(self.terms, self.s.cell[self.unit(seat, role)])

    def facing(self, seat: int, role: str) -> str:
        return "NESW"[self.s.facing[self.unit(seat, role)]]

    def health(self, seat: int, role: str) -> int:
        return self.s.health[self.unit(seat, role)]

    def cooldowns(self, seat: int, role: str) -> list[int]:
        return self.s.cooldown[2 * self.unit(seat, role) :][:2]

    def corpse(self, seat: int, role: str) -> str:
        corpse = self.s.corpse[self.unit(seat, role)]
        return notation.cell_name(self.terms, corpse - 1) if corpse else ""

    def points(self) -> list[int]:
        return GAME.scores(self.world)

    def view(self, seat: int) -> View:
        view: View = GAME.view(self.world, seat).rows[0]
        return view

    def sees(self, seat: int, other: int, role: str) -> bool:
        return self.view(seat).cell[self.unit(other, role)] > 0


def field(width: int, height: int) -> str:
    """Grass."""
    return "\n".join(["." * width] * height)


def told(events: list[Any], kind: str) -> list[Any]:
    return [event for event in events if type(event).__name__ == kind]


def attack(scene: Scene, orders: dict[int, list[str]], observer: int = 0) -> list[Any]:
    """A turn with these attacks and no step, in either order of phases."""
    if scene.terms.moves_first and scene.s.phase == 0:
        scene.play()
    for seat, texts in orders.items():
        scene.order(seat, *texts)
    return scene.play(observer)


def move(scene: Scene) -> None:
    """On to the phase of attacks, where there is one."""
    if scene.terms.moves_first and scene.s.phase == 0:
        scene.play()


def as_ruled(terms: Terms, cell: int, facing: int, size: int) -> set[int]:
    """The ruling word for word, on sets."""
    ahead, right = [((0, -1), (1, 0)), ((1, 0), (0, 1)), ((0, 1), (-1, 0)), ((-1, 0), (0, -1))][facing]
    seen, blocked = set(), set()
    for i in range(size + 1):
        if terms.narrow and i:
            blocked |= {j for j, inner in ((i + 1, i), (-i - 1, -i)) if inner in blocked}
        for j in range(-(i + 1), i + 2):
            x = cell % terms.width + i * ahead[0] + j * right[0]
            y = cell // terms.width + i * ahead[1] + j * right[1]
            if not (0 <= x < terms.width and 0 <= y < terms.height) or j in blocked:
                continue
            kind = kind_at(terms, y * terms.width + x)
            if kind == FOREST and i + abs(j) > 1:
                blocked.add(j)
            elif kind == WALL:
                blocked |= {j} if i else set()
            else:
                seen.add(y * terms.width + x)
    return seen
