"""The lobby over REST: every answer is a struct, every refusal a code with a sentence in two languages."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import Parameter

from quincunx.core.card import Card
from quincunx.core.options import Option, Preset, Setup
from quincunx.core.words import Refused, Words
from quincunx.games import cards, load
from quincunx.match import encode
from quincunx.server.lobby import Held, Listed, Made, NewMatch, listed
from quincunx.store import Status


class GameShown(msgspec.Struct, frozen=True):
    card: Card
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    setups: tuple[Setup, ...]


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    seat: int | None = None


class Problem(msgspec.Struct, frozen=True):
    code: str
    words: Words


@get("/api/games")
async def games() -> list[GameShown]:
    found = [load(card.id, "interpreted") for card in cards()]
    return [GameShown(g.card, tuple(g.options), tuple(g.presets), tuple(g.setups)) for g in found]


@post("/api/matches")
async def make_match(data: NewMatch, state: State) -> Made:
    made: Made = await state.lobby.make(data)
    table = await state.tables.get(made.id)
    state.computers.attend(table)
    return made


@get("/api/matches")
async def list_matches(state: State, status: Status | None = None, game: str | None = None) -> list[Listed]:
    return [listed(stored) for stored in await state.store.list_matches(status, game)]


@get("/api/matches/{id:str}")
async def show_match(state: State, id: Annotated[str, Parameter(max_length=64)]) -> Listed:
    return listed(await state.lobby.find(id))


@post("/api/matches/{id:str}/join")
async def join_match(data: Join, state: State, id: Annotated[str, Parameter(max_length=64)]) -> Held:
    held: Held = await state.lobby.join(id, data.seat, data.name)
    table = await state.tables.get((await state.lobby.find(id)).id)
    state.computers.attend(table)
    return held


@get("/api/matches/{id:str}/record")
async def download(state: State, id: Annotated[str, Parameter(max_length=64)]) -> Response[bytes]:
    return Response(encode(await state.lobby.record(id)), media_type="application/json")


def refuse(_: Any, refused: Refused) -> Response[Problem]:
    status = {"no_such_match": 404, "taken": 409, "running": 409}.get(refused.code, 400)
    return Response(Problem(refused.code, refused.words), status_code=status)


HANDLERS = (games, make_match, list_matches, show_match, join_match, download)
