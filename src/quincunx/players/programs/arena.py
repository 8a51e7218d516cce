"""A program of this computer in an arena elsewhere: it enters, and plays one match after the other.

    server ── entered, sit, scored ──▶ a thread that stays connected ── matches ──▶ Bridge (remote.py) ──▶ program
           ◀── enter, ready ──────────

The connection to the arena and that to a match are opened again when they are lost, each for itself: a server that was
killed finds its programs as it left them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from quincunx.core.words import Refused, Words
from quincunx.match.wire import Enter, Ready, write
from quincunx.players.programs.flights import Flights
from quincunx.players.programs.program import Program
from quincunx.players.programs.remote import GONE, IN_ARENA, LARGEST, LOST, OPENING, WAITS, Bridge, Say

LISTENING = 0.2  # seconds after which one looks whether anything is to be said
LAST_CALL = 1.0  # seconds in which a match may still come for one that wants no more
MOST_KNOWN = 100  # matches that it need not be told of again
LEAVING = 3.0  # seconds in which a goodbye must be said
PASSING = ("unavailable", "too_many_requests", "busy", "overloaded", "lost")  # refusals after which one tries again

NO_ARENA = Words("Le serveur ne connaît pas cette arène ({}).", "The server does not know this arena ({}).")
ENTERED = Words(
    "{} est dans l’arène : {:.0f} ± {:.0f}, {} parties. Ctrl-C pour en sortir après la partie en cours.",
    "{} is in the arena: {:.0f} ± {:.0f}, {} matches. Ctrl-C leaves after the match under way.",
)
TO_BE_ACCEPTED = Words(
    "{} est inscrit ; il jouera dès qu’il sera accepté.", "{} is entered; it will play as soon as it is accepted."
)
WON = Words("Gagné : {}.", "Won: {}.")
DRAWN = Words("Nulle : {}.", "Drawn: {}.")
LOST_MATCH = Words("Perdu : {}.", "Lost: {}.")
RANKED = Words("Rang {} sur {} : {}.", "Rank {} of {}: {}.")
NOT_COUNTED = Words("Partie annulée : {}.", "Match called off: {}.")
RATED = Words("{} {:.0f} ± {:.0f}, place {} sur {}.", "{} {:.0f} ± {:.0f}, place {} of {}.")
VERSUS = " – "


class ArenaClient:
    """`make` gives the program for one match of a game."""

    def __init__(
        self,
        base: str,
        contest: str,
        name: str,
        key: str,
        make: Callable[[str], Program],
        say: Say,
        flights: Flights | None = None,
    ) -> None:
        self._flights = flights or Flights(base, None)
        self.contest = contest
        self.name = name
        self._socket_base = f"ws{base.removeprefix('http')}/ws"
        self._key = key
        self._make = make
        self._say = say
        self._game = ""
        self._greeted: bool | None = None  # was it accepted when it was last told so?
        self._sits: Queue[dict[str, Any]] = Queue()
        self._known: deque[str] = deque(maxlen=MOST_KNOWN)  # matches of which it was told
        self._enough = Event()  # no more matches
        self._over = Event()  # nothing more is to be heard
        self._refused: Refused | None = None
        self._bridge: Bridge | None = None

    def play(self) -> None:
        """Until `leave`, or until the arena is closed. Refused where it may not play."""
        thread = Thread(target=self._stay_connected, name="arena", daemon=True)
        thread.start()
        try:
            while (sit := self._next()) is not None:
                self._play_one(sit)
        finally:
            self._enough.set()
            self._over.set()
            thread.join(LEAVING)
        if self._refused is not None:
            raise self._refused

    def leave(self) -> None:
        """The match under way is the last one."""
        self._enough.set()

    def resign(self) -> None:
        """It ends at once: whoever it plays with is not to wait for its clock."""
        if self._bridge is not None:
            self._bridge.resign(LEAVING)

    def _next(self) -> dict[str, Any] | None:
        """The match that waits for it; None: there will be no more. One may be on its way when it says so."""
        until: float | None = None
        while True:
            try:
                return self._sits.get(timeout=LISTENING)
            except Empty:
                if self._enough.is_set() and until is None:
                    until = time.monotonic() + LAST_CALL
                if self._over.is_set() or (until is not None and time.monotonic() > until):
                    return None

    def _play_one(self, sit: dict[str, Any]) -> None:
        address = f"{self._socket_base}/{sit['match']}"
        log = self._flights.file(sit["match"])
        self._bridge = Bridge(address, sit["token"], self._make(self._game), self._say, quiet=True, log=log)
        try:
            self._bridge.play()
        except Refused as refused:
            if refused.code != "no_such_match":
                raise
        self._bridge = None
        self._flights.complete(sit["match"])

    # -- the connection to the arena -----------------------------------------------------------------------------

    def _stay_connected(self) -> None:
        failures = 0
        while not self._over.is_set():
            try:
                address = f"{self._socket_base}/arena/{self.contest}"
                with connect(address, open_timeout=OPENING, max_size=LARGEST, compression=None) as socket:
                    socket.send(write(Enter(self.name, self._key)).decode())
                    failures = 0
                    self._converse(socket)
            except InvalidStatus as refused:
                if refused.response.status_code in (403, 404):
                    self._give_up(Refused("no_such_contest", NO_ARENA.format(self.contest)))
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == GONE:
                    self._give_up(Refused("no_such_contest", NO_ARENA.format(self.contest)))
            except (OSError, TimeoutError, WebSocketException):  # it fell in the middle of a handshake, say
                pass
            except Refused as refused:
                self._give_up(refused)
            if not self._over.is_set():
                if not failures:
                    self._say(LOST)
                self._over.wait(min(WAITS[min(failures, len(WAITS) - 1)], IN_ARENA))
                failures += 1

    def _converse(self, socket: ClientConnection) -> None:
        """Until the connection is lost, or all is over."""
        takes: int | None = None
        while not self._over.is_set():
            wanted = 0 if self._enough.is_set() else 1
            if takes is not None and takes != wanted:
                socket.send(write(Ready(wanted)).decode())
                takes = wanted
            try:
                said = msgspec.json.decode(socket.recv(timeout=LISTENING))
            except TimeoutError:
                continue
            if said["type"] == "entered":
                self._hear_entered(said)
                takes = -1 if takes is None else takes
            elif said["type"] == "sit":
                self._hear_sit(said)
            elif said["type"] == "scored":
                self._tell(said)
            elif said["type"] == "refused":
                self._hear_refused(said)

    def _hear_entered(self, said: dict[str, Any]) -> None:
        self._game = said["game"]
        if self._greeted != said["accepted"]:
            self._greeted = said["accepted"]
            stands = (said["rating"], said["error"], said["matches"])
            self._say(ENTERED.format(self.name, *stands) if said["accepted"] else TO_BE_ACCEPTED.format(self.name))

    def _hear_sit(self, said: dict[str, Any]) -> None:
        if said["match"] not in self._known:
            self._known.append(said["match"])
            self._sits.put(said)

    def _hear_refused(self, said: dict[str, Any]) -> None:
        refused = Refused(said["code"], Words(**said["words"]))
        if refused.code in PASSING:
            time.sleep(WAITS[2])
            raise OSError(refused.words.en)
        raise refused

    def _give_up(self, refused: Refused) -> None:
        """What is under way is played to its end."""
        self._refused = refused
        self._over.set()

    def _tell(self, said: dict[str, Any]) -> None:
        players, rank = VERSUS.join(said["players"]), said["rank"]
        if rank is None:
            return self._say(NOT_COUNTED.format(players))
        if len(said["players"]) == 2:
            how = (LOST_MATCH if rank == 2 else WON if not said["shared"] else DRAWN).format(players)
        else:
            how = RANKED.format(rank, len(said["players"]), players)
        self._say(RATED.format(how, said["rating"], said["error"], said["place"], said["of"]))
