"""The lobby over REST: every answer is a struct, every refusal a code with a sentence in two languages."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter, RawBody

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.games import Game, cards, load
from quincunx.match import MatchRecord
from quincunx.players.programs.naming import fits, preset_for
from quincunx.players.roster import KINDS
from quincunx.puzzles.puzzle import shelf
from quincunx.server import advice, records, tasks
from quincunx.server.analysing import Analysed
from quincunx.server.limits import client_of, is_here
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import NO_MATCH, listed
from quincunx.server.match_shapes import (
    MOST_ACTIONS,
    MOST_SEATS,
    Again,
    Fork,
    Found,
    Held,
    Hinted,
    Imported,
    Join,
    Listed,
    Looked,
    Made,
    NewMatch,
    Plea,
    Replayed,
    Seat,
    Start,
    Study,
)
from quincunx.server.offering import LEVELS, SIMPLE, GameShown, PlayerShown, game_shown
from quincunx.server.owners import Owner
from quincunx.server.problems import refusals
from quincunx.server.programs import named_programs
from quincunx.server.showcase import Show
from quincunx.server.tokens import hash_of
from quincunx.store import Status

MatchId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$", description="its id or its six-letter code")]
GameId = Annotated[str, PathParameter(pattern="^[a-z0-9_]{1,40}$")]


class KeptSchema(JsonRenderPlugin):
    """It never changes: encoded once."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if self._kept is None:
            self._kept = self.render_json(request, openapi_schema)
        return self._kept

    _kept: bytes | None = None


def file_body(media_type: str, text: str) -> type[Operation]:
    """Says in the schema what a handler that takes a file as it is wants in its body."""

    class Filed(Operation):
        def __post_init__(self) -> None:
            schema = Schema(type=OpenAPIType.STRING if media_type.startswith("text/") else OpenAPIType.OBJECT)
            self.request_body = RequestBody({media_type: OpenAPIMediaType(schema)}, description=text, required=True)

    return Filed


# -- games ----------------------------------------------------------------------------------------------------------


@get("/api/games", responses=refusals())
async def games(request: Request[Any, Any, Any], state: State) -> Response[list[GameShown]]:
    """Every game: its card, options, presets, setups, lengths and levels, and whether its fast code is ready."""
    ready = frozenset(id for id, shown in state.warming.shown().items() if shown == "ready")
    return _as_it_is(_games_shown(ready, named_programs() if is_here(request) else ()))


@post("/api/games/{game:str}/preview", responses=refusals(), status_code=200)
async def preview(state: State, game: GameId, data: JSONBody[Start]) -> Response[Looked]:
    """A start that belongs to no match, so nobody's secret; refused if the game does not allow it."""
    return _as_it_is(await state.pool.run(tasks.preview, game, data))


# -- matches --------------------------------------------------------------------------------------------------------


@post("/api/matches", responses=refusals(409))
async def make_match(
    request: Request[Any, Any, Any], data: JSONBody[NewMatch], state: State, owner: Owner = None
) -> Made:
    """Who is known here sits under their own name, if one seat is `here`, and holds it by their key."""
    sitter = await state.people.sitter(owner)
    return await _attended(state, await state.lobby.make(data, here=is_here(request), sitter=sitter))


