"""Who meets whom: the pairings of a tournament, as a pure function of its plan and of what was played so far.

Whoever runs a tournament asks again after every round, and always gets the same answer: so a runner that comes later,
or beside another one, needs nothing but the results. Formats that do not look at results say everything at once.

    round robin   everybody meets everybody, in rounds in which nobody plays twice
    gauntlet      the first player, or the first few, against all others
    swiss         in each round players meet who have about as many points, and have not met
    knock-out     who loses is out; the strongest, by the order of the plan, meet last

Matches of three and more: every table that there is, or, of many players, rounds of tables drawn so that everybody
meets everybody about as often; in a Swiss tournament neighbours in the table share one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, comb, log2
from typing import NamedTuple

from quincunx.core.random import Random, below, seeded
from quincunx.tournament.plan import EXTENSIONS, Plan
from quincunx.tournament.progress import Progress
from quincunx.tournament.swiss import swiss_tables

MOST_TABLES = 2000  # of three and more: beyond it they are drawn,
MEETINGS, MOST_ROUNDS = 4, 200  # so that two meet about so often, in at most so many rounds
GUESTS = 32  # among whom the one for a table is looked for


class Pairing(NamedTuple):
    number: int
    round: int  # from 1
    players: tuple[int, ...]  # entrants, in the order of the first match's seats
    matches: int  # so many, now


def schedule(plan: Plan, size: int, progress: Progress) -> list[Pairing]:
    """Every pairing that is known; with the last round over, those of the next one are too. `size`: of a match."""
    rounds: list[list[tuple[int, ...]]]
    if plan.format == "gauntlet":
        rounds = [_gauntlet(len(plan.players), plan.challengers)]
    elif plan.format == "swiss":
        return _Swiss(plan, size, progress).pairings()
    elif plan.format == "knock_out":
        return _knock_out(plan, plan.matches_of_pairing(size), progress)
    elif size == 2:
        rounds = list(_circle(len(plan.players)))
    else:
        rounds = _tables(len(plan.players), size, plan.rounds, plan.seed)
    return list(_numbered(rounds, plan.matches_of_pairing(size)))


def _numbered(rounds: Sequence[Sequence[tuple[int, ...]]], matches: int) -> Iterator[Pairing]:
    number = 0
    for n, tables in enumerate(rounds, 1):
        for players in tables:
            yield Pairing(number, n, players, matches)
            number += 1


# -- formats that do not look at results ---------------------------------------------------------------------------


def _circle(n: int) -> Iterator[list[tuple[int, ...]]]:
    """Rounds of a round robin: one stays, all others move one place on; who has nobody, rests."""
    ring: list[int | None] = [*range(n), *([None] if n % 2 else [])]
    half = len(ring) // 2
    for _ in range(len(ring) - 1):
        meetings = zip(ring[:half], reversed(ring[half:]), strict=True)
        yield [_seated(a, b) for a, b in meetings if a is not None and b is not None]
        ring[1:] = [ring[-1], *ring[1:-1]]


def _seated(a: int, b: int) -> tuple[int, int]:
    """Against every second one a player sits first: over all of them as often as not, or once more."""
    return (a, b) if (a + b) % 2 == (a < b) else (b, a)


def _gauntlet(n: int, challengers: int) -> list[tuple[int, ...]]:
    return [(a, b) for a in range(challengers) for b in range(challengers, n)]


def _tables(n: int, size: int, rounds: int, seed: int) -> list[list[tuple[int, ...]]]:
    """Of three and more seats."""
    if not rounds and comb(n, size) <= MOST_TABLES:
        return [[table] for table in combinations(range(n), size)]
    met = [[0] * n for _ in range(n)]
    played, random = [0] * n, seeded(seed)
    drawn = []
    for _ in range(rounds or min(MOST_ROUNDS, ceil(MEETINGS * (n - 1) / (size - 1)))):
        order = _shuffled(n, random)
        order.sort(key=lambda who: played[who])  # who rested comes first
        sitting = order[: n - n % size]
        tables = []
        while sitting:
            table = [sitting.pop(0)]
            while len(table) < size:
                guest = min(sitting[:GUESTS], key=lambda who: sum(met[who][other] for other in table))
                sitting.remove(guest)
                table.append(guest)
            for a in table:
                played[a] += 1
                for b in table:
                    met[a][b] += a != b
            tables.append(tuple(table))
        drawn.append(tables)
    return drawn


def _shuffled(n: int, random: Random) -> list[int]:
    order = list(range(n))
    for k in range(n - 1, 0, -1):
        other = below(random, k + 1)
        order[k], order[other] = order[other], order[k]
    return order


# -- formats that do -----------------------------------------------------------------------------------------------


def swiss_rounds(plan: Plan, size: int) -> int:
    n = len(plan.players)
    return plan.rounds or max(1, ceil(log2(n)) if size == 2 else ceil(2 * log2(n)))


class _Swiss:
    def __init__(self, plan: Plan, size: int, progress: Progress) -> None:
        self.size, self.matches, self.progress = size, plan.matches_of_pairing(size), progress
        n = len(plan.players)
        self.rounds = swiss_rounds(plan, size)
        self.points = [0.0] * n
        self.rested = [0] * n
        self.met: set[frozenset[int]] = set()
        self.opponents: list[list[int]] = [[] for _ in range(n)]

    def pairings(self) -> list[Pairing]:
        found: list[Pairing] = []
        for round in range(1, self.rounds + 1):
            tables = self._round(round)
            now = [Pairing(len(found) + k, round, table, self.matches) for k, table in enumerate(tables)]
            found += now
            if not all(self.progress.complete(pairing.number, pairing.matches) for pairing in now):
                break
            self._count(now)
        return found

    def _order(self) -> list[int]:
        """By points, by the points of one's opponents (Buchholz), by the order of the plan."""
        strength = [sum(self.points[other] for other in others) for others in self.opponents]
        return sorted(range(len(self.points)), key=lambda who: (-self.points[who], -strength[who], who))

    def _round(self, round: int) -> list[tuple[int, ...]]:
        tables = swiss_tables(self._order(), self.size, self.met, self.rested)
        if self.size > 2 or round == 1:
            return tables
        return [(a, b) if (round + k) % 2 else (b, a) for k, (a, b) in enumerate(tables)]

    def _count(self, pairings: Sequence[Pairing]) -> None:
        """A round is over. Who rested has as many points as a match won."""
        sat = set[int]()
        for pairing in pairings:
            points = self.progress.points(pairing.number)
            for who, gained in zip(pairing.players, points, strict=True):
                self.points[who] += gained / pairing.matches
                self.opponents[who] += [other for other in pairing.players if other != who]
            self.met |= {frozenset(pair) for pair in combinations(pairing.players, 2)}
            sat |= set(pairing.players)
        for who in set(range(len(self.points))) - sat:
            self.points[who] += 1
            self.rested[who] += 1


