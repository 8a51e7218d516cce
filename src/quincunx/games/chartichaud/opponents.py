"""Four opponents of Chartichaud, each with a style: they show a player's weak sides, and levels are measured on them.

All of them plan a turn when it begins (recruit, strike, harvest or flee, march, walk) and then play their plan. They
differ by what they make and by where their soldiers go. No thought is given to what the other will do. Within a style
no two matches need be alike: how many workers, how large a body, how soon is drawn for each, so that nobody is
measured on one program alone.
"""

from __future__ import annotations

from functools import partial

from quincunx.core.random import below, seeded
from quincunx.core.words import Words
from quincunx.games.chartichaud.field import Field, distance
from quincunx.games.chartichaud.grid import (
    BUILDING,
    CIVILIAN,
    MILITARY,
    PITCH,
    PRICE,
    Terms,
    View,
    buildings,
    count,
    has,
)
from quincunx.games.chartichaud.rules import END, HARVEST, MAKE, MOVE, clash


class Commander:
    """What all have in common: workers that look for gold and flee, soldiers that strike whom they can beat."""

    def __init__(self, seed: int) -> None:
        self.random = seeded(seed)
        self.patience = self.drawn(20, 35)  # gold saved for another building
        self.turn = -1  # the turn that the plan is for
        self.plan: list[int] = []

    def drawn(self, low: int, high: int) -> int:
        """A number for this match."""
        return low + below(self.random, high - low + 1)

    def choose(self, terms: Terms, view: View, seat: int) -> int:
        """One legal action of a seat that is to act."""
        if self.turn != view.turns:
            self.turn, self.plan = view.turns, self.orders(Field(terms, view, seat))
        while self.plan:
            action = self.plan.pop(0)
            if is_possible(terms, view, seat, action):  # it always is, unless actions were taken back
                return action
        return END

    def orders(self, field: Field) -> list[int]:
        self.recruit(field)
        self.strike(field)
        self.harvest(field)
        self.march(field)
        self.walk(field)
        return field.orders

    # -- what is made ------------------------------------------------------------------------------------------------

    def recruit(self, field: Field) -> None:
        """A building first; then, in each of them, what the style wants."""
        if field.total(BUILDING) == 0 or self.wants_building(field):
            sites = [cell for cell in field.ready if field.can_make(cell, BUILDING) and field.holds(cell, 0)]
            free = [cell for cell in sites if field.own[cell][BUILDING] == 0]
            if free and field.left > 20:
                home = field.corner(field.seat)
                field.make(min(free, key=lambda cell: (distance(cell, home), cell)), BUILDING)
        for cell in sorted(field.ready):
            for _ in range(field.ready[cell][BUILDING]):
                kind = self.wants(field)
                if kind is None or not field.can_make(cell, kind):
                    break
                field.make(cell, kind)

    def wants(self, field: Field) -> int | None:
        """What the next unit should be; None to save."""
        raise NotImplementedError

    def wants_building(self, field: Field) -> bool:
        """Another one, when gold comes in faster than one building spends it."""
        return field.purse >= self.patience + 15 * field.total(BUILDING) and field.left > 60

    def wants_worker(self, field: Field, most: int) -> bool:
        """Is there work for one more, of at most so many, that lasts until it has paid?"""
        return field.total(CIVILIAN) < min(most, 3 + len(field.gold)) and field.left > 30

    # -- soldiers ----------------------------------------------------------------------------------------------------

    def strike(self, field: Field) -> None:
        """Whoever stands beside enemies that all of them together beat goes there; the dearest first."""
        for target in sorted(field.foes, key=lambda cell: (-worth(field.foes[cell]), cell)):
            near = [(way ^ 2, cell) for way, cell in field.around(target) if cell in field.ready]
            near = [(way, cell) for way, cell in near if field.ready[cell][MILITARY]]
            strength = field.soldiers(target) + sum(field.ready[cell][MILITARY] for _, cell in near)
            if strength == 0 or clash(strength, field.foes[target][MILITARY]) <= 0:
                continue
            for way, cell in near:
                field.move(cell, MILITARY, way, field.ready[cell][MILITARY])
            del field.foes[target]  # nobody there is to be feared any more

    def march(self, field: Field) -> None:
        """Every body of soldiers takes a step towards its target, if it can stand there."""
        for cell in sorted(field.ready):
            soldiers = field.ready[cell][MILITARY]
            target = self.target(field, cell, soldiers) if soldiers else None
            if target is None or target == cell:
                continue
            way = field.step_to(cell, target, partial(self.stands, field, soldiers))
            if way is not None:
                field.move(cell, MILITARY, way, soldiers)
            elif not field.holds(cell, field.soldiers(cell)):
                self.flee(field, cell, MILITARY, soldiers)

    def stands(self, field: Field, soldiers: int, cell: int) -> bool:
        """Can so many go there, to those who are there, and not be beaten in the enemy's next turn?"""
        return field.holds(cell, soldiers + field.soldiers(cell))

    def target(self, field: Field, cell: int, soldiers: int) -> int | None:
        """Where the soldiers of a cell go."""
        raise NotImplementedError

    def prey(self, field: Field, cell: int, soldiers: int, reach: int = 99, *, fighters: bool = False) -> int | None:
        """The nearest enemies, in sight or remembered, whom so many beat; soldiers are run after by `fighters` only."""
        found = [
            to
            for where in (field.foes, field.traces)
            for to, units in where.items()
            if clash(soldiers, units[MILITARY]) > 0
            and (fighters or units[CIVILIAN] + units[BUILDING])
            and distance(cell, to) <= reach
        ]
        return field.nearest(cell, found)

    def search(self, field: Field, cell: int) -> int | None:
        """Where enemies may be: their corner, then what was never seen, then anywhere."""
        corner = field.corner(1 - field.seat)
        if corner in field.unknown:
            return corner
        unknown = field.nearest(cell, field.unknown)
        return self.somewhere(field) if unknown is None else unknown

    def somewhere(self, field: Field) -> int:
        return below(self.random, field.terms.height) * PITCH + below(self.random, field.terms.width)

    # -- civilians ---------------------------------------------------------------------------------------------------

    def harvest(self, field: Field) -> None:
        """Who is in danger flees; of the others, one on each cell with gold works."""
        for cell in sorted(field.ready):
            workers = field.ready[cell][CIVILIAN]
            if workers and not field.holds(cell, field.soldiers(cell)):
                self.flee(field, cell, CIVILIAN, workers)
            elif workers and cell in field.gold and cell not in field.reaped:
                field.harvest(cell)

    def flee(self, field: Field, cell: int, kind: int, n: int) -> None:
        """To the safest cell beside this one, with soldiers of one's own if there are any."""

        def fear(to: int) -> tuple[bool, int, int]:
            soldiers = field.soldiers(to) + (n if kind == MILITARY else 0)
            near = min((distance(to, foe) for foe, units in field.foes.items() if units[MILITARY]), default=99)
            return not field.holds(to, soldiers), -field.soldiers(to), -near

        way, to = min(field.around(cell), key=lambda each: (fear(each[1]), each[0]))
        if fear(to) < fear(cell):
            field.move(cell, kind, way, n)

    def walk(self, field: Field) -> None:
        """The nearest worker for each gold that has none; who finds none explores."""
        idle = [cell for cell in field.ready for _ in range(field.ready[cell][CIVILIAN])]
        free = {cell for cell in field.gold if cell not in field.foes and not self.is_worked(field, cell)}
        pairs = sorted((distance(cell, gold), cell, gold) for cell in set(idle) for gold in free)
        for _, cell, gold in pairs:
            if gold in free and cell in idle:
                free.discard(gold)
                idle.remove(cell)
                self.go(field, cell, gold)
        for cell in idle:
            unknown = field.nearest(cell, field.unknown)
            if unknown is not None:
                self.go(field, cell, unknown)

    def is_worked(self, field: Field, cell: int) -> bool:
        """Does a civilian of this side stand there that has worked already?"""
        return cell in field.reaped and cell in field.own and field.own[cell][CIVILIAN] > field.ready[cell][CIVILIAN]

    def go(self, field: Field, cell: int, target: int) -> None:
        way = field.step_to(cell, target, lambda to: field.holds(to, field.soldiers(to)))
        if way is not None:
            field.move(cell, CIVILIAN, way)


