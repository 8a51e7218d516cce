"""A match to its end, with a player or a program on every seat: who is asked, what each is told, what each takes.

Players of ours think in this process, one after the other. Programs are asked all at once where a game waits for
several seats, and each is told what its seat may know and nothing else. A program that fails loses its match, or its
turn, and nothing else happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from secrets import token_hex
from time import monotonic, perf_counter
from typing import Literal

import msgspec

from quincunx.core.board import Event
from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words, expected
from quincunx.games import World
from quincunx.match import Match
from quincunx.match.clock import Clock, ClockRule
from quincunx.match.record import Verdict
from quincunx.match.wire import SeatShown, Update, Welcome
from quincunx.players.player import Player
from quincunx.players.programs.flight import FlightRecorder, Head, Turn, text_of
from quincunx.players.programs.limits import Trouble
from quincunx.players.programs.process import wait
from quincunx.players.programs.program import Program

QUOTED = 200  # bytes of an answer that a reason quotes

Play = Callable[[int, int], None]  # seat and action
Late = Literal["lose", "fallback"]  # what becomes of a program that does not answer in time


class Adjudication(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When a match is not waited for any longer, and how it is judged then."""

    actions: int = 0  # after so many; 0: never
    lead: int = 0  # when somebody has been ahead by so many points of the game's score, 0: never,
    during: int = 20  # in so many actions one after the other
    by: Verdict = "score"  # of a match that was too long; a lead decides by score

    def check(self) -> None:
        wanted = Words("un nombre d’actions positif", "a positive number of actions")
        if min(self.actions, self.lead) < 0 or self.during < 1:
            raise expected(wanted, f"actions={self.actions} lead={self.lead} during={self.during}")


class _Judge:
    """Watches one match."""

    def __init__(self, rule: Adjudication) -> None:
        self._rule = rule
        self._leader, self._since = -1, 0  # who is ahead, and after how many actions that began

    def verdict(self, match: Match) -> Verdict | None:
        rule = self._rule
        if rule.lead:
            leader = _leader(match, rule.lead)
            if leader != self._leader:
                self._leader, self._since = leader, match.length
            if leader >= 0 and match.length - self._since >= rule.during:
                return "score"
        return rule.by if rule.actions and match.length >= rule.actions else None


def _leader(match: Match, lead: int) -> int:
    """Who is ahead of everybody by so much; -1: nobody."""
    scores = match.game.scores(match.world)
    first = max(range(len(scores)), key=scores.__getitem__)
    others = max((score for seat, score in enumerate(scores) if seat != first), default=scores[first])
    return first if scores[first] - others >= lead else -1


@dataclass
class Effort:
    """What the choices of one player took."""

    choices: int = 0
    seconds: float = 0.0
    nodes: int = 0  # actions played in thought, or simulations
    searched: float = 0.0  # seconds in which they were
    cpu: float = 0.0  # seconds of processor, of a program

    def add(self, other: Effort) -> None:
        self.choices += other.choices
        self.seconds += other.seconds
        self.nodes += other.nodes
        self.searched += other.searched
        self.cpu += other.cpu

    @property
    def average(self) -> float:
        """Seconds for one choice."""
        return self.seconds / max(self.choices, 1)

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return self.nodes / self.searched if self.searched > 0 else 0.0


class _Seat:
    """A program on its seat."""

    def __init__(self, number: int, program: Program) -> None:
        self.number = number
        self.program = program
        self.clock = Clock(ClockRule("move", turn=round(1000 * program.limits.turn)))
        self.unheard: list[Event] = []  # what happened since its last update
        self.updates = 0
        self.refusals = 0  # in this turn
        self.turn: Turn | None = None  # that it is asked for


