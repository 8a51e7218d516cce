"""Four opponents of Casus Belli, each with a style: they show a player's weak sides, and levels are measured on them.

All of them strike whom they see, together if that kills, and then walk; they differ by where to. Nobody thinks about
what others will do. Within a style no two matches need be alike: who hunts, who holds, how shy it is is drawn for each.
"""

from __future__ import annotations

from quincunx.core.random import below, seeded
from quincunx.core.words import Words
from quincunx.games.casus_belli.field import (
    BARBARIAN,
    BASIC,
    ELF,
    FUS_RO_DAH,
    HEALTH,
    LOTO,
    MOVEMENT,
    PALANTIR,
    REVEAL,
    SEAL,
    THIEF,
    TREACHERY,
    Terms,
    View,
)
from quincunx.games.casus_belli.outlook import NOWHERE, Outlook

MEMORY = 6  # turns for which an enemy that was seen is looked for where it was
KILL = 100  # what a death is worth, beside damage
ROLES = (ELF, BARBARIAN, THIEF)  # who strikes first: the thief then finishes whom the others wounded


class Captain:
    """What all have in common: strikes, glances about, and steps towards a goal."""

    def __init__(self, seed: int) -> None:
        self.random = seeded(seed)
        self.last = (-1, -1)  # the turn and phase that the plan is for
        self.plan: list[int] = []
        self.met: dict[int, tuple[int, int]] = {}  # enemies by unit: the cell and the turn in which they were seen
        self.shout = self.drawn(1, 3)  # enemies, friends taken off, that a Fus Ro Dah is worth
        self.gamble = self.drawn(0, 1) == 1  # Loto where somebody was

    def drawn(self, low: int, high: int) -> int:
        """A number for this match."""
        return low + below(self.random, high - low + 1)

    def choose(self, terms: Terms, view: View, seat: int) -> int:
        """One legal action of a seat that is to act."""
        if self.last != (view.turn, view.phase):
            self.last, self.plan = (view.turn, view.phase), self.orders(Outlook(terms, view, seat))
        return self.plan.pop(0) if self.plan else SEAL

    def orders(self, field: Outlook) -> list[int]:
        turn = field.view.turn
        self.met = {unit: seen for unit, seen in self.met.items() if turn - seen[1] <= MEMORY}
        self.met |= {foe: (field.cell(foe), turn) for foe in field.foes}
        for role in ROLES:
            self.strike(field, field.own[role])
        self.begin(field)
        for unit in field.own:
            self.walk(field, unit)
        return field.orders

    def begin(self, field: Outlook) -> None:
        """What is decided for the whole team before it walks."""

    # -- attacks -----------------------------------------------------------------------------------------------------

    def strike(self, field: Outlook, unit: int) -> None:
        """Whom it hurts most; without anybody in sight it looks about, or tries its luck."""
        options = field.attacks(unit)
        best = max(((self.worth(field, unit, *option), option) for option in options), default=(0, None))
        if best[1] is not None and best[0] > 0:
            field.attack(unit, *best[1])
        elif not field.foes:
            self.glance(field, unit, options)

    def worth(self, field: Outlook, unit: int, what: int, cell: int) -> int:
        if unit % 3 == BARBARIAN and what == FUS_RO_DAH:
            foes, friends = field.pushed(unit)
            return 2 if foes - friends >= self.shout and field.state.health[unit] < HEALTH else 0
        damage, total = field.damage(unit, what), 0
        for hit in field.struck(unit, what, cell) if damage else ():
            if hit not in field.dealt:
                total -= 3 * min(damage, HEALTH) + (KILL if damage >= field.state.health[hit] else 0)
            elif (left := field.state.health[hit] - field.dealt[hit]) > 0:
                total += 2 * min(damage, left) + (KILL if damage >= left else HEALTH - left)
        return total - (total > 0 and what > BASIC and damage < HEALTH)

    def glance(self, field: Outlook, unit: int, options: list[tuple[int, int]]) -> None:
        """The palantír, the zone, or Loto, where enemies may be."""
        suspected = self.suspected(field)
        if not suspected:
            return
        wanted = {THIEF: PALANTIR, ELF: LOTO if self.gamble else REVEAL}.get(unit % 3)
        found = [(field.distance(cell, suspected[0]), cell) for what, cell in options if what == wanted]
        near = min(found, default=None)
        if wanted is None or near is None or near[0] > (0 if wanted == LOTO else 4):
            return
        if wanted != LOTO or all(near[1] != field.cell(each) for each in field.own):
            field.attack(unit, wanted, near[1])

    def suspected(self, field: Outlook) -> list[int]:
        """Where enemies may be, the surest first: on hotspots that they hold, in the penumbra, where they were."""
        spots = [spot for k, spot in enumerate(field.spots()) if field.view.holder[k] not in (0, field.seat + 1)]
        were = sorted((seen for unit, seen in self.met.items() if unit not in field.foes), key=lambda seen: -seen[1])
        return spots + field.traces[-1:] + [cell for cell, _ in were]

    # -- paths -------------------------------------------------------------------------------------------------------

    def walk(self, field: Outlook, unit: int) -> None:
        """To the best cell in reach, looking at what it heeds."""
        ends = field.paths(unit)
        if not ends:
            return
        goal = self.goal(field, unit)
        ways = field.walk(goal)
        best = min(ends, key=lambda cell: (self.cost(field, unit, cell, ways[cell]), ends[cell] & 15, cell))
        field.go(unit, ends[best], self.look(field, unit, best, goal))

    def goal(self, field: Outlook, unit: int) -> int:
        raise NotImplementedError

    def cost(self, field: Outlook, unit: int, cell: int, way: int) -> int:
        """How little it wants to be there; `way` is what is left of it to the goal."""
        return way

    def look(self, field: Outlook, unit: int, cell: int, goal: int) -> int:
        """At the nearest enemy, at the goal, or at where all come from."""
        near = min(field.foes, key=lambda foe: field.distance(field.cell(foe), cell), default=None)
        target = field.cell(near) if near is not None else goal if goal != cell else field.terms.start
        if target == cell:
            return below(self.random, 4)
        return field.facing_to(cell, target)

    def prey(self, field: Outlook, unit: int) -> int | None:
        """The cell of the enemy in sight who is nearest and weakest."""
        here = field.cell(unit)
        found = [
            (field.distance(field.cell(foe), here) + field.state.health[foe], field.cell(foe)) for foe in field.foes
        ]
        return min(found)[1] if found else None


