"""Starts and matches as they are worked out in pool processes (process_pool.py): drawn, read, played through, shown."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words
from quincunx.games import Game, load
from quincunx.match.record import Entry
from quincunx.match.referee import Referee
from quincunx.match.replay import expect_outcome, expect_position, expect_possible, expect_start
from quincunx.match.wire import write
from quincunx.server.match_shapes import Start
from quincunx.server.pickling import pack
from quincunx.server.starting import OTHER_RULES, drawn, looked, new_referee, next_start
from quincunx.server.tokens import entropy
from quincunx.store import StoredMatch, damaged
from quincunx.store.setups import check_text

ENDED = Words("Il ne reste rien à jouer après ces actions.", "Nothing is left to play after these actions.")
SMALL = 2000  # signs of a start, and
FEW = 64  # entries: what is so short is done at once


def preview(id: str, start: Start) -> bytes:
    """A start that belongs to no match, so nobody's secret; refused if the game does not allow it."""
    game = load(id)
    world = drawn(game, settle(game.options, game.presets, start.preset, start.options), start)
    return looked(game, game.preview(world))


def look(id: str, options: dict[str, Value], world: bytes) -> bytes:
    """What the public sees of a world."""
    game = load(id)
    return looked(game, game.view(game.from_bytes(options, world), PUBLIC))


def judge(id: str, text: str) -> bytes:
    """A setup as it is to be stored."""
    return check_text(id, text).encode()


Begun = tuple[Referee, list[Entry], str, str]  # the dice that fall now, the start and its digest


def begun(game: Game, plan: StoredMatch, start: Start | None, entries: list[Entry]) -> Begun:
    """A match about to be made, from a start that is to be drawn or from the plan's own, with its first actions
    played."""
    if start is not None:
        plan = msgspec.structs.replace(plan, start=game.position(drawn(game, dict(plan.options), start)))
    referee = new_referee(game, plan)
    digest = game.position_digest(referee.match.world)
    referee.take(entries)
    if referee.match.over:
        raise Refused("over", ENDED)
    ruling = referee.first_dice(0, entropy)
    dice = ruling if isinstance(ruling, list) else []
    referee.take(dice)
    return referee, dice, plan.start, digest


def begin(plan: StoredMatch, start: Start | None, entries: bytes) -> bytes:
    """The same, for another process."""
    return pack(*begun(load(plan.game), plan, start, msgspec.json.decode(entries, type=list[Entry])))


def follow(stored: StoredMatch, entries: bytes) -> bytes:
    """The referee of a match that is stored, after all its entries; refused where they are not what was played."""
    game = load(stored.game)
    if stored.rules != game.card.version:
        raise Refused("other_rules", OTHER_RULES)
    referee, number = new_referee(game, stored), 0
    try:
        expect_start(referee.match, stored.start_digest)
        for number, entry in enumerate(msgspec.json.decode(entries, type=list[Entry]), 1):
            expect_possible(referee.match, number, entry)
            referee.take([entry])
            expect_position(referee.match, number, entry)
        if stored.outcome is not None:
            expect_outcome(referee.match, stored.outcome)
    except Refused as refused:
        raise refused if refused.code == "endless" else damaged(number) from None
    return pack(referee)


def again(stored: StoredMatch) -> bytes:
    """The start of a rematch, and its seed."""
    return write(next_start(stored))


def is_short(plan: StoredMatch, entries: Sequence[Entry], start: Start | None = None) -> bool:
    """Does it cost less to follow it here than to send it to another process? A start that is to be drawn is short if
    it is the game's usual one."""
    if start is not None:
        game = load(plan.game, "interpreted")
        usual = settle(game.options, game.presets, None, {})
        return start.text is None and start.setup is None and plan.options == usual
    return len(entries) <= FEW and len(plan.start) <= SMALL and len(plan.seats) <= FEW


def retell(
    id: str,
    options: dict[str, Value],
    world: bytes,
    actions: list[tuple[int, int]],
    observer: int,
    since: int,
    most: int,
) -> bytes:
    """What an observer is told of the actions from number `since` on, the last so many of which there is something to
    tell: numbers and stories."""
    game = load(id)
    state = game.from_bytes(options, world)
    told: deque[tuple[int, list[object]]] = deque(maxlen=most)
    for number, (seat, action) in enumerate(actions):
        if number < since:
            game.apply(state, seat, action)
        else:
            events = game.apply_and_tell(state, seat, action, observer, number)
            if events:
                told.append((number, list(events)))
    return write(list(told))