def _knock_out(plan: Plan, matches: int, progress: Progress) -> list[Pairing]:
    alive: list[int | None] = [*_bracket(len(plan.players))]
    found: list[Pairing] = []
    round = 1
    while len(alive) > 1:
        winners: list[int | None] = []
        over = True
        for a, b in zip(alive[::2], alive[1::2], strict=True):
            if a is None or b is None:
                winners.append(b if a is None else a)
                continue
            pairing, winner = _prolonged(Pairing(len(found), round, (a, b), matches), progress)
            found.append(pairing)
            winners.append(winner)
            over = over and winner is not None
        if not over:
            break
        alive, round = winners, round + 1
    return found


def _bracket(n: int) -> list[int | None]:
    """The first and the second can only meet at the end; places that nobody has are walkovers of the strongest."""
    order = [0]
    while len(order) < n:
        size = 2 * len(order)
        order = [place for high in order for place in (high, size - 1 - high)]
    return [who if who < n else None for who in order]


def _prolonged(pairing: Pairing, progress: Progress) -> tuple[Pairing, int | None]:
    """With as many matches as it takes, and its winner, if there is one: level after all of them, the one who stands
    first in the plan."""
    played = progress.played(pairing.number)
    for extra in range(EXTENSIONS + 1):
        longer = pairing._replace(matches=pairing.matches + 2 * extra)
        if played > longer.matches:
            continue  # it was level there: otherwise nobody would have played on
        if played < longer.matches:
            return longer, None
        one, two = progress.points(pairing.number)
        if one != two:
            return longer, pairing.players[one < two]
    return longer, min(pairing.players)
