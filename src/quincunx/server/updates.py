"""What is new at a match, worked out and encoded once for all who look, as far as it is the same for them.

`CommonState` is what every observer is shown alike. `PendingChanges` gathers what actions changed since the last
publication, where the game can say that without looking for every observer (`Game.ripple`). A `Publication` is both, as
bytes: a feed that has all that went before only puts its own number in front.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from quincunx.core.board import Ripple
from quincunx.core.words import Words
from quincunx.match.changes import patch
from quincunx.match.record import Outcome
from quincunx.match.wire import Changed, SeatShown, Update, write
from quincunx.server.views import Story

HEAD = len(write(Changed(n=0, observer=0))) - 1  # bytes before what changed
OWN = b'{"type":"update","n":%d,"observer":%d,"shown":%b,"story":%b,"legal":%b'  # of an update: what one observer has,
LAST = b',"board":%b,"recap":%b,"retold":%b}'  # and how it ends; between them stands what all are shown alike
NO, YES, NULL = b"false", b"true", b"null"


class CommonState(NamedTuple):
    """What every observer of a match is shown alike, as an `Update` has it: worked out once for all of them."""

    to_act: tuple[int, ...]
    clocks: tuple[int | None, ...]
    seats: tuple[SeatShown, ...]
    draw_offers: tuple[int, ...]
    draw_declined: int | None
    take_back_asked: int | None
    take_back_declined: int | None
    outcome: Outcome | None
    why: Words | None
    rematch: str | None
    deadlines: tuple[int | None, ...]  # not shown: until they change, clients count down by themselves

    def update(self, n: int, observer: int, shown: Any, story: Story, legal: tuple[str, ...]) -> Update:
        return Update(n, observer, shown, story, legal, *self[:-1])

    def since(self, before: CommonState) -> dict[str, Any]:
        """The fields of a `Changed`; empty if nothing is new. Time that runs is not."""
        said: dict[str, Any] = {}
        if self.to_act != before.to_act:
            if set(self.to_act) <= set(before.to_act):
                said["acted"] = tuple(seat for seat in before.to_act if seat not in set(self.to_act))
            else:
                said["to_act"] = self.to_act
        if self.seats != before.seats:
            said["seats"] = {str(n): seat for n, seat in enumerate(self.seats) if seat != before.seats[n]}
        for name in ("draw_offers", "draw_declined", "take_back_asked", "take_back_declined", "rematch"):
            if getattr(self, name) != getattr(before, name):
                said[name] = getattr(self, name)
        return said

    def clocks_since(self, before: CommonState) -> dict[str, int | None]:
        """Of those that neither stood still nor ran on."""
        if self.clocks == before.clocks:
            return {}
        moved = [n for n, end in enumerate(self.deadlines) if end != before.deadlines[n]]
        stood = [n for n, end in enumerate(self.deadlines) if end is None and self.clocks[n] != before.clocks[n]]
        return {str(seat): self.clocks[seat] for seat in sorted({*moved, *stood})}


class PendingChanges:
    """What actions changed since the match was told last."""

    def __init__(self, since: int, length: int) -> None:
        self.since = since  # the match's changes before them,
        self.length = length  # and its actions
        self.fields: dict[str, tuple[Any, Any]] | None = {}  # None: anything
        self.others: set[int] = set()  # seats for which more has changed
        self.story: list[msgspec.Raw] = []  # as the public is told it

    def add(self, seat: int, ripple: Ripple | None) -> None:
        if self.fields is None or ripple is None:
            self.fields = None
            return
        if not ripple.own:
            self.others.add(seat)
        for name, (was, now) in ripple.shown.items():
            self.fields[name] = self.fields.get(name, (was, now))[0], now


class Publication:
    """For one telling. `before` is what was common at the one before, None if there was none."""

    def __init__(self, common: CommonState, pending: PendingChanges, before: CommonState | None) -> None:
        self.pending = pending
        self.before = before
        self.common = before if before is not None and before == common else common  # one that is known to all

    def update(
        self,
        n: int,
        observer: int,
        shown: bytes,
        story: Story,
        legal: bytes,
        board: msgspec.Raw | None = None,
        recap: bool = False,
        retold: bool = False,
    ) -> bytes:
        """A whole `Update`, of parts that are bytes already."""
        own = OWN % (n, observer, shown, write(story), legal)
        last = LAST % (NULL if board is None else board, YES if recap else NO, YES if retold else NO)
        return own + self._alike + last

    @cached_property
    def _alike(self) -> bytes:
        """What an update says to all, encoded once for all of them."""
        whole = write(self.common.update(0, 0, None, (), ()))
        return whole[len(OWN % (0, 0, NULL, b"[]", b"[]")) : -len(LAST % (NULL, NO, NO))]

    @cached_property
    def shared(self) -> bytes | None:
        """For every feed that has what went before, and for which nothing else changed: what follows its number. None:
        nothing is new."""
        assert self.before is not None
        assert self.pending.fields is not None
        shown = {name: patch(was, now) for name, (was, now) in self.pending.fields.items() if was != now}
        return self.tail(self.before, shown, tuple(self.pending.story))

    def tail(
        self, before: CommonState, shown: dict[str, Any], story: Story, legal: tuple[str, ...] | None = None
    ) -> bytes | None:
        """A `Changed` without its head; None if it would say nothing."""
        said = self.common.since(before)
        if shown:
            said["shown"] = shown
        if legal is not None:
            said["legal"] = legal
        if not said and not story:
            return None
        if clocks := self.common.clocks_since(before):
            said["clocks"] = clocks
        return write(Changed(n=0, observer=0, story=story, **said))[HEAD:]


def changed(n: int, observer: int, rest: bytes) -> bytes:
    return b'{"type":"changed","n":%d,"observer":%d%b' % (n, observer, rest)
