"""A hint for those who play alone, with the computer or with themselves: never against another person or a program.

It is thought out in a worker process from what the seat itself may know, so it tells no secret even under fog.
"""

from __future__ import annotations

from collections.abc import Sequence

from quincunx.core.contract import NOT_TO_ACT
from quincunx.core.words import Refused, Words
from quincunx.players.analysis import adviser
from quincunx.players.worker import Job
from quincunx.players.workers import Workers
from quincunx.server.budgets import CLIENT
from quincunx.server.fairness import covered, plays_alone
from quincunx.server.live import LiveMatch
from quincunx.server.match_shapes import Hinted
from quincunx.server.tokens import entropy

ALONE = Words("Pas d’indice contre une autre personne.", "No hints against another person.")
BUSY = Words("Un indice se prépare déjà.", "A hint is on its way already.")

_asked: set[str] = set()  # clients for whom a worker thinks of a hint


def expect_welcome(live: LiveMatch, tokens: Sequence[str], seat: int) -> None:
    """May whoever has these tokens be helped, now and in this seat?"""
    if seat not in covered(live.stored, tokens) or not plays_alone(live.stored, tokens):
        raise Refused("not_yours", ALONE)
    if live.match.over or not live.match.game.to_act(live.match.world, seat):
        raise live.match.game.refusal(NOT_TO_ACT)


async def hint(live: LiveMatch, workers: Workers, tokens: Sequence[str], seat: int) -> Hinted:
    expect_welcome(live, tokens, seat)
    game, world = live.match.game, live.match.world
    client = CLIENT.get()
    if client in _asked:
        raise Refused("busy", BUSY)
    _asked.add(client)
    job = Job.of(game.view(world, seat), adviser(game.card), entropy(), owner=f"hint {live.id}", client=client)
    before = game.clone(world)
    try:
        thought = workers.think(job)
        line: tuple[str, ...] = ()
        async for info in thought.infos():
            line = info.line or line
        return Hinted(game.text(before, seat, await thought.result()), line)
    finally:
        _asked.discard(client)
