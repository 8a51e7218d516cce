"""One match at the course server: who holds which seat, whose clock runs, and what a seat is shown.

Time is an argument, in milliseconds since the match began. The clocks stand until every seat is taken; the first
client may play before that, as it could on the original.
"""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable, Sequence

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.games import World
from quincunx.match import Match, Played, Seat
from quincunx.match.clock import Clock, ClockRule
from quincunx.match.record import Entry
from quincunx.match.referee import Referee
from quincunx.telecom.drawing import NO_ONE, SIDES, seat_view, whole_view

TOKEN_LETTERS = string.ascii_letters + string.digits
TAKEN = Words("Toutes les places sont prises.", "Every seat is taken.")
ALL = -1  # who sees everything

Listen = Callable[[Words], None]  # hears what happens, in words

JOINED = Words("{} s’installe : joueur {}.", "{} sits down as player {}.")
TURN = Words("Tour {} sur {}, joué par {}. Score : A {}, B {}.", "Turn {} of {}, played by {}. Score: A {}, B {}.")
LATE = Words("Le temps de {} est écoulé : fin de son tour.", "Time is up for {}: its turn ends.")
WINS = Words("{} gagne ({}). Score : A {}, B {}.", "{} wins ({}). Score: A {}, B {}.")
DRAWN = Words("Égalité : personne ne gagne. Score : A {}, B {}.", "A draw: no one wins. Score: A {}, B {}.")


def new_token() -> str:
    """Eight letters and digits, as the original drew them."""
    return "".join(secrets.choice(TOKEN_LETTERS) for _ in range(8))


class Table:
    def __init__(
        self, match: Match, clients: Sequence[int], rule: ClockRule, tell: Listen, token: Callable[[], str] = new_token
    ) -> None:
        """`clients`: the seats that clients take, in this order; computers hold the others."""
        self.match = match
        self.referee = Referee(match, rule)
        self.unaware = set(clients)  # who has not been shown yet that it is over
        start = match.game.show(match.game.view(match.world, PUBLIC))
        self.size: tuple[int, int] = start.height, start.width
        self.played: Callable[[World, int], None] = lambda before, length: None  # hears what was played
        self._tell = tell
        self._told_end = False
        self._token = token
        self._free = list(clients)
        self._tokens: dict[int, str] = {}
        self._drawn: dict[int, tuple[int, bytes]] = {}  # for each seat: after so many entries, this

    # -- seats ---------------------------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        return not self._free

    def join(self, name: str, at: int) -> tuple[int, str]:
        """The next free seat and its token."""
        if self.full:
            raise Refused("taken", TAKEN)
        self._hold_clocks(at)
        seat = self._free.pop(0)
        self._tokens[seat] = self._token()
        self.match.seats[seat] = Seat(_printable(name))
        self._tell(JOINED.format(self.match.seats[seat].name, SIDES[seat]))
        return seat, self._tokens[seat]

    def holds(self, seat: int, token: str) -> bool:
        return seat in self._tokens and secrets.compare_digest(self._tokens[seat].encode(), token.encode())

    # -- playing -------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def winner(self) -> str:
        """A, B or "No one"; empty while it goes on."""
        if self.match.outcome is None:
            return ""
        ranks = self.match.outcome.ranks
        return NO_ONE if ranks[0] == ranks[1] else SIDES[ranks.index(1)]

    def act(self, seat: int, order: str | int, at: int) -> None:
        """Plays an order in our notation, or an action; Refused if it may not be played."""
        self.expire(at)
        if not self.full:
            self._hold_clocks(at)
        ruling = self.referee.submit(seat, order, at, _entropy)
        if isinstance(ruling, Refused):
            raise ruling
        self._take(ruling)

    def harvest_all(self, seat: int, at: int) -> None:
        """Everything that can be harvested; nothing is fine, too."""
        self.expire(at)
        if self.match.turn != seat:
            return self.act(seat, "end", at)  # which says why not
        for action in self.match.game.expand(self.match.world, seat, "harvest all"):
            self.act(seat, action, at)

    def expire(self, at: int) -> None:
        """Whoever is late has ended the turn."""
        late = self.match.turn
        entries = self.referee.expire(at, _entropy) if self.full else []
        if entries:
            self._tell(LATE.format(SIDES[late]))
            self._take(entries)

    def forfeit(self, seat: int, reason: str, at: int) -> None:
        """A computer that cannot play on has lost."""
        ruling = self.referee.forfeit(seat, reason, at)
        if not isinstance(ruling, Refused):
            self._take(ruling)

    def deadline(self) -> int | None:
        """When the clock that runs has run out."""
        found = [clock.deadline() for clock in self.referee.clocks] if self.full and not self.over else []
        return min((deadline for deadline in found if deadline is not None), default=None)

    def _hold_clocks(self, at: int) -> None:
        """The turn begins now."""
        for clock in self.referee.clocks:
            if clock.since is not None:
                clock.end(at)
                clock.begin(at)

    def leave_clock(self, seat: int) -> None:
        """Somebody else sees to the time of this seat."""
        self.referee.clocks[seat] = Clock(ClockRule())

    def tell_end(self) -> None:
        """How it ended, once."""
        if self.over and not self._told_end:
            self._told_end = True
            game = self.match.game
            self._tell(self._result(game.show(game.view(self.match.world, PUBLIC)).points))

    def _take(self, entries: Sequence[Entry]) -> None:
        player, before, length = self.match.turn, self.match.world, self.match.length
        self.referee.take(entries)
        self.played(before, length)
        if not self.over and self.match.turn == player:
            return
        game = self.match.game
        public = game.show(game.view(self.match.world, PUBLIC))
        if isinstance(entries[0], Played):
            self._tell(TURN.format(public.turn, public.turns, SIDES[player], *public.points))
        self.tell_end()

    def _result(self, points: tuple[int, int]) -> Words:
        if self.winner == NO_ONE:
            return DRAWN.format(*points)
        why = self.match.why() or Words("", "")
        short = Words(why.fr.rstrip("."), why.en.rstrip("."))
        return WINS.format(self.match.seats[SIDES.index(self.winner)].name, short, *points)

    # -- looking -------------------------------------------------------------------------------------------------

    def view(self, seat: int) -> bytes:
        """What a seat may know, or, for ALL, everything; drawn once for all who ask until something is played."""
        played = len(self.match.entries)
        if seat not in self._drawn or self._drawn[seat][0] != played:
            self._drawn[seat] = played, self._draw(seat)
        return self._drawn[seat][1]

    def _draw(self, seat: int) -> bytes:
        game, world = self.match.game, self.match.world
        if seat != ALL:
            return seat_view(game.show(game.view(world, seat)), seat, self.winner)
        seats = (game.show(game.view(world, 0)), game.show(game.view(world, 1)))
        return whole_view(game.show(game.preview(world)), seats, self.winner)


def _entropy() -> int:
    return secrets.randbits(63)


def _printable(name: str) -> str:
    """A name as it may stand in a record and on a terminal."""
    return "".join(letter for letter in name if letter.isprintable())[:40].strip() or "Unknown"
