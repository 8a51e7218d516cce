"""A class on this server: its code and its teacher's token, its pupils, its contests.

    quincunx serve --lan --classroom
        teacher   /classroom#token=…   opens contests, accepts bots, starts rounds, takes the marks
        pupils    /class               join with the code and a name, and are given a key; no password

The token and the keys are drawn here and kept by whoever has them; the store has their hashes. The token stands in a
file of the user's beside the one of bots, so that the same command opens the same class with the same link.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import unicodedata
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from pathlib import Path

import msgspec

from quincunx.core.options import settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import load
from quincunx.players.programs import bots
from quincunx.server.arenas import Arenas
from quincunx.server.budgets import charge
from quincunx.server.class_arena import ClassArena
from quincunx.server.class_shapes import JoinClass, JoinedClass, NewClassContest, Upload
from quincunx.server.lobby import checked_name
from quincunx.server.logs import log
from quincunx.server.shapes import NewArena
from quincunx.server.tokens import hash_of, new_code, new_id, new_token
from quincunx.server.uploads import Uploads, judged, kinds_for, spec_of
from quincunx.store import Store, Unavailable
from quincunx.store.classrooms import StoredClassroom, StoredUpload, UploadKind
from quincunx.store.contests import StoredContest
from quincunx.tournament.plan import Pacing

SUPPLY = 0.25  # seconds between two looks at what is left of a round
HERE = 10.0  # seconds for which a pupil who looked at the page is there
TRIES = 8  # codes that may be taken already
DEFAULT = Words("Classe", "Class")

NO_CLASS = Words("Aucune classe n’a ce code sur ce serveur.", "No class has this code on this server.")
NOT_TEACHER = Words(
    "Ce lien n’est pas (ou plus) celui de l’enseignant : la commande quincunx serve --classroom affiche le bon.",
    "This link is not, or no longer, the teacher’s: the command quincunx serve --classroom shows the right one.",
)
NOT_PUPIL = Words(
    "La classe ne vous reconnaît pas : entrez de nouveau, avec le code et votre nom.",
    "The class does not know you: join again, with the code and your name.",
)
NO_COLON = Words("un nom sans deux-points", "a name without a colon")
A_KEY = Words("une clé de 16 à 64 lettres, chiffres ou tirets", "a key of 16 to 64 letters, digits or dashes")
NO_CONTEST = Words("La classe n’a pas ce concours.", "The class has no such contest.")
OTHER_KIND = Words("Ce concours ne prend pas les fichiers {}.", "This contest does not take files of {}.")
UNWRITABLE = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")

Run = Callable[..., Awaitable[bytes]]


class Classroom:
    """`token`: the teacher's."""

    def __init__(
        self, store: Store, arenas: Arenas, uploads: Uploads, run: Run, stored: StoredClassroom, token: str
    ) -> None:
        self.stored = stored
        self.token = token
        self.uploads = uploads
        self.store = store
        self.contests: dict[str, ClassArena] = {}
        self._arenas = arenas
        self._run = run
        self._looked: dict[str, float] = {}  # when each pupil looked at the page

    @classmethod
    async def open(cls, store: Store, arenas: Arenas, uploads: Uploads, run: Run, name: str) -> Classroom:
        """The class of that name, made if there is none."""
        stored = await _stored(store, name)
        token = await asyncio.to_thread(_kept_token, stored.id)
        if not token or hash_of(token) != stored.teacher_hash:
            token = new_token()
            await asyncio.to_thread(_keep_token, stored.id, token)
            await store.classrooms.set_teacher(stored.id, hash_of(token))
        classroom = cls(store, arenas, uploads, run, stored, token)
        for link in await store.classrooms.contests(stored.id):
            found = await store.contests.get(link.contest)
            contest = classroom.contests[link.contest] = ClassArena(store, arenas, found, link)
            await contest.load()
        return classroom

    async def run(self) -> None:
        """Sees to the rounds."""
        while True:
            for contest in list(self.contests.values()):
                try:
                    await contest.supply()
                except Unavailable as error:
                    log.warning("classroom.waits", reason=str(error))
                except Exception:
                    log.error("classroom.failed")
            await asyncio.sleep(SUPPLY)

    # -- who asks ------------------------------------------------------------------------------------------------

    async def check_teacher(self, token: str) -> None:
        """Compared as hashes, in the same time whatever is wrong with it."""
        if not compare_digest(hash_of(token), await self.store.classrooms.teacher_hash(self.stored.id)):
            raise Refused("not_yours", NOT_TEACHER)

    def check_code(self, code: str) -> None:
        if not compare_digest(code.strip().upper().encode(), self.stored.code.encode()):
            raise Refused("no_such_class", NO_CLASS)

    async def pupil(self, code: str, name: str, key: str) -> str:
        """The name of the pupil who asks, as the class writes it."""
        self.check_code(code)
        found = await self.store.classrooms.pupil(self.stored.id, name)
        if not compare_digest(hash_of(key), found.key_hash if found else hash_of("")) or found is None:
            raise Refused("not_yours", NOT_PUPIL)
        self._looked[found.name] = time.monotonic()
        return found.name

    def is_here(self, name: str) -> bool:
        return time.monotonic() - self._looked.get(name, float("-inf")) < HERE

    # -- what pupils do ------------------------------------------------------------------------------------------

    async def join(self, wanted: JoinClass) -> JoinedClass:
        self.check_code(wanted.code)
        name = unicodedata.normalize("NFC", " ".join(checked_name(wanted.name).split()))
        if ":" in name:
            raise expected(NO_COLON, name, "name")
        if wanted.key and not (16 <= len(wanted.key) <= 64 and wanted.key.isascii() and wanted.key.isprintable()):
            raise expected(A_KEY, len(wanted.key), "key")
        key = wanted.key or new_token()
        joined = await self.store.classrooms.join(self.stored.id, name, hash_of(key))
        self._looked[joined.name] = time.monotonic()
        return JoinedClass(self.stored.name, joined.name, key)

    async def upload(self, sent: Upload) -> str:
        """The name of the pupil whose file it is."""
        name = await self.pupil(sent.code, sent.name, sent.key)
        self.uploads.check_taken()
        contest = self.contest(sent.contest)
        arena = await contest.arena()
        if sent.kind not in self.kinds(contest):
            raise Refused("other_kind", OTHER_KIND.format(sent.kind), "kind")
        data = await self._run(judged, sent.file, sent.text, sent.kind)
        charge(read=len(data), entries=0)  # it is written, as a match is
        upload = StoredUpload(name, sent.file, sent.kind, data)
        await self.store.classrooms.keep_upload(contest.id, upload)
        await arena.enter(name, sent.key, "upload", spec_of(contest.id, name))
        contest.changed()
        return name

    def kinds(self, contest: ClassArena) -> tuple[UploadKind, ...]:
        """What may be uploaded now."""
        if not self.uploads.isolation or not contest.is_open:
            return ()
        game, start = load(contest.plan.game, "interpreted"), contest.plan.starts[0]
        return kinds_for(game, settle(game.options, game.presets, start.preset, start.options))

    # -- what the teacher does -----------------------------------------------------------------------------------

    def contest(self, id: str) -> ClassArena:
        if id not in self.contests:
            raise Refused("no_such_contest", NO_CONTEST)
        return self.contests[id]

    async def new_contest(self, wanted: NewClassContest) -> ClassArena:
        pacing: Pacing = "free" if wanted.format == "free" else "rounds"
        new = NewArena(
            wanted.game, wanted.name, wanted.preset, wanted.options, None, wanted.seats, wanted.turn, wanted.computers,
            pacing, "approved",
        )  # fmt: skip

        async def create(stored: StoredContest) -> None:
            await self.store.classrooms.new_contest(self.stored.id, stored, wanted.format, wanted.matches)

        arena = await self._arenas.make(new, create)
        (link,) = [each for each in await self.store.classrooms.contests(self.stored.id) if each.contest == arena.id]
        contest = ClassArena(self.store, self._arenas, arena.stored, link)
        await contest.load()
        self.contests[arena.id] = contest
        return contest

    async def accept(self, id: str, name: str, accepted: bool) -> None:
        contest = self.contest(id)
        await (await contest.arena()).accept(name, accepted)
        contest.changed()

    async def close_contest(self, id: str) -> None:
        contest = self.contest(id)
        await self._arenas.close_arena(contest.id)
        await contest.refresh()
        contest.changed()

    async def remove(self, name: str) -> None:
        """A pupil, from the class and its contests."""
        await self.store.classrooms.remove(self.stored.id, name)
        self._looked.pop(name, None)
        for contest in self.contests.values():
            if contest.is_open:
                await (await contest.arena()).remove(name)
            contest.changed()


async def _stored(store: Store, name: str) -> StoredClassroom:
    for _ in range(TRIES):
        try:
            return await store.classrooms.open(StoredClassroom(new_id(), name, new_code(), ""))
        except Refused as refused:
            if refused.code != "taken":
                raise
    raise Refused("busy", Words("Plus de code libre : réessayez.", "No code is free: try again."))


# -- the teacher's token --------------------------------------------------------------------------------------------


def _file() -> Path:
    return bots.path().with_name("classrooms.json")


def _kept_tokens() -> dict[str, str]:
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def _kept_token(id: str) -> str:
    return _kept_tokens().get(id, "")


def _keep_token(id: str, token: str) -> None:
    """For nobody else's eyes, and whole or not at all."""
    tokens = {**_kept_tokens(), id: token}
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=_file().parent, prefix=".classrooms-")
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(tokens), indent=1) + b"\n")
        os.replace(draft, _file())
    except OSError as error:
        raise Refused("unwritable_file", UNWRITABLE.format(_file(), error.strerror)) from None
