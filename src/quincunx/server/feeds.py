"""Feeds: what each observer of a match is shown and told. Nothing else of a match leaves the server.

A `Feed` is one observer: a seat, or the public. Whoever looks through it, on however many screens, gets the same
updates, numbered from 1: the observer's own numbers, which count nothing that it cannot see. An update that would say
nothing new is not made. What changed little, or nothing of what is shown, goes as `changed`; everything else whole.

    standing actions   0    1    2    3    4    5
    told to this feed       ▪         ▪▪        ▪          (an action out of sight tells nothing)
    updates                 1         2         3          n, and how many actions stood then

A client that comes back names the last number that it has, and is told everything from there on. One that has nothing
yet (0), or a number that means nothing here any more, is told the whole story, as far back as a feed keeps it, in place
of what it has (`retold`); one that names no number, the latest story only. What is missing is played again from the
start. When actions are taken back of which a feed was told, the next update tells the whole story anew.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, Protocol

from quincunx.core.contract import CHANCE, PUBLIC
from quincunx.match.changes import patch
from quincunx.match.wire import write
from quincunx.server.updates import CommonState, Publication, changed
from quincunx.server.views import Story, Views

MOST_STORIES = 256  # actions whose story a feed keeps
FEW = 64  # actions that are told again at once; more of them, in another process
MOST_NUMBERS = 64  # updates after which a client that comes back is told everything
LARGE = 16 * 1024  # bytes of what is shown: above, only what changed of it is sent


class Subscriber(Protocol):
    """A screen."""

    wants_board: bool

    def send(self, update: bytes) -> None: ...


class Feed:
    """One observer of a match."""

    def __init__(self, views: Views, observer: int) -> None:
        self.observer = observer
        self.subscribers: dict[Subscriber, int] = {}  # with the number of the last update that each has; -1: none
        self.keepers = 0  # shared screens that will want to know what this seat was told meanwhile
        self._views = views
        self._match = views.match
        self._n = 0
        self._told: deque[tuple[int, Story]] = deque(maxlen=MOST_STORIES)  # number of an action, its story
        self._heard = self._since_last_turn()  # actions of which it knows what it was told
        self._first = self._heard  # the first of them
        self._covered = views.match.length  # actions that its updates have told
        self._retells = False  # something that was told was taken back
        self._numbers: deque[tuple[int, int]] = deque(maxlen=MOST_NUMBERS)  # an update, and `_covered` after it
        self._common: CommonState | None = None  # what its last update said that all are shown alike,
        self._shown: dict[str, Any] = {}  # of its own view,
        self._legal: tuple[str, ...] = ()  # and that may be played
        self._looked = -1  # which change of the match it has looked at
        self.telling = asyncio.Lock()  # of what it has not heard, in another process
        self._forgets = 0

    @property
    def wanted(self) -> bool:
        return bool(self.subscribers or self.keepers)

    # -- being told ----------------------------------------------------------------------------------------------

    def add_story(self, number: int, story: Story) -> None:
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
        return self._first if self._heard < self._match.length else self._heard

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
        if self._heard < self._match.length:
            for number, story in self._views.stories(self.observer, self._heard):
                self.add_story(number, story)
        latest = list(takewhile(lambda told: told[0] >= since, reversed(self._told)))
        return tuple([event for _, story in reversed(latest) for event in story])

    def _whole_story(self) -> Story:
        """From the start on, as far back as it is kept: that is counted in what was told, never in what was played."""
        if self._first > 0 and self._match.length <= FEW:  # of more, `LiveMatches.retell` has seen to it
            self._told.clear()
            self._first = self._heard = 0
        return self._story(0)

    def _since_last_turn(self) -> int:
        """The first action after the last turn of this seat; for the public, the last action."""
        standing = self._match.standing
        if self.observer == PUBLIC:
            return self._with_its_dice(len(standing) - 1)
        return next((k + 1 for k in range(len(standing) - 1, -1, -1) if standing[k][0] == self.observer), 0)

    def _latest(self) -> int:
        """The last action of which this feed was told anything."""
        self._story(self._covered)
        return self._with_its_dice(self._told[-1][0]) if self._told else self._match.length

    def _with_its_dice(self, number: int) -> int:
        """Dice belong to the action that they follow."""
        standing = self._match.standing
        while number > 0 and standing[number][0] == CHANCE:
            number -= 1
        return max(0, number)

    # -- being shown ---------------------------------------------------------------------------------------------

    def publish(self, publication: Publication) -> None:
        """Sends everybody who looks through this feed what is new."""
        since, retold = self._covered, self._retells
        if self._is_up_to(publication):
            change, whole = self._share(publication), False
        else:
            change, whole = self._compare(publication, since)
        self._common, self._covered, self._retells = publication.common, self._match.length, False
        if change is not None or whole or retold:
            self._n += 1
            self._numbers.append((self._n, self._covered))
            self._send_all(publication, since, retold, None if whole or retold else change)

    def _share(self, publication: Publication) -> bytes | None:
        """What is new for everybody, and that it may play no more, if so."""
        self._shown.update({name: now for name, (_, now) in (publication.pending.fields or {}).items()})
        self._looked, change = self._views.changes, publication.shared
        if change is not None and self._legal and self.observer not in publication.common.to_act:
            self._legal, change = (), change[:-1] + b',"legal":[]}'
        return change

    def _is_up_to(self, publication: Publication) -> bool:
        """Has it all that went before, and is what is new the same as for everybody?"""
        pending = publication.pending
        return (
            self._common is not None
            and self._common is publication.before
            and publication.common.outcome is None
            and pending.fields is not None
            and self.observer not in pending.others
            and (self._looked, self._covered) == (pending.since, pending.length)
        )

    def _compare(self, publication: Publication, since: int) -> tuple[bytes | None, bool]:
        """What changed since its last update; or, if that is as well told whole, that it is."""
        before, shown, legal = self._common, self._shown, self._legal
        self._look(publication.common)
        if before is None or before.outcome != publication.common.outcome:
            return None, True
        if shown != self._shown and len(self._views.shown(self.observer)) < LARGE:
            return None, True
        differs = {name: patch(shown.get(name), now) for name, now in self._shown.items() if shown.get(name) != now}
        told = self._story(since), self._legal if legal != self._legal else None
        return publication.tail(before, differs, *told), False

    def _send_all(self, publication: Publication, since: int, retold: bool, change: bytes | None) -> None:
        texts: dict[bool, bytes] = {}
        for subscriber, has in list(self.subscribers.items()):
            wants = subscriber.wants_board
            if change is not None and not wants and has == self._n - 1:
                subscriber.send(changed(self._n, self.observer, change))
            else:
                if wants not in texts:
                    story = self._whole_story() if retold else self._story(since)
                    texts[wants] = self._whole(publication, story, wants, retold=retold)
                subscriber.send(texts[wants])
            self.subscribers[subscriber] = self._n

    def show(self, subscriber: Subscriber, publication: Publication, last: int | None) -> None:
        """What one who has just come to look is sent: all since its last update, the whole story or the latest."""
        self.publish(publication)  # to the others: somebody new must not be a reason to tell them anything otherwise
        covered = next((covered for n, covered in self._numbers if n == last), None)
        retold = False
        if last is None:
            story = self._story(self._latest())
        elif covered is None or (len(self._told) == MOST_STORIES and covered < self._told[0][0]):
            story, retold = self._whole_story(), True
        else:
            story = self._story(covered)
        subscriber.send(self._whole(publication, story, subscriber.wants_board, retold=retold))

    def recap(self, subscriber: Subscriber, publication: Publication) -> None:
        """What a seat is sent when a shared screen is handed over to it: all since its last turn."""
        self.publish(publication)
        story = self._story(self._since_last_turn())
        subscriber.send(self._whole(publication, story, subscriber.wants_board, recap=True))

    def subscribe(self, subscriber: Subscriber, has: bool) -> None:
        """Somebody looks from now on, and `has` the latest update or not."""
        self.subscribers[subscriber] = self._n if has else -1

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self.subscribers.pop(subscriber, None)

    def _look(self, common: CommonState) -> None:
        """At the match as it is now."""
        if self._looked != self._views.changes:
            self._looked = self._views.changes
            legal = self._match.legal(self.observer) if self.observer in common.to_act else ()
            self._legal = tuple(legal)
            self._shown = self._views.fields(self.observer)

    def _whole(
        self, publication: Publication, story: Story, with_board: bool, recap: bool = False, retold: bool = False
    ) -> bytes:
        self._look(publication.common)
        shown, board = self._views.shown(self.observer), self._views.board(self.observer) if with_board else None
        return publication.update(self._n, self.observer, shown, story, write(self._legal), board, recap, retold)
