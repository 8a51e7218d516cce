"""Eyes: what each observer of a table is shown and told. Nothing else of a match leaves the server.

An `Eye` is one observer: a seat, or the public. Whoever looks through it, on however many screens, gets the same
updates, numbered from 1: the observer's own numbers, which count nothing that it cannot see. An update that would say
nothing new is not made.

    standing actions   0    1    2    3    4    5
    told to this eye        ▪         ▪▪        ▪          (an action out of sight tells nothing)
    updates                 1         2         3          n, and how many actions stood then

A client that comes back names the last number that it has, and is told everything from there on. One that has nothing
yet (0), or a number that means nothing here any more, is told the whole story, as far back as an eye keeps it, in place
of what it has (`retold`); one that names no number, the latest story only. What is missing is played again from the
start. When actions are taken back of which an eye was told, the next update tells the whole story anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from quincunx.core.contract import CHANCE, PUBLIC
from quincunx.match.record import Outcome
from quincunx.match.wire import SeatShown, Update, write

if TYPE_CHECKING:
    from quincunx.server.tables import Table

MOST_STORIES = 256  # actions whose story an eye keeps
MOST_NUMBERS = 64  # updates after which a client that comes back is told everything


Story = tuple[msgspec.Raw, ...]  # events, as they go over the wire


class Looker(Protocol):
    """A screen."""

    wants_board: bool

    def see(self, update: bytes) -> None: ...


class Common(NamedTuple):
    """What every observer of a table is shown alike, as an `Update` has it: worked out once for all of them."""

    to_act: tuple[int, ...]
    clocks: tuple[int | None, ...]
    seats: tuple[SeatShown, ...]
    draw_offers: tuple[int, ...]
    take_back_asked: int | None
    outcome: Outcome | None
    rematch: str | None

    @classmethod
    def of(cls, table: Table) -> Common:
        referee = table.referee
        at = table.now()
        return cls(
            to_act=table.to_act,
            clocks=tuple(clock.shown(at) for clock in referee.clocks),
            seats=tuple(
                SeatShown(seat.name, seat.kind, seat.player, bool(table.present.get(number)))
                for number, seat in enumerate(table.stored.seats)
            ),
            draw_offers=tuple(sorted(referee.draw_offers)),
            take_back_asked=referee.take_back_asked,
            outcome=table.match.outcome,
            rematch=table.rematch,
        )


class Eye:
    """One observer of a table."""

    def __init__(self, table: Table, observer: int) -> None:
        self.observer = observer
        self.lookers: set[Looker] = set()
        self.keepers = 0  # shared screens that will want to know what this seat was told meanwhile
        self._table = table
        self._n = 0
        self._told: deque[tuple[int, Story]] = deque(maxlen=MOST_STORIES)  # number of an action, its story
        self._heard = self._since_last_turn()  # actions of which it knows what it was told
        self._first = self._heard  # the first of them
        self._covered = table.match.length  # actions that its updates have told
        self._retells = False  # something that was told was taken back
        self._numbers: deque[tuple[int, int]] = deque(maxlen=MOST_NUMBERS)  # an update, and `_covered` after it
        self._last: Update | None = None
        self._looked = -1  # which change of the table it has looked at,
        self._legal: tuple[str, ...] = ()  # and what may be played since then

    @property
    def live(self) -> bool:
        return bool(self.lookers or self.keepers)

    # -- being told ----------------------------------------------------------------------------------------------

    def hear(self, number: int, story: Story) -> None:
        """The story of an action; of one that was played while nobody looked, only when somebody wants to know."""
        if self._heard == number:
            self._heard = number + 1
            if story:
                self._told.append((number, story))

    def forget(self, kept: int) -> None:
        """Actions were taken back. Of those that it was never told, it does not hear now."""
        before = len(self._told)
        self._told = deque((told for told in self._told if told[0] < kept), MOST_STORIES)
        if len(self._told) < before:
            self._retells = True
            self._numbers.clear()  # who comes back with one of them has heard what is no longer true
        self._numbers = deque(((n, min(covered, kept)) for n, covered in self._numbers), MOST_NUMBERS)
        self._heard, self._covered = min(self._heard, kept), min(self._covered, kept)
        self._first = min(self._first, kept)

    def skip_to(self, number: int) -> None:
        """What went before was told on this screen through another seat's eyes."""
        self._covered = max(self._covered, number)

    def _story(self, since: int) -> Story:
        if self._heard < self._table.match.length:
            for number, story in self._table.tell_again(self.observer, self._heard):
                self.hear(number, story)
        latest = list(takewhile(lambda told: told[0] >= since, reversed(self._told)))
        return tuple([event for _, story in reversed(latest) for event in story])

    def _whole_story(self) -> Story:
        """From the start on, as far back as it is kept: that is counted in what was told, never in what was played."""
        if self._first > 0:
            self._told.clear()
            self._first = self._heard = 0
        return self._story(0)

    def _since_last_turn(self) -> int:
        """The first action after the last turn of this seat; for the public, the last action."""
        standing = self._table.match.standing
        if self.observer == PUBLIC:
            return self._with_its_dice(len(standing) - 1)
        return next((k + 1 for k in range(len(standing) - 1, -1, -1) if standing[k][0] == self.observer), 0)

    def _latest(self) -> int:
        """The last action of which this eye was told anything."""
        self._story(self._covered)
        return self._with_its_dice(self._told[-1][0]) if self._told else self._table.match.length

    def _with_its_dice(self, number: int) -> int:
        """Dice belong to the action that they follow."""
        standing = self._table.match.standing
        while number > 0 and standing[number][0] == CHANCE:
            number -= 1
        return max(0, number)

    # -- being shown ---------------------------------------------------------------------------------------------

    def publish(self, common: Common) -> None:
        """Sends everybody who looks through this eye what is new."""
        story = self._whole_story() if self._retells else self._story(self._covered)
        fresh = self._update(self._n + 1, common, story, retold=self._retells)
        if self._is_news(fresh):
            self._n, self._last, self._covered = fresh.n, fresh, self._table.match.length
            self._retells = False
            self._numbers.append((fresh.n, self._covered))
            texts: dict[bool, bytes] = {}
            for looker in list(self.lookers):
                wants = looker.wants_board
                if wants not in texts:
                    texts[wants] = self._text(fresh, wants)
                looker.see(texts[wants])

    def show(self, looker: Looker, common: Common, last: int | None) -> None:
        """What one who has just come to look is sent: all since its last update, the whole story or the latest."""
        self.publish(common)  # to the others: somebody new must not be a reason to tell them anything otherwise
        covered = next((covered for n, covered in self._numbers if n == last), None)
        if last is None:
            self._send(looker, common, self._story(self._latest()))
        elif covered is None or (len(self._told) == MOST_STORIES and covered < self._told[0][0]):
            self._send(looker, common, self._whole_story(), retold=True)
        else:
            self._send(looker, common, self._story(covered))

    def recap(self, looker: Looker, common: Common) -> None:
        """What a seat is sent when a shared screen is handed over to it: all since its last turn."""
        self.publish(common)
        self._send(looker, common, self._story(self._since_last_turn()), recap=True)

    def _send(self, looker: Looker, common: Common, story: Story, recap: bool = False, retold: bool = False) -> None:
        shown = msgspec.structs.replace(self._update(self._n, common, story, retold), recap=recap)
        looker.see(self._text(shown, looker.wants_board))

    def _is_news(self, fresh: Update) -> bool:
        """Would it tell anything new? Clocks that run do not count."""
        last = self._last
        if last is None or fresh.story or fresh.retold:
            return True
        as_last = msgspec.structs.replace(fresh, n=last.n, clocks=last.clocks, story=last.story, retold=last.retold)
        return as_last != last

    def _update(self, n: int, common: Common, story: Story, retold: bool = False) -> Update:
        table = self._table
        if self._looked != table.changes:
            self._looked = table.changes
            self._legal = tuple(table.match.legal(self.observer)) if self.observer in common.to_act else ()
        return Update(n, self.observer, table.shown(self.observer), story, self._legal, *common, retold=retold)

    def _text(self, update: Update, with_board: bool) -> bytes:
        if with_board:
            game = self._table.match.game
            board = game.board(game.view(self._table.match.world, self.observer))
            update = msgspec.structs.replace(update, board=board)
        return write(update)


def computers_only(table: Table) -> bool:
    """A program that holds a seat by a token could also watch: under fog it counts like a person."""
    return all(seat.kind == "computer" for seat in table.stored.seats)


def may_watch(table: Table, seats: Iterable[int], observer: int) -> bool:
    """One's own seats and the public view always; any seat once the match is over, or if only computers play."""
    if observer == PUBLIC or observer in seats:
        return True
    return 0 <= observer < table.referee.seats and (table.match.over or computers_only(table))


def may_hear_thoughts(table: Table, seats: Iterable[int], seat: int) -> bool:
    """Nobody hears whom they play against; who only watches, whatever the seat's view could tell them."""
    held = tuple(seats)
    if held and not table.match.over:
        return seat in held
    card = table.match.game.card
    return not (card.fog or card.simultaneous) or may_watch(table, held, seat)
