"""Arenas over REST: made and closed by somebody at the server's own computer. Read they are as all contests."""

from __future__ import annotations

from typing import Any

from litestar import Request, post
from litestar.datastructures import State
from litestar.params import JSONBody

from quincunx.core.words import Refused, Words
from quincunx.server.contest_rest import ContestId
from quincunx.server.limits import is_here
from quincunx.server.problems import refusals
from quincunx.server.shapes import ArenaMade, NewArena

ONLY_HERE = Words(
    "Une arène s’ouvre et se ferme depuis l’ordinateur du serveur (quincunx arena).",
    "An arena is opened and closed from the server’s own computer (quincunx arena).",
)


@post("/api/arenas", responses=refusals(409))
async def make_arena(request: Request[Any, Any, Any], data: JSONBody[NewArena], state: State) -> ArenaMade:
    """Opens one that runs until it is closed: programs come and go, and are paired when they are ready."""
    _only_here(request)
    return ArenaMade((await state.arenas.make(data)).id)


@post("/api/arenas/{id:str}/close", responses=refusals(404, 409), status_code=200)
async def close_arena(request: Request[Any, Any, Any], state: State, id: ContestId) -> ArenaMade:
    """Nobody begins a match there any more; those that are under way are played out, and count."""
    _only_here(request)
    arena = await state.arenas.get(id)
    await state.arenas.close_arena(arena.id)
    return ArenaMade(arena.id)


def _only_here(request: Request[Any, Any, Any]) -> None:
    if not is_here(request):
        raise Refused("not_here", ONLY_HERE)


HANDLERS = (make_arena, close_arena)
