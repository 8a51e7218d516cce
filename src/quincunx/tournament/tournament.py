"""A plan and what came of it so far: what all runners of a tournament, and all who look at it, agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import ceil, isfinite, log2

import msgspec

from quincunx.core.words import Words
from quincunx.store.contests import StoredResult
from quincunx.tournament.plan import Plan
from quincunx.tournament.progress import Progress
from quincunx.tournament.results import Result
from quincunx.tournament.schedule import Pairing, schedule, swiss_rounds
from quincunx.tournament.sprt import parse_sprt
from quincunx.tournament.standings import Line, Standings, by_share

ANSWERS = {
    "elo0": Words("Le second n’est pas meilleur (H0 : {} Elo).", "The second is not better (H0: {} Elo)."),
    "elo1": Words(
        "Le second est meilleur (H1 : plus de {0} Elo, vers {1}).",
        "The second is better (H1: more than {0} Elo, towards {1}).",
    ),
    "continue": Words("On ne sait pas encore ({} ou {} Elo ?).", "It is not known yet ({} or {} Elo?)."),
}
ESTIMATE = Words("Différence : {} Elo (à 95 % entre {} et {}) ;", "Difference: {} Elo (95 % between {} and {});")
_RESULT = msgspec.json.Decoder(Result)


class Tournament:
    """`closed`: an arena, in which nothing is planned, is over when somebody says so."""

    def __init__(self, plan: Plan, closed: bool = False) -> None:
        self.plan = plan
        self._closed = closed
        self.size = plan.table_size()
        self.progress = Progress()
        self.seen = 0  # the last result that was read
        self.test = PairedTest(plan.sprt) if plan.sprt else None
        self._pairings: list[Pairing] = []
        self._complete = 0  # so many pairings, from the first one on, are
        self._look_again = True

    def read(self, rows: Sequence[StoredResult]) -> list[Result]:
        """Takes what was stored; returns what was not known."""
        new = []
        for row in rows:
            result = _RESULT.decode(row.result)
            self.seen = max(self.seen, row.seq)
            if self.progress.add(result):
                new.append(result)
                if self.test:
                    self.test.add(result)
                self._look_again = self._look_again or self._decides(result)
        return new

    def _decides(self, result: Result) -> bool:
        """Was it the last one of its pairing, and does the schedule depend on it?"""
        if self.plan.format not in ("swiss", "knock_out"):
            return False
        pairing = self._pairings[result.pairing]
        return self.progress.complete(pairing.number, pairing.matches)

    @property
    def pairings(self) -> list[Pairing]:
        """Every one that is known."""
        if self._look_again:
            self._pairings, self._look_again = schedule(self.plan, self.size, self.progress), False
            self._complete = 0
        return self._pairings

    @property
    def planned(self) -> int:
        """How many matches are known to be wanted."""
        return sum(pairing.matches for pairing in self.pairings)

    @property
    def over(self) -> bool:
        if self.plan.format == "arena":
            return self._closed
        return next(self.missing(), None) is None

    @property
    def rounds(self) -> int:
        """How many there will be."""
        n = len(self.plan.players)
        if self.plan.format == "knock_out":
            return ceil(log2(n))
        if self.plan.format == "swiss":
            return swiss_rounds(self.plan, self.size)
        return self.pairings[-1].round

    @property
    def expected(self) -> int:
        """How many matches there will be, as far as that is known: those of later rounds too."""
        if self.plan.format == "swiss":
            return self.rounds * (len(self.plan.players) // self.size) * self.plan.matches_of_pairing(self.size)
        if self.plan.format == "knock_out":
            later = len(self.plan.players) - 1 - len(self.pairings)
            return self.planned + later * self.plan.matches_of_pairing(self.size)
        return self.planned

    def reached(self) -> dict[str, int]:
        """How far each has come in a knock-out: the last round that it plays in; the winner, one further."""
        entrants, found = self.plan.entrants, dict[str, int]()
        for pairing in self.pairings:
            found.update({entrants[who].name: pairing.round for who in pairing.players})
        if self.over and self.pairings:
            final = self.pairings[-1]
            points = self.progress.points(final.number)
            best = min(final.players) if points[0] == points[1] else final.players[points[0] < points[1]]
            found[entrants[best].name] = final.round + 1
        return found

    def ordered(self, standings: Standings, called: Mapping[str, str] | None = None) -> list[Line]:
        """The table as everybody shows it: by the share of points; in a knock-out, first by how far each has come.
        `called`: what players are called in the table, if not by their names."""
        names = called or {}
        lines = by_share(
            standings.counting({names.get(name, name): byes for name, byes in self.byes().items()}).values()
        )
        if self.plan.format != "knock_out":
            return lines
        reached = {names.get(name, name): round for name, round in self.reached().items()}
        return sorted(lines, key=lambda line: -reached.get(line.name, 0))

    def byes(self) -> dict[str, int]:
        """Matches that count as won, because who has nobody to play with in a Swiss round rests."""
        if self.plan.format != "swiss":
            return {}
        sat, rounds = Counter(who for each in self.pairings for who in each.players), self.pairings[-1].round
        won = self.plan.matches_of_pairing(self.size)
        return {each.name: won * (rounds - sat[who]) for who, each in enumerate(self.plan.entrants)}

    def unfinished(self) -> Iterator[Pairing]:
        """Pairings of which something was not played, in their order."""
        if self.test and self.test.decided:
            return
        pairings, progress = self.pairings, self.progress
        while self._complete < len(pairings):
            pairing = pairings[self._complete]
            if not progress.complete(pairing.number, pairing.matches):
                break
            self._complete += 1
        for pairing in islice(pairings, self._complete, None):
            if not progress.complete(pairing.number, pairing.matches):
                yield pairing

    def missing(self) -> Iterator[tuple[Pairing, int]]:
        """What was not played, in its order."""
        for pairing in self.unfinished():
            for number in self.progress.missing(pairing.number, pairing.matches):
                yield pairing, number


def signed(value: float) -> str:
    return f"{value:+.0f}" if isfinite(value) else "+∞" if value > 0 else "−∞"


class PairedTest:
    """Is the second player better than the first? Pairs of matches are counted in their order, whoever ends first: so
    the answer does not depend on who played where."""

    def __init__(self, text: str) -> None:
        self._asked = parse_sprt(text)
        self._counts = [0] * 5  # how often a pair brought 0, ½, 1, 1½ and 2 points
        self.state = self._asked.state(self._counts)
        self._halves: dict[int, float] = {}  # of pairs of which one match is over
        self._waiting: dict[int, float] = {}  # whole pairs, before which one is missing
        self._next = 0

    @property
    def decided(self) -> bool:
        return self.state.verdict != "continue"

    def add(self, result: Result) -> None:
        pair, gained = result.pair, result.points[1 - result.game % 2]
        if pair not in self._halves:
            self._halves[pair] = gained
            return
        self._waiting[pair] = self._halves.pop(pair) + gained
        while self._next in self._waiting:
            score = self._waiting.pop(self._next)
            self._next += 1
            if not self.decided:
                self._counts[round(2 * score)] += 1
                self.state = self._asked.state(self._counts)

    @property
    def words(self) -> Words:
        """What is known now."""
        state, asked = self.state, self._asked
        said = ANSWERS[state.verdict].format(f"{asked.elo0:g}", f"{asked.elo1:g}")
        found = ESTIMATE.format(
            *(signed(value) for value in (state.estimate.elo, state.estimate.low, state.estimate.high))
        )
        reached = Words("{} paires, LLR {:.2f} ({:.2f} à {:.2f})", "{} pairs, LLR {:.2f} ({:.2f} to {:.2f})")
        return Words("{} {} {}.", "{} {} {}.").format(
            said, found, reached.format(state.pairs, state.llr, state.low, state.high)
        )
