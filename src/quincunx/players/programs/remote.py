"""A program of this computer on a seat of a match elsewhere: between its pipes and a server's WebSocket.

    server  ── update, changed ──▶  Bridge  ── whole updates, when it is to act ──▶  program
            ◀── play, own ids ────          ◀── play ───────────────────────────────
            ── accepted, refused ─▶         ── accepted, refused ──────────────────▶

The program notices nothing of the network: a lost connection is opened again, and an answer that was not acknowledged
is sent again under the same id, so that it is played once. A program that fails is started again, a few times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from quincunx.core.words import Refused, Words
from quincunx.match.changes import ABSENT, patched
from quincunx.match.record import Outcome
from quincunx.match.wire import Ask, Hello, Ping, Play, Update, Welcome, write
from quincunx.players.programs.flight import UNKNOWN, FlightRecorder, Head, Notebook
from quincunx.players.programs.limits import Trouble
from quincunx.players.programs.process import wait
from quincunx.players.programs.program import Program

SLICE = 0.02  # seconds for which the program alone is watched, while it thinks
WAITS = (0.2, 0.5, 1.0, 2.0, 5.0)  # seconds before a connection is tried again; then the last of them
IN_ARENA = 1.0  # there turns are short: a server that is back must not wait for its programs
OPENING = 10.0  # seconds until a server has answered
LARGEST = 64 << 20  # bytes of a message
STARTS = 3  # of a program in one match
NO_CLOCK = 3600.0  # seconds, where the match has none

NO_SEAT = Words("Ce jeton ne tient aucune place de cette partie.", "This token holds no seat of that match.")
NO_MATCH = Words("Le serveur ne connaît pas cette partie ({}).", "The server does not know this match ({}).")
GONE = 4404  # a server closes a socket with it
CONNECTED = Words("Connecté : {}, place {}.", "Connected: {}, seat {}.")
LOST = Words("Connexion perdue ; nouvel essai…", "The connection is lost; trying again…")
NOTED = Words("{} stderr : {}", "{} stderr: {}")
FAILED = Words("{} Le programme est relancé.", "{} The program is started again.")
GIVEN_UP = Words("{} Le programme abandonne la partie.", "{} The program resigns the match.")

Say = Callable[[Words], None]


class Bridge:
    """One match; `play` returns how it ended."""

    def __init__(
        self, address: str, token: str, program: Program, say: Say, quiet: bool = False, log: Path | None = None
    ) -> None:
        self.address = address
        self.program = program
        self._token = token
        self._say = say
        self._quiet = quiet  # then somebody else says that the server is there, and that it is lost
        self._longest_wait = IN_ARENA if quiet else WAITS[-1]
        self._recorder = FlightRecorder(log)
        self._notebook = Notebook(self._recorder, -1, program)
        self._welcome: Welcome | None = None
        self.seat = -1  # unknown yet
        self._update: dict[str, Any] | None = None
        self._at = 0.0  # when it came
        self._story: list[Any] = []  # what the program has not heard
        self._thinking = False
        self._sent: tuple[str, bytes] | None = None  # an answer that was not acknowledged: its id, and the message
        self._stale = False  # the update is older than the answer that was acknowledged last
        self._again = False  # what was sent before a new connection was sent once more
        self._refusals = 0
        self._starts = 0

    def play(self) -> Outcome:
        try:
            failures = 0
            while True:
                try:
                    with connect(self.address, open_timeout=OPENING, max_size=LARGEST, compression=None) as socket:
                        failures = 0
                        outcome = self._sit(socket)
                        if outcome is not None:
                            return outcome
                except InvalidStatus as refused:
                    if refused.response.status_code in (403, 404):
                        raise Refused("no_such_match", NO_MATCH.format(refused.response.status_code)) from None
                except ConnectionClosed as closed:
                    if closed.rcvd is not None and closed.rcvd.code == GONE:
                        raise Refused("no_such_match", NO_MATCH.format(GONE)) from None
                except (OSError, TimeoutError, WebSocketException):  # it fell in the middle of a handshake, say
                    pass
                if not self._quiet:
                    self._say(LOST)
                time.sleep(min(WAITS[min(failures, len(WAITS) - 1)], self._longest_wait))
                failures += 1
        finally:
            self._notebook.end()
            self._recorder.close()
            self.program.close()

    def resign(self, within: float) -> None:
        """For whoever does not want to play on, and ends at once. If the server does not answer, its clock decides."""
        try:
            with connect(self.address, open_timeout=within, close_timeout=within, compression=None) as socket:
                self._greet(socket, ready=False)
                socket.send(write(Ask(self.seat, "resign")).decode())
                socket.send(write(Ping()).decode())
                until = time.monotonic() + within
                while msgspec.json.decode(socket.recv(timeout=max(0.0, until - time.monotonic())))["type"] != "pong":
                    pass  # it has read what was said before
        except (OSError, TimeoutError, WebSocketException):
            pass

    def _sit(self, socket: ClientConnection) -> Outcome | None:
        """One connection, until the match is over, or it is lost."""
        self._greet(socket, ready=self._welcome is not None)
        self._again = self._sent is not None
        if self._sent is not None:
            socket.send(self._sent[1].decode())
        while True:
            if self._thinking and self.program.process is not None:
                wait([self.program.process], SLICE)
                self._guard(socket, self._answer)
            try:
                data = socket.recv(timeout=0 if self._thinking else 1.0)
            except TimeoutError:
                continue
            outcome = self._hear(socket, msgspec.json.decode(data))
            if outcome is not None:
                return outcome

    def _greet(self, socket: ClientConnection, ready: bool = True) -> None:
        socket.send(write(Hello((self._token,), ready=ready)).decode())
        self._update = None

    # -- from the server -----------------------------------------------------------------------------------------

    def _hear(self, socket: ClientConnection, said: dict[str, Any]) -> Outcome | None:
        match said["type"]:
            case "welcome" if self._be_welcome(said):
                self._introduce(socket)
            case "update":
                self._keep(said)
            case "changed" if self._update is not None and said["n"] == self._update["n"] + 1:
                self._keep(patched(self._update, said, round(1000 * (time.monotonic() - self._at))))
            case "changed":
                self._greet(socket)  # one got lost on the way
            case "accepted" if self._sent is not None and said["id"] == self._sent[0]:
                self._accepted(socket)
            case "refused" if self._sent is not None and said.get("id") == self._sent[0]:
                self._sent = None
                self._guard(socket, lambda _: self._refused(socket, said["code"], Words(**said["words"])))
        if self._update is None:
            return None
        if self._update["outcome"] is not None:
            self.program.end(self._told())
            return msgspec.convert(self._update["outcome"], Outcome)
        self._guard(socket, self._consider)
        return None

    def _be_welcome(self, said: dict[str, Any]) -> bool:
        """Is it the first time?"""
        known = {name: said[name] for name in Welcome.__struct_fields__ if name in said}
        welcome = msgspec.convert(known, Welcome)
        if not welcome.yours:
            raise Refused("not_yours", NO_SEAT)
        if self._welcome is None:
            self.seat = welcome.yours[0]
            self._welcome = msgspec.structs.replace(welcome, yours=(self.seat,))
            self._recorder.begin(Head(welcome.game, "", []))
            self._notebook = Notebook(self._recorder, self.seat, self.program)
            if not self._quiet:
                self._say(CONNECTED.format(welcome.game, self.seat + 1))
            return True
        return False

    def _introduce(self, socket: ClientConnection) -> None:
        """The program starts before it takes its seat, so that no clock runs meanwhile. One that does not listen is not
        seated: whoever started it is told why, and may come again with a better one."""
        self._start()
        try:
            self.program.greet()
        except Trouble as trouble:
            words = NOTED.format(trouble.words, trouble.notes) if trouble.notes else trouble.words
            raise Refused(trouble.code, words) from None
        self._greet(socket)

    def _keep(self, update: dict[str, Any]) -> None:
        self._story = [] if update.get("retold") else self._story
        self._story += update["story"]
        self._update, self._at, self._stale = update, time.monotonic(), False

    def _accepted(self, socket: ClientConnection) -> None:
        """What was sent stands; after a new connection, what the match looks like now must be asked."""
        self._sent = None
        self._stale = True
        self._notebook.end()
        self._refusals = 0
        self.program.accept()
        if self._again:
            self._again = False
            self._greet(socket)

    def _refused(self, socket: ClientConnection, code: str, words: Words) -> None:
        self._refusals += 1
        self._notebook.refuse(words)
        if self._refusals >= self.program.limits.refusals or not self.program.refuse(code, words):
            self._resign(socket, words)
        else:
            self._thinking = True

    # -- the program ---------------------------------------------------------------------------------------------

    def _consider(self, socket: ClientConnection) -> None:
        """Asks the program, if the match waits for it and it has not answered."""
        assert self._update is not None
        if self._thinking or self._sent or self._stale or self.seat not in self._update["to_act"]:
            return
        if any(seat["kind"] in ABSENT for seat in self._update["seats"]):
            return  # it has not begun
        self._start()
        self._thinking = True
        if not self.program.said_more():
            left = self._update["clocks"][self.seat]
            self.program.ask(self._told(), NO_CLOCK if left is None else left / 1000)
        self._notebook.ask(UNKNOWN)
        self._answer(socket)

    def _start(self) -> None:
        assert self._welcome is not None
        if self.program.process is None:
            self._starts += 1
            self.program.sit(self._welcome)

    def _told(self) -> Update:
        """The update as the program gets it: with everything since its last one."""
        assert self._update is not None
        known = {name: self._update[name] for name in Update.__struct_fields__ if name in self._update}
        update = msgspec.convert({**known, "story": self._story}, Update)
        self._story = []
        return update

    def _answer(self, socket: ClientConnection) -> None:
        """What the program says goes to the server, under an id that no other match or process uses."""
        line = self.program.line()
        if line is None:
            return
        self._thinking = False
        self._notebook.hear(line)
        try:
            text = self.program.dialogue.hear(line)
        except Refused as refused:
            return self._refused(socket, refused.code, refused.words)
        if text is None:
            socket.send(write(Ask(self.seat, "resign")).decode())
            return
        id = token_hex(12)
        self._sent = id, write(Play(id, self.seat, text))
        socket.send(self._sent[1].decode())

    def _guard(self, socket: ClientConnection, what: Callable[[ClientConnection], None]) -> None:
        """A program that fails is started again, and asked again."""
        try:
            what(socket)
        except Trouble as trouble:
            self._notebook.end(trouble.reason)
            self.program.close(at_once=True)
            self._thinking = False
            if trouble.code == "not_started" or self._starts >= STARTS:
                self._resign(socket, trouble.words)
            elif trouble.code != "late":  # then its flag falls, and the server says so
                self._say(FAILED.format(trouble.words))
                self._guard(socket, self._consider)

    def _resign(self, socket: ClientConnection, why: Words) -> None:
        self._say(GIVEN_UP.format(why))
        socket.send(write(Ask(self.seat, "resign")).decode())
