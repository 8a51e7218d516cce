"""Casus Belli: a naive referee, written from the ruling with sets and lists, resolves the same turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cases import long_journey
from casus_scene import as_ruled
from quincunx.core import hints
from quincunx.games import load
from quincunx.games.casus_belli.field import FIRST_HOTSPOT, FOREST, TOWER, WALL, State, Terms, code_at, kind_at

FAST = load("casus_belli", "compiled")
STEP = [(0, -1), (1, 0), (0, 1), (-1, 0)]
PRICE = {".": 2, "_": 1, "~": 4, "#": 0, "F": 2, "T": 2}
SIGHT, LEGS, BASIC = (5, 4, 4), (10, 8, 6), (5, 3, 2)
Place = tuple[int, int]


class Referee:
    """One turn, or one phase of it, from a copy of the state."""

    def __init__(self, terms: Terms, s: State) -> None:
        self.terms, self.n = terms, 3 * terms.seats
        self.at: list[Place] = [self.place(s.cell[u]) for u in range(self.n)]
        self.home = [self.place(s.departure[u]) for u in range(self.n)]
        self.facing, self.life = s.facing[: self.n], s.health[: self.n]
        self.wait = [s.cooldown[2 * u : 2 * u + 2] for u in range(self.n)]
        self.attack = [(a >> 16 & 3, self.place(a & 0xFFFF)) for a in s.attack[: self.n]]
        self.path = [[p >> 8 + 2 * k & 3 for k in range(p & 15)] for p in s.path[: self.n]]
        self.look = [p >> 4 & 3 if p else -1 for p in s.path[: self.n]]
        self.points, self.orb, self.zone = s.points[:], s.palantir[:], s.revealed[:]
        self.holder, self.held = s.holder[:], s.held[:]
        self.corpse: dict[int, Place] = {}
        playing = s.turn >= terms.placement
        attacks, moves = playing and (s.phase == 1 or not terms.moves_first), s.phase == 0
        if attacks:
            self.fight()
        if moves:
            self.march()
        if not (moves and playing and terms.moves_first):
            self.finish(playing, s.turn + 1 == terms.placement)

    def place(self, cell: int) -> Place:
        return cell % self.terms.width, cell // self.terms.width

    def open(self, place: Place) -> bool:
        x, y = place
        inside = 0 <= x < self.terms.width and 0 <= y < self.terms.height
        return inside and kind_at(self.terms, y * self.terms.width + x) != WALL

    def square(self, centre: Place, size: int) -> set[Place]:
        x, y = centre
        around = {(x + i, y + j) for i in range(-size, size + 1) for j in range(-size, size + 1)}
        seen = {p for p in around if self.open(p)}
        return {p for p in seen if kind_at(self.terms, p[1] * self.terms.width + p[0]) != FOREST}

    def cone(self, u: int, size: int) -> set[Place]:
        cell = self.at[u][1] * self.terms.width + self.at[u][0]
        return {self.place(c) for c in as_ruled(self.terms, cell, self.facing[u], size)}

    def sees(self, u: int, size: int) -> set[Place]:
        on_tower = kind_at(self.terms, self.at[u][1] * self.terms.width + self.at[u][0]) == TOWER
        return self.square(self.at[u], size) if on_tower else self.cone(u, size)

    def team_sees(self, team: int) -> set[Place]:
        seen = set().union(*(self.sees(u, SIGHT[u % 3]) for u in range(3 * team, 3 * team + 3) if self.life[u] > 0))
        for mark, size in ((self.orb[team], 5), (self.zone[team], 4)):
            seen |= self.square(self.place(mark - 1), size) if mark else set()
        return seen

    def fight(self) -> None:
        before, hits = self.at[:], [set[int]() for _ in range(self.n)]
        shouts = [u for u in range(1, self.n, 3) if self.attack[u][0] == 3]
        pushes: dict[int, list[int]] = {u: [] for u in range(self.n)}
        for caster in shouts:
            for u in range(self.n):
                if u != caster and self.at[u] in self.cone(caster, 4):
                    pushes[u].append(caster)
        for u, casters in pushes.items():
            if len(casters) > 1:
                self.life[u] = 0
                hits[u] = {c // 3 for c in casters}
            elif casters:
                self.at[u] = self.pushed(before, casters[0], u)
        aims = [self.aim(u, before[u]) for u in range(self.n)]
        lost = [0] * self.n
        first = [u for u in range(self.n) if not (u % 3 == 1 and aims[u][0] == 2)]
        for u in first:
            self.strike(u, *aims[u], 0, lost, hits)
        blows = {u: 11 - max(0, self.life[u] - lost[u]) for u in range(self.n) if u not in first}
        for u, blow in blows.items():
            self.strike(u, *aims[u], blow, lost, hits)
        self.zone = [0] * len(self.zone)
        for u, (what, target) in enumerate(aims):
            if what > 1:
                self.wait[u][what - 2] = self.terms.cooldowns[u % 3 * 2 + what - 2]
            if what == 2 and u % 3 != 1:
                (self.orb if u % 3 == 0 else self.zone)[u // 3] = target[1] * self.terms.width + target[0] + 1
        for u in range(self.n):
            self.life[u] -= lost[u]
            if self.life[u] <= 0:
                self.die(u, hits[u])

    def pushed(self, before: list[Place], caster: int, u: int) -> Place:
        (dx, dy), (x, y) = STEP[self.facing[caster]], before[u]
        while (x - before[caster][0]) * dx + (y - before[caster][1]) * dy < 5 and self.open((x + dx, y + dy)):
            x, y = x + dx, y + dy
        return x, y

    def aim(self, u: int, before: Place) -> tuple[int, Place]:
        what, target = self.attack[u]
        target = target[0] + self.at[u][0] - before[0], target[1] + self.at[u][1] - before[1]
        inside = 0 <= target[0] < self.terms.width and 0 <= target[1] < self.terms.height
        role, here = u % 3, self.at[u]
        if role == 1 and what == 3:
            return what, here
        if self.life[u] <= 0 or what == 0:
            return 0, here
        if (role == 0 and what == 3) or (role == 1 and what == 2 and not self.terms.wide_bastoooon):
            return what, here
        allowed: dict[Place, Callable[[], bool]] = {
            (0, 1): lambda: target in self.sees(u, 1),
            (0, 2): lambda: target in self.sees(u, 5),
            (1, 1): lambda: target in self.sees(u, 4),
            (1, 2): lambda: target in self.sees(u, 3),
            (2, 1): lambda: target in self.team_sees(u // 3),
            (2, 2): lambda: inside,
            (2, 3): lambda: inside and (self.terms.free_loto == 1 or target not in self.sees(u, 4)),
        }
        return (what, target) if allowed[role, what]() else (0, here)

    def strike(self, u: int, what: int, target: Place, blow: int, lost: list[int], hits: list[set[int]]) -> None:
        role, cells, damage, spared = u % 3, {target}, BASIC[u % 3], {u}
        friends = set(range(u - role, u - role + 3))
        plus = {target, *((target[0] + dx, target[1] + dy) for dx, dy in STEP)}
        if what == 0 or (what == 2 and role != 1) or (what == 3 and role == 1):
            return
        if role == 0 and what == 3:
            damage, spared = 9001, friends
        elif role == 1:
            cells, spared = plus, set()
            if what == 2:
                damage = blow
                cells, spared = (plus, {u}) if self.terms.wide_bastoooon else ({target}, friends)
        elif role == 2 and what == 3:
            damage, spared = 4, set()
        for v in range(self.n):
            if self.at[v] in cells and v not in spared and self.life[v] > 0:
                lost[v] += damage
                hits[v].add(u // 3)

    def die(self, u: int, hits: set[int]) -> None:
        team = u // 3
        if hits == {team}:
            self.points[team] -= 2 if self.terms.losses else 1
        elif team not in hits:
            self.points[team] -= 1 if self.terms.losses else 0
            for other in hits:
                self.points[other] += 1
        self.life[u] = 0
        if self.terms.at_once:
            self.respawn(u)
            self.path[u], self.look[u] = [], -1
        else:
            self.corpse[u] = self.at[u]

    def respawn(self, u: int) -> None:
        self.at[u], self.facing[u], self.life[u], self.wait[u] = self.home[u], 0, 10, [0, 0]

    def march(self) -> None:
        rows = "._~#FT"
        for u in range(self.n):
            spent, here, fine = 0, self.at[u], self.life[u] > 0
            for step in self.path[u]:
                spent += PRICE[rows[kind_at(self.terms, here[1] * self.terms.width + here[0])]]
                here = here[0] + STEP[step][0], here[1] + STEP[step][1]
                if spent > LEGS[u % 3] or not self.open(here):
                    fine = False
                    break
            if fine:
                self.at[u] = here
                self.facing[u] = self.look[u] if self.look[u] >= 0 else self.facing[u]

    def finish(self, playing: bool, placed: bool) -> None:
        for spot in range(self.terms.hotspots if playing else 0):
            cells = range(self.terms.width * self.terms.height)
            ground = {self.place(c) for c in cells if code_at(self.terms, c) == FIRST_HOTSPOT + spot}
            teams = {u // 3 for u in range(self.n) if self.life[u] > 0 and self.at[u] in ground}
            alone = teams.pop() + 1 if len(teams) == 1 else 0
            self.held[spot] = (self.held[spot] if alone == self.holder[spot] else 0) + (alone > 0)
            self.holder[spot] = alone
            if self.held[spot] == 3:
                self.held[spot] = 0
                self.points[alone - 1] += 1
        for u in range(self.n):
            if self.life[u] <= 0:
                self.respawn(u)
            self.wait[u] = [max(0, w - 1) for w in self.wait[u]]
            if placed:
                self.home[u] = self.at[u]

    def facts(self) -> list[Any]:
        corpses = [self.corpse.get(u) for u in range(self.n)]
        units = list(zip(self.at, self.facing, self.life, self.wait, self.home, corpses, strict=True))
        return [units, self.points, self.orb, self.zone, self.holder, self.held]


def facts(terms: Terms, s: State, fought: bool) -> list[Any]:
    """The same of what the rules made of it; a corpse stays until attacks are resolved again."""
    n = range(3 * terms.seats)

    def place(cell: int) -> Place:
        return cell % terms.width, cell // terms.width

    units = [
        (
            place(s.cell[u]), s.facing[u], s.health[u], s.cooldown[2 * u : 2 * u + 2], place(s.departure[u]),
            place(s.corpse[u] - 1) if s.corpse[u] and fought else None,
        )
        for u in n
    ]  # fmt: skip
    return [units, s.points, s.palantir, s.revealed, s.holder, s.held]


@pytest.mark.parametrize("preset", ["seed", "final"])
@pytest.mark.parametrize(("setup", "seats"), [("pit", 2), ("pit", 6), ("castle", 4), ("labyrinth", 3)])
def test_a_naive_referee_agrees(preset: str, setup: str, seats: int) -> None:
    policy = FAST.gear.bind(hints.policy)
    out: Any = FAST.gear.ints(FAST.rules.MAX_LEGAL)
    pushed = resolved = 0
    for seed in range(5):
        world, random = FAST.new(preset, setup=setup, seats=seats), FAST.random(seed)
        terms: Terms = FAST.terms(world)
        for choice in long_journey(seed, 1200):
            seat = FAST.turn(world)
            if seat < 0:
                break
            actions = FAST.legal(world)
            out[: len(actions)] = actions
            shouts = [a for a in actions if a >> 16 == (1 << 18 | 1 << 16) | 3]  # Fus Ro Dah, half of the time
            if shouts and choice % 2:
                action = shouts[0]
                pushed += 1
            elif choice % 5:
                action = actions[policy(world.terms[0], world.rows[0], seat, out, len(actions), random[0])]
            else:
                action = actions[choice % len(actions)]
            before: State = FAST.state(world)
            FAST.apply(world, seat, action)
            after: State = FAST.state(world)
            if (before.turn, before.phase) != (after.turn, after.phase):
                fought = before.turn >= terms.placement and (before.phase == 1 or not terms.moves_first)
                assert facts(terms, after, fought) == Referee(terms, before).facts()
                resolved += 1
    assert pushed and resolved > 50
