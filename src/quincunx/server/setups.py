"""Setups and maps that people made, over REST. One is its maker's alone until they share it; then everybody may use it,
and still only they change it. For others one that is not shared does not exist: no list, address or refusal tells.

Who asks says so with the header `X-Owner`, a long random word that the browser keeps; the store has its hash.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter, QueryParameter, RawBody
from msgspec import Meta, Struct

from quincunx.core.words import Refused, Words
from quincunx.server.match_shapes import GameId, SetupText
from quincunx.server.owners import Owner, owner_hash
from quincunx.server.problems import refusals
from quincunx.server.rest import file_body
from quincunx.server.tokens import hash_of
from quincunx.store import StoredSetup

MOST = 200  # setups that one owner keeps
MOST_OF_ALL = 10_000
LONGEST_FILE = 512 * 1024
NOT_YOURS = Words("Seul son auteur peut modifier cette position.", "Only its author may change this setup.")
FULL = Words("Il y a déjà {} positions : supprimez-en.", "There are already {} setups: delete some.")

SetupId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$")]
SetupName = Annotated[str, Meta(min_length=1, max_length=60)]


class SetupShown(Struct, frozen=True):
    id: str
    game: str
    name: str
    mine: bool
    shared: bool
    changed: int


class SetupRead(SetupShown, frozen=True):
    text: str


class NewSetup(Struct, frozen=True, forbid_unknown_fields=True):
    game: GameId
    name: SetupName
    text: SetupText
    shared: bool = False


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    name: SetupName | None = None
    text: SetupText | None = None
    shared: bool | None = None


@get("/api/setups", responses=refusals())
async def list_setups(
    state: State,
    game: Annotated[str | None, QueryParameter(pattern="^[a-z0-9_]{1,40}$")] = None,
    owner: Owner = None,
) -> Response[list[SetupShown]]:
    """One's own, and those that others share."""
    known = _known(owner)
    found = await state.store.setups.list(game, known, texts=False)
    listed: Any = msgspec.json.encode([_shown(setup, known) for setup in found])
    return Response(listed, media_type="application/json")


@post("/api/setups", responses=refusals(409))
async def make_setup(state: State, data: JSONBody[NewSetup], owner: Owner = None) -> SetupRead:
    """Keeps a setup or map; the game refuses what its rules do not allow."""
    await _make_room(state, owner)
    made = await state.store.setups.create(data.game, data.name, data.text, owner_hash(owner), data.shared)
    return _read(made, owner)


@post(
    "/api/setups/file",
    responses=refusals(409),
    request_max_body_size=LONGEST_FILE,
    operation_class=file_body("text/plain", "a setup or map, as the game writes it"),
)
async def import_setup(
    state: State,
    body: RawBody,
    game: Annotated[str, QueryParameter(pattern="^[a-z0-9_]{1,40}$")],
    name: Annotated[str, QueryParameter(min_length=1, max_length=60)],
    owner: Owner = None,
) -> SetupRead:
    """The same from a file, as `GET /api/setups/{id}/file` gives it."""
    await _make_room(state, owner)
    return _read(await state.store.setups.take_in(game, name, body, owner_hash(owner)), owner)


@get("/api/setups/{id:str}", responses=refusals(404))
async def read_setup(state: State, id: SetupId, owner: Owner = None) -> SetupRead:
    """One that is one's own, or shared, with its text."""
    return _read(await state.store.setups.seen(id, _known(owner)), owner)


@get("/api/setups/{id:str}/file", responses=refusals(404), media_type="text/plain")
async def export_setup(state: State, id: SetupId, owner: Owner = None) -> Response[bytes]:
    """Its text as a file."""
    setup = await state.store.setups.seen(id, _known(owner))
    name = {"Content-Disposition": f'attachment; filename="{setup.game}-{id}.txt"'}
    return Response(await state.store.setups.export(id), media_type="text/plain", headers=name)


@put("/api/setups/{id:str}", responses=refusals(404, 409))
async def change_setup(state: State, id: SetupId, data: JSONBody[Change], owner: Owner = None) -> SetupRead:
    """Another text, another name, shared or not: what is named is changed."""
    setup = await _own(state, id, owner)
    if data.text is not None:
        setup = await state.store.setups.save(id, data.text)
    if data.name is not None and data.name != setup.name:
        setup = await state.store.setups.rename(id, data.name)
    if data.shared is not None and data.shared != setup.shared:
        setup = await state.store.setups.share(id, data.shared)
    return _read(setup, owner)


@delete("/api/setups/{id:str}", responses=refusals(404))
async def delete_setup(state: State, id: SetupId, owner: Owner = None) -> None:
    """For good; matches that began on it stay."""
    await _own(state, id, owner)
    await state.store.setups.delete(id)


# -- inside ---------------------------------------------------------------------------------------------------------


def _known(owner: str | None) -> str:
    """For those who only look: nobody in particular, if they do not say who they are."""
    return hash_of(owner) if owner is not None else ""


async def _own(state: State, id: str, owner: str | None) -> StoredSetup:
    whose = owner_hash(owner)
    setup: StoredSetup = await state.store.setups.seen(id, whose)
    if setup.owner != whose:
        raise Refused("not_yours", NOT_YOURS)
    return setup


async def _make_room(state: State, owner: str | None) -> None:
    mine, everybodys = await state.store.setups.count(owner_hash(owner))
    if mine >= MOST or everybodys >= MOST_OF_ALL:
        raise Refused("full", FULL.format(mine if mine >= MOST else everybodys))


def _shown(setup: StoredSetup, whose: str) -> SetupShown:
    mine = whose != "" and setup.owner == whose
    return SetupShown(setup.id, setup.game, setup.name, mine, setup.shared, setup.changed)


def _read(setup: StoredSetup, owner: str | None) -> SetupRead:
    shown = _shown(setup, _known(owner))
    return SetupRead(shown.id, shown.game, shown.name, shown.mine, shown.shared, shown.changed, setup.text)


HANDLERS = (list_setups, make_setup, import_setup, read_setup, export_setup, change_setup, delete_setup)
