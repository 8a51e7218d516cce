"""Positions over REST: for the study board, and for engines that think in a page. Open games only; and of a match that
runs nothing as long as it could help somebody against another.

An engine's bytes go out and never come in: whoever asks names a match or a start, and texts of actions.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import package
from quincunx.players.analysis import adviser, chance
from quincunx.players.worker import Job
from quincunx.server import advice, placing
from quincunx.server.analysing import refuse_help
from quincunx.server.budgets import charge
from quincunx.server.limits import client_of
from quincunx.server.match_shapes import MOST_ACTIONS, GameId, Plea, Start
from quincunx.server.match_shapes import MatchId as MatchName
from quincunx.server.placing import Base, Befores, Known, Offer, Placed
from quincunx.server.problems import refusals
from quincunx.server.rest import MatchId, live_match
from quincunx.server.tokens import entropy
from quincunx.store import StoredMatch

LONGEST_LINE = 2000  # actions
SECONDS = 1.0  # of a thought here
NOWHERE = Words(
    "D’où ? Une partie, ou un jeu et une position de départ.", "From where? A match, or a game and a start."
)
NOBODY_ACTS = Words("Ce n’est à personne de jouer ici.", "Nobody is to act here.")
BUSY = Words("Le serveur réfléchit déjà pour vous.", "The server is thinking for you already.")

ActionText = Annotated[str, Meta(max_length=400)]
Line = Annotated[tuple[ActionText, ...], Meta(max_length=LONGEST_LINE, description="what is played on from there")]
Number = Annotated[str, Meta(pattern="^[0-9]{1,19}$")]


class Place(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position: of a match after its first `at` actions, or the start of a game or of a study; then the actions of
    `line`."""

    match: MatchName | None = None
    at: Annotated[int, Meta(ge=0, le=MOST_ACTIONS)] = 0
    game: GameId | None = None
    start: Start | None = None
    study: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")] | None = None
    line: Line = ()


class Foreseen(Place, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """And what an engine expects there, as numbers, the dice among them."""

    numbers: Annotated[tuple[Number, ...], Meta(max_length=200)]


class Thought(Struct, frozen=True):
    """What the server's engine thinks of a position."""

    action: str
    line: tuple[str, ...]
    chance: float  # to win, of the seat that is to act
    depth: int
    nodes: int


class Outlook(Struct, frozen=True):
    known: Known
    legal: tuple[Offer, ...]


_thinking: set[str] = set()  # clients for whom a worker thinks


@post("/api/positions", responses=refusals(404, 409), status_code=200)
async def position(data: JSONBody[Place], state: State) -> Response[Placed]:
    """A position, all that a board shows of it, and what may be played there."""
    return _as_it_is(await state.pool.run(placing.place, await base_of(state, data), data.line))


@post("/api/positions/words", responses=refusals(404, 409), status_code=200)
async def words(data: JSONBody[Foreseen], state: State) -> Response[list[str]]:
    """A line that an engine expects, as texts; it ends where the rules would refuse it. Dice go without saying."""
    return _as_it_is(await state.pool.run(placing.in_words, await base_of(state, data), data.line, data.numbers))


@post("/api/positions/thought", responses=refusals(404, 409), status_code=200)
async def thought(request: Request[Any, Any, Any], data: JSONBody[Place], state: State) -> Thought:
    """For those whose page cannot think itself."""
    base, client = await base_of(state, data), client_of(request.scope)
    if client in _thinking:
        raise Refused("busy", BUSY)
    _thinking.add(client)
    try:
        seen = await state.pool.run(placing.observed, base, data.line)
        known, options = msgspec.json.decode(seen, type=tuple[Known | None, dict[str, Value]])
        if known is None:
            raise Refused("not_to_act", NOBODY_ACTS)
        player = adviser(package(base.game).CARD, SECONDS)
        job = Job(base.game, options, known.view, known.seat, player, entropy(), client=client)
        thinking = state.workers.think(job)
        last = None
        async for info in thinking.infos():
            last = info
        number = str(await thinking.result())
    finally:
        _thinking.discard(client)
    named = msgspec.json.decode(await state.pool.run(placing.in_words, base, data.line, (number,)), type=list[str])
    if last is None:
        return Thought(named[0], (named[0],), 0.5, 0, 0)
    return Thought(named[0], last.line or (named[0],), chance(player, last.value), last.depth, last.nodes)


@post("/api/matches/{id:str}/outlook", responses=refusals(404, 409), status_code=200)
async def outlook(data: JSONBody[Plea], state: State, id: MatchId) -> Outlook:
    """For a hint that is thought out in the page: to those who may have one."""
    live = await live_match(state, id)
    advice.expect_welcome(live, data.tokens, data.seat)
    game, world = live.match.game, live.match.world
    known = placing.known(game, world, data.seat)
    assert known is not None  # a seat was named
    return Outlook(known, placing.offers(game, world, data.seat))


@get("/api/matches/{id:str}/outlooks", responses=refusals(404, 409))
async def outlooks(
    state: State,
    id: MatchId,
    first: Annotated[int, QueryParameter(name="from", ge=0, le=MOST_ACTIONS)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=200)] = 200,
) -> Response[Befores]:
    """What the seats knew before each move: for an analysis in the page."""
    base = await _of_match(state, await state.lobby.find(id), None)
    return _as_it_is(await state.pool.run(placing.befores, base, first, count))


async def base_of(state: State, place: Place) -> Base:
    if place.match is not None:
        return await _of_match(state, await state.lobby.find(place.match), place.at)
    if place.study is not None:
        study = await state.store.studies.get(place.study)
        return Base(study.game, study.rules, study.options, study.start)
    if place.game is None or place.start is None:
        raise Refused("nowhere", NOWHERE)
    placing.expect_open(place.game)
    return Base(place.game, package(place.game).CARD.version, {}, place.start)


async def _of_match(state: State, stored: StoredMatch, at: int | None) -> Base:
    placing.expect_open(stored.game)
    refuse_help(stored)
    entries = await state.store.entries_text(stored.id)
    charge(read=len(entries))
    return Base(stored.game, stored.rules, stored.options, stored.start, entries, at)


def _as_it_is(data: Any) -> Response[Any]:
    return Response(data, media_type="application/json")


HANDLERS = (position, words, thought, outlook, outlooks)
