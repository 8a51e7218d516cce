"""A match that reads well in a REPL: it plays texts and keeps its record.

    >>> match = Match("connect_four")
    >>> match.play("d").play("d").turn
    0
    >>> match.legal()
    ['a', 'b', 'c', 'd', 'e', 'f', 'g']

It has no clock of its own: times are arguments, in milliseconds since the match began.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, cast

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.random import Random
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, World, load
from quincunx.match.failures import sentence
from quincunx.match.record import FORMAT, LEAVING, Entry, Happened, MatchRecord, Outcome, Played, Reason, Seat, Verdict

STRIDE, MARKS = 64, 8  # actions between two marks, and how many are kept

Mark = tuple[int, World]  # after so many actions
Dice = Callable[[], list[Random]]  # where a roll comes from


class Step(NamedTuple):
    """An action that was tried out, and written down: a match that takes its entry need not play it a second time."""

    entry: Played
    action: int
    world: World  # after it


class Match:
    """One match of a game, from a starting position on."""

    def __init__(
        self,
        game: str | Game,
        preset: str | None = None,
        *,
        setup: str | None = None,
        position: str | None = None,
        seed: int | None = None,
        players: Sequence[Seat] = (),
        dice: int | list[Random] | None = None,
        **options: Any,
    ) -> None:
        """`setup`: a name or a text, as for `Game.new`. `seed` draws the start; `dice`, a seed or a generator, all
        rolls; without it each roll comes from the system's entropy."""
        self.game = game if isinstance(game, Game) else load(game)
        self.seed: int | None = secrets.randbits(32) if seed is None else seed
        self.world = self.game.new(preset, setup=setup, position=position, seed=self.seed, **options)
        self.start = self.game.position(self.world)
        self._begin(players, self.game.random(dice) if isinstance(dice, int) else dice)

    @classmethod
    def unplayed(
        cls, game: Game, start: str, players: Sequence[Seat], seed: int | None, options: dict[str, Any]
    ) -> Match:
        """A match that is about to follow its record: not even the dice that it begins with have fallen."""
        match = cls(game, position=start, seed=seed or 0, players=players, **options)
        match._back_to(0)
        match.entries.clear()
        match.seed = seed
        return match

    def _begin(self, players: Sequence[Seat], dice: Any) -> None:
        n = self.game.seats(self.world)
        if players and len(players) != n:
            raise expected(Words("{} joueurs", "{} players").format(n), len(players), "seats")
        self.seats = list(players) or [Seat(self.game.card.seat_name(seat).en) for seat in range(n)]
        self._entries: list[Entry] = []
        self._unwritten: list[tuple[int, int, int] | Happened] = []  # seat, action, time; what is no entry yet,
        self._scribe: World | None = None  # and the world before them
        self.outcome: Outcome | None = None
        self.standing: list[tuple[int, int]] = []  # seat and action of what was not taken back
        self.left: list[tuple[int, Happened]] = []  # who left after so many actions
        self._start = self.game.clone(self.world)
        self._marks: tuple[Mark, ...] = ()  # worlds on the way, the latest: taking back begins at one of them
        self._meant: tuple[Played, int] | None = None  # the entry that was read last, from where the match stands
        self._dice = dice
        self._roll(0)

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat that is to act, or NOBODY."""
        return NOBODY if self.outcome else self.game.turn(self.world)

    @property
    def over(self) -> bool:
        """Has it an outcome?"""
        return self.outcome is not None

    @property
    def gone(self) -> set[int]:
        """Seats that left a match of three or more: it goes on without them."""
        return {entry.seat for _, entry in self.left if entry.seat is not None}

    @property
    def forfeited(self) -> set[int]:
        """Those of them that broke a rule, or ran out of time."""
        return {entry.seat for _, entry in self.left if entry.seat is not None and entry.event != "resign"}

    def legal(self, seat: int | None = None) -> list[str]:
        """The texts that may be played now, by the seat that is to act, or the one that is named."""
        who = self.turn if seat is None else seat
        return [] if self.over else self.game.texts(self.world, who, self.game.legal(self.world, who))

    @property
    def entries(self) -> list[Entry]:
        """What happened, as the record has it. Texts and digests cost more than playing: they wait until now."""
        if self._unwritten:
            self._write_down()
        return self._entries

    @entries.setter
    def entries(self, entries: list[Entry]) -> None:
        self._entries, self._unwritten, self._scribe = entries, [], None

    @property
    def length(self) -> int:
        """How many actions stand."""
        return len(self.standing)

    def beginning(self) -> World:
        """Where it began, to play it again."""
        return self.game.clone(self._start)

    def world_at(self, number: int) -> World:
        """Where it stood after its first `number` actions: from the last mark before, not from the beginning."""
        length, mark = self._mark(number)
        world = self.game.clone(mark)
        for seat, action in self.standing[length:number]:
            self.game.apply(world, seat, action)
        return world

    def shift(self, game: Game) -> None:
        """Goes on in another gear of the same game."""
        _ = self.entries  # in the gear in which it was played
        old, self.game = self.game, game
        options = self.world.options
        self.world = game.from_bytes(options, old.to_bytes(self.world))
        self._start = game.from_bytes(options, old.to_bytes(self._start))
        self._marks = tuple((length, game.from_bytes(options, old.to_bytes(world))) for length, world in self._marks)

    def __str__(self) -> str:
        return str(self.world)

    def __repr__(self) -> str:
        state = f"over: {self.outcome.reason}" if self.outcome else f"seat {self.turn} to act"
        return f"<Match {self.game.card.id}, {self.length} actions, {state}>"

    # -- playing -------------------------------------------------------------------------------------------------

    def play(self, text: str, *, seat: int | None = None, at: int = 0) -> Match:
        """Plays what a text says, for the seat that is to act; Refused if it may not be played."""
        self._still_on()
        who = self.turn if seat is None else seat
        return self.act(who, self.game.parse(self.world, who, text), at=at)

    def act(self, seat: int, action: int, *, at: int = 0) -> Match:
        """Plays an action, then the dice until a seat is to act."""
        self._still_on()
        refusal = self.game.check(self.world, seat, action)
        if refusal:
            raise refusal
        self._go_on(seat, action, at)
        self._roll(at)
        return self

    def undo(self, *, seat: int | None = None, at: int = 0) -> Match:
        """Takes back the last action of a seat, with the dice that followed it."""
        kept = len(self.standing)
        while kept and self.standing[kept - 1][0] == CHANCE:
            kept -= 1
        if not kept:  # dice that fell before the first action stay where they are
            raise Refused("nothing_to_undo", Words("Il n’y a rien à annuler.", "There is nothing to take back."))
        return self.take(Happened("take_back", at, seat, kept=kept - 1))

    def resign(self, seat: int, *, at: int = 0) -> Match:
        """A seat gives up; its rank is behind all who stay."""
        return self._leave(Happened("resign", at, seat))

    def time_out(self, seat: int, reason: str = "", *, notes: str = "", at: int = 0) -> Match:
        """A seat has run out of time, and is out."""
        return self._leave(Happened("time_out", at, seat, reason, notes=notes))

    def forfeit(self, seat: int, reason: str, detail: tuple[str, ...] = (), notes: str = "", *, at: int = 0) -> Match:
        """A seat is out because its program broke a rule: why, in a code, and what it wrote last."""
        return self._leave(Happened("forfeit", at, seat, reason, detail=detail, notes=notes))

    def agree_draw(self, *, at: int = 0) -> Match:
        """Ends it as a draw: who asked whom is the referee's business."""
        self._still_on()
        return self.take(Happened("draw", at))

    def adjudicate(self, by: Verdict, *, at: int = 0) -> Match:
        """Ends a match that goes on for too long: as a draw, or as the scores stand."""
        self._still_on()
        return self.take(Happened("adjudicated", at, reason=by))

    def abort(self, reason: str = "", *, at: int = 0) -> Match:
        """Ends it without a winner."""
        self._still_on()
        return self.take(Happened("abort", at, reason=reason))

    def foresee(self, seat: int, action: int, at: int, dice: Dice) -> list[Step]:
        """Tries out a checked action, and the dice that fall after it. The match has not gone on yet: `take` does."""
        step = self._try(self.world, seat, action, at)
        return [step, *self.foresee_dice(step.world, at, dice)]

    def foresee_dice(self, world: World, at: int, dice: Dice) -> list[Step]:
        """The dice that fall in a world, until a seat is to act; drawn anew for each roll."""
        steps: list[Step] = []
        while self.game.turn(world) == CHANCE:
            steps.append(self._try(world, CHANCE, self.game.roll(world, dice()), at))
            world = steps[-1].world
        return steps

    def take(self, entry: Entry, step: Step | None = None) -> Match:
        """Follows an entry of its record, which is not checked: the one way in which a match goes on.

        A step from where the match stands now spares it to play the entry."""
        if isinstance(entry, Happened) and entry.event != "take_back":
            self._unwritten.append(entry)
        else:
            self.entries.append(entry)  # after all that was played before
        if step is not None:
            self.world = step.world
            self._stand(step.entry.seat, step.action)
        elif isinstance(entry, Played):
            self._apply(entry.seat, self.meant(entry))
        elif entry.event == "take_back":
            self._back_to(entry.kept)
        elif entry.event in LEAVING and entry.seat is not None:
            self.left.append((len(self.standing), entry))
            if len(self.gone) >= len(self.seats) - 1:
                self._end(cast(Reason, entry.event))
        elif entry.event == "draw" or entry.event == "abort":
            self._end(entry.event, equal=True)
        elif entry.event == "adjudicated":
            self._end(entry.event, equal=entry.reason == "draw")
        return self

    def meant(self, entry: Played) -> int:
        """The action of an entry that may come now; whoever asks before the match takes it spares it to read again."""
        if self._meant is None or self._meant[0] is not entry:
            self._meant = entry, self.game.parse(self.world, entry.seat, entry.action)
        return self._meant[1]

    # -- the record ----------------------------------------------------------------------------------------------

    def record(self) -> MatchRecord:
        """All of it, to be kept: `encode` makes a file of it."""
        return MatchRecord(
            format=FORMAT,
            game=self.game.card.id,
            rules=self.game.card.version,
            options=self.world.options,
            start=self.start,
            start_digest=self.game.position_digest(self._start),
            seats=self.seats,
            entries=self.entries,
            outcome=self.outcome,
            seed=self.seed,
        )

    # -- inside --------------------------------------------------------------------------------------------------

    def _still_on(self) -> None:
        if self.over:
            raise Refused("over", Words("La partie est finie.", "The match is over."))

    def _leave(self, entry: Happened) -> Match:
        self._still_on()
        if entry.seat is None or not 0 <= entry.seat < len(self.seats) or entry.seat in self.gone:
            raise Refused("no_such_seat", Words("Il n’y a pas de place {}.", "There is no seat {}.").format(entry.seat))
        return self.take(entry)

    def _try(self, world: World, seat: int, action: int, at: int) -> Step:
        """Plays an action on a copy of a world, and writes it down."""
        text = self.game.text(world, seat, action)
        after = self.game.clone(world)
        self.game.apply(after, seat, action)
        return Step(Played(seat, text, at, self.game.position_digest(after)), action, after)

    def _write_down(self) -> None:
        """Plays once more what has no entry yet, in one world of its own."""
        world = self._scribe and self.game.clone(self._scribe)
        for what in self._unwritten:
            if isinstance(what, Happened):
                self._entries.append(what)
                continue
            assert world is not None
            seat, action, at = what
            text = self.game.text(world, seat, action)
            self.game.apply(world, seat, action)
            self._entries.append(Played(seat, text, at, self.game.position_digest(world)))
        self._unwritten, self._scribe = [], None

    def _go_on(self, seat: int, action: int, at: int) -> None:
        """In another world: the one before stays as it is, and what happened is written down when somebody reads it."""
        if self._scribe is None:
            self._scribe = self.world
        self._unwritten.append((seat, action, at))
        self.world = self.game.clone(self.world)
        self._apply(seat, action)

    def _roll(self, at: int) -> None:
        """The dice, until a seat is to act."""
        while not self.outcome and self.game.turn(self.world) == CHANCE:
            self._go_on(CHANCE, self.game.roll(self.world, self._random()), at)

    def _random(self) -> list[Random]:
        """For one roll."""
        return self._dice or self.game.random(secrets.randbits(63))

    def _apply(self, seat: int, action: int) -> None:
        self.game.apply(self.world, seat, action)
        self._stand(seat, action)

    def _stand(self, seat: int, action: int) -> None:
        self._meant = None
        self.standing.append((seat, action))
        if len(self.standing) % STRIDE == 0:
            self._marks = (*self._marks[1 - MARKS :], (len(self.standing), self.game.clone(self.world)))
        if self.game.over(self.world):
            self._end("played")

    def _back_to(self, kept: int) -> None:
        length, mark = self._mark(kept)
        self._marks = tuple(mark for mark in self._marks if mark[0] <= kept)
        again, self.standing = self.standing[length:kept], self.standing[:length]
        self.left = [(length, entry) for length, entry in self.left if length <= kept]
        self.outcome = None
        self._meant = None
        self.world = self.game.clone(mark)
        for seat, action in again:
            self._apply(seat, action)

    def why(self) -> Words | None:
        """Why it is over, in words; None while it goes on."""
        if self.outcome is None:
            return None
        if self.outcome.reason == "played":
            return self.game.ending(self.world)
        left = [e for e in self.entries if isinstance(e, Happened) and e.event == self.outcome.reason]
        ending = ENDINGS[self.outcome.reason].format(self._called(left[-1].seat) if left else "")
        if self.outcome.reason != "forfeit" or not left:
            return ending
        why = sentence(left[-1].reason, left[-1].detail, self.game.refusals())
        return ending if why is None else Words("{} {}", "{} {}").format(ending, why)

    def _called(self, seat: int | None) -> Words:
        """A person by name, a program by its side."""
        if seat is None or self.seats[seat].player != "person":
            return self.game.card.seat_name(seat or 0)
        return Words(self.seats[seat].name, self.seats[seat].name)

    def _mark(self, number: int) -> Mark:
        """The last one before so many actions."""
        return next((mark for mark in reversed(self._marks) if mark[0] <= number), (0, self._start))

    def _end(self, reason: Reason, equal: bool = False) -> None:
        scores = self.game.scores(self.world)
        penalty = self.game.forfeit_score(self.world)
        if penalty is not None:
            scores = [penalty if seat in self.forfeited else score for seat, score in enumerate(scores)]
        self.outcome = Outcome(reason, scores, ranks_of([0] * len(scores) if equal else scores, self.gone))


ENDINGS = {
    "resign": Words("{} abandonne.", "{} resigned."),
    "time_out": Words("Le temps est écoulé pour {}.", "Time ran out for {}."),
    "forfeit": Words("{} est déclaré forfait.", "{} forfeits the match."),
    "draw": Words("La nulle a été acceptée.", "A draw was agreed."),
    "adjudicated": Words("La partie a été jugée avant sa fin.", "The match was adjudicated before its end."),
    "abort": Words("La partie est interrompue.", "The match was called off."),
}


def ranks_of(scores: Sequence[int], gone: Collection[int] = ()) -> list[int]:
    """1 for the highest score; equal scores share a rank; those who left come after all others."""
    keys = [(seat not in gone, score) for seat, score in enumerate(scores)]
    return [1 + sum(other > key for other in keys) for key in keys]
