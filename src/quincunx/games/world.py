"""A world, and what one seat knows of it: what one holds in a REPL.

    >>> from quincunx.games import load
    >>> world = load("khet").new(setup="classic")
    >>> world.turn, len(world.legal()), world.legal()[0]
    (0, 81, 'D6-D7')
    >>> world.play("H2-G1").turn
    1
    >>> world.check("H2-H3").code
    'not_yours'

A `World` speaks in texts. Whoever wants actions as numbers, for speed, asks the game: `game.legal(world)`,
`game.apply(world, seat, action)`; see facade.py. Both hold rows that the rules of their gear take as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quincunx.core.board import Board, Event
from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words

if TYPE_CHECKING:
    from quincunx.games.facade import Game


class World:
    """All of a match at one instant: its terms and its state. Nothing is hidden here: a seat is given `view(seat)`."""

    __slots__ = ("game", "options", "rows", "terms")

    def __init__(self, game: Game, options: dict[str, Value], terms: list[Any], rows: list[Any]) -> None:
        self.game = game
        self.options = options
        self.terms = terms
        self.rows = rows

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many play."""
        return self.game.seats(self)

    @property
    def turn(self) -> int:
        """The seat that is to act, from 0 (of several, the lowest); CHANCE (-1) while dice are to fall, NOBODY (-3)
        when the game is over."""
        return self.game.turn(self)

    @property
    def over(self) -> bool:
        """Is nobody to act any more?"""
        return self.turn == NOBODY

    @property
    def position(self) -> str:
        """One line of text that `new(position=…)` reads back."""
        return self.game.position(self)

    def legal(self, seat: int | None = None) -> list[str]:
        """The texts that may be played now, by the seat that is to act; `game.legal(world)` has them as numbers."""
        who = self._who(seat)
        return self.game.texts(self, who, self.game.legal(self, who))

    def check(self, text: str, seat: int | None = None) -> Refused | None:
        """Why a text may not be played, or None: `play` raises what this returns."""
        try:
            action = self.parse(text, seat)
        except Refused as refused:
            return refused
        return self.game.check(self, self._who(seat), action)

    def parse(self, text: str, seat: int | None = None) -> int:
        """The action that a text means, legal or not; Refused if it means none."""
        return self.game.parse(self, self._who(seat), text)

    def text(self, action: int, seat: int | None = None) -> str:
        """An action in its one canonical spelling."""
        return self.game.text(self, self._who(seat), action)

    def scores(self) -> list[int]:
        """Of each seat; the more the better, and only their order counts: see `score_words`."""
        return self.game.scores(self)

    def score_words(self) -> list[Words]:
        """What each score says, for people."""
        return [self.game.score_words(score) for score in self.scores()]

    def view(self, seat: int) -> Observation:
        """What a seat, or PUBLIC, knows."""
        return self.game.view(self, seat)

    # -- playing -------------------------------------------------------------------------------------------------

    def clone(self) -> World:
        """One that goes its own way."""
        return self.game.clone(self)

    def play(self, text: str, seat: int | None = None) -> World:
        """Plays what a text says, for the seat that is to act, or for the dice; Refused if it may not be played."""
        self.game.apply(self, self._who(seat), self._allowed(text, seat))
        return self

    def play_and_tell(self, text: str, observer: int, seat: int | None = None) -> list[Event]:
        """The same, and returns what `observer`, a seat or PUBLIC, sees of it."""
        return self.game.apply_and_tell(self, self._who(seat), self._allowed(text, seat), observer)

    def roll(self, seed: int) -> World:
        """Lets dice fall until a seat is to act."""
        random = self.game.random(seed)
        while self.turn == CHANCE:
            self.game.apply(self, CHANCE, self.game.roll(self, random))
        return self

    def _who(self, seat: int | None) -> int:
        return self.turn if seat is None else seat

    def _allowed(self, text: str, seat: int | None) -> int:
        action = self.parse(text, seat)
        refusal = self.game.check(self, self._who(seat), action)
        if refusal:
            raise refusal
        return action

    # -- in writing ----------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return str(self.view(0))

    def __repr__(self) -> str:
        """It evaluates back, to what the position says."""
        preset, options = self._agreed()
        words = [repr(preset)] if preset else []
        words += [f"position={self.position!r}", *(f"{name}={value!r}" for name, value in options.items())]
        return f"quincunx.load({self.game.card.id!r}).new({', '.join(words)})"

    def _agreed(self) -> tuple[str | None, dict[str, Value]]:
        """The preset that says most of the options, None for the first one; and the options that it does not say."""
        found: list[tuple[str | None, dict[str, Value]]] = []
        for number, preset in enumerate(self.game.presets):
            said = settle(self.game.options, self.game.presets, preset.name, {})
            others = {name: value for name, value in self.options.items() if said[name] != value}
            found.append((preset.name if number else None, others))
        return min(found, key=lambda each: len(each[1]))


class Observation:
    """What one seat, or the public, knows of a match: all that a player is given."""

    __slots__ = ("game", "options", "rows", "seat", "terms")

    def __init__(self, game: Game, options: dict[str, Value], terms: list[Any], rows: list[Any], seat: int) -> None:
        self.game = game
        self.options = options
        self.terms = terms
        self.rows = rows
        self.seat = seat

    def show(self) -> Any:
        """As a typed struct, `Shown` in the game's view.py: what a client of that seat is sent."""
        return self.game.show(self)

    def board(self) -> Board:
        """As a picture that can be drawn without knowing the game."""
        return self.game.board(self)

    def __str__(self) -> str:
        board = self.board()
        width = max(1, *(len(cell.text) for row in board.cells for cell in row)) + 1
        margin = max(len(name) for name in board.rows)
        lines = [" " * margin + "".join(name.rjust(width) for name in board.columns)]
        widest = max(len(row) for row in board.cells)
        for name, row in zip(board.rows, board.cells, strict=True):
            shift = " " * ((widest - len(row)) * width // 2)
            lines.append(name.rjust(margin) + shift + "".join((c.text or ".").rjust(width) for c in row))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Observation of {self.game.card.id}, seat {self.seat}>"
