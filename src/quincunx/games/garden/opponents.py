"""The two reference opponents of Garden Tensions: they look at what they are shown and choose one action at a time.

`RandomGardener` draws its plan at the start of its turn: up to five of its legal moves, up to five placements, and of
these ten it keeps five. `HeuristicGardener` moves up to three times: its strongest cell that can attack, against the
weakest neighbour there; where it can attack nobody, anything into empty cells. Neither uses powers or abilities.
"""

from __future__ import annotations

from quincunx.core.random import below, seeded
from quincunx.core.words import Words
from quincunx.games.garden.hexes import CELLS
from quincunx.games.garden.rules import MAX_LEGAL, legal
from quincunx.games.garden.setup import shuffled
from quincunx.games.garden.state import CONQUEST, CROWD, END, FREE, MOVE, PLACE, State, Terms


class Gardener:
    """What both have in common: a memory of one turn, and dice of their own."""

    def __init__(self, seed: int) -> None:
        self.random = seeded(seed)
        self.turn = -1  # the turn that the memory is about

    def choose(self, terms: Terms, view: State, seat: int) -> int:
        """One legal action of a seat that is to act."""
        if self.turn != view.turns:
            self.turn = view.turns
            self.begin(terms, view, seat)
        if view.phase == CONQUEST:
            return self.move(terms, view, seat)
        return self.place(view, seat)

    def begin(self, terms: Terms, view: State, seat: int) -> None:
        """A turn begins."""
        raise NotImplementedError

    def move(self, terms: Terms, view: State, seat: int) -> int:
        raise NotImplementedError

    def place(self, view: State, seat: int) -> int:
        """One creature on an own cell with room, whichever."""
        cells = [cell for cell in range(CELLS) if has_room(view, seat, cell)]
        return PLACE << 16 | 1 << 8 | self.one_of(cells)

    def one_of(self, items: list[int]) -> int:
        return items[below(self.random, len(items))]

    def some_of(self, items: list[int], most: int) -> list[int]:
        return shuffled(items, self.random)[:most]


class RandomGardener(Gardener):
    MOST = 5

    def begin(self, terms: Terms, view: State, seat: int) -> None:
        moves = self.some_of(legal_moves(terms, view, seat), self.MOST)
        cells = [cell for cell in range(CELLS) if has_room(view, seat, cell)]
        stock = view.stock[seat] + terms.m
        placements = [PLACE << 16 | 1 << 8 | self.one_of(cells) for _ in range(min(self.MOST, stock)) if cells]
        drawn = self.some_of([*range(len(moves) + len(placements))], self.MOST)
        self.moves = [moves[k] for k in sorted(drawn) if k < len(moves)]
        self.placements = [placements[k - len(moves)] for k in sorted(drawn) if k >= len(moves)]

    def move(self, terms: Terms, view: State, seat: int) -> int:
        possible = legal_moves(terms, view, seat)
        while self.moves:
            move = self.moves.pop(0)
            if move in possible:
                return move
        return END

    def place(self, view: State, seat: int) -> int:
        while self.placements:
            placement = self.placements.pop(0)
            if has_room(view, seat, placement & 255):
                return placement
        return super().place(view, seat)


class HeuristicGardener(Gardener):
    MOST = 3

    def begin(self, terms: Terms, view: State, seat: int) -> None:
        self.left = self.MOST

    def move(self, terms: Terms, view: State, seat: int) -> int:
        moves = legal_moves(terms, view, seat)
        attacks = [move for move in moves if view.owner[move & 255] != FREE]
        if self.left == 0 or not moves:
            return END
        self.left -= 1
        if not attacks:
            return self.one_of(moves)
        most = max(view.crowd[move >> 8 & 255] for move in attacks)
        source = self.one_of(sorted({move >> 8 & 255 for move in attacks if view.crowd[move >> 8 & 255] == most}))
        targets = [move for move in attacks if move >> 8 & 255 == source]
        least = min(view.crowd[move & 255] for move in targets)
        return self.one_of([move for move in targets if view.crowd[move & 255] == least])


OPPONENTS = {
    "random_gardener": (RandomGardener, Words("tire cinq ordres au sort", "draws five orders at random")),
    "heuristic_gardener": (
        HeuristicGardener,
        Words("attaque le voisin le plus faible", "attacks its weakest neighbour"),
    ),
}


def legal_moves(terms: Terms, view: State, seat: int) -> list[int]:
    """Moves and attacks from cell to cell, without powers; none outside the conquest phase."""
    out = [0] * MAX_LEGAL
    return [action for action in out[: legal(terms, view, seat, out)] if action >> 16 == MOVE]


def has_room(view: State, seat: int, cell: int) -> bool:
    return view.owner[cell] == seat and view.crowd[cell] < CROWD
