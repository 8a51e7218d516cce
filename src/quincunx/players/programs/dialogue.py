"""How one talks with a program: our own protocol, JSON, one message a line; others are beside it (codingame.py).

    ours                                            the program's
    welcome  protocol, match, seat, options, clock
    update   view, story, legal actions, clocks     play  id, seat, action
    accepted id                                     ask   seat, what: "resign"
    refused  id, code, words                        (another play)
    update   with the outcome

The words are those of match/wire.py, which pages and servers use: a program that plays here plays there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.match.wire import MOVE_ID, Accepted, Ask, Play, Update, Welcome, write

GARBAGE = Words("Réponse illisible : {}.", "Unreadable answer: {}.")
NOT_YOURS = Words("la place {} n’est pas la sienne", "seat {} is not its own")
BAD_ID = Words("« id » : 1 à 60 lettres, chiffres, - ou _", "“id”: 1 to 60 letters, digits, - or _")
ONLY_RESIGN = Words("un programme ne peut demander que resign", "a program may ask for resign only")


class Unreadable(Refused):
    """A line that is no answer at all."""

    def __init__(self, why: str | Words) -> None:
        super().__init__("garbage", GARBAGE.format(why))


class Dialogue(Protocol):
    """One match of one program; what it returns is written to the program as it is."""

    turn: float | None  # seconds for a turn, where the protocol says so itself
    start: float | None  # more for the first answer, likewise
    ahead: bool  # may it answer several questions at once, so that it is not asked the others?

    @property
    def environment(self) -> Mapping[str, str]:
        """What its process finds in its environment besides ours."""

    def begin(self, welcome: Welcome) -> bytes: ...

    def ask(self, update: Update) -> bytes:
        """It is to act: what it sees."""

    def hear(self, line: bytes) -> str | None:
        """The action that it answers, as text, or None: it resigns. Unreadable if it says neither."""

    def accept(self) -> bytes:
        """What it answered stands."""

    def refuse(self, code: str, words: Words) -> bytes | None:
        """What it answered is not allowed; None: it gets no second chance."""

    def end(self, update: Update) -> bytes:
        """The match is over."""


_read: Callable[[bytes], Play | Ask] = msgspec.json.Decoder(Play | Ask, strict=True).decode


class JsonDialogue:
    """Our own."""

    turn: float | None = None
    start: float | None = None
    ahead = True
    environment: Mapping[str, str] = {}

    def __init__(self) -> None:
        self._seat = 0
        self._id = ""

    def begin(self, welcome: Welcome) -> bytes:
        self._seat = welcome.yours[0]
        return write(welcome) + b"\n"

    def ask(self, update: Update) -> bytes:
        return write(update) + b"\n"

    def hear(self, line: bytes) -> str | None:
        try:
            said = _read(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Unreadable(str(error)) from None
        wire.check_protocol(said)
        if said.seat != self._seat:
            raise Unreadable(NOT_YOURS.format(said.seat))
        if isinstance(said, Ask):
            if said.what != "resign":
                raise Unreadable(ONLY_RESIGN)
            return None
        if not MOVE_ID.fullmatch(said.id):
            raise Unreadable(BAD_ID)
        self._id = said.id
        return said.action

    def accept(self) -> bytes:
        return write(Accepted(self._id)) + b"\n"

    def refuse(self, code: str, words: Words) -> bytes | None:
        return write(wire.Refused(code, words, self._id or None)) + b"\n"

    def end(self, update: Update) -> bytes:
        return write(update) + b"\n"
