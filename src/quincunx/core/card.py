"""The identity card of a game: what a list of games, a record or a lobby must know without loading its rules."""

from __future__ import annotations

import msgspec

from quincunx.core.words import Words


class Card(msgspec.Struct, frozen=True):
    id: str  # the name of its folder
    name: Words
    summary: Words
    seats: tuple[int, int]  # the fewest and the most
    version: int  # of the rules; a record says which it was played with
    seat_names: tuple[Words, ...] = ()  # where the seats have names of their own
    dice: bool = False
    fog: bool = False  # a seat does not see everything
    simultaneous: bool = False  # several seats act at once
    drawn: bool = False  # the start, where nobody chooses one, is drawn by lot

    @property
    def open(self) -> bool:
        """Nothing is hidden, and nobody decides in secret."""
        return not (self.fog or self.simultaneous)

    @property
    def plain(self) -> bool:
        """No secrets, no dice, two seats in turn: alpha-beta's field."""
        return self.open and not self.dice and self.seats == (2, 2)

    def seat_name(self, seat: int) -> Words:
        if 0 <= seat < len(self.seat_names):
            return self.seat_names[seat]
        return Words(f"Joueur {seat + 1}", f"Player {seat + 1}")
