"""Who may see what of a match: through whose view a client may watch, and whose thoughts it may hear."""

from __future__ import annotations

from collections.abc import Iterable

from quincunx.core.contract import PUBLIC
from quincunx.server.fairness import is_computer
from quincunx.server.live import LiveMatch


def computers_only(live: LiveMatch) -> bool:
    """A program that holds a seat by a token could also watch: under fog it counts like a person."""
    return all(is_computer(seat) for seat in live.stored.seats)


def may_watch(live: LiveMatch, seats: Iterable[int], observer: int) -> bool:
    """One's own seats and the public view always; any seat once the match is over, or if only computers play."""
    if observer == PUBLIC or observer in seats:
        return True
    return 0 <= observer < live.referee.seats and (live.match.over or computers_only(live))


def may_hear_thoughts(live: LiveMatch, seats: Iterable[int], seat: int) -> bool:
    """Nobody hears whom they play against; who only watches, whatever the seat's view could tell them."""
    held = tuple(seats)
    if held and not live.match.over:
        return seat in held
    card = live.match.game.card
    return not (card.fog or card.simultaneous) or may_watch(live, held, seat)
