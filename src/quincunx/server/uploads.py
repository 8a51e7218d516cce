"""Source files that somebody has sent, as programs that this server runs: looked at when they come, sealed in when they
play (players/programs/isolation.py), each in a folder of its own.

    a file with `def choose(view)`, as idea.py of the Python kit     bot.py and view.py of the kit are put beside it
    any other                                                        a whole program, in our protocol or a contest's

Without isolation none is taken. What a file writes to stderr is for its author: the store keeps it, records do not.
"""

from __future__ import annotations

import ast
import asyncio
import re
import tempfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from quincunx.champions.commands import HOST
from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import Game
from quincunx.kits.languages import templates
from quincunx.players.programs.codingame import CodinGameDialogue
from quincunx.players.programs.dialogue import Dialogue, JsonDialogue
from quincunx.players.programs.isolation import check_isolation, sealed
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.naming import knows
from quincunx.players.programs.program import Program
from quincunx.server.class_shapes import LONGEST_UPLOAD
from quincunx.store import Store
from quincunx.store.classrooms import StoredUpload, UploadKind

PREFIX = "upload:"
LIMITS = Limits(turn=60.0, memory=256 << 20, processes=8, file_size=1 << 16)  # a file could only be one in memory
INSIDE, HOST_INSIDE = "/bot", "/champions"  # what it sees of this computer's folders
SPEAKING: dict[UploadKind, Callable[[], Dialogue]] = {
    "program": JsonDialogue,
    "codingame": CodinGameDialogue,
    "champion": JsonDialogue,
}
KIT = ("bot.py", "view.py")
CHOOSES = re.compile(r"^def\s+choose\s*\(", re.MULTILINE)
STARTS_ITSELF = re.compile(r"^if\s+__name__\b", re.MULTILINE)

ONLY_PYTHON = Words(
    "Le serveur n’exécute que des fichiers Python (.py).", "The server runs files in Python only (.py)."
)
NOT_PYTHON = Words("Python ne comprend pas ce fichier, ligne {} : {}.", "Python does not understand line {}: {}.")
NOT_TEXT = Words("Ce fichier n’est pas un texte en Python.", "This file is not a text in Python.")
TOO_LONG = Words("Le fichier dépasse {} ko.", "The file is longer than {} kB.").format(LONGEST_UPLOAD >> 10)
GONE = Words("Ce fichier n’est plus là.", "This file is gone.")


class Uploads:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._why = Refused("no_isolation", GONE)
        self.isolation = False

    async def open(self) -> None:
        """Finds out whether files can be sealed in."""
        try:
            await asyncio.to_thread(check_isolation)
            self.isolation = True
        except Refused as refused:
            self._why = refused

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def check_taken(self) -> None:
        """Refused where none is."""
        if not self.isolation:
            raise self._why

    async def program(self, spec: str) -> Program:
        """`upload:CONTEST/NAME` as it stands now, not started yet."""
        self.check_taken()
        upload = await self._store.classrooms.upload(*_whose(spec))
        if upload is None:
            raise Refused("no_such_upload", GONE)
        return await asyncio.to_thread(self.made, spec, upload)

    def made(self, spec: str, upload: StoredUpload) -> Program:
        folder = self._lay_out(upload)
        return Program(spec, _command(upload, folder), SPEAKING[upload.kind], LIMITS, folder)

    async def note(self, spec: str, notes: str) -> None:
        """What it wrote to stderr in a match."""
        await self._store.classrooms.note(*_whose(spec), notes)

    def _lay_out(self, upload: StoredUpload) -> Path:
        """Its files; the same ones are written once."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="quincunx-uploads-")
        files = _files(upload)
        digest = sha256(b"\0".join(part for name, data in files.items() for part in (name.encode(), data))).hexdigest()
        folder = Path(self._folder.name) / digest
        if not folder.exists():
            draft = Path(tempfile.mkdtemp(dir=self._folder.name))
            for name, data in files.items():
                (draft / name).write_bytes(data)
            if not folder.exists():
                draft.rename(folder)
        return folder


def spec_of(contest: str, name: str) -> str:
    return f"{PREFIX}{contest}/{name}"


def is_upload(spec: str) -> bool:
    return spec.startswith(PREFIX)


def kinds_for(game: Game, options: Mapping[str, Value]) -> tuple[UploadKind, ...]:
    """The protocols in which a match with these rules can be played."""
    found: list[UploadKind] = ["program"]
    others: tuple[UploadKind, ...] = ("codingame", "champion")
    for kind in others:
        if knows(kind, game, options):
            found.append(kind)
    return tuple(found)


def judged(file: str, text: str, kind: UploadKind) -> bytes:
    """The file as it is kept. Done in a pool process: a parser can be made to fail by what it reads."""
    if not file.lower().endswith(".py"):
        raise Refused("not_python", ONLY_PYTHON, "file")
    text = text.removeprefix("\ufeff")
    data = text.encode()
    if len(data) > LONGEST_UPLOAD:
        raise Refused("too_long", TOO_LONG, "file")
    if kind == "champion":  # they may be in a Python of their time
        return data
    try:
        ast.parse(data)
    except SyntaxError as error:
        raise Refused("not_python", NOT_PYTHON.format(error.lineno or 1, error.msg), "file") from None
    except (ValueError, RecursionError, MemoryError):
        raise Refused("not_python", NOT_TEXT, "file") from None
    return data


def _whose(spec: str) -> tuple[str, str]:
    contest, _, name = spec.removeprefix(PREFIX).partition("/")
    return contest, name


def _is_idea(upload: StoredUpload) -> bool:
    text = upload.text.decode(errors="replace")
    return upload.kind == "program" and bool(CHOOSES.search(text)) and not STARTS_ITSELF.search(text)


def _files(upload: StoredUpload) -> dict[str, bytes]:
    if not _is_idea(upload):
        return {"program.py": upload.text}
    kit = {file.name: file.read_bytes() for file in templates("python") if file.name in KIT}
    return {**kit, "idea.py": upload.text}


def _command(upload: StoredUpload, folder: Path) -> list[str]:
    if upload.kind == "champion":
        host = f"{HOST_INSIDE}/{HOST.name}"
        return sealed([host, f"{INSIDE}/program.py"], {INSIDE: folder, host: HOST})
    first = "bot.py" if _is_idea(upload) else "program.py"
    return sealed([f"{INSIDE}/{first}"], {INSIDE: folder})
