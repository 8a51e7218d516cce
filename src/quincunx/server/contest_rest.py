"""Contests over REST: the list, how one stands, and the records of its matches."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import FromQuery, PathParameter, QueryParameter

from quincunx.match import MatchRecord
from quincunx.server.contest_news import LiveContest
from quincunx.server.contest_records import MOST_FRAMES
from quincunx.server.match_shapes import LARGEST_NUMBER, Imported, Replayed
from quincunx.server.problems import refusals
from quincunx.server.shapes import ContestListed, ContestResult, ContestShown

ContestId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$", description="its id, or how it begins")]
MOST_RESULTS = 100
Number = Annotated[int, PathParameter(ge=0, le=LARGEST_NUMBER)]


@get("/api/contests", responses=refusals())
async def list_contests(
    state: State,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
    arenas: Annotated[bool, QueryParameter(description="only arenas that are open, however old")] = False,
) -> Response[list[ContestListed]]:
    """The newest first."""
    return _as_it_is(await state.contests.listed(limit, arenas))


@get("/api/contests/{id:str}", responses=refusals(404))
async def show_contest(state: State, id: ContestId) -> Response[ContestShown]:
    """How it stands. Its socket, `/ws/contests/{id}`, says the same first, and then what changes."""
    live: LiveContest = await state.contests.get(id)
    await live.refresh()
    return _as_it_is(live.page)


@get("/api/contests/{id:str}/results", responses=refusals(404))
async def contest_results(
    state: State,
    id: ContestId,
    player: Annotated[str, QueryParameter(max_length=200, description="as the table calls it")],
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_RESULTS)] = 20,
) -> list[ContestResult]:
    """The matches of one player that are over, the newest first, of the last two thousand of the contest."""
    live: LiveContest = await state.contests.get(id)
    return await live.results_of(player, limit)


@get(
    "/api/contests/{id:str}/records/{pairing:int}/{number:int}",
    responses=refusals(404, 409),
    media_type="application/json",
)
async def contest_record(state: State, id: ContestId, pairing: Number, number: Number) -> Response[MatchRecord]:
    """Of a match that is over."""
    live: LiveContest = await state.contests.get(id)
    file = await state.contest_records.file(live.id, pairing, number)
    name = f"{live.stored.game}-{pairing:04}-{number:05}.json"
    return _as_it_is(file, **{"Content-Disposition": f'attachment; filename="{name}"'})


@get("/api/contests/{id:str}/records/{pairing:int}/{number:int}/reel", responses=refusals(404, 409))
async def contest_reel(
    state: State,
    id: ContestId,
    pairing: Number,
    number: Number,
    frames: Annotated[int, QueryParameter(ge=1, le=MOST_FRAMES, description="at most; the last is one of them")] = 1,
    board: FromQuery[bool] = False,
) -> Response[Replayed]:
    """A match that is over in some pictures, evenly apart; stories stand where a picture follows the one before it."""
    return _as_it_is(await state.contest_records.reel(id, pairing, number, frames, board))


@post("/api/contests/{id:str}/records/{pairing:int}/{number:int}/open", responses=refusals(404, 409), status_code=200)
async def open_contest_match(state: State, id: ContestId, pairing: Number, number: Number) -> Imported:
    """The match as one of this server's that are over, to be replayed and analysed; always the same one."""
    return Imported(await state.contest_records.open(id, pairing, number))


def _as_it_is(data: Any, **headers: str) -> Response[Any]:
    """Encoded already."""
    return Response(data, media_type="application/json", headers=headers)


HANDLERS = (list_contests, show_contest, contest_results, contest_record, contest_reel, open_contest_match)
