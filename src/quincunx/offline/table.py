"""A match, whoever looks at it, and the computers that play in it.

What was played is kept before it is taken and told, as on a server; what was kept is all there is, so a page that is
loaded anew goes on where it was left.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match.record import Entry
from quincunx.match.referee import Referee, Ruling
from quincunx.offline.thinking import Think, job_of
from quincunx.players.levels import MOST
from quincunx.server.live import LiveMatch
from quincunx.server.starting import new_referee
from quincunx.server.tokens import entropy
from quincunx.store import StoredMatch, StoredSeat

EVEN = 0.5  # the chance to win up to which a computer is content with a draw
MOST_MOVES = 32  # ids of moves that are remembered, should one be sent again
MOST_RETOLD = 150  # actions whose story is told again to who comes back
LARGEST = (1 << 63) - 1
STOPPED = Words(
    "L’ordinateur s’est arrêté. Rechargez la page\u00a0: la partie reprendra où elle en est.",
    "The computer has stopped. Load the page anew: the match will go on where it is.",
)

Question = Callable[[Referee, int], Ruling]
Keep = Callable[["Kept"], None]


class Kept(msgspec.Struct):
    """All of a match, as a browser keeps it."""

    stored: StoredMatch
    seeds: tuple[int, ...]  # of the seats: what computers choose is drawn from theirs, and from how far the match is
    entries: list[Entry]
    moves: list[str] = []  # ids of the last moves that were played here


class Table:
    def __init__(self, kept: Kept, clock: Callable[[], int], think: Think, keep: Keep) -> None:
        stored = kept.stored
        referee = new_referee(load(stored.game, "interpreted"), stored)
        referee.take(kept.entries)
        self.kept = kept
        self.live = LiveMatch(stored, referee, clock)
        self.live.stand(kept.entries)
        self._think = think
        self._keep = keep
        self.troubled: set[Callable[[Refused], None]] = set()  # whoever looks is told that a computer has stopped
        self._turns: dict[int, asyncio.Task[None]] = {}
        self._chances: dict[int, float] = {}  # to win, as computers saw them last
        self.live.listeners.add(self._see_to)

    def ask(
        self, question: Question, move: str | None = None, acknowledge: Callable[[], None] = lambda: None
    ) -> Refused | None:
        """Asks the referee, keeps what follows, then takes and tells it. None means: it is done."""
        live, kept = self.live, self.kept
        if move is not None and move in kept.moves:
            acknowledge()  # it was played before, and is sent again
            return None
        ruling = question(live.referee, live.now())
        if isinstance(ruling, Refused):
            return ruling
        if ruling:
            outcome = live.referee.outcome_after(ruling)
            if outcome is not None:
                live.stored = msgspec.structs.replace(live.stored, status="over", outcome=outcome)
            kept.stored = live.stored
            kept.entries += ruling
            kept.moves = [*kept.moves, *([move] if move else [])][-MOST_MOVES:]
            self._keep(kept)
            acknowledge()
            since = live.match.length
            live.take(ruling)
            live.publish(since)
        return None

    def retell(self, observer: int, whole: bool) -> None:
        """Before somebody looks: what that eye has not heard is told now."""
        feed, match = self.live.feed(observer), self.live.match
        since = max(feed.unheard(whole), match.length - MOST_RETOLD)
        with feed.listening(match.length):
            feed.remember(since, match.length, [each for each in self.live.views.stories(observer, since) if each[1]])

    def begin(self) -> None:
        """Computers see to their seats."""
        self._see_to(self.live)

    def close(self) -> None:
        self.live.listeners.discard(self._see_to)
        for turn in self._turns.values():
            turn.cancel()

    # -- computers -----------------------------------------------------------------------------------------------

    def _see_to(self, live: LiveMatch) -> None:
        for number, seat in enumerate(live.stored.seats):
            if seat.kind != "computer" or live.match.over:
                continue
            if number in live.to_act and number not in self._turns:
                self._turns[number] = asyncio.ensure_future(self._turn(number, seat))
                self._turns[number].add_done_callback(self._ended)
            if live.referee.draw_offers - {number} and number not in live.referee.draw_offers:
                asyncio.get_running_loop().call_soon(self._answer_offer, number)

    async def _turn(self, number: int, seat: StoredSeat) -> None:
        """All actions of a turn, one thought each. Whoever is told of the last one finds the turn over."""
        try:
            await self._act(number, seat)
        finally:
            del self._turns[number]

    def _ended(self, turn: asyncio.Task[None]) -> None:
        """Nobody awaits a turn: what went wrong in it would be silence."""
        wrong = None if turn.cancelled() else turn.exception()
        if wrong is not None:
            traceback.print_exception(wrong)
            for told in [*self.troubled]:
                told(Refused("stopped", STOPPED))

    async def _act(self, number: int, seat: StoredSeat) -> None:
        live = self.live
        while number in live.to_act and not live.match.over:
            match, length = live.match, live.match.length
            level = match.game.levels[int(seat.player.removeprefix("level:")) - 1]
            seed = (self.kept.seeds[number] + length) & LARGEST
            thought = await self._think(job_of(match.game.view(match.world, number), level, seed))
            if live.match.length != length or number not in live.to_act:
                continue  # something was taken back meanwhile, or another seat acted
            if thought.chance is not None:
                self._chances[number] = thought.chance

            def question(referee: Referee, at: int, action: int = int(thought.action)) -> Ruling:
                return referee.submit(number, action, at, entropy)

            refusal = self.ask(question)
            if refusal is not None:
                raise refusal

    def _answer_offer(self, number: int) -> None:
        """A computer takes a draw if it did not see itself ahead when it acted last."""
        takes = self._chances.get(number, 1.0) <= EVEN

        def question(referee: Referee, at: int) -> Ruling:
            if not referee.draw_offers - {number} or number in referee.draw_offers:
                return []
            return referee.offer_draw(number, at) if takes else referee.decline_draw(number, at)

        self.ask(question)


def is_level(player: str) -> bool:
    return player in {f"level:{n}" for n in range(1, MOST + 1)}
