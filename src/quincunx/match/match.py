"""A match that reads well in a REPL: it plays texts and keeps its record.

    >>> match = Match("connect_four")
    >>> match.play("d").play("d").turn
    0
    >>> match.legal()
    ['a', 'b', 'c', 'd', 'e', 'f', 'g']

It has no clock of its own: times are arguments, in milliseconds since the match began.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, load
from quincunx.games.facade import refuse
from quincunx.match.record import FORMAT, EventName, Happened, MatchRecord, Outcome, Played, Reason, Seat


class Match:
    """One match of a game, from a starting position on."""

    def __init__(
        self,
        game: str | Game,
        preset: str | None = None,
        *,
        setup: str | None = None,
        position: str | None = None,
        seed: int | None = None,
        players: Sequence[Seat] = (),
        dice: int | None = None,
        **options: Any,
    ) -> None:
        """`seed` draws the start, `dice` all rolls; without it each roll comes from the system's entropy."""
        self.game = game if isinstance(game, Game) else load(game)
        self.seed = secrets.randbits(32) if seed is None else seed
        self.world = self.game.new(preset, setup=setup, position=position, seed=self.seed, **options)
        self.start = self.game.position(self.world)
        self._begin(players, None if dice is None else self.game.random(dice))

    @classmethod
    def on(cls, game: Game, options: dict[str, Any], text: str, players: Sequence[Seat] = (), seed: int = 0) -> Match:
        """A match on a setup that somebody wrote."""
        world = game.from_setup(options, text, seed)
        return cls(game, position=game.position(world), seed=seed, players=players, **options)

    def _begin(self, players: Sequence[Seat], dice: Any) -> None:
        n = self.game.seats(self.world)
        if players and len(players) != n:
            raise expected(Words("{} joueurs", "{} players").format(n), len(players))
        self.seats = list(players) or [Seat(self.game.card.seat_name(seat).en) for seat in range(n)]
        self.entries: list[Played | Happened] = []
        self.outcome: Outcome | None = None
        self._start = self.game.clone(self.world)
        self._standing: list[tuple[int, int]] = []  # the actions that were not taken back
        self._dice = dice
        self._settle(0)

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat that is to act, or NOBODY."""
        return NOBODY if self.outcome else self.game.turn(self.world)

    @property
    def over(self) -> bool:
        return self.outcome is not None

    def legal(self, seat: int | None = None) -> list[str]:
        who = self.turn if seat is None else seat
        return [] if self.over else [self.game.text(self.world, who, a) for a in self.game.legal(self.world, who)]

    @property
    def length(self) -> int:
        """How many actions stand."""
        return len(self._standing)

    def __str__(self) -> str:
        return str(self.world)

    def __repr__(self) -> str:
        state = f"over: {self.outcome.reason}" if self.outcome else f"seat {self.turn} to act"
        return f"<Match {self.game.card.id}, {self.length} actions, {state}>"

    # -- playing -------------------------------------------------------------------------------------------------

    def play(self, text: str, *, seat: int | None = None, at: int = 0) -> Match:
        """Plays what a text says, for the seat that is to act; Refused if it may not be played."""
        self._still_on()
        who = self.turn if seat is None else seat
        return self.act(who, self.game.parse(self.world, who, text), at=at)

    def act(self, seat: int, action: int, *, at: int = 0) -> Match:
        """Plays an action, then the dice until a seat is to act."""
        self._still_on()
        refusal = self.game.check(self.world, seat, action)
        if refusal:
            raise refuse(refusal)
        self._apply(seat, action, at)
        self._settle(at)
        return self

    def undo(self, *, seat: int | None = None, at: int = 0) -> Match:
        """Takes back the last action of a seat, with the dice that followed it."""
        while self._standing and self._standing[-1][0] == CHANCE:
            self._standing.pop()
        if not self._standing:
            raise Refused("nothing_to_undo", Words("Il n’y a rien à reprendre.", "There is nothing to take back."))
        self._standing.pop()
        self.entries.append(Happened("take_back", at, seat, kept=len(self._standing)))
        self._rebuild()
        return self

    def resign(self, seat: int, *, at: int = 0) -> Match:
        return self._end("resign", seat, at)

    def time_out(self, seat: int, *, at: int = 0) -> Match:
        return self._end("time_out", seat, at)

    def forfeit(self, seat: int, reason: str, *, at: int = 0) -> Match:
        return self._end("forfeit", seat, at, reason)

    def agree_draw(self, *, at: int = 0) -> Match:
        return self._end("draw", None, at)

    def abort(self, reason: str = "", *, at: int = 0) -> Match:
        return self._end("abort", None, at, reason)

    # -- the record ----------------------------------------------------------------------------------------------

    def record(self) -> MatchRecord:
        return MatchRecord(
            format=FORMAT,
            game=self.game.card.id,
            rules=self.game.card.version,
            options=self.world.options,
            start=self.start,
            start_digest=self.game.checksum(self._start),
            seats=self.seats,
            entries=self.entries,
            outcome=self.outcome,
            seed=self.seed,
        )

    # -- inside --------------------------------------------------------------------------------------------------

    def _still_on(self) -> None:
        if self.over:
            raise Refused("over", Words("La partie est finie.", "The match is over."))

    def _apply(self, seat: int, action: int, at: int) -> None:
        text = self.game.text(self.world, seat, action)
        self.game.apply(self.world, seat, action)
        self._standing.append((seat, action))
        self.entries.append(Played(seat, text, at, self.game.checksum(self.world)))

    def _settle(self, at: int) -> None:
        """Throws the dice until a seat is to act; sees whether the game is over."""
        while self.game.turn(self.world) == CHANCE:
            dice = self._dice or self.game.random(secrets.randbits(63))
            self._apply(CHANCE, self.game.roll(self.world, dice), at)
        if self.game.over(self.world):
            scores = self.game.scores(self.world)
            self.outcome = Outcome("played", scores, ranks_of(scores))

    def _rebuild(self) -> None:
        self.outcome = None
        self.world = self.game.clone(self._start)
        for seat, action in self._standing:
            self.game.apply(self.world, seat, action)

    def _end(self, event: Reason, loser: int | None, at: int, reason: str = "") -> Match:
        self._still_on()
        scores = self.game.scores(self.world)
        if loser is not None and not 0 <= loser < len(scores):
            raise Refused("no_such_seat", Words("Il n’y a pas de joueur {}.", "There is no seat {}.").format(loser))
        self.entries.append(Happened(_as_event(event), at, loser, reason))
        self.outcome = Outcome(event, scores, _ranks_after(event, scores, loser))
        return self


def _as_event(reason: Reason) -> EventName:
    assert reason != "played"
    return reason


def ranks_of(scores: Sequence[int]) -> list[int]:
    """1 for the highest score; equal scores share a rank."""
    return [1 + sum(other > score for other in scores) for score in scores]


def _ranks_after(event: Reason, scores: list[int], loser: int | None) -> list[int]:
    if loser is None:
        return [1] * len(scores)
    others = [score for seat, score in enumerate(scores) if seat != loser]
    ranks = ranks_of(others)
    ranks.insert(loser, len(scores))
    return ranks