class Rush(Commander):
    """Soldiers from the first building on, few workers; they gather, and then hunt whoever they find."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.body = self.drawn(1, 4)  # so many leave home together
        self.workers = self.drawn(5, 14)
        self.lead = self.drawn(1, 4)  # workers more than soldiers, until there are enough
        self.fighters = self.drawn(0, 1) == 1

    def wants(self, field: Field) -> int | None:
        workers, soldiers = field.total(CIVILIAN), field.total(MILITARY)
        if soldiers < workers - self.lead or not self.wants_worker(field, self.workers):
            return MILITARY
        return CIVILIAN

    def target(self, field: Field, cell: int, soldiers: int) -> int | None:
        prey = self.prey(field, cell, field.soldiers(cell), fighters=self.fighters)
        near = prey is not None and distance(cell, prey) <= 4
        if not near and field.soldiers(cell) < self.body:
            others = [to for to in field.own if to != cell and field.soldiers(to)]
            return field.nearest(cell, others)
        return self.search(field, cell) if prey is None else prey


class Turtle(Commander):
    """A soldier for every few workers, all of them where the workers are; it grows late in the match."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.workers = self.drawn(6, 14)
        self.guarded = self.drawn(1, 3)  # workers for each soldier
        self.guard = self.drawn(3, 8)  # cells from its own people that a soldier goes at most
        self.late = self.drawn(30, 70)  # of a hundred turns, those that are left when it grows

    def wants(self, field: Field) -> int | None:
        late = 100 * field.left < self.late * field.terms.turns
        if field.total(MILITARY) < max(field.total(CIVILIAN) // self.guarded, field.foes_seen(MILITARY)):
            return MILITARY
        if self.wants_worker(field, 3 * self.workers if late else self.workers):
            return CIVILIAN
        return MILITARY if field.total(MILITARY) < field.total(CIVILIAN) else None

    def target(self, field: Field, cell: int, soldiers: int) -> int | None:
        intruder = self.prey(field, cell, soldiers, self.guard)
        if intruder is not None:
            return intruder
        posts = [to for to, units in field.own.items() if units[CIVILIAN] + units[BUILDING]]
        bare = [to for to in posts if field.soldiers(to) == 0 or (to == cell and field.soldiers(to) <= soldiers)]
        return field.nearest(cell, bare)


class Harvest(Commander):
    """Civilians and buildings only, as many as there is gold for."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.workers = self.drawn(12, 40)

    def wants(self, field: Field) -> int | None:
        return CIVILIAN if self.wants_worker(field, self.workers) else None

    def target(self, field: Field, cell: int, soldiers: int) -> int | None:
        return None  # only a map can have given it soldiers: they stay where they are


class Harass(Harvest):
    """Grows, and sends a few soldiers out one by one, against workers that nobody guards."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.soldiers = self.drawn(2, 8)
        self.share = self.drawn(2, 4)  # workers for each soldier
        self.first = self.drawn(3, 7)  # workers before the first soldier

    def wants(self, field: Field) -> int | None:
        workers = field.total(CIVILIAN)
        if workers >= self.first and field.total(MILITARY) < min(self.soldiers, workers // self.share):
            return MILITARY
        return super().wants(field)

    def target(self, field: Field, cell: int, soldiers: int) -> int | None:
        prey = self.prey(field, cell, 1)
        return self.search(field, cell) if prey is None else prey


OPPONENTS = {
    "rush": (
        Rush,
        Words("recrute tôt des soldats et part à la chasse", "recruits soldiers early and goes hunting"),
    ),
    "turtle": (
        Turtle,
        Words("garde ses récolteurs et ne s’agrandit que tard", "guards its workers and grows only late in the match"),
    ),
    "harvest": (Harvest, Words("n’a que des civils et récolte", "has civilians only, and harvests")),
    "harass": (
        Harass,
        Words(
            "envoie quelques soldats contre les récolteurs isolés", "sends a few soldiers against workers on their own"
        ),
    ),
}


def worth(units: list[int]) -> int:
    return sum(PRICE[kind] * units[kind] for kind in (CIVILIAN, MILITARY, BUILDING))


def is_possible(terms: Terms, view: View, seat: int, action: int) -> bool:
    """May the seat do this now? A step that was planned stays on the map."""
    verb, kind, cell = action >> 16, action >> 14 & 3, action & 0xFFF
    ready = view.units[seat][cell] - view.acted[cell]
    if verb == MOVE:
        return count(ready, kind) > 0
    if verb == HARVEST:
        return count(ready, CIVILIAN) > 0 and view.gold[cell] > 0 and not has(view.reaped[cell // PITCH], cell % PITCH)
    disputed = not terms.contested and buildings(view.units[1 - seat][cell]) > 0
    maker = CIVILIAN if kind == BUILDING else BUILDING
    return verb == MAKE and count(ready, maker) > 0 and view.own_purse >= PRICE[kind] and not disputed
