"""A program on a seat: its process, the dialogue with it, and what is known of how it fares.

It is started when it sits down, and may play several matches; `close` sees it off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from quincunx.core.words import Words
from quincunx.match.wire import Update, Welcome
from quincunx.players.programs.dialogue import Dialogue
from quincunx.players.programs.limits import Limits, Trouble
from quincunx.players.programs.process import Process


class Program:
    """`name` is what a record says of it; `command` what is run."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        speak: Callable[[], Dialogue],
        limits: Limits | None = None,
        folder: Path | None = None,
    ) -> None:
        self.name = name
        self.command = list(command)
        self.folder = folder
        self.dialogue = speak()
        self.limits = self._own(limits or Limits())
        self.process: Process | None = None
        self.allowed = 0.0  # seconds for the answer that is awaited
        self.deadline = 0.0  # of it
        self.told = b""  # with the last question
        self._speak = speak
        self._owed = 0  # answers to questions that nobody waits for any more
        self._first = True
        self._held = b""  # what it will be told together with the next question
        self._asked = 0.0
        self._cpu = 0.0

    def _own(self, limits: Limits) -> Limits:
        """A protocol may say itself how long a turn takes."""
        turn, start = self.dialogue.turn, self.dialogue.start
        return replace(limits, turn=turn, start=start) if turn is not None and start is not None else limits

    # -- a match -------------------------------------------------------------------------------------------------

    def sit(self, welcome: Welcome) -> None:
        """A match begins. What is wrong with a program is told when it is asked for the first time."""
        self.dialogue = self._speak()
        self._held = self.dialogue.begin(welcome)
        if self.process is None:
            self.process = Process(self.command, self.limits, self.folder, self.dialogue.environment)
            self._first, self._owed = True, 0

    def greet(self) -> None:
        """Tells it what match it is in, and waits until it has read that: then it runs, and a clock may run, too. A
        protocol that tells nothing before the first turn asks no more of it than to run."""
        process = self._running()
        process.wait_until_started()
        message, self._held = self._held, b""
        process.send(message, time.monotonic() + self.limits.start)
        process.wait_until_read(self.limits.start)

    def ask(self, update: Update, left: float) -> None:
        """It is to act, and has so many seconds left."""
        process = self._running()
        process.wait_until_started()
        message, self._held = self._held + self.dialogue.ask(update), b""
        self.told = message
        self._cpu, self._asked = process.cpu(), time.monotonic()
        self.allowed = left + (self.limits.start if self._first else 0.0)
        self.deadline = self._asked + self.allowed
        process.send(message, self.deadline)

    def line(self) -> bytes | None:
        """The next line of its answer, if it is there."""
        process = self._running()
        line = process.line()
        while line is not None and self._owed:
            self._owed -= 1
            line = process.line()
        if line is not None:
            self._first = False
        return line

    def said_more(self) -> bool:
        """Has it sent another answer together with the one before, so that it needs no question?"""
        return self.dialogue.ahead and self._owed == 0 and self._running().has_line

    def accept(self) -> None:
        self._held += self.dialogue.accept()

    def refuse(self, code: str, words: Words) -> bool:
        """False: it gets no second chance."""
        message = self.dialogue.refuse(code, words)
        if message is None:
            return False
        self._running().send(message, self.deadline)
        return True

    def excuse(self) -> None:
        """Nobody waits for this answer any more; when it comes, it is let pass."""
        self._owed += 1

    def end(self, update: Update) -> None:
        """The match is over: it is told, if it still listens."""
        if self.process is not None:
            try:
                self.process.send(self._held + self.dialogue.end(update), time.monotonic() + 1.0)
            except Trouble:
                self.close()
        self._held = b""

    def close(self, at_once: bool = False) -> None:
        """It is seen off; `at_once` if it has lost the right to a moment of its own."""
        if self.process is not None:
            self.process.close(at_once)
            self.process = None

    # -- what it costs -------------------------------------------------------------------------------------------

    def used(self) -> tuple[float, float]:
        """Seconds by the wall clock and of processor since it was asked."""
        return time.monotonic() - self._asked, self._running().cpu() - self._cpu

    def notes(self) -> str:
        """What it wrote to stderr since this was asked last."""
        return self._running().take_notes()

    def last_notes(self) -> str:
        """The end of it, for a reason; it stays to be kept."""
        return self._running().last_notes()

    def _running(self) -> Process:
        assert self.process is not None, "it has not sat down"
        return self.process


@contextmanager
def closing_programs(players: Iterable[object]) -> Iterator[None]:
    """Whatever happens meanwhile, those of them that are programs leave in the end."""
    try:
        yield
    finally:
        for player in players:
            if isinstance(player, Program):
                player.close()
