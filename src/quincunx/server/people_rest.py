"""People over REST. Every call says with `X-Owner` who asks: the key, which is in no address and in no log."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from quincunx.core.words import Refused
from quincunx.server.lan import Lan, own_address, picture
from quincunx.server.limits import TOO_MANY
from quincunx.server.lobby import Sitter
from quincunx.server.owners import Owner, owner_hash
from quincunx.server.people import People, shown
from quincunx.server.people_shapes import (
    Befriend,
    Device,
    Favour,
    HistoryLine,
    Me,
    NewName,
    NewSeek,
    PersonShown,
    SeekShown,
    Sought,
    Unfriend,
)
from quincunx.server.problems import refusals
from quincunx.server.rest import MatchId
from quincunx.store.people import NO_PERSON, Favourite, StoredPerson

HOUR = 3600


# -- somebody -------------------------------------------------------------------------------------------------------


@post("/api/people", responses=refusals(409), status_code=200)
async def be_called(request: Request[Any, Any, Any], data: JSONBody[NewName], state: State, owner: Owner = None) -> Me:
    """Whoever has this key is called so from now on."""
    if not state.gate.may_make(request.scope):
        raise Refused("too_many_requests", TOO_MANY.format(HOUR // 60))
    return await _people(state).page(await state.store.people.enter(data.name, owner_hash(owner)))


@get("/api/people/me", responses=refusals(404))
async def me(state: State, owner: Owner = None) -> Me:
    """Name, ratings, friends, favourites and invitations of whoever has this key."""
    return await _people(state).page(await _known(state, owner))


@get("/api/people/me/history", responses=refusals(404))
async def my_history(
    state: State,
    owner: Owner = None,
    before: Annotated[str | None, QueryParameter(pattern="^[A-Za-z0-9_-]{1,64}$", description="the last match")] = None,
    game: Annotated[str | None, QueryParameter(pattern="^[a-z0-9_]{1,40}$")] = None,
) -> list[HistoryLine]:
    """The latest first."""
    return await _people(state).history(await _known(state, owner), before, game)


@get("/api/people/me/export", responses=refusals(404), media_type="application/json")
async def export_me(state: State, owner: Owner = None) -> Response[dict[str, Any]]:
    """Everything that is kept of whoever asks."""
    everything: Any = msgspec.json.encode(await _people(state).export(await _known(state, owner)))
    named = {"Content-Disposition": 'attachment; filename="quincunx.json"'}
    return Response(everything, media_type="application/json", headers=named)


@delete("/api/people/me", responses=refusals(404))
async def forget_me(state: State, owner: Owner = None) -> None:
    """Name, key, history, ratings, friends, favourites, setups and studies go; their seats in matches are nobody's."""
    await _people(state).forget(await _known(state, owner))


@post("/api/people/me/device", responses=refusals(404), status_code=200)
async def another_device(request: Request[Any, Any, Any], state: State, owner: Owner = None) -> Device:
    """A link, and its picture, that makes another device this person's, too."""
    await _known(state, owner)
    link = f"{_address(request)}/me#key={owner}"
    return Device(link, picture(link).decode())


@post("/api/people/me/favourites", responses=refusals(404, 409), status_code=200)
async def favour(data: JSONBody[Favour], state: State, owner: Owner = None) -> Me:
    """Marks a game, or a setup of it, as a favourite, or no longer."""
    person = await _known(state, owner)
    state.matches.game(data.game)
    await state.store.people.favour(person.id, Favourite(data.game, data.setup), data.wanted)
    return await _people(state).page(person)


@post("/api/people/me/friends", responses=refusals(404, 409), status_code=200)
async def befriend(data: JSONBody[Befriend], state: State, owner: Owner = None) -> Me:
    """With whoever gave away this code; both are friends then."""
    person = await _known(state, owner)
    await state.store.people.befriend(person.id, data.code)
    return await _people(state).page(person)


@post("/api/people/me/friends/remove", responses=refusals(404), status_code=200)
async def unfriend(data: JSONBody[Unfriend], state: State, owner: Owner = None) -> Me:
    """Neither is the other's friend any more."""
    person = await _known(state, owner)
    await state.store.people.unfriend(person.id, data.name)
    return await _people(state).page(await _known(state, owner))


# -- at a table -----------------------------------------------------------------------------------------------------


@get("/api/matches/{id:str}/people", responses=refusals(404))
async def people_of(state: State, id: MatchId) -> list[PersonShown | None]:
    """Who sits there, by seat, of those who are known here, and how strong they are in this game."""
    stored = await state.lobby.find(id)
    known = [seat.person for seat in stored.seats if seat.person]
    ratings = await state.store.ratings.of(known, stored.game) if known else {}
    found: list[PersonShown | None] = []
    for seat in stored.seats:
        rating = next(iter(ratings.get(seat.person or "", ())), None)
        person = PersonShown(seat.name, shown(rating), rating.matches if rating else 0)
        found.append(person if seat.person else None)
    return found


# -- the lobby ------------------------------------------------------------------------------------------------------


@get("/api/seeks", responses=refusals())
async def list_seeks(state: State, owner: Owner = None) -> list[SeekShown]:
    """Who looks for an opponent."""
    sitter = await _people(state).sitter(owner)
    return list(await state.seeking.look(sitter.id if sitter else None))


@post("/api/seeks", responses=refusals(404, 409), status_code=200)
async def seek(request: Request[Any, Any, Any], data: JSONBody[NewSeek], state: State, owner: Owner = None) -> Sought:
    """To be said every few seconds: who is silent for ten has left."""
    may_make = lambda: state.gate.may_make(request.scope)  # noqa: E731
    sought: Sought = await state.seeking.seek(await _sitter(state, owner), data, may_make)
    if sought.found is not None:
        state.attendance.attend(await state.matches.get(sought.found.match))
    return sought


@delete("/api/seeks", responses=refusals(404))
async def stop_seeking(state: State, owner: Owner = None) -> None:
    """Whoever has found somebody, or looks no more."""
    await state.store.seeks.leave((await _known(state, owner)).id)


# -- inside ---------------------------------------------------------------------------------------------------------


def _people(state: State) -> People:
    people: People = state.people
    return people


async def _known(state: State, owner: str | None) -> StoredPerson:
    return await _people(state).known(owner_hash(owner))


async def _sitter(state: State, owner: str | None) -> Sitter:
    sitter = await _people(state).sitter(owner)
    if sitter is None:
        raise Refused("no_person", NO_PERSON)
    return sitter


def _address(request: Request[Any, Any, Any]) -> str:
    """Where other devices find this server; if it is closed to them, the address by which this one does."""
    lan: Lan | None = request.app.state.get("lan")
    return lan.addresses[0] if lan is not None and lan.is_open and lan.addresses else own_address(request)


HANDLERS = (
    be_called, me, my_history, export_me, forget_me, another_device, favour, befriend, unfriend, people_of, list_seeks,
    seek, stop_seeking,
)  # fmt: skip
