"""A plane says what its name says: held against what a client of the same seat is shown, which other code has written.

Each function below makes of what is shown, for one seat, the cells of planes by their names: {name: {(x, y): value}}.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from cases import long_journey, travel
from quincunx.envs.encoding import Encoding
from quincunx.games import World, load

Cells = defaultdict[str, dict[tuple[int, int], int]]

STARTS: dict[str, dict[str, Any]] = {
    "casus_belli": {"setup": "pit", "seats": 3},
    "chartichaud": {"width": 7, "height": 5},
    "cultist": {"destructible": True},
    "garden": {"preset": "wild"},
}


def at(name: str) -> tuple[int, int]:
    x, y = name.split(",")
    return int(x), int(y)


def connect_four(world: World, seat: int) -> Cells:
    cells: Cells = defaultdict(dict)
    for y, row in enumerate(world.view(seat).board().cells):
        for x, cell in enumerate(row):
            if cell.text:
                cells["mine" if cell.owner == seat else "theirs"][x, y] = 1
    return cells


def khet(world: World, seat: int) -> Cells:
    cells: Cells = defaultdict(dict)
    opposite = {"N": "S", "S": "N", "E": "W", "W": "E"}
    names = {"K": "pharaoh", "P": "pyramid", "A": "anubis", "S": "scarab", "X": "sphinx"}
    for piece in world.view(seat).show().pieces:
        x, y, facing = "ABCDEFGHIJ".index(piece.square[0]), 8 - int(piece.square[1]), piece.facing
        if seat == 1:
            x, y, facing = 9 - x, 7 - y, "".join(opposite.get(letter, letter) for letter in facing)
        kind = names[piece.kind]
        if kind == "sphinx":
            facing = "along its column" if facing in "NS" else "along its row"
        whole = f"{'mine' if piece.colour == seat else 'theirs'} {kind}" + (f" {facing}" if kind != "pharaoh" else "")
        cells[whole][x, y] = 1
    return cells


def cultist(world: World, seat: int) -> Cells:
    cells: Cells = defaultdict(dict)
    shown = world.view(seat).show()

    def place(cell: str) -> tuple[int, int]:
        x, y = at(cell)
        return (12 - x if seat else x), y

    for unit in shown.units:
        whose = "my" if unit.owner == seat else "their"
        name = "neutrals" if unit.owner == 2 else f"{whose} {'leader' if unit.leader else 'cultists'}"
        if unit.hp:
            cells[name][place(unit.cell)] = unit.hp
    for obstacle in shown.obstacles:
        cells["obstacles"][place(obstacle.cell)] = obstacle.hp
    return cells


def garden(world: World, seat: int) -> Cells:
    cells: Cells = defaultdict(dict)
    for hex in world.view(seat).show().hexes:
        y, k = "abcde".index(hex.name[0]), int(hex.name[1]) - 1
        x = k + (2, 1, 0, 0, 0)[y]
        here = (6 - x, 4 - y) if seat else (x, y)
        values = {
            "garden": 1,
            "my creatures": hex.creatures * (hex.owner == seat),
            "their creatures": hex.creatures * (hex.owner == 1 - seat),
            "ticks of poison": hex.ticks,
            "shield": int(hex.state == "protected"),
            "turns immobilised": hex.immobilised,
            "turns forged": hex.forged,
            f"ground: {hex.ground}": 1,
            f"income: {hex.resource}": hex.amount,
        }
        for name, value in values.items():
            if value:
                cells[name][here] = value
    return cells


def chartichaud(world: World, seat: int) -> Cells:
    cells: Cells = defaultdict(dict)
    shown = world.view(seat).show()
    for place in shown.places:
        here = (shown.width - 1 - place.x, shown.height - 1 - place.y) if seat else (place.x, place.y)
        values = {"in sight": int(place.seen), "gold": min(127, place.gold), "harvested this turn": int(place.reaped)}
        for stack in place.stacks:
            whose = "my" if stack.owner == seat else "their"
            last = "" if place.seen else " when last seen"
            kinds = (("civilians", stack.civilians), ("soldiers", stack.military), ("buildings", stack.buildings))
            for (kind, count), ready in zip(kinds, stack.ready or (0, 0, 0), strict=True):
                values[f"{whose} {kind}{last}"] = count
                if whose == "my":
                    values[f"my {kind} that may act"] = ready if world.turn == seat else count
        for name, value in values.items():
            if value:
                cells[name][here] = value
    return cells


def casus_belli(world: World, seat: int) -> Cells:
    cells: Cells = defaultdict(dict)
    shown = world.view(seat).show()
    letters = {"_": "road", "~": "marsh", "#": "wall", "F": "forest", "T": "tower", "H": "hotspot"}
    for y, row in enumerate(shown.rows):
        for x, letter in enumerate(row):
            if letter in letters:
                cells[letters[letter]][x, y] = 1
            if shown.sight[y][x] == "o":
                cells["in sight"][x, y] = 1
    for spot in shown.hotspots:
        for cell in spot.cells if spot.holder >= 0 else ():
            cells[f"1 + turns {'I' if spot.holder == seat else 'others'} held it"][at(cell)] = 1 + spot.turns
    several = {"thief": "thieves", "barbarian": "barbarians", "elf": "elves"}
    for unit in shown.units:
        if unit.team == seat:
            add(cells, f"health of my {unit.role}", at(unit.cell), max(0, unit.health))
        else:
            add(cells, f"their {several[unit.role]}", at(unit.cell), 1)
            add(cells, "their health", at(unit.cell), max(0, unit.health))
            add(cells, f"theirs looking {unit.facing}", at(unit.cell), 1)
    for corpse in shown.corpses:
        add(cells, "my corpses" if corpse.team == seat else "their corpses", at(corpse.cell), 1)
    for own in shown.own:
        add(cells, "where mine reappear", at(own.departure), 1)
        for cell in own.penumbra:
            add(cells, "noted on the way", at(cell), 1)
        if own.path:
            ends(cells, own, next(unit for unit in shown.units if unit.team == seat and unit.role == own.role))
    for name, cell in (("palantír", shown.palantir), ("revealed zone", shown.revealed)):
        if cell:
            cells[name][at(cell)] = 1
    return cells


def add(cells: Cells, name: str, here: tuple[int, int], more: int) -> None:
    if more:
        cells[name][here] = cells[name].get(here, 0) + more


def ends(cells: Cells, own: Any, unit: Any) -> None:
    """Where `thief path NNE` leads; `thief look N` stays."""
    x, y = at(unit.cell)
    steps = own.path.split()[2] if " path " in own.path else ""
    for letter in steps:
        x, y = x + (letter == "E") - (letter == "W"), y + (letter == "S") - (letter == "N")
    cells[f"my {own.role}'s path ends"][x, y] = 1


SHOWN = {
    "casus_belli": casus_belli, "chartichaud": chartichaud, "connect_four": connect_four,
    "cultist": cultist, "garden": garden, "khet": khet,
}  # fmt: skip
BESIDE = {  # planes that no client is shown in this way
    "casus_belli": {f"my {role}'s attack" for role in ("thief", "barbarian", "elf")},
    "chartichaud": {"1 + turns since last seen"},
}


@pytest.mark.parametrize("id", SHOWN)
def test_planes_say_what_a_client_is_shown(id: str) -> None:
    said = set()
    for seed in range(3):
        world = load(id, "compiled").new(seed=seed, **STARTS.get(id, {}))
        encoding = Encoding.of(world)
        for k, (seat, _) in enumerate(travel(world, long_journey(seed, 400), seed)):
            if seat < 0 or k % 7:
                continue
            planes, _ = encoding.observe(world.view(seat))
            shown = SHOWN[id](world, seat)
            for name, plane in zip(encoding.planes, planes, strict=True):
                if name in BESIDE.get(id, ()):
                    continue
                found = {(x, y): v for y, row in enumerate(plane.tolist()) for x, v in enumerate(row) if v}
                assert found == shown[name], (name, seat, world.position)
                said |= {name} if found else set()
    assert len(said) > 0.7 * len(encoding.planes)  # most of them had something to say
