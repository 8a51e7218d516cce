"""Somebody to try a program out with: a match in which one can say odd things and see what the program makes of it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from quincunx.core.random import below, seeded
from quincunx.core.words import Refused, Words
from quincunx.games import Game
from quincunx.match import Match
from quincunx.match.clock import ClockRule
from quincunx.match.wire import SeatShown, Update, Welcome, write
from quincunx.players.programs.dialogue import JsonDialogue
from quincunx.players.programs.limits import Limits, Trouble
from quincunx.players.programs.process import Process, wait

TURN = 5.0  # seconds for an answer, unless somebody says otherwise
STARTING = 20.0  # and for the first one

SILENT = Words("Pas de réponse après {} s.", "No answer after {} s.")
ILLEGAL = Words("Coup refusé : {} ({})", "Refused action: {} ({})")


class Wrong(Exception):
    """What the program did, in words."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.en)
        self.words = words


class Partner:
    """One process of the program; it can be asked to play several matches."""

    def __init__(self, game: Game, command: Sequence[str], folder: Path | None = None) -> None:
        self.game = game
        self.process = Process(command, Limits(), folder)
        self.seconds = 0.0  # that the last answer took
        self._first = True
        self._random = seeded(7)

    def begin(self, seat: int = 0, seed: int = 1, **more: Any) -> None:
        """A new match; `more` goes into the welcome."""
        self.match = Match(self.game, seed=seed, dice=seed)
        self.seat = seat
        self._dialogue = JsonDialogue()
        self._updates = 0
        welcome = Welcome(
            match=f"check-{seed}", game=self.game.card.id, yours=(seat,), fog=self.game.card.fog,
            options=self.match.world.options, clock=ClockRule("move", turn=round(1000 * TURN)), computers_only=True,
            public=False, code=None, lists_all=self.game.lists_all,
        )  # fmt: skip
        self._dialogue.begin(welcome)
        self.say({**_plain(welcome), **more})
        self.others_act()

    def say(self, message: dict[str, Any]) -> None:
        self._guarded(lambda: self.process.send(json.dumps(message).encode() + b"\n", time.monotonic() + TURN))

    def update(self, **more: Any) -> dict[str, Any]:
        match, n = self.match, self.game.seats(self.match.world)
        self._updates += 1
        to_act = () if match.over else tuple(s for s in range(n) if self.game.to_act(match.world, s))
        shown = self.game.show(self.game.view(match.world, self.seat))
        legal = tuple(match.legal(self.seat)) if self.seat in to_act else ()
        clocks = tuple(round(1000 * TURN) if s == self.seat else None for s in range(n))
        seats = tuple(SeatShown(seat.name, "program", "program", True) for seat in match.seats)
        told = Update(self._updates, self.seat, shown, (), legal, to_act, clocks, seats, outcome=match.outcome)
        return {**_plain(told), **more}

    def ask(self, seconds: float = TURN, **more: Any) -> str:
        """Its turn: what it answers, which is legal."""
        self.say(self.update(**more))
        return self.answer(seconds)

    def answer(self, seconds: float = TURN) -> str:
        text = self.hear(seconds)
        try:
            action = self.game.parse(self.match.world, self.seat, text)
            refusal = self.game.check(self.match.world, self.seat, action)
            if refusal:
                raise refusal
        except Refused as refused:
            raise Wrong(ILLEGAL.format(text, refused.words)) from None
        return text

    def hear(self, seconds: float = TURN) -> str:
        """The next thing that it says, whatever it means for the match."""
        began = time.monotonic()
        allowed = seconds + (STARTING if self._first else 0.0)
        line = self._guarded(lambda: self.process.read(began + allowed), SILENT.format(round(allowed, 3)))
        self._first, self.seconds = False, time.monotonic() - began
        try:
            return self._dialogue.hear(line) or "resign"
        except Refused as refused:
            raise Wrong(refused.words) from None

    def is_silent(self, seconds: float) -> bool:
        """Does it say nothing for so long?"""
        time.sleep(seconds)
        wait([self.process], 0.0)
        return self._guarded(self.process.line) is None

    def act(self, text: str) -> None:
        """Plays its answer, and then for the others."""
        self.match.play(text, seat=self.seat)
        self._guarded(lambda: self.process.send(self._dialogue.accept(), time.monotonic() + TURN))
        self.others_act()

    def others_act(self) -> None:
        while not self.match.over and not self.game.to_act(self.match.world, self.seat):
            legal = self.game.legal(self.match.world)
            self.match.act(self.match.turn, legal[below(self._random, len(legal))])

    def play_on(self, most: int, **more: Any) -> int:
        """So many of its actions, or to the end; how many it was."""
        for number in range(most):
            if self.match.over:
                return number
            self.act(self.ask(**more))
        return most

    def end(self) -> None:
        self.say(self.update())

    def refuse(self) -> None:
        """Its last answer is not taken."""
        words = Words("Essai : ce coup est refusé.", "A trial: this action is refused.")
        message = self._dialogue.refuse("trial", words)
        assert message is not None
        self._guarded(lambda: self.process.send(message, time.monotonic() + TURN))

    def _guarded(self, what: Any, late: Words | None = None) -> Any:
        try:
            return what()
        except Trouble as trouble:
            words = late if late is not None and trouble.code == "late" else trouble.words
            notes = trouble.notes.splitlines()[-1:] if trouble.notes else []
            raise Wrong(Words("{} {}", "{} {}").format(words, f"({notes[0]})") if notes else words) from None


def _plain(message: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(write(message))
    return plain