class Rush(Captain):
    """All three hunt together: whom they see, then where somebody is suspected, then from post to post."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.post = self.drawn(0, 7)
        self.close = self.drawn(0, 3)  # cells that barbarian and elf keep from their prey

    def begin(self, field: Outlook) -> None:
        """The next post when this one was reached."""
        posts = field.posts()
        if any(field.cell(unit) == posts[self.post % len(posts)] for unit in field.own):
            self.post += 1

    def goal(self, field: Outlook, unit: int) -> int:
        prey = self.prey(field, unit)
        if prey is not None:
            return prey
        suspected, posts = self.suspected(field), field.posts()
        return suspected[0] if suspected else posts[self.post % len(posts)]

    def cost(self, field: Outlook, unit: int, cell: int, way: int) -> int:
        return way if unit % 3 == THIEF or not field.foes else abs(way - 2 * self.close)


class Turtle(Captain):
    """All three stand on one post, back to back, and strike whoever comes."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.pick = self.drawn(0, 7)
        self.reach = self.drawn(0, 3)  # cells around the post in which it goes for enemies

    def goal(self, field: Outlook, unit: int) -> int:
        posts = field.posts()
        post = posts[self.pick % len(posts)]
        prey = self.prey(field, unit)
        return prey if prey is not None and field.distance(prey, post) <= self.reach else post

    def look(self, field: Outlook, unit: int, cell: int, goal: int) -> int:
        if field.foes or cell != goal:
            return super().look(field, unit, cell, goal)
        home = field.facing_to(cell, field.terms.start)
        return (home + (0, 1, 3)[unit % 3]) % 4


class Harvest(Captain):
    """A post for each unit, held to the end; some of them may be hunters instead."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.pick = self.drawn(0, 7)
        self.hunters = self.drawn(0, 2) // 2  # the thief, in one match of three
        self.held: dict[int, int] = {}

    def begin(self, field: Outlook) -> None:
        """Who goes to which post: the slowest first, to the nearest that is free; enemies on it do not matter."""
        if self.held:
            return
        posts = field.posts()
        free = posts[self.pick % len(posts) :] + posts[: self.pick % len(posts)]
        for role in (ELF, BARBARIAN, THIEF):
            if not free:
                free = posts[:]
            here = field.cell(field.own[role])
            near = min(free, key=lambda post: field.walk(post)[here])
            free.remove(near)
            self.held[role] = near

    def goal(self, field: Outlook, unit: int) -> int:
        prey = self.prey(field, unit)
        if unit % 3 == THIEF and self.hunters and prey is not None:
            return prey
        return self.held[unit % 3]


class Harass(Harvest):
    """Strikes and steps out of sight; holds what nobody else wants, and breaks what others hold."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.shy = self.drawn(3, 12)  # what to be seen by an enemy costs, in points of movement
        self.brave = self.drawn(2, 8)  # health below which even the thief stays away

    def goal(self, field: Outlook, unit: int) -> int:
        prey = self.prey(field, unit)
        ready = field.view.cooldown[2 * THIEF + TREACHERY - 2] == 0
        if unit % 3 == THIEF and ready and field.state.health[unit] >= self.brave:
            if prey is not None and field.walk(prey)[field.cell(unit)] <= MOVEMENT[THIEF]:
                return prey
            if suspected := self.suspected(field):
                return suspected[0]
        return super().goal(field, unit)

    def cost(self, field: Outlook, unit: int, cell: int, way: int) -> int:
        if way == NOWHERE or (way == 0 and unit % 3 == THIEF):
            return way
        return way + self.shy * field.in_sight(cell)


OPPONENTS = {
    "rush": (
        Rush,
        Words("chasse à trois, de poste en poste", "hunts with all three, from post to post"),
    ),
    "turtle": (
        Turtle,
        Words("se retranche sur un hotspot et frappe qui vient", "digs in on a hotspot and strikes whoever comes"),
    ),
    "harvest": (Harvest, Words("tient un hotspot avec chaque unité", "holds a hotspot with each unit")),
    "harass": (
        Harass,
        Words("frappe, puis se met hors de vue", "strikes, then steps out of sight"),
    ),
}
