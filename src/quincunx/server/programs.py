"""Programs of this computer on seats of its server: `bot:NAME`, one process for each seat while a match is seen to.

A program is told what a client on its seat would be shown, and nothing else; it answers in a thread, so that nobody
waits for it. Only whoever sits at this computer may seat one: its owner has given it its name. Files that others sent
(`upload:…`, uploads.py) sit down in the same way, sealed in; of what they write to stderr, records have nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import Game
from quincunx.match.clock import ClockRule
from quincunx.match.wire import Update, Welcome
from quincunx.players.programs import bots
from quincunx.players.programs.flight import ENDING, FlightRecorder, Head, Notebook, text_of
from quincunx.players.programs.limits import Limits, Trouble
from quincunx.players.programs.naming import check_rules, make_program
from quincunx.players.programs.process import wait
from quincunx.players.programs.program import Program
from quincunx.players.table import QUOTED
from quincunx.server.fairness import is_program
from quincunx.server.live import LiveMatch
from quincunx.server.uploads import Uploads, is_upload
from quincunx.store import Unavailable

T = TypeVar("T")

MOST = 100  # programs at once: a match of Casus Belli
LONGEST = 60.0  # seconds for a turn, where the match has no clock
SLICE = 0.05  # seconds after which one looks whether anybody still waits for an answer

ONLY_HERE = Words(
    "Un programme ne s’invite que depuis l’ordinateur du serveur, sous son nom (bot:…).",
    "A program is seated only from the server’s own computer, by its name (bot:…).",
)
TOO_MANY = Words("Trop de programmes jouent déjà.", "Too many programs play already.")


def check_program(spec: str, game: Game, options: Mapping[str, Value], here: bool) -> None:
    """Refuses what may not be seated."""
    if not here or not is_program(spec):
        raise Refused("not_here", ONLY_HERE)
    if not is_upload(spec):
        make_program(spec, game)
        check_rules([spec], game, options)


def named_programs() -> tuple[tuple[str, str], ...]:
    """The programs of this computer's user, with what they are; a file that cannot be read names none."""
    try:
        return tuple(sorted(bots.read().items()))
    except Refused:
        return ()


