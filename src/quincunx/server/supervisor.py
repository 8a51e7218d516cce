"""Keeps the processes of a server running: starts them, starts one again that ended, and stops them all.

    supervisor ─┬─ writer         where the database is a file (store/sqlite_process.py)
                ├─ process 0
                └─ process 1 …

It has loaded what they need before it forks them, so that one is there in a fraction of a second; it has one thread and
no event loop, and knows nothing of matches. SIGHUP replaces one process after the other: the new one is ready before
the old one goes. Whoever kills the supervisor ends all of them: each holds a pipe of which it has the other end.
"""

from __future__ import annotations

import gc
import logging
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any

import msgspec

from quincunx.core.words import Refused, Words

QUICK = 0.2  # seconds after it was ready: whoever ends sooner may do so again
PAUSES = (0.05, 5.0)  # seconds before such a one is started again: the first, the longest
STARTING = 60.0  # seconds that a process has to be ready
LEAVING = 10.0  # seconds that it has to leave
LONGEST = 1 << 16  # bytes of a word

ENDED = Words("Le processus {} s’est arrêté au démarrage.", "The process {} ended while it started.")


class Ready(msgspec.Struct, frozen=True, tag=True):
    """It does its work from now on."""


class Logged(msgspec.Struct, frozen=True, tag=True):
    """For a terminal, where one line says how all of them are."""

    event: str
    level: int
    fields: dict[str, Any]


class Told(msgspec.Struct, frozen=True, tag=True):
    """Other computers may come: by these addresses."""

    addresses: list[str]


class Failed(msgspec.Struct, frozen=True, tag=True):
    """It cannot start, and says why."""

    code: str
    words: Words


Word = Ready | Logged | Told | Failed
_READ = msgspec.msgpack.Decoder(Word)


