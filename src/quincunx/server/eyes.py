"""Eyes: what each observer of a table is shown and told. Nothing else of a match leaves the server.

An `Eye` is one observer: a seat, or the public. Whoever looks through it, on however many screens, gets the same
updates, numbered from 1: the observer's own numbers, which count nothing that it cannot see. An update that would say
nothing new is not made. What changed little, or nothing of what is shown, goes as `changed`; everything else whole.

    standing actions   0    1    2    3    4    5
    told to this eye        ▪         ▪▪        ▪          (an action out of sight tells nothing)
    updates                 1         2         3          n, and how many actions stood then

A client that comes back names the last number that it has, and is told everything from there on. One that has nothing
yet (0), or a number that means nothing here any more, is told the whole story, as far back as an eye keeps it, in place
of what it has (`retold`); one that names no number, the latest story only. What is missing is played again from the
start. When actions are taken back of which an eye was told, the next update tells the whole story anew.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from quincunx.core.contract import CHANCE, PUBLIC
from quincunx.match.changes import patch
from quincunx.match.wire import write
from quincunx.server.news import Common, News, Story, changed

if TYPE_CHECKING:
    from quincunx.server.tables import Table

MOST_STORIES = 256  # actions whose story an eye keeps
FEW = 64  # actions that are told again at once; more of them, in another process
MOST_NUMBERS = 64  # updates after which a client that comes back is told everything
LARGE = 16 * 1024  # bytes of what is shown: above, only what changed of it is sent


class Looker(Protocol):
    """A screen."""

    wants_board: bool

    def see(self, update: bytes) -> None: ...


class Eye:
    """One observer of a table."""

    def __init__(self, table: Table, observer: int) -> None:
        self.observer = observer
        self.lookers: dict[Looker, int] = {}  # with the number of the last update that each has; -1: none
        self.keepers = 0  # shared screens that will want to know what this seat was told meanwhile
        self._table = table
        self._n = 0
        self._told: deque[tuple[int, Story]] = deque(maxlen=MOST_STORIES)  # number of an action, its story
        self._heard = self._since_last_turn()  # actions of which it knows what it was told
        self._first = self._heard  # the first of them
        self._covered = table.match.length  # actions that its updates have told
        self._retells = False  # something that was told was taken back
        self._numbers: deque[tuple[int, int]] = deque(maxlen=MOST_NUMBERS)  # an update, and `_covered` after it
        self._common: Common | None = None  # what its last update said that all are shown alike,
        self._shown: dict[str, Any] = {}  # of its own view,
        self._legal: tuple[str, ...] = ()  # and that may be played
        self._looked = -1  # which change of the table it has looked at
        self.telling = asyncio.Lock()  # of what it has not heard, in another process
        self._forgets = 0

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
        self._forgets += 1
        before = len(self._told)
        self._told = deque((told for told in self._told if told[0] < kept), MOST_STORIES)
        if len(self._told) < before:
            self._retells = True
            self._numbers.clear()  # who comes back with one of them has heard what is no longer true
        self._numbers = deque(((n, min(covered, kept)) for n, covered in self._numbers), MOST_NUMBERS)
        self._heard, self._covered = min(self._heard, kept), min(self._covered, kept)
        self._first = min(self._first, kept)

    def unheard(self, whole: bool) -> int:
        """From which action on it would have to be told, if somebody wants the latest, or the whole story."""
        if whole and self._first > 0:
            return 0
        return self._first if self._heard < self._table.match.length else self._heard

    @contextmanager
    def listening(self, length: int) -> Iterator[Callable[[], bool]]:
        """While it is told the actions before number `length`, it hears those after it. Were some taken back since?"""
        if self._heard < length:
            self._told.clear()
            self._first = self._heard = length
        forgets = self._forgets
        self.keepers += 1
        try:
            yield lambda: self._forgets != forgets
        finally:
            self.keepers -= 1

    def remember(self, since: int, length: int, told: Iterable[tuple[int, Story]]) -> None:
        """What it was told of the actions from `since` on, before number `length`."""
        self._told = deque((*told, *(heard for heard in self._told if heard[0] >= length)), MOST_STORIES)
        self._first = since

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
        if self._first > 0 and self._table.match.length <= FEW:  # of more, `Tables.retell` has seen to it
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

    def publish(self, news: News) -> None:
        """Sends everybody who looks through this eye what is new."""
        since, retold = self._covered, self._retells
        if self._is_up_to(news):
            change, whole = self._share(news), False
        else:
            change, whole = self._compare(news, self._story(since))
        self._common, self._covered, self._retells = news.common, self._table.match.length, False
        if change is not None or whole or retold:
            self._n += 1
            self._numbers.append((self._n, self._covered))
            self._send_all(news.common, 0 if retold else since, retold, None if whole or retold else change)

    def _share(self, news: News) -> bytes | None:
        """What is new for everybody, and that it may play no more, if so."""
        self._shown.update({name: now for name, (_, now) in (news.stir.fields or {}).items()})
        self._looked, change = self._table.changes, news.shared
        if change is not None and self._legal and self.observer not in news.common.to_act:
            self._legal, change = (), change[:-1] + b',"legal":[]}'
        return change

    def _is_up_to(self, news: News) -> bool:
        """Has it all that went before, and is what is new the same as for everybody?"""
        stir = news.stir
        return (
            self._common is not None
            and self._common is news.before
            and news.common.outcome is None
            and stir.fields is not None
            and self.observer not in stir.others
            and (self._looked, self._covered) == (stir.since, stir.length)
        )

    def _compare(self, news: News, story: Story) -> tuple[bytes | None, bool]:
        """What changed since its last update, and whether that one is better told whole."""
        before, shown, legal = self._common, self._shown, self._legal
        self._look(news.common)
        if before is None or before.outcome != news.common.outcome:
            return None, True
        differs = {name: patch(shown.get(name), now) for name, now in self._shown.items() if shown.get(name) != now}
        change = news.tail(before, differs, story, self._legal if legal != self._legal else None)
        return change, bool(differs) and len(self._table.shown(self.observer)) < LARGE

    def _send_all(self, common: Common, since: int, retold: bool, change: bytes | None) -> None:
        texts: dict[bool, bytes] = {}
        for looker, has in list(self.lookers.items()):
            wants = looker.wants_board
            if change is not None and not wants and has == self._n - 1:
                looker.see(changed(self._n, self.observer, change))
            else:
                if wants not in texts:
                    story = self._whole_story() if retold else self._story(since)
                    texts[wants] = self._whole(common, story, wants, retold=retold)
                looker.see(texts[wants])
            self.lookers[looker] = self._n

    def show(self, looker: Looker, news: News, last: int | None) -> None:
        """What one who has just come to look is sent: all since its last update, the whole story or the latest."""
        self.publish(news)  # to the others: somebody new must not be a reason to tell them anything otherwise
        covered = next((covered for n, covered in self._numbers if n == last), None)
        retold = False
        if last is None:
            story = self._story(self._latest())
        elif covered is None or (len(self._told) == MOST_STORIES and covered < self._told[0][0]):
            story, retold = self._whole_story(), True
        else:
            story = self._story(covered)
        looker.see(self._whole(news.common, story, looker.wants_board, retold=retold))

    def recap(self, looker: Looker, news: News) -> None:
        """What a seat is sent when a shared screen is handed over to it: all since its last turn."""
        self.publish(news)
        story = self._story(self._since_last_turn())
        looker.see(self._whole(news.common, story, looker.wants_board, recap=True))

    def open(self, looker: Looker, has: bool) -> None:
        """Somebody looks from now on, and `has` the latest update or not."""
        self.lookers[looker] = self._n if has else -1

    def close(self, looker: Looker) -> None:
        self.lookers.pop(looker, None)

    def _look(self, common: Common) -> None:
        """At the table as it is now."""
        if self._looked != self._table.changes:
            self._looked = self._table.changes
            legal = self._table.match.legal(self.observer) if self.observer in common.to_act else ()
            self._legal = tuple(legal)
            self._shown = self._table.fields(self.observer)

    def _whole(
        self, common: Common, story: Story, with_board: bool, recap: bool = False, retold: bool = False
    ) -> bytes:
        self._look(common)
        shown = msgspec.Raw(self._table.shown(self.observer))
        update, board = common.update(self._n, self.observer, shown, story, self._legal), None
        if with_board:
            board = self._table.board(self.observer)
        return write(msgspec.structs.replace(update, recap=recap, retold=retold, board=board))


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
