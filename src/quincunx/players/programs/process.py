"""A program as a process: lines to its stdin, lines from its stdout, its stderr kept; under a warden (warden.py).

Nothing here waits for ever. `wait` sees to several processes at once, so that a hundred programs think side by side.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from quincunx.core.words import Refused, Words
from quincunx.match.failures import NOT_STARTED
from quincunx.players.programs.isolation import isolated
from quincunx.players.programs.limits import LAST_WORDS, LINE, NOTES, UNASKED, Limits, Trouble

WARDEN = Path(__file__).with_name("warden.py")
CHUNK = 1 << 16
STARTING = 20.0  # seconds until the system has started a process, at most
GLANCE = 0.01  # seconds between two looks whether it has read
FAREWELL = 0.5  # seconds in which a program may leave by itself when its input ends
NOT_HERE = Words("Les programmes demandent Linux ou macOS.", "Programs need Linux or macOS.")


def read_command(text: str) -> list[str]:
    """A command line as a shell reads it; no shell runs it."""
    try:
        command = shlex.split(text)
    except ValueError:
        command = []
    if not command:
        words = Words("Il faut une commande, et non « {} ».", "This needs a command, not “{}”.")
        raise Refused("no_command", words.format(text))
    return command


def check_command(command: Sequence[str]) -> None:
    """Refuses a program that is not there, before anything is started."""
    if sys.platform == "win32":
        raise Refused("no_programs", NOT_HERE)
    if shutil.which(command[0]) is None:
        raise Refused("no_program", NOT_STARTED.format(command[0], "not found"))


class Process:
    """`folder` is where the program runs: here, unless somebody says otherwise; `more` is added to its environment."""

    def __init__(
        self, command: Sequence[str], limits: Limits, folder: Path | None = None, more: Mapping[str, str] = {}
    ) -> None:
        check_command(command)
        self.limits = limits
        self.pid = 0  # of the program; 0 before it runs
        self._name = command[0]
        self._lines = bytearray()  # what it has answered and nobody has read
        self._notes = bytearray()  # what it wrote to stderr since it was asked last
        self._cpu = 0.0
        self._over: str | None = None  # the warden's last word
        wrapped = isolated(command, folder or Path.cwd()) if limits.isolate else list(command)
        ours, theirs = socket.socketpair()
        self._control = ours
        bounds = [str(number) for number in (limits.memory, limits.processes, limits.file_size)]
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", str(WARDEN), str(theirs.fileno()), *bounds, *wrapped],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, cwd=folder,
            env={**os.environ, **more},
            pass_fds=(theirs.fileno(),), start_new_session=True,
        )  # fmt: skip
        theirs.close()
        assert self._child.stdin and self._child.stdout and self._child.stderr
        self._in, self._out, self._err = self._child.stdin, self._child.stdout, self._child.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._open = {self._out.fileno(), self._err.fileno()}

    # -- talking -------------------------------------------------------------------------------------------------

    def send(self, data: bytes, deadline: float) -> None:
        """Writes all of it; one that does not read is late."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._in.fileno(), left) :]
            except BlockingIOError:
                wait([self], 0.0)  # it may be stuck in a note that nobody reads
                if time.monotonic() >= deadline:
                    raise self._trouble("late") from None
                _ready([self._in.fileno()], select.POLLOUT, min(0.05, max(0.0, deadline - time.monotonic())))
            except OSError:
                raise self._ended() from None

    def line(self) -> bytes | None:
        """The next line of its answer, of what `wait` has taken, if it is there to the end; without the end of line."""
        end = self._lines.find(b"\n")
        if end > LINE or (end < 0 and len(self._lines) > LINE) or len(self._lines) > UNASKED:
            raise self._trouble("flood", LINE)
        if end < 0:
            if self._out.fileno() not in self._open:
                raise self._ended()
            return None
        line = bytes(self._lines[:end])
        del self._lines[: end + 1]
        return line.removesuffix(b"\r")

    def read(self, deadline: float) -> bytes:
        """As `line`, but waits for it."""
        while (line := self.line()) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._trouble("late")
            wait([self], left)
        return line

    def take(self, number: int) -> None:
        """What one of its pipes holds."""
        try:
            data = os.read(number, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._open.discard(number)
        elif number == self._out.fileno():
            self._lines += data
        else:
            self._notes += data
            del self._notes[:-NOTES]

    @property
    def has_line(self) -> bool:
        """Has it answered more than it was asked for?"""
        return b"\n" in self._lines

    def take_notes(self) -> str:
        """What it wrote to stderr since this was asked last; of much, the end."""
        self._gather_notes()
        notes = self._notes.decode(errors="replace")
        self._notes.clear()
        return notes

    def _gather_notes(self) -> None:
        """All that is there: of a program that never stops, no more than a pipe holds."""
        with suppress(OSError):
            for _ in range(16):
                data = os.read(self._err.fileno(), CHUNK)
                if not data:
                    break
                self._notes += data
                del self._notes[:-NOTES]

    # -- its life ------------------------------------------------------------------------------------------------

    def wait_until_started(self) -> None:
        """Until the program runs: what its warden needs to start is not counted against it."""
        if self.pid == 0:
            word = self._hear(STARTING)
            if not word.startswith("started "):
                raise self._trouble("not_started", self._name, word.removeprefix("failed ") or "?")
            self.pid = int(word.removeprefix("started "))

    def wait_until_read(self, seconds: float) -> None:
        """Until the program has read all that it was told: it is there, and listens."""
        deadline = time.monotonic() + seconds
        while self._unread():
            wait([self], min(GLANCE, max(0.0, deadline - time.monotonic())))
            if self._out.fileno() not in self._open:
                raise self._ended()
            if time.monotonic() >= deadline:
                raise self._trouble("deaf", round(seconds, 1))

    def _unread(self) -> bool:
        """Does its input hold something that it was told and has not read?"""
        import fcntl
        import termios

        held = fcntl.ioctl(self._in.fileno(), termios.FIONREAD, bytes(4))
        return int.from_bytes(held, sys.byteorder) > 0

    def cpu(self) -> float:
        """Seconds of processor that it has used; of what it started itself, only what has ended."""
        with suppress(OSError, OverflowError):
            self._cpu = time.clock_gettime(~self.pid << 3 | 2)  # Linux: the clock of another process, by its number
        return self._cpu

    def close(self, at_once: bool = False) -> None:
        """Its input ends; what has not left by itself a moment later is made to."""
        self._in.close()
        if self._over is None and self.pid and not at_once:
            self._hear(FAREWELL)
        self._control.close()
        try:
            self._child.wait(STARTING)
        except subprocess.TimeoutExpired:  # a warden that hangs: its children go with the next look of the system
            self._child.kill()
            self._child.wait()
        self._gather_notes()
        self._out.close()
        self._err.close()

    def finish(self, seconds: float) -> int | None:
        """Its input ends: the code that it leaves with, or None if it does not."""
        self._in.close()
        kind, _, code = self._hear(seconds).partition(" ")
        return {"exited": int(code or 0), "signal": -int(code or 0)}.get(kind)

    def _hear(self, seconds: float) -> str:
        """The next word of the warden; "" if none comes."""
        said = b""
        until = time.monotonic() + seconds
        while not said.endswith(b"\n"):
            left = until - time.monotonic()
            if left <= 0 or not _ready([self._control.fileno()], select.POLLIN, left):
                return ""
            data = self._control.recv(1)
            if not data:
                return ""
            said += data
        word = said.decode().strip()
        if not word.startswith("started "):
            self._over = word
        return word

    def _ended(self) -> Trouble:
        """Why its output ended."""
        word = self._over or self._hear(FAREWELL)
        kind, _, number = word.partition(" ")
        if kind == "exited":
            return self._trouble("exited", number)
        if kind == "signal":
            return self._trouble("killed", number)
        if kind == "processes":
            return self._trouble("processes", self.limits.processes)
        if kind == "memory":
            return self._trouble("memory", self.limits.memory >> 20)
        return self._trouble("closed")

    def last_notes(self) -> str:
        """The end of what it wrote to stderr."""
        self._gather_notes()
        return self._notes.decode(errors="replace").strip()[-LAST_WORDS:]

    def _trouble(self, code: str, *detail: object) -> Trouble:
        return Trouble(code, *detail, notes=self.last_notes())

    @property
    def pipes(self) -> set[int]:
        """Those that may still have something to say."""
        return self._open


def wait(processes: Iterable[Process], seconds: float) -> None:
    """Until one of them has written something, or so long; what they have written is taken."""
    whose = {number: process for process in processes for number in process.pipes}
    for number in _ready(whose, select.POLLIN, seconds):
        whose[number].take(number)


def _ready(numbers: Iterable[int], what: int, seconds: float) -> list[int]:
    """Those of them that can be read, or written."""
    poll = select.poll()
    for number in numbers:
        poll.register(number, what)
    return [number for number, _ in poll.poll(1000 * seconds + 1 if seconds > 0 else 0)]
