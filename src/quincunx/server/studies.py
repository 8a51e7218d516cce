"""Studies over REST. One is kept for whoever made it, as the header `X-Owner` says (setups.py); who has its link may
look at it, and nobody else learns that it exists. A list has one's own.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.server import studying
from quincunx.server.owners import Owner
from quincunx.server.placing import Base
from quincunx.server.positions import Place, base_of
from quincunx.server.problems import refusals
from quincunx.server.setups import SetupName
from quincunx.server.studying import Node, Studied, Tree
from quincunx.server.tokens import hash_of
from quincunx.store.studies import StoredStudy

MOST = 200  # studies that one owner keeps
MOST_OF_ALL = 20_000
WHO = Words(
    "Il manque l’en-tête X-Owner, qui dit à qui est l’étude.", "The header X-Owner, which says whose it is, is missing."
)
NOT_YOURS = Words("Seul son auteur peut modifier cette étude.", "Only its author may change this study.")
FULL = Words("Il y a déjà {} études : supprimez-en.", "There are already {} studies: delete some.")

StudyId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$")]


class StudyListed(Struct, frozen=True):
    id: str
    game: str
    name: str
    match: str | None
    changed: int


class StudyRead(StudyListed, frozen=True):
    mine: bool
    options: dict[str, Value]
    tree: tuple[Node, ...]


class NewStudy(Struct, frozen=True, forbid_unknown_fields=True):
    name: SetupName
    place: Place  # of which only the start counts: the tree has all actions
    tree: Tree


class StudyChange(Struct, frozen=True, forbid_unknown_fields=True):
    name: SetupName | None = None
    tree: Annotated[tuple[Node, ...], Meta(min_length=1, max_length=studying.MOST_NODES)] | None = None


@get("/api/studies", responses=refusals())
async def list_studies(state: State, owner: Owner = None) -> list[StudyListed]:
    """One's own, the last changed first."""
    if owner is None:
        return []
    found = await state.store.studies.list(hash_of(owner))
    return [StudyListed(study.id, study.game, study.name, study.match, study.changed) for study in found]


@post("/api/studies", responses=refusals(403, 404, 409))
async def keep_study(state: State, data: JSONBody[NewStudy], owner: Owner = None) -> Response[StudyRead]:
    """Keeps a tree of variations and remarks, after every action in it was checked."""
    if owner is None:
        raise Refused("not_yours", WHO)
    mine, everybodys = await state.store.studies.count(hash_of(owner))
    if mine >= MOST or everybodys >= MOST_OF_ALL:
        raise Refused("full", FULL.format(min(mine, MOST) if mine >= MOST else everybodys))
    base = msgspec.structs.replace(await base_of(state, data.place), entries=b"[]")
    checked = await _checked(state, base, data.tree)
    tree = msgspec.json.encode(checked.tree).decode()
    study = await state.store.studies.create(
        hash_of(owner), data.name, base.game, base.rules, checked.options, checked.start, data.place.match, tree
    )
    return _shown(study, hash_of(owner))


@get("/api/studies/{id:str}", responses=refusals(404))
async def read_study(state: State, id: StudyId, owner: Owner = None) -> Response[StudyRead]:
    """A study with its tree; whoever has its address may read it."""
    return _shown(await state.store.studies.get(id), hash_of(owner) if owner else "")


@put("/api/studies/{id:str}", responses=refusals(403, 404, 409))
async def change_study(
    state: State, id: StudyId, data: JSONBody[StudyChange], owner: Owner = None
) -> Response[StudyRead]:
    """Another name or another tree, of one's own study."""
    study = await _own(state, id, owner)
    tree = None
    if data.tree is not None:
        base = Base(study.game, study.rules, study.options, study.start)
        tree = msgspec.json.encode((await _checked(state, base, data.tree)).tree).decode()
    return _shown(await state.store.studies.change(id, data.name, tree), study.owner)


@delete("/api/studies/{id:str}", responses=refusals(403, 404))
async def delete_study(state: State, id: StudyId, owner: Owner = None) -> None:
    """One's own, for good."""
    await _own(state, id, owner)
    await state.store.studies.delete(id)


async def _own(state: State, id: str, owner: str | None) -> StoredStudy:
    study: StoredStudy = await state.store.studies.get(id)
    if owner is None or study.owner != hash_of(owner):
        raise Refused("not_yours", NOT_YOURS)
    return study


async def _checked(state: State, base: Base, tree: tuple[Node, ...]) -> Studied:
    return msgspec.json.decode(await state.pool.run(studying.study, base, tree), type=Studied)


def _shown(study: StoredStudy, owner: str) -> Response[Any]:
    tree = msgspec.json.decode(study.tree, type=tuple[Node, ...])
    mine = bool(owner) and study.owner == owner
    shown = StudyRead(study.id, study.game, study.name, study.match, study.changed, mine, study.options, tree)
    return Response(shown, media_type="application/json")


HANDLERS = (list_studies, keep_study, read_study, change_study, delete_study)
