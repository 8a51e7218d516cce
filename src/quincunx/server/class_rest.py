"""A class over REST. Every call says in its body who asks: a teacher's token, or a pupil's code, name and key."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter

from quincunx.core.words import Refused
from quincunx.server.class_pages import pupil_page, teacher_page
from quincunx.server.class_shapes import (
    Acceptance,
    JoinClass,
    JoinedClass,
    MadeContest,
    MarksWanted,
    NewClassContest,
    PupilKey,
    PupilPage,
    Removal,
    TeacherKey,
    TeacherPage,
    Upload,
)
from quincunx.server.classroom import NO_CLASS, Classroom
from quincunx.server.lan import Lan, picture
from quincunx.server.marks import marks
from quincunx.server.problems import refusals

ContestId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$")]


# -- pupils ---------------------------------------------------------------------------------------------------------


@post("/api/classroom/join", responses=refusals(404, 409), status_code=200)
async def join_class(data: JSONBody[JoinClass], state: State) -> JoinedClass:
    """A name in a class, and the key by which it comes back."""
    return await _classroom(state).join(data)


@post("/api/classroom/pupil", responses=refusals(404), status_code=200)
async def show_pupil(request: Request[Any, Any, Any], data: JSONBody[PupilKey], state: State) -> PupilPage:
    """What a pupil sees: the contests, their file and what became of it."""
    classroom = _classroom(state)
    return await pupil_page(classroom, await classroom.pupil(data.code, data.name, data.key), _addresses(request))


@post("/api/classroom/upload", responses=refusals(404, 409), status_code=200)
async def upload(request: Request[Any, Any, Any], data: JSONBody[Upload], state: State) -> PupilPage:
    """Runs only where it can be isolated; takes the place of the file before with the next match."""
    classroom = _classroom(state)
    return await pupil_page(classroom, await classroom.upload(data), _addresses(request))


# -- the teacher ----------------------------------------------------------------------------------------------------


@post("/api/classroom/teacher", responses=refusals(404), status_code=200)
async def show_teacher(request: Request[Any, Any, Any], data: JSONBody[TeacherKey], state: State) -> TeacherPage:
    """What the teacher sees: the pupils, their files, and every contest."""
    return await _page(request, await _taught(state, data.token))


@post("/api/classroom/contests", responses=refusals(404, 409))
async def open_contest(data: JSONBody[NewClassContest], state: State) -> MadeContest:
    """Opens a contest for the class."""
    classroom = await _taught(state, data.token)
    return MadeContest((await classroom.new_contest(data)).id)


@post("/api/classroom/contests/{id:str}/accept", responses=refusals(404, 409), status_code=200)
async def accept_entrant(
    request: Request[Any, Any, Any], data: JSONBody[Acceptance], state: State, id: ContestId
) -> TeacherPage:
    """Lets a pupil's file play in a contest, or stops it."""
    classroom = await _taught(state, data.token)
    await classroom.accept(id, data.name, data.accepted)
    return await _page(request, classroom)


@post("/api/classroom/contests/{id:str}/round", responses=refusals(404, 409), status_code=200)
async def start_round(
    request: Request[Any, Any, Any], data: JSONBody[TeacherKey], state: State, id: ContestId
) -> TeacherPage:
    """Everybody who is accepted now plays in it."""
    classroom = await _taught(state, data.token)
    await classroom.contest(id).begin_round()
    return await _page(request, classroom)


@post("/api/classroom/contests/{id:str}/close", responses=refusals(404, 409), status_code=200)
async def close_contest(
    request: Request[Any, Any, Any], data: JSONBody[TeacherKey], state: State, id: ContestId
) -> TeacherPage:
    """Matches under way are played to their end, and count."""
    classroom = await _taught(state, data.token)
    await classroom.close_contest(id)
    return await _page(request, classroom)


@post("/api/classroom/contests/{id:str}/marks", responses=refusals(404), status_code=200, media_type="text/csv")
async def take_marks(data: JSONBody[MarksWanted], state: State, id: ContestId) -> Response[str]:
    """For a spreadsheet."""
    classroom = await _taught(state, data.token)
    contest = classroom.contest(id)
    contest.changed()
    file: Any = marks((await contest.snapshot()).lines, data.language)
    named = {"Content-Disposition": f'attachment; filename="{id}.csv"'}
    return Response(file, media_type="text/csv; charset=utf-8", headers=named)


@post("/api/classroom/pupils/remove", responses=refusals(404, 409), status_code=200)
async def remove_pupil(request: Request[Any, Any, Any], data: JSONBody[Removal], state: State) -> TeacherPage:
    """The name is free again: for somebody who has lost their key, say."""
    classroom = await _taught(state, data.token)
    await classroom.remove(data.name)
    return await _page(request, classroom)


# -- inside ---------------------------------------------------------------------------------------------------------


def _classroom(state: State) -> Classroom:
    found: Classroom | None = state.get("classroom")
    if found is None:
        raise Refused("no_such_class", NO_CLASS)
    return found


async def _taught(state: State, token: str) -> Classroom:
    classroom = _classroom(state)
    await classroom.check_teacher(token)
    return classroom


async def _page(request: Request[Any, Any, Any], classroom: Classroom) -> TeacherPage:
    lan: Lan | None = request.app.state.get("lan")
    addresses = lan.addresses if lan else []
    link = f"{addresses[0]}/class#code={classroom.stored.code}" if addresses else ""
    return await teacher_page(classroom, addresses, link, _drawn(link) if link else "")


def _addresses(request: Request[Any, Any, Any]) -> list[str]:
    """The one by which the pupil came is the one that works for them."""
    lan: Lan | None = request.app.state.get("lan")
    host = request.headers.get("host", "")
    came = [f"{request.scope['scheme']}://{host}"] if 0 < len(host) <= 255 else []
    return list(dict.fromkeys([*came, *(lan.addresses if lan else [])]))


@lru_cache(8)
def _drawn(link: str) -> str:
    return picture(link).decode()


HANDLERS = (
    join_class, show_pupil, upload, show_teacher, open_contest, accept_entrant, start_round, close_contest, take_marks,
    remove_pupil,
)  # fmt: skip