class Table:
    """One match; None is a person, for whom whoever sits beside them acts.

    A program that sits here stays when it is over: it may play another one."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Player | Program | None],
        late: Late = "lose",
        recorder: FlightRecorder | None = None,
        adjudication: Adjudication | None = None,
        play: Play | None = None,
    ) -> None:
        """`play`: how an action is played, where somebody else keeps the match; then `hear` is told of all of them."""
        self.match = match
        self.game = match.game
        self.players = players
        self.efforts = [Effort() for _ in players]
        self._late = late
        self._judge = _Judge(adjudication) if adjudication else None
        self._play = play or self._play_here
        self._recorder = recorder or FlightRecorder()
        self._programs = {n: _Seat(n, p) for n, p in enumerate(players) if isinstance(p, Program)}
        self._shown: tuple[int, tuple[SeatShown, ...]] | None = None  # the seats, when so many were gone
        self._began = perf_counter()

    def play(self) -> list[Effort]:
        """To the end."""
        self.welcome()
        while not self.match.over:
            self.step()
            if self._judge and not self.match.over and (verdict := self._judge.verdict(self.match)):
                self.match.adjudicate(verdict, at=self.now())
        self.farewell()
        return self.efforts

    def now(self) -> int:
        """Milliseconds since the match began."""
        return round(1000 * (perf_counter() - self._began))

    # -- beginning and end ---------------------------------------------------------------------------------------

    def welcome(self) -> None:
        if self._recorder.on:
            record = self.match.record()
            self._recorder.begin(Head(record.game, record.start_digest, [seat.player for seat in self.match.seats]))
        for seat in self._programs.values():
            seat.program.sit(self._welcome(seat))

    def _welcome(self, seat: _Seat) -> Welcome:
        return Welcome(
            match=token_hex(8), game=self.game.card.id, yours=(seat.number,), fog=self.game.card.fog,
            options=self.match.world.options, clock=seat.clock.rule, computers_only=True, public=False, code=None,
            lists_all=self.game.lists_all,
        )  # fmt: skip

    def farewell(self) -> None:
        """The match is over: every program is told how it ended."""
        for seat in self._programs.values():
            if seat.program.process is not None:
                seat.program.end(self._update(seat))

    # -- one step ------------------------------------------------------------------------------------------------

    def step(self, patience: float = inf) -> bool:
        """Somebody acts, or loses the right to; False: the game waits for people only. With `patience` it may also be
        that no program answered for so many seconds."""
        waited = self._waited_for()
        for number in waited:
            if number in self.match.gone:
                self._act_for(number)
                return True
            if isinstance(player := self.players[number], Player):
                self._player_acts(number, player)
                return True
        seats = [self._programs[number] for number in waited if number in self._programs]
        for seat in seats:
            if seat.turn is None and self._try(seat, self._ask):
                return True  # it has failed already
        if seats:
            self._hear(seats, patience)
        return bool(seats)

    def wait_for_programs(self, seconds: float) -> None:
        """Until one that was asked says something, or so long; nothing of the match is touched, so that others may see
        to it meanwhile."""
        wait([s.program.process for s in self._programs.values() if s.turn and s.program.process], seconds)

    def _waited_for(self) -> list[int]:
        if not self.game.card.simultaneous:
            return [self.match.turn]
        return [n for n in range(len(self.players)) if self.game.to_act(self.match.world, n)]

    def _player_acts(self, number: int, player: Player) -> None:
        before = perf_counter()
        action = player.choose(self.game.view(self.match.world, number))
        seconds = perf_counter() - before
        self.efforts[number].add(Effort(1, seconds, player.info.nodes, player.info.seconds))
        self.act(number, action)

    def _act_for(self, number: int) -> None:
        """For a seat that left, or was late: what the game does then."""
        action = self.game.fallback(self.match.world, number)
        if action is None:
            self.match.time_out(number, at=self.now())
        else:
            self.act(number, action)

    def act(self, number: int, action: int) -> None:
        """Plays it, and keeps for every program what it will be told of it."""
        self._play(number, action)

    def _play_here(self, number: int, action: int) -> None:
        before, length = self.match.world, self.match.length
        self.match.act(number, action, at=self.now())  # in another world: this one stays as it was
        self.hear(before, length)

    def hear(self, before: World, length: int) -> None:
        """What was played since the match had this length, in the world that it had then, is kept for programs."""
        if self._programs:
            for k, (seat, what) in enumerate(self.match.standing[length:], length):
                before = self._tell(before, seat, what, k)

    def _tell(self, before: World, number: int, action: int, played: int) -> World:
        """The story of an action, to each as it sees it; worked out once for those who see the same. Returns the world
        after it."""
        game, told = self.game, dict[int, list[Event]]()
        after = game.clone(before)
        if game.alike:
            told[PUBLIC], ripple = game.apply_and_tell(after, number, action, PUBLIC, played), None
        else:
            game.apply(after, number, action)
            ripple = game.ripple(before, after)
        for seat in self._programs.values():
            apart = ripple is None or (seat.number == number and not ripple.own)
            whose = PUBLIC if game.alike or not apart else seat.number
            if whose not in told:
                told[whose] = game.apply_and_tell(game.clone(before), number, action, whose, played)
            seat.unheard += told[whose]
        return after

    # -- programs ------------------------------------------------------------------------------------------------

    def _ask(self, seat: _Seat) -> None:
        at = self.now()
        seat.clock.begin(at)
        left = (seat.clock.deadline() or at) - at
        seat.turn = Turn(seat.number, self.match.length, at, "", allowed=left)
        if not seat.program.said_more():  # it has said already what it does next
            seat.program.ask(self._update(seat), left / 1000)
            seat.turn.told = text_of(seat.program.told) if self._recorder.on else ""
            seat.turn.allowed = round(1000 * seat.program.allowed)

    def _update(self, seat: _Seat) -> Update:
        match, game, number, at = self.match, self.game, seat.number, self.now()
        seat.updates += 1
        story, seat.unheard = tuple(seat.unheard), []
        clocks = [self._programs[n].clock.shown(at) if n in self._programs else None for n in range(len(self.players))]
        return Update(
            n=seat.updates, observer=number, shown=game.show(game.view(match.world, number)), story=story,
            legal=tuple(match.legal(number)) if not match.over else (),
            to_act=tuple(self._waited_for()) if not match.over else (),
            clocks=tuple(clocks), seats=self._seats_shown(), outcome=match.outcome, why=match.why(),
        )  # fmt: skip

    def _seats_shown(self) -> tuple[SeatShown, ...]:
        """As they are shown to everybody, until another one leaves."""
        if self._shown is None or self._shown[0] != len(self.match.gone):
            gone, seats = self.match.gone, enumerate(zip(self.match.seats, self.players, strict=True))
            shown = [SeatShown(seat.name, _kind(player), seat.player, n not in gone) for n, (seat, player) in seats]
            self._shown = len(gone), tuple(shown)
        return self._shown[1]

    def _hear(self, seats: Sequence[_Seat], patience: float) -> None:
        """Until one of them answers, or its time is up, or patience."""
        until = monotonic() + patience
        while True:
            if [seat for seat in seats if self._try(seat, self._answer)]:
                return
            now, next_flag = monotonic(), min(seat.program.deadline for seat in seats)
            if next_flag <= now:
                return self._flag(next(seat for seat in seats if seat.program.deadline == next_flag))
            if until <= now:
                return None
            wait([seat.program.process for seat in seats if seat.program.process], min(next_flag, until) - now)

    def _answer(self, seat: _Seat) -> bool:
        """Takes what a program has answered; False if it has not."""
        line = seat.program.line()
        if line is None:
            return False
        assert seat.turn is not None
        if self._recorder.on:
            seat.turn.said.append(text_of(line))
        try:
            text = seat.program.dialogue.hear(line)
            if text is None:
                self._end_turn(seat)
                self.match.resign(seat.number, at=self.now())
                return True
            action = self.game.parse(self.match.world, seat.number, text)
            if refusal := self.game.check(self.match.world, seat.number, action):
                raise refusal
        except Refused as refused:
            self._refuse(seat, refused, line)
            return True
        self._end_turn(seat)
        seat.program.accept()
        waited = set(self._waited_for())
        self.act(seat.number, action)
        self._stop_clock(seat, waited)
        return True

    def _refuse(self, seat: _Seat, refused: Refused, line: bytes) -> None:
        """It may try again, a few times, if its protocol knows of that."""
        seat.refusals += 1
        assert seat.turn is not None
        seat.turn.refused.append(refused.words.en)
        said = text_of(line[:QUOTED])
        if seat.refusals >= seat.program.limits.refusals:
            raise Trouble("refused", seat.refusals, said, refused, notes=seat.program.last_notes())
        if not seat.program.refuse(refused.code, refused.words):
            raise Trouble("invalid", said, refused, notes=seat.program.last_notes())

    def _stop_clock(self, seat: _Seat, before: set[int]) -> None:
        """Its turn is over, unless the game waits for it still, and for nobody else than before: who seals last is
        waited for again at once, in the next turn."""
        now = set() if self.match.over else set(self._waited_for())
        if seat.number not in now or not now <= before:
            seat.clock.end(self.now())
            seat.refusals = 0

    def _end_turn(self, seat: _Seat, trouble: str = "") -> None:
        """What it took is counted, and kept."""
        turn, seat.turn = seat.turn, None
        if turn is None or seat.program.process is None:
            return
        wall, cpu = seat.program.used()
        self.efforts[seat.number].add(Effort(1, wall, cpu=cpu))
        if self._recorder.on:
            turn.wall, turn.cpu, turn.trouble = round(1000 * wall, 3), round(1000 * cpu, 3), trouble
            turn.notes = seat.program.notes()
            self._recorder.keep(turn)

    def _flag(self, seat: _Seat) -> None:
        """It is late."""
        trouble = Trouble("late", notes=seat.program.last_notes())
        self._end_turn(seat, trouble.reason)
        seat.clock.end(self.now())
        seat.refusals = 0
        if self._late == "fallback":
            seat.program.excuse()
            self._act_for(seat.number)
        else:
            seat.program.close(at_once=True)
            self.match.time_out(seat.number, trouble.code, notes=trouble.notes, at=self.now())

    def _try(self, seat: _Seat, what: Callable[[_Seat], bool | None]) -> bool:
        """Whatever a program does wrong is its own loss; once the match is over, it is nobody's."""
        if self.match.over:
            return True
        try:
            return bool(what(seat))
        except Trouble as trouble:
            if trouble.code == "late":
                self._flag(seat)
            else:
                self._end_turn(seat, trouble.reason)
                seat.program.close(at_once=True)
                self.match.forfeit(seat.number, trouble.code, trouble.detail, trouble.notes, at=self.now())
            return True


def _kind(player: Player | Program | None) -> str:
    return "person" if player is None else "program" if isinstance(player, Program) else "computer"
