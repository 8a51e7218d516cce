"""Files that others sent: ideas and whole programs play, sealed in; what does harm elsewhere does none here."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quincunx import Match, load
from quincunx.core.options import settle
from quincunx.core.words import Refused
from quincunx.match.failures import FAILURES
from quincunx.match.record import Happened
from quincunx.players.player import Player
from quincunx.players.programs import isolation, seal
from quincunx.players.programs.program import Program
from quincunx.players.roster import make
from quincunx.server import uploads as module
from quincunx.server.class_shapes import LONGEST_UPLOAD
from quincunx.server.mishaps import SENTENCES, sentence_for
from quincunx.server.uploads import Uploads, is_upload, judged, kinds_for, spec_of
from quincunx.store.classrooms import StoredUpload, UploadKind
from quincunx.tournament.series import play_on
from test_programs import POLITE

pytestmark = pytest.mark.slow  # left out of `make check`

NONE: Any = None  # no store is asked here
IDEA = "import sys\nfrom view import View\n\ndef choose(view: View) -> str:\n    {}\n    return view.legal[0]\n"


@pytest.fixture(scope="module")
def uploads(sealing: None) -> Iterator[Uploads]:
    uploads = Uploads(NONE)
    asyncio.run(uploads.open())
    assert uploads.isolation
    yield uploads
    uploads.close()


class Played:
    """A match of Connect Four between a file and chance."""

    def __init__(self, uploads: Uploads, text: str, kind: UploadKind = "program", **more: Any) -> None:
        game = load(more.pop("game", "connect_four"), "interpreted")
        self.match = Match(game, seed=1, **more)
        program = uploads.made("upload:c/Ada", StoredUpload("Ada", "ada.py", kind, text.encode()))
        players: list[Player | Program] = [
            program,
            *(make("random", game, n) for n in range(1, game.seats(self.match.world))),
        ]
        play_on(self.match, players, late="lose")
        left = [entry for entry in self.match.entries if isinstance(entry, Happened)]
        self.reason = left[0].reason if left else ""
        self.notes = left[0].notes if left else ""
        self.event = left[0].event if left else ""


@pytest.mark.parametrize("text", [IDEA.format("print('é', file=sys.stderr)"), POLITE, "\n" + IDEA.format("print(1)")])
def test_an_idea_of_the_kit_and_a_whole_program_play(uploads: Uploads, text: str) -> None:
    played = Played(uploads, text)
    assert played.match.outcome is not None and played.match.outcome.reason == "played", (played.reason, played.notes)


def test_a_file_that_chooses_and_starts_itself_is_a_whole_program(uploads: Uploads) -> None:
    text = f"def choose(view):\n    return 1\nif __name__ == '__main__':\n    exec({POLITE!r})\n"
    assert Played(uploads, text).reason == ""


HOME = Path.home()
DOES = {
    "reads the home": (f"open({str(HOME / 'secret')!r}).read()", "No such file"),
    "lists the home": (f"import os; print(1 / len([x for x in os.listdir({str(HOME)!r}) if x != '.pyenv']))", "Error"),
    "reads the passwords": ("open('/etc/passwd').read()", "No such file"),
    "reads other processes": ("open('/proc/1/environ').read()", "No such file"),
    "sees our files": (f"open({module.__file__!r}).read()", "No such file"),
    "imports our packages": ("import msgspec", "No module named"),
    "sees the environment": ("import os; os.environ['QUINCUNX_SECRET']", "KeyError"),
    "opens a socket": ("import socket; socket.create_connection(('127.0.0.1', 22), 1)", "Error"),
    "resolves a name": ("import socket; socket.getaddrinfo('example.org', 80)", "gaierror"),
    "replaces itself": ("open(__file__, 'w').write('x')", "Read-only file system"),
    "writes beside itself": ("open('/bot/more.py', 'w')", "Read-only file system"),
    "writes into memory": ("open('/dev/shm/x', 'w')", "Read-only file system"),
    "writes into /tmp": ("open('/tmp/x', 'w')", "No such file"),
    "mounts": (
        "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); os.listdir('/') if "
        "c.mount(b'x', b'/bot', b'tmpfs', 0, None) == 0 else sys.exit(os.strerror(ctypes.get_errno()))",
        "Operation not permitted",
    ),
    "keeps memory that no process has": (
        "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); sys.exit('none' if c.shmget(0, 4096, 0o1600) < 0 "
        "and ctypes.get_errno() == 1 else 'some')",
        "none",
    ),
    "keeps memory in a file that has no name": ("import os; os.memfd_create('x')", "PermissionError"),
    "has a namespace of its own": (
        "import ctypes; sys.exit('none') if ctypes.CDLL(None).unshare(0x10000000) else None", "none",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DOES)
def test_what_does_harm_fails_and_its_author_is_told(
    uploads: Uploads, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    does, says = DOES[what]
    monkeypatch.setenv("QUINCUNX_SECRET", "secret")
    played = Played(uploads, IDEA.format(does))
    assert (played.event, played.reason) == ("forfeit", "exited") and says in played.notes, played.notes


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("import os\n    while True: os.fork()", ("processes",)),
        ("for _ in range(1024): sys.__stdout__.write('x' * 2**20)", ("flood",)),
        ("for _ in range(1024): sys.__stdout__.write('x\\n' * 2**19)", ("flood", "refused")),
        ("while True: print('x' * 2**20, file=sys.stderr)", ("late",)),
        ("x = [0] * 2**28", ("exited", "memory", "killed")),
        ("while True: pass", ("late",)),
        ("sys.exit(0)", ("exited",)),
        ("import os; os.kill(os.getppid(), 9); os.kill(os.getpid(), 9)", ("killed", "exited")),
        ("import os; os.close(1); sys.__stdin__.read()", ("late", "closed", "exited")),
    ],
)
def test_what_takes_too_much_is_ended(
    uploads: Uploads, does: str, reason: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMITS", replace(module.LIMITS, turn=0.3, start=1.0))
    began = time.monotonic()
    played = Played(uploads, IDEA.format(does))
    assert (played.reason or "late") in reason and time.monotonic() - began < 20


def test_a_champion_and_a_program_of_the_site_play_where_their_rules_do(uploads: Uploads) -> None:
    cultist, casus, four = (load(id, "interpreted") for id in ("cultist", "casus_belli", "connect_four"))
    assert kinds_for(four, settle(four.options, four.presets, None, {})) == ("program",)
    preset = settle(cultist.options, cultist.presets, "codingame", {})
    assert kinds_for(cultist, preset) == ("program", "codingame")
    final = settle(casus.options, casus.presets, "final", {})
    assert kinds_for(casus, final) == ("program", "champion")
    played = Played(
        uploads, "while True:\n    input()\n    print('WAIT')\n", "codingame", game="cultist", preset="codingame"
    )
    assert played.match.outcome is not None


def test_files_are_judged_when_they_come() -> None:
    assert judged("ada.py", "\ufeffx = 1\n", "program") == b"x = 1\n"
    assert judged("ada.py", "print 'x'", "champion") == b"print 'x'"
    for file, text in [
        ("ada.exe", "x"), ("ada.py", "def f(:\n"), ("ada.py", "x\0y"), ("a.py", "é" * LONGEST_UPLOAD),
        ("a.py", "(" * 1000 + ")" * 1000), ("a.py", "-" * 100_000 + "1"),
    ]:  # fmt: skip
        with pytest.raises(Refused) as refused:
            judged(file, text, "program")
        assert refused.value.code in ("not_python", "too_long") and refused.value.field == "file"
    with pytest.raises(Refused, match=r"line 2: "):
        judged("ada.py", "x = 1\ny = = 2\n", "program")


def test_without_isolation_none_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    uploads = Uploads(NONE)
    asyncio.run(uploads.open())
    assert not uploads.isolation
    with pytest.raises(Refused, match="bubblewrap"):
        uploads.check_taken()
    with pytest.raises(Refused, match="bubblewrap"):
        asyncio.run(uploads.program("upload:c/Ada"))
    uploads.close()


def test_bubblewrap_that_can_do_nothing_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/bin/false")
    with pytest.raises(Refused, match="too old"):
        isolation.check_isolation()


def test_a_spec_names_contest_and_author() -> None:
    assert is_upload(spec_of("cup-1", "Ada/B: =c")) and not is_upload("bot:ada")
    assert module._whose(spec_of("cup-1", "Ada/B: =c")) == ("cup-1", "Ada/B: =c")


def test_every_failure_has_a_sentence_without_holes() -> None:
    assert all("{" not in sentence_for(code).en + sentence_for(code).fr for code in (*FAILURES, *SENTENCES, "what?"))


@pytest.mark.parametrize("machine", seal.MACHINES)
def test_the_filter_denies_what_it_names_on_every_machine(machine: str) -> None:
    column, architecture = seal.MACHINES[machine]
    lines = [struct.unpack("HBBI", line) for line in batched(seal.filter_for(machine), 8)]

    def verdict(number: int, made_for: int = architecture) -> int:
        value, place = 0, 0
        while True:
            code, yes, no, k = lines[place]
            place += 1
            if code == seal.LOAD:
                value = made_for if k == seal.MACHINE else number
            elif code == seal.RETURN:
                return int(k)
            else:
                place += yes if (value == k if code == seal.EQUAL else value >= k) else no

    denied = {both[column] for both in seal.DENIED.values()}
    assert len(denied) == len(seal.DENIED)
    for number in range(600):
        assert verdict(number) == (seal.NOT_PERMITTED if number in denied else seal.ALLOW)
    assert verdict(seal.OTHER_CALLS) == verdict(seal.OTHER_CALLS + 29) == seal.NOT_PERMITTED
    assert verdict(1, made_for=0x40000003) == seal.KILL  # 32 bits have other numbers


def batched(data: bytes, size: int) -> list[bytes]:
    return [data[k : k + size] for k in range(0, len(data), size)]