@get("/api/matches", responses=refusals())
async def list_matches(
    state: State,
    status: FromQuery[Status | None] = None,
    game: Annotated[str | None, QueryParameter(pattern="^[a-z0-9_]{1,40}$")] = None,
    before: Annotated[str | None, QueryParameter(pattern="^[A-Za-z0-9_-]{1,64}$", description="the last id")] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> Response[list[Listed]]:
    """The public ones, the newest first."""
    return _as_it_is(await state.listing.page(status, game, limit, before))


@get("/api/matches/{id:str}", responses=refusals(404))
async def show_match(state: State, id: MatchId) -> Listed:
    """One match as the list has it: nothing but what is public."""
    return listed(await state.lobby.find(id))


@get("/api/matches/{id:str}/look", responses=refusals(404, 409))
async def look(state: State, id: MatchId) -> Response[Looked]:
    """What the public sees now."""
    return _as_it_is(await state.matches.look(await live_match(state, id)))


@post("/api/matches/{id:str}/join", responses=refusals(404, 409))
async def join_match(data: JSONBody[Join], state: State, id: MatchId, owner: Owner = None) -> Held:
    """Takes a free seat, a random one if none is named; only this answer says its token."""
    held: Held = await state.lobby.join(id, data.seat, data.name, await state.people.sitter(owner))
    state.attendance.attend(await live_match(state, id))
    return held


@post("/api/seats", responses=refusals(404), status_code=200)
async def find_seat(data: JSONBody[Found], state: State) -> Seat:
    """Which seat a token holds: for programs that were given nothing else."""
    held = await state.lobby.store.by_token(hash_of(data.token))
    if held is None:
        raise Refused("no_such_match", NO_MATCH)
    return Seat(*held)


@post("/api/matches/{id:str}/rematch", responses=refusals(404, 409))
async def rematch(data: JSONBody[Again], state: State, id: MatchId) -> Made:
    """The same again with the seats rotated, once it is over and a seat asks; asked twice, it is one match."""
    return await _attended(state, await state.lobby.rematch(await state.lobby.find(id), data.tokens))


@post("/api/matches/{id:str}/fork", responses=refusals(404, 409))
async def fork(request: Request[Any, Any, Any], data: JSONBody[Fork], state: State, id: MatchId) -> Made:
    """A new match that begins with the first actions of one that is over, or that whoever asks plays alone."""
    return await _attended(state, await state.lobby.fork(await state.lobby.find(id), data, here=is_here(request)))


@post("/api/matches/{id:str}/hint", responses=refusals(404, 409), status_code=200)
async def hint(data: JSONBody[Plea], state: State, id: MatchId) -> Hinted:
    """A good action for a seat, and what is expected after it; only where it helps nobody against another."""
    return await advice.hint(await live_match(state, id), state.workers, data.tokens, data.seat)


@post("/api/matches/{id:str}/analysis", responses=refusals(404, 409), status_code=200)
async def analysis(request: Request[Any, Any, Any], data: JSONBody[Study], state: State, id: MatchId) -> Analysed:
    """Begins one, or tells how far it is: to be asked again until it is done. Not while it could help anybody."""
    told: Analysed = await state.analyses.tell(await state.lobby.find(id), client_of(request.scope), data.have)
    return told


@get("/api/showcase", responses=refusals())
async def show_computers(state: State) -> Response[Show | None]:
    """Two computers that play, for those who come when nobody does; the same for all who look."""
    return _as_it_is(await state.showcase.look())


# -- records --------------------------------------------------------------------------------------------------------


@get("/api/matches/{id:str}/record", responses=refusals(404, 409), media_type="application/json")
async def download(state: State, id: MatchId) -> Response[MatchRecord]:
    """The record of a match, as a file; of a game with secrets, once it is over."""
    stored = await state.lobby.find(id)
    name = {"Content-Disposition": f'attachment; filename="{stored.game}-{stored.id}.json"'}
    file: Any = await records.download(state.store, state.pool.run, stored)  # as it stands in a file, to the byte
    return Response(file, media_type="application/json", headers=name)


@post(
    "/api/records",
    responses=refusals(409),
    request_max_body_size=records.LONGEST_RECORD,
    operation_class=file_body("application/json", "the record of a match, as it was downloaded"),
)
async def import_record(state: State, body: RawBody, public: FromQuery[bool] = False) -> Imported:
    """Played through and checked before it is stored."""
    return Imported(await records.take_in(state.store, state.pool.run, body, public))


@get("/api/matches/{id:str}/replay", responses=refusals(404, 409))
async def replay(
    state: State,
    id: MatchId,
    seat: Annotated[int, QueryParameter(ge=PUBLIC, lt=MOST_SEATS, description="whose eyes; -2: the public's")] = PUBLIC,
    first: Annotated[int, QueryParameter(name="from", ge=0, le=MOST_ACTIONS)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=200)] = 200,
    board: FromQuery[bool] = False,
) -> Response[Replayed]:
    """A match in pictures, some at a time, through the public's eyes; once it is over, through those of any seat."""
    stored = await state.lobby.find(id)
    return _as_it_is(await records.frames(state.store, state.pool.run, stored, seat, first, count, board))


# -- inside ---------------------------------------------------------------------------------------------------------


async def live_match(state: State, id: str) -> LiveMatch:
    live: LiveMatch | None = await state.matches.get(id) or await state.matches.get((await state.lobby.find(id)).id)
    if live is None:
        raise Refused("no_such_match", NO_MATCH)
    return live


async def _attended(state: State, made: Made) -> Made:
    """Computers see to a match as soon as it is made."""
    state.attendance.attend(await state.matches.get(made.id))
    return made


def _as_it_is(data: Any, **headers: str) -> Response[Any]:
    """What is encoded already goes out to the byte; the annotation of its handler says what it is."""
    return Response(data, media_type="application/json", headers=headers)


@lru_cache(64)
def _games_shown(ready: frozenset[str], programs: tuple[tuple[str, str], ...]) -> bytes:
    games = [load(card.id, "interpreted") for card in cards()]
    return msgspec.json.encode([_game_shown(game, game.card.id in ready, programs) for game in games])


def _game_shown(game: Game, compiled: bool, programs: tuple[tuple[str, str], ...]) -> GameShown:
    named = [PlayerShown(f"bot:{name}", _called(name, spec)) for name, spec in programs if fits(spec, game.card.id)]
    own = [PlayerShown(spec, words) for spec, (_, words) in game.opponents.items()]
    simple = [PlayerShown(spec, KINDS[spec]) for spec in SIMPLE]
    players = (*LEVELS, *simple, *own, *named)
    return game_shown(game, players, compiled=compiled, puzzles=len(shelf(game.card.id)))


OF_PRESET = Words("{} (préréglage {})", "{} (preset {})")


def _called(name: str, spec: str) -> Words:
    """With the rules that it knows, where its protocol knows only some."""
    preset = preset_for([spec])
    return OF_PRESET.format(name, preset) if preset else Words(name, name)


HANDLERS = (
    games, preview, make_match, list_matches, show_match, look, join_match, find_seat, rematch, fork, hint, analysis,
    show_computers, download, import_record, replay,
)  # fmt: skip
