"""What one observer of a table is sent: its view, its story, its legal actions. Nothing else leaves this file."""

from __future__ import annotations

from typing import Any

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.match.wire import SeatShown, Update
from quincunx.server.tables import Table


def may_watch(table: Table, seats: frozenset[int], observer: int) -> bool:
    """One's own seats and the public view always; any seat once the match is over, or if only machines play."""
    if observer == PUBLIC or observer in seats:
        return True
    machines = all(seat.kind == "computer" or seat.kind == "program" for seat in table.stored.seats)
    return 0 <= observer < table.referee.seats and (table.match.over or machines)


def update(table: Table, observer: int, story: list[Any], n: int) -> Update:
    match, referee = table.match, table.referee
    game = match.game
    outlook = game.view(match.world, observer)
    waits = () if match.over else tuple(s for s in range(referee.seats) if game.to_act(match.world, s))
    legal = match.legal(observer) if observer in waits else []
    at = table.now()
    return Update(
        n=n,
        observer=observer,
        shown=game.show(outlook),
        board=game.board(outlook),
        story=tuple(story),
        legal=tuple(legal),
        to_act=waits,
        clocks=tuple(clock.shown(at) for clock in referee.clocks),
        seats=tuple(
            SeatShown(seat.name, seat.kind, seat.player, bool(table.present.get(number)))
            for number, seat in enumerate(table.stored.seats)
        ),
        draw_offers=tuple(sorted(referee.draw_offers)),
        take_back_asked=referee.take_back_asked,
        outcome=match.outcome,
    )


def same(one: Update | None, two: Update) -> bool:
    """Would the second tell the first one's reader anything new? Clocks that run do not count."""
    if one is None or two.story:
        return False
    return msgspec.structs.replace(two, n=one.n, clocks=one.clocks, story=one.story) == one
