"""What the pages of a class show: to the teacher everything, to a pupil what is theirs and nobody else's."""

from __future__ import annotations

from collections.abc import Sequence

from quincunx.server.class_arena import ClassArena, Snapshot
from quincunx.server.class_shapes import (
    ClassContest,
    ClassEntrant,
    ClassPupil,
    MyEntrant,
    PupilContest,
    PupilPage,
    TeacherPage,
)
from quincunx.server.classroom import Classroom
from quincunx.server.shapes import ContestLine
from quincunx.store.classrooms import StoredUpload

NO_UPLOAD = StoredUpload("", "", "program")


async def teacher_page(classroom: Classroom, addresses: Sequence[str], link: str, qr: str) -> TeacherPage:
    stored = classroom.stored
    contests = [_for_teacher(each, await each.snapshot()) for each in _newest_first(classroom)]
    connected = {each.name for contest in contests for each in contest.entrants if each.present and not each.file}
    pupils = tuple(
        ClassPupil(pupil.name, classroom.is_here(pupil.name) or pupil.name in connected, pupil.created)
        for pupil in await classroom.store.classrooms.pupils(stored.id)
    )
    return TeacherPage(
        stored.name, stored.code, tuple(addresses), link, qr, classroom.uploads.isolation, pupils, tuple(contests)
    )


async def pupil_page(classroom: Classroom, name: str, addresses: Sequence[str]) -> PupilPage:
    contests = [_for_pupil(classroom, each, await each.snapshot(), name) for each in _newest_first(classroom)]
    return PupilPage(classroom.stored.name, name, classroom.uploads.isolation, tuple(addresses), tuple(contests))


def _newest_first(classroom: Classroom) -> list[ClassArena]:
    return sorted(classroom.contests.values(), key=lambda each: -each.stored.created)


def _for_teacher(contest: ClassArena, now: Snapshot) -> ClassContest:
    return ClassContest(
        contest.id, contest.stored.name, contest.stored.game, contest.link.format, contest.size, contest.plan.time.turn,
        contest.matches, contest.is_open, contest.stored.created, now.round,
        tuple(_entrant(contest, now, line) for line in now.lines if line.name in now.entrants),
    )  # fmt: skip


def _for_pupil(classroom: Classroom, contest: ClassArena, now: Snapshot, name: str) -> PupilContest:
    return PupilContest(
        contest.id, contest.stored.name, contest.stored.game, contest.link.format, contest.size, contest.plan.time.turn,
        contest.is_open, now.round, classroom.kinds(contest), _mine(contest, now, name),
    )  # fmt: skip


def _mine(contest: ClassArena, now: Snapshot, name: str) -> MyEntrant | None:
    line = next((line for line in now.lines if line.name == name and name in now.entrants), None)
    if line is None:
        return None
    shown = _entrant(contest, now, line)
    uploaded = now.uploads[name].created if shown.file else None
    return MyEntrant(
        shown.kind, shown.accepted, shown.present, shown.playing, shown.matches, shown.points, shown.place,
        shown.rating, shown.mishap, shown.notes, shown.file, uploaded,
    )  # fmt: skip


def _entrant(contest: ClassArena, now: Snapshot, line: ContestLine) -> ClassEntrant:
    name, entrant = line.name, now.entrants[line.name]
    upload = now.uploads.get(name, NO_UPLOAD) if entrant.kind == "upload" else NO_UPLOAD
    return ClassEntrant(
        name, entrant.kind, entrant.accepted, name in now.present, name in now.playing, line.matches, line.points,
        line.place or None, line.rating, contest.mishaps.get(name), upload.notes, upload.file,
    )  # fmt: skip