class Channel:
    """What a process says to its supervisor."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def say(self, word: Word) -> None:
        with suppress(OSError):  # it is ending, and nobody listens
            self._end.send(msgspec.msgpack.encode(word, enc_hook=str)[:LONGEST])


Run = Callable[[Channel], None]  # the whole life of a process


class Post:
    """One that is always to be filled. `overlaps`: two may hold it at once, while one replaces the other; the one that
    cannot is what the others need, and leaves after them."""

    def __init__(self, name: str, run: Run, overlaps: bool = True) -> None:
        self.name, self.run, self.overlaps = name, run, overlaps
        self.process: Process | None = None
        self.due = 0.0  # when it is to be started
        self.pause = 0.0
        self.filled = False  # it was, once


class Process:
    def __init__(self, post: Post, pid: int, end: socket.socket) -> None:
        self.post, self.pid, self.end = post, pid, end
        self.began = time.monotonic()
        self.ready: float | None = None
        self.told_to_leave: float | None = None
        self.failed: Refused | None = None


class Supervisor:
    """`hear` is told what its processes say, and which of them has ended."""

    def __init__(
        self,
        posts: Sequence[Post],
        hear: Callable[[Post, Word], None],
        on_stop: Callable[[], None] = lambda: None,
        gone: Callable[[int], object] = lambda pid: None,
        idle: Iterator[None] | None = None,
    ) -> None:
        """`idle`: what may be loaded, piece by piece, when nothing else is to be done."""
        self._posts = posts
        self._hear, self._on_stop, self._gone, self._idle = hear, on_stop, gone, idle or iter(())
        self._processes: dict[int, Process] = {}
        self._replacing: list[Post] = []  # that are still to be, the first of them now
        self._replaced: Process | None = None
        self._selector = selectors.DefaultSelector()
        self._lifeline = os.pipe()
        self._wake = os.pipe()
        self._asked: list[int] = []  # signals
        self._on_terminal = os.isatty(2)
        self.stopping = 0  # how often that was asked for
        self._failure: Refused | None = None

    # -- the loop ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until it is told to stop. Refused if a process cannot start at all."""
        for end in self._wake:
            os.set_blocking(end, False)
        before = signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        caught = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD}
        handlers = {number: signal.signal(number, self._on_signal) for number in caught}
        self._selector.register(self._wake[0], selectors.EVENT_READ, self._woken)
        gc.collect()
        gc.freeze()  # what is loaded by now is shared with those that are forked, as long as nobody touches it
        try:
            while self._processes or not self.stopping:
                self._look_after()
                for key, _ in self._selector.select(self._patience()):
                    key.data()
        finally:
            for process in self._processes.values():
                _kill(process, signal.SIGKILL)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
        if self._failure is not None:
            raise self._failure

    def _on_signal(self, number: int, frame: Any) -> None:
        self._asked.append(number)

    def _woken(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._wake[0], 4096)
        asked, self._asked = self._asked, []
        for number in asked:
            if number in (signal.SIGINT, signal.SIGTERM):
                self.stop()
            elif number == signal.SIGHUP and self._on_terminal and not os.isatty(2):
                self.stop()  # the terminal was closed
            elif number == signal.SIGHUP and not self.stopping:
                self.replace_all()
        self._reap()

    def _patience(self) -> float | None:
        """Until something is due; a moment if there is something to be loaded meanwhile."""
        if not self.stopping and self._all_ready and self._load_more():
            return 0.0
        due = [post.due for post in self._posts if post.process is None and not self.stopping]
        for process in self._processes.values():
            if process.told_to_leave is not None:
                due.append(process.told_to_leave + LEAVING)
            elif process.ready is None:
                due.append(process.began + STARTING)
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _load_more(self) -> bool:
        """False: there is nothing more."""
        try:
            return next(self._idle, self) is None
        except Exception:  # whoever needs it will load it, and say what is wrong with it
            self._idle = iter(())
            return False

    @property
    def _all_ready(self) -> bool:
        return all(post.process is not None and post.process.ready is not None for post in self._posts)

    def _look_after(self) -> None:
        now = time.monotonic()
        for process in self._processes.values():
            late = process.ready is None and now > process.began + STARTING
            if late or (process.told_to_leave is not None and now > process.told_to_leave + LEAVING):
                _kill(process, signal.SIGKILL)
        if self.stopping:
            return
        for post in self._posts:
            if post.process is None and now >= post.due:
                post.process = self._start(post)
        self._go_on_replacing()

    # -- starting and ending -------------------------------------------------------------------------------------

    def _start(self, post: Post) -> Process:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                self._become(ours)
                status = _live(post, Channel(theirs))
            finally:
                with suppress(OSError):
                    sys.stderr.flush()
                os._exit(status)
        theirs.close()
        ours.setblocking(False)
        process = self._processes[pid] = Process(post, pid, ours)
        self._selector.register(ours, selectors.EVENT_READ, lambda: self._listen(process))
        return process

    def _become(self, ours: socket.socket) -> None:
        """In the new process: what was the supervisor's is left behind."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for ignored in (signal.SIGINT, signal.SIGHUP):  # of a terminal: the supervisor's to hear
            signal.signal(ignored, signal.SIG_IGN)
        self._selector.close()
        os.close(self._lifeline[1])
        for end in (ours, *(process.end for process in self._processes.values())):
            end.close()
        Thread(target=_end_with, args=(self._lifeline[0],), daemon=True).start()

    def _listen(self, process: Process) -> None:
        with suppress(BlockingIOError, ConnectionResetError):
            while data := process.end.recv(LONGEST):
                self._take_in(process, _READ.decode(data))

    def _take_in(self, process: Process, word: Word) -> None:
        if isinstance(word, Ready):
            process.ready, process.post.filled = time.monotonic(), True
        if isinstance(word, Failed):
            process.failed = Refused(word.code, word.words)
        self._hear(process.post, word)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self._processes:
                self._ended(self._processes[pid], os.waitstatus_to_exitcode(status))

    def _ended(self, process: Process, status: int) -> None:
        self._listen(process)  # its last words
        if process.told_to_leave is None and process.failed is None:
            told = {"process": process.post.name, "status": status}  # below 0: by that signal
            self._hear(process.post, Logged("process.ended", logging.WARNING, told))
        del self._processes[process.pid]
        self._selector.unregister(process.end)
        process.end.close()
        self._gone(process.pid)
        post = process.post
        if post.process is process:
            self._vacate(post, process)
        if self.stopping:
            self.stop_now(signal.SIGTERM)

    def _vacate(self, post: Post, process: Process) -> None:
        post.process = None
        now = time.monotonic()
        quick = process.ready is None or now - process.ready < QUICK
        post.pause = min(max(PAUSES[0], 2 * post.pause), PAUSES[1]) if quick else 0.0
        post.due = now + post.pause
        if process.ready is None and self._replaced in self._processes.values() and post in self._replacing[:1]:
            post.process, self._replaced = self._replaced, None  # the one before stays, and so do the others
            self._replacing.clear()
            self._hear(post, Logged("restart.failed", logging.WARNING, {"process": post.name}))
        elif not post.filled and not self.stopping:  # it has never worked: it will not now
            self._failure = process.failed or Refused("not_started", ENDED.format(post.name))
            self.stop()

    def stop(self) -> None:
        """Each leaves properly; asked once more, at once."""
        self.stopping += 1
        self._on_stop()
        self.stop_now(signal.SIGTERM if self.stopping == 1 else signal.SIGKILL)

    def stop_now(self, by: signal.Signals) -> None:
        """Those whom others need go when the others are gone."""
        first = [process for process in self._processes.values() if process.post.overlaps]
        for process in first or list(self._processes.values()):
            if process.told_to_leave is None or by == signal.SIGKILL:
                _dismiss(process, by)

    # -- one after the other -------------------------------------------------------------------------------------

    def replace_all(self) -> None:
        """A rolling restart. Asked again meanwhile, those that are new by then are replaced again."""
        self._replacing = [*self._replacing[:1], *(post for post in self._posts if post not in self._replacing[:1])]

    def _go_on_replacing(self) -> None:
        """The next process is started when the one before is ready; then the old one leaves."""
        if not self._replacing:
            return
        post, old = self._replacing[0], self._replaced
        if old is None:
            self._replaced = post.process
            if post.process is not None and post.overlaps:
                post.process = self._start(post)
            elif post.process is not None:
                _dismiss(post.process)
        elif post.process is not None and post.process is not old and post.process.ready is not None:
            if old.pid not in self._processes:
                self._replaced = None
                self._replacing.pop(0)
                self._go_on_replacing()
            elif old.told_to_leave is None:
                _dismiss(old)


def _live(post: Post, channel: Channel) -> int:
    try:
        post.run(channel)
        return 0
    except Refused as refused:
        channel.say(Failed(refused.code, refused.words))
    except BaseException:
        traceback.print_exc()
    return 1


def _end_with(lifeline: int) -> None:
    """The supervisor never writes: when it can be read, there is none any more, and nobody would end this process."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGKILL)


def _dismiss(process: Process, by: int = signal.SIGTERM) -> None:
    if process.told_to_leave is None:
        process.told_to_leave = time.monotonic()
    _kill(process, by)


def _kill(process: Process, by: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process.pid, by)