class Programs:
    """Without `uploads`, no files of others; with `log`, a folder that keeps the dialogues of our own."""

    def __init__(self, uploads: Uploads | None = None, log: Path | None = None) -> None:
        self._seated: dict[tuple[str, int], _Seated] = {}
        self._threads = ThreadPoolExecutor(MOST, "program")
        self._uploads = uploads
        self._log = log
        self._recorders: dict[str, FlightRecorder] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    async def choose(self, live: LiveMatch, seat: int, spec: str, refused: Refused | None) -> str | None:
        """The action that a program names, or None: it resigns. `refused` is what was wrong with the one before."""
        seated = await self._seat(live, seat, spec)
        ask = seated.asked(live) if refused is None else seated.refused(refused)
        seated.wanted = True
        watching = asyncio.create_task(_watch(seated, live, live.match.length))
        try:
            text = await self._ask(spec, ask)
            seated.answered(live, text)
            return text
        finally:
            seated.wanted = False
            watching.cancel()

    async def greet(self, live: LiveMatch, seat: int, spec: str) -> None:
        """Until a program runs, and has read what match it is in."""
        seated = await self._seat(live, seat, spec)
        await self._ask(spec, seated.greeted(live))

    async def _ask(self, spec: str, ask: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except Trouble as trouble:
            if is_upload(spec):
                trouble.notes = ""  # they are for its author, and everybody reads records
            raise

    async def _seat(self, live: LiveMatch, seat: int, spec: str) -> _Seated:
        key = live.id, seat
        if key not in self._seated:
            if len(self._seated) >= MOST:
                raise Refused("busy", TOO_MANY)
            if is_upload(spec) and self._uploads is not None:
                program, recorder = await self._uploads.program(spec), FlightRecorder()
            else:
                program = make_program(spec, live.match.game, Limits(turn=LONGEST))
                recorder = self._recorder(live)
            self._seated.setdefault(key, _Seated(program, seat, recorder))
        return self._seated[key]

    def _recorder(self, live: LiveMatch) -> FlightRecorder:
        """Of a match; one that was begun before the server was started again goes on."""
        if self._log is None:
            return FlightRecorder()
        if live.id not in self._recorders:
            self._recorders[live.id] = recorder = FlightRecorder(self._log / f"{live.id}{ENDING}", goes_on=True)
            stored = live.stored
            recorder.begin(Head(stored.game, stored.start_digest, [seat.player for seat in stored.seats]))
        return self._recorders[live.id]

    def release(self, live: LiveMatch) -> None:
        """Nobody sees to this match any more, or it is over: its programs are told, and leave."""
        recorder, lefts = self._recorders.pop(live.id, None), list[Future[str]]()
        for key in [key for key in self._seated if key[0] == live.id]:
            seated = self._seated.pop(key)
            left = self._threads.submit(seated.leave, seated.update(live) if live.match.over else None)
            lefts.append(left)
            if is_upload(seated.program.name) and self._uploads is not None:
                task = asyncio.create_task(self._note(self._uploads, seated.program.name, asyncio.wrap_future(left)))
                self._leaving.add(task)
                task.add_done_callback(self._leaving.discard)
        if recorder is not None:
            _close_after(lefts, recorder)

    async def _note(self, uploads: Uploads, spec: str, left: asyncio.Future[str]) -> None:
        """Keeps for its author what an upload wrote to stderr."""
        with suppress(Unavailable):
            await uploads.note(spec, await left)

    def close(self) -> None:
        for seated in self._seated.values():
            self._threads.submit(seated.leave, None)
        self._threads.shutdown()


def _close_after(lefts: Sequence[Future[str]], recorder: FlightRecorder) -> None:
    """When the last one has left."""

    def left(_: object) -> None:
        if all(each.done() for each in lefts):
            recorder.close()

    for each in lefts:
        each.add_done_callback(left)


async def _watch(seated: _Seated, live: LiveMatch, since: int) -> None:
    """Nobody waits for an answer any more when a clock has played for this seat, or actions were taken back."""
    while seated.wanted:
        await asyncio.sleep(SLICE)
        length = live.match.length
        played = live.match.standing[since:] if length > since else ()
        seated.wanted = seated.wanted and length >= since and all(seat != seated.seat for seat, _ in played)


class _Seated:
    """One program on one seat."""

    def __init__(self, program: Program, seat: int, recorder: FlightRecorder) -> None:
        self.program = program
        self.seat = seat
        self._notebook = Notebook(recorder, seat, program)
        self.wanted = False  # does anybody wait for its answer?
        self._updates = 0
        self._told = 0  # actions of which it has heard
        self._refusals = 0
        self._said = ""  # its last answer

    def greeted(self, live: LiveMatch) -> Callable[[], None]:
        """As `asked`: to be done in a thread."""
        welcome = self._welcome(live)

        def greet() -> None:
            if self.program.process is None:
                self.program.sit(welcome)
                self.program.greet()

        return greet

    def asked(self, live: LiveMatch) -> Callable[[], str | None]:
        """What is to be done in a thread: all that concerns the match is worked out here, in the loop."""
        welcome, update, self._refusals = self._welcome(live), self.update(live), 0
        left, played = update.clocks[self.seat], live.match.length

        def ask() -> str | None:
            if self.program.process is None:
                self.program.sit(welcome)
            if not self.program.said_more():
                self.program.ask(update, LONGEST if left is None else left / 1000)
            self._notebook.ask(played)
            return self._heard(self._answer)

        return ask

    def _heard(self, answer: Callable[[], str | None]) -> str | None:
        """Its answer; why there is none is noted."""
        try:
            return answer()
        except Trouble as trouble:
            self._notebook.end(trouble.reason)
            raise

    def answered(self, live: LiveMatch, text: str | None) -> None:
        """What will not be refused is kept now: the server may fall before the next question."""
        if self._notebook.is_open:
            game, world = live.match.game, live.match.world
            with suppress(Refused):
                if text is None or game.check(world, self.seat, game.parse(world, self.seat, text)) is None:
                    self._notebook.end()

    def refused(self, refused: Refused) -> Callable[[], str | None]:
        self._refusals += 1
        self._notebook.refuse(refused.words)
        again = self._refusals < self.program.limits.refusals

        def ask() -> str | None:
            if not again:
                raise Trouble("refused", self._refusals, self._said, refused, notes=self.program.last_notes())
            if not self.program.refuse(refused.code, refused.words):
                raise Trouble("invalid", self._said, refused, notes=self.program.last_notes())
            return self._answer()

        return lambda: self._heard(ask)

    def _answer(self) -> str | None:
        program = self.program
        while (line := program.line()) is None:
            if not self.wanted or time.monotonic() >= program.deadline:
                program.excuse()
                raise Trouble("late", notes=program.last_notes())
            assert program.process is not None
            wait([program.process], SLICE)
        self._said = text_of(line[:QUOTED])
        self._notebook.hear(line)
        try:
            text = program.dialogue.hear(line)
        except Refused as refused:
            return self.refused(refused)()
        program.accept()
        return text

    def _welcome(self, live: LiveMatch) -> Welcome:
        stored, game = live.stored, live.match.game
        clock = stored.clock if stored.clock.kind != "none" else ClockRule("move", turn=round(1000 * LONGEST))
        return Welcome(
            match=stored.id, game=stored.game, yours=(self.seat,), fog=game.card.fog, options=stored.options,
            clock=clock, computers_only=False, public=stored.public, code=None, lists_all=game.lists_all,
        )  # fmt: skip

    def update(self, live: LiveMatch) -> Update:
        self._updates += 1
        since = min(self._told, live.match.length)
        self._told = live.match.length
        story = tuple([event for _, told in live.views.stories(self.seat, since) for event in told])
        legal = tuple(live.match.legal(self.seat)) if self.seat in live.to_act else ()
        shown = live.match.game.show(live.match.game.view(live.match.world, self.seat))
        return live.common_state().update(self._updates, self.seat, shown, story, legal)

    def leave(self, update: Update | None) -> str:
        """The last that it wrote to stderr."""
        self._notebook.end()
        notes = self.program.notes() if self.program.process is not None else ""
        if update is not None:
            self.program.end(update)
        self.program.close()
        return notes
